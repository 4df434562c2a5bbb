"""The tables of a new database, made at once; an old one is brought up by its migrations."""

from __future__ import annotations

from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from .database import Database
from .tables import METADATA

__all__ = ["create", "statements"]


def statements() -> list[str]:
    """Return the statements that make every table and index."""
    dialect = sqlite.dialect()
    out = []
    for table in METADATA.sorted_tables:
        out.append(str(CreateTable(table).compile(dialect=dialect)))
        out += [
            str(CreateIndex(index).compile(dialect=dialect))
            for index in sorted(table.indexes, key=lambda i: i.name or "")
        ]
    return out


def create(database: Database) -> None:
    """Make every table and index of an empty database."""
    connection = database.connection()
    connection.execute("BEGIN")
    for statement in statements():
        connection.execute(statement)
    connection.execute("COMMIT")
