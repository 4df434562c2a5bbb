"""The tables of terms, and of the records that have them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Table,
    UniqueConstraint,
)

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

term = Table(
    "term",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("taxonomy", TEXT, nullable=False),
    Column("language", TEXT, nullable=False),
    Column("translations", NUMBER, nullable=False),
    Column("name", TEXT, nullable=False),
    Column("name_key", TEXT, nullable=False),
    Column("slug", TEXT, nullable=False),
    Column("description", TEXT, nullable=False),
    Column("parent", NUMBER, nullable=False),
    Column("count", NUMBER, nullable=False),
    Column("meta", TEXT, nullable=False),
    Column("source_language", TEXT, nullable=False),
    UniqueConstraint("taxonomy", "language", "slug", name="term_slug"),
    UniqueConstraint("translations", "language", name="term_translation"),
    # With `slug`, so that a search reads no terms but those that it finds.
    Index("term_by_name", "taxonomy", "language", "name_key", "id", "slug"),
    Index("term_by_parent", "taxonomy", "parent"),
)

record_term = Table(
    "record_term",
    METADATA,
    Column("record", NUMBER, ForeignKey("record.id", ondelete="CASCADE"), primary_key=True),
    Column("term", NUMBER, ForeignKey("term.id", ondelete="CASCADE"), primary_key=True),
    # Copies of the record's columns, so that the records of a term are listed and counted from one index.
    Column("type", TEXT, nullable=False),
    Column("status", TEXT, nullable=False),
    Column("language", TEXT, nullable=False),
    Column("date", BigInteger, nullable=False),
    Index("record_term_by_term", "term", "type", "status", "language", "date", "record"),
)
