"""The tables of tokens: the keys that sign access tokens, and refresh tokens.

Their sessions: backends/tables/sessions.py. The rules: access/tokens/.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Table

from vetrina.backends.tables.metadata import METADATA, TEXT

# `sealed`: the private key, encrypted under the site's secret; `public`: a JWK as JSON; `retired`: when it signed for
# the last time, null while it does.
signing_key = Table(
    "signing_key",
    METADATA,
    Column("kid", TEXT, primary_key=True),
    Column("sealed", TEXT, nullable=False),
    Column("public", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("retired", BigInteger),
)

# `digest`: of the token, which is not stored; `used`: when it was exchanged for a new one, null until then.
refresh_token = Table(
    "refresh_token",
    METADATA,
    Column("digest", TEXT, primary_key=True),
    Column("session", TEXT, ForeignKey("session.id", ondelete="CASCADE"), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger),
    Index("refresh_token_by_session", "session"),
    Index("refresh_token_by_used", "used"),
)
