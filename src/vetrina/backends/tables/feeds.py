"""The table of other sites' feeds: what was last fetched of each, so that no page view waits for them.

Who fetches them and when: content/feeds/rules.py.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Table

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

# `entries`: JSON, newest first, `[]` until the first fetch; `read`: time of the last fetch, 0 for never; `due`: time of
# the next; `failures`: consecutive failed attempts.
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
