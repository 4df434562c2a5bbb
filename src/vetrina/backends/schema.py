"""The tables of a new database, made at once and stamped; an old one is brought up by its migrations.

Not here: how a database changes from one revision to the next (migrations/), what the tables are (tables.py).
"""

from __future__ import annotations

from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from .database import Database
from .search import CREATE_INDEX
from .tables import METADATA

__all__ = ["HEAD", "create", "revision", "statements"]

HEAD = "0001"  # the newest migration, whose tables METADATA describes

# Written out, as Alembic writes it: a start must not load Alembic to learn one number.
_STAMP = "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"


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
    """Make every table and index of an empty database, and note that it needs no migration."""
    connection = database.connection()
    connection.execute("BEGIN")
    for statement in (*statements(), CREATE_INDEX, _STAMP):
        connection.execute(statement)
    connection.execute("INSERT INTO alembic_version VALUES (?)", (HEAD,))
    connection.execute("COMMIT")


def revision(database: Database) -> str | None:
    """Return the migration that a database stands at, None when it has no tables of a site."""
    connection = database.connection()
    stamped = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone() if stamped else None
    return str(row[0]) if row else None
