"""The table of the glossary: terms, and what they are in another language."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Index, Table

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

# `source_language`: of the term; `language`: of its translation; `case_sensitive`: whether case tells words apart.
mlang_glossary = Table(
    "mlang_glossary",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("term", TEXT, nullable=False),
    Column("source_language", TEXT, nullable=False),
    Column("language", TEXT, nullable=False),
    Column("translation", TEXT, nullable=False),
    Column("note", TEXT, nullable=False),
    Column("case_sensitive", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("modified", BigInteger, nullable=False),
    Index("mlang_glossary_by_term", "source_language", "language", "term", unique=True),
)
