"""The table of redirects: addresses without a page, and where they lead.

What an address is here: content/redirects/paths.py. Who counts the hits: core/hit_counter.py.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Index, Table

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

# `language`: whose addresses, empty for those of every language; `source`: the path without the language, normalised;
# `prefix`: whether it stands for everything below it; `target`: path or URL, empty for 410 and where a record is the
# target; `record`: 0, or whose former address this is; `origin`: manual, slug; `last_hit`: null before the first.
redirect = Table(
    "redirect",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("language", TEXT, nullable=False),
    Column("source", TEXT, nullable=False),
    Column("prefix", Boolean, nullable=False),
    Column("target", TEXT, nullable=False),
    Column("record", NUMBER, nullable=False),
    Column("status", NUMBER, nullable=False),
    Column("active", Boolean, nullable=False),
    Column("origin", TEXT, nullable=False),
    Column("hits", BigInteger, nullable=False),
    Column("last_hit", BigInteger),
    Column("created", BigInteger, nullable=False),
    Column("modified", BigInteger, nullable=False),
    Index("redirect_by_source", "source", "prefix", "language", unique=True),
    Index("redirect_by_record", "record"),
)
