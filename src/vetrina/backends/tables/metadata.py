"""What all tables share: their MetaData, and the types of their columns.

Instants are whole seconds since 1970 in GMT; local times are counted the same way (kernel/times.py). Text that is
sorted or searched has a folded copy, because no database folds accents and case as the interface requires.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Index,
    Integer,
    MetaData,
    Text,
    text,
)

METADATA = MetaData()
_POSTGRESQL_WHERE: Final = "postgresql_where"

# Makes PostgreSQL compare text byte for byte and use integers of the same size, as SQLite does by itself.
TEXT = Text().with_variant(Text(collation="C"), "postgresql")
NUMBER = Integer().with_variant(BigInteger(), "postgresql")


def build_partial_index(name: str, *columns: str, where: str, in_sqlite: str = "") -> Index:
    """Return an index of the rows that fulfil a condition, which must be written as queries write it."""
    # Told as an option of PostgreSQL, it would load that database's dialect for every site.
    return Index(name, *columns, sqlite_where=text(in_sqlite or where), info={_POSTGRESQL_WHERE: where})


def add_postgresql_conditions() -> None:
    """Give every index of some rows its condition as an option of PostgreSQL, before its statements are written."""
    for table in METADATA.tables.values():
        for index in table.indexes:
            if _POSTGRESQL_WHERE in index.info:
                index.dialect_options["postgresql"]["where"] = text(index.info[_POSTGRESQL_WHERE])
