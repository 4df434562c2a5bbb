"""The table of the audit trail: who did what, from where. What is worth an entry: access/audit/recording.py."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Table

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

# An entry outlives what it is about and who did it: no column refers to another table. `account`: 0 for nobody;
# `login`: of that account at that time; `source`: by what the caller was signed in; `credential`: which one; `kind`,
# `item`, `action`: as in the change log, and beside them what is no change of data; `changes`: JSON, what was told of
# members. No index has the date: numbers follow it.
audit_entry = Table(
    "audit_entry",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("at", BigInteger, nullable=False),
    Column("account", NUMBER, nullable=False),
    Column("login", TEXT, nullable=False),
    Column("source", TEXT, nullable=False),
    Column("credential", TEXT, nullable=False),
    Column("address", TEXT, nullable=False),
    Column("agent", TEXT, nullable=False),
    Column("action", TEXT, nullable=False),
    Column("kind", TEXT, nullable=False),
    Column("item", TEXT, nullable=False),
    Column("title", TEXT, nullable=False),
    Column("changes", TEXT, nullable=False),
    Index("audit_entry_by_account", "account", "id"),
    Index("audit_entry_by_item", "kind", "item", "id"),
    sqlite_autoincrement=True,
)
