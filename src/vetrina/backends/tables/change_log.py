"""The table of the change log."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Table,
)

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

# The change log: one row for every write, in the write's own transaction. Caches, search and connector read it.
change = Table(
    "change",
    METADATA,
    Column("sequence", NUMBER, primary_key=True, autoincrement=True),
    Column("kind", TEXT, nullable=False),
    Column("item", TEXT, nullable=False),
    Column("action", TEXT, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("by", NUMBER, nullable=False, server_default="0"),
    # What the change feed tells readers of a thing that they could see before; NULL for most changes.
    Column("before", TEXT, nullable=True),
    sqlite_autoincrement=True,
)
