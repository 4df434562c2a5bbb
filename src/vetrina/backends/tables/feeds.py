"""The table of feeds of other sites: what was last read of each, so that nobody who reads a page waits for them.

Not here: who reads them and when (content/feeds/rules.py).
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Table

from vetrina.backends.tables.core import METADATA, NUMBER, TEXT

__all__ = ["METADATA", "feed"]

# `entries`: JSON, the newest first, `[]` until it was read; `read`: when that was, 0 for never; `due`: when it is read
# again; `failures`: attempts in a row that read nothing.
feed = Table(
    "feed",
    METADATA,
    Column("address", TEXT, primary_key=True),
    Column("entries", TEXT, nullable=False),
    Column("read", BigInteger, nullable=False),
    Column("due", BigInteger, nullable=False),
    Column("failures", NUMBER, nullable=False),
    Index("feed_by_due", "due"),
)
