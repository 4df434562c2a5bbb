"""The tables of what proves an account beside its password: one-time codes, recovery codes, passkeys.

Secrets: access/second_factors/store.py; what a passkey is: access/passkeys/model.py.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Table

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

# `secret`: encrypted; `confirmed`: null until a first code proved that the app has it; `last_step`: the period of the
# last accepted code, which with all earlier ones counts no more.
one_time_code = Table(
    "one_time_code",
    METADATA,
    Column("account", NUMBER, ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("secret", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("confirmed", BigInteger),
    Column("last_step", BigInteger, nullable=False),
)

# A code that was used has no row any more.
recovery_code = Table(
    "recovery_code",
    METADATA,
    Column("digest", TEXT, primary_key=True),
    Column("account", NUMBER, ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
    Index("recovery_code_by_account", "account"),
)

# `credential`, `public_key`: base64url; `sign_count`: of its last use, 0 where the authenticator does not count;
# `transports`: a JSON list of what a browser said of it; `last_used`: null before the first.
passkey = Table(
    "passkey",
    METADATA,
    Column("id", TEXT, primary_key=True),
    Column("account", NUMBER, ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
    Column("credential", TEXT, nullable=False, unique=True),
    Column("public_key", TEXT, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("name", TEXT, nullable=False),
    Column("transports", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("last_used", BigInteger),
    Index("passkey_by_account", "account", "created"),
)

# Challenges that were answered, until they are too old anyway.
spent_challenge = Table(
    "spent_challenge",
    METADATA,
    Column("digest", TEXT, primary_key=True),
    Column("until", BigInteger, nullable=False),
    Index("spent_challenge_by_until", "until"),
)
