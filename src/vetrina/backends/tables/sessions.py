"""The table of sessions: who is signed in, with what, and until when.

Accounts and application passwords: backends/tables/accounts.py. The rules: access/sessions/rules.py.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Table

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

# `kind`: browser, token; `name`: what its owner calls it; `digest`: of the key that its cookie holds, empty where no
# cookie does; `last_used`, `address`: of its latest use, a few minutes late; `agent`: the client as it names itself;
# `scopes`: JSON, what it may be used for, an empty list for everything.
session = Table(
    "session",
    METADATA,
    Column("id", TEXT, primary_key=True),
    Column("account", NUMBER, ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
    Column("kind", TEXT, nullable=False),
    Column("name", TEXT, nullable=False),
    Column("digest", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("last_used", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Column("address", TEXT, nullable=False),
    Column("agent", TEXT, nullable=False),
    Column("scopes", TEXT, nullable=False),
    Index("session_by_account", "account", "last_used"),
    Index("session_by_until", "until"),
)
