"""The tables of a new database, made at once and stamped; an old one is brought up by its migrations.

Not here: how a database changes from one revision to the next (migrations/), what the tables are (tables.py).
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import text
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.schema import CreateIndex, CreateTable

from . import statistics
from .database import Database, Kind, Statement
from .search import CREATE_INDEX, CREATE_INDEX_POSTGRESQL
from .tables import METADATA

__all__ = ["HEAD", "create", "revision", "statements"]

HEAD = "0001"  # the newest migration, whose tables METADATA describes

# Written out, as Alembic writes it: a start must not load Alembic to learn one number.
_STAMP = "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"


# Whatever else stands beside the tables of a kind of database.
_BESIDE: dict[Kind, tuple[str, ...]] = {
    "sqlite": (CREATE_INDEX, *statistics.STATEMENTS),
    "postgresql": CREATE_INDEX_POSTGRESQL,
}
_DIALECTS: dict[Kind, Callable[[], Dialect]] = {"sqlite": sqlite.dialect, "postgresql": PGDialect}
_STAMPED = Statement(
    lambda kind: text(
        "SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'"
        if kind == "sqlite"
        else "SELECT to_regclass('alembic_version') IS NOT NULL"
    )
)
_REVISION = Statement(text("SELECT version_num FROM alembic_version"))


def statements(kind: Kind) -> list[str]:
    """Return the statements that make every table and index."""
    dialect = _DIALECTS[kind]()
    out = []
    for table in METADATA.sorted_tables:
        out.append(str(CreateTable(table).compile(dialect=dialect)))
        out += [
            str(CreateIndex(index).compile(dialect=dialect))
            for index in sorted(table.indexes, key=lambda i: i.name or "")
        ]
    return [*out, *_BESIDE[kind]]


def create(database: Database) -> None:
    """Make every table and index of an empty database, and note that it needs no migration."""
    with database.writing() as tx:
        for statement in (*statements(database.kind), _STAMP, f"INSERT INTO alembic_version VALUES ('{HEAD}')"):
            tx.command(statement)


def revision(database: Database) -> str | None:
    """Return the migration that a database stands at, None when it has no tables of a site."""
    with database.reading() as tx:
        row = tx.first(_REVISION) if tx.value(_STAMPED) else None
    return str(row[0]) if row else None
