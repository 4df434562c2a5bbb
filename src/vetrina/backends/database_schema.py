"""The tables of a new database, made at once and stamped; an old one is brought up by its migrations.

Not here: how a database changes from one revision to the next (migrations/), what the tables are
(backends/tables/core.py).
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import text
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.schema import CreateIndex, CreateTable

from vetrina.backends import planner_statistics
from vetrina.backends.search_index import CREATE_INDEX, CREATE_INDEX_POSTGRESQL
from vetrina.backends.tables import (
    analytics as analytics_tables,
)
from vetrina.backends.tables import (
    carts as carts_tables,
)
from vetrina.backends.tables import (
    catalogue as catalogue_tables,
)
from vetrina.backends.tables import (
    connector as connector_tables,
)
from vetrina.backends.tables import (
    feeds as feeds_tables,
)
from vetrina.backends.tables import (
    multilingual as multilingual_tables,
)
from vetrina.backends.tables import (
    orders as orders_tables,
)
from vetrina.backends.tables import (
    payments as payments_tables,
)
from vetrina.backends.tables import (
    strings as strings_tables,
)
from vetrina.backends.tables import (
    taxes_shipping,
)
from vetrina.backends.tables import (
    webhooks as webhooks_tables,
)
from vetrina.backends.tables.core import METADATA

from .database import Database, Kind, Statement, Tx

# Its tables are in METADATA once it is loaded.
for _module in (
    carts_tables,
    catalogue_tables,
    connector_tables,
    analytics_tables,
    feeds_tables,
    webhooks_tables,
    multilingual_tables,
    orders_tables,
    payments_tables,
    taxes_shipping,
    strings_tables,
):
    assert _module.METADATA is METADATA

__all__ = ["HEAD", "METADATA", "STAMPED", "create", "indexes", "is_empty", "make_tables", "revision", "table_names"]

HEAD = "0008"  # the newest migration, whose tables METADATA describes

# Written out, as Alembic writes it: a start must not load Alembic to learn one number.
_STAMP = "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"


# What stands beside the tables of a kind of database, and among its indexes.
_BESIDE: dict[Kind, tuple[str, ...]] = {"sqlite": (CREATE_INDEX, *planner_statistics.STATEMENTS), "postgresql": ()}
_AMONG: dict[Kind, tuple[str, ...]] = {"sqlite": (), "postgresql": CREATE_INDEX_POSTGRESQL}


_DIALECTS: dict[Kind, Callable[[], Dialect]] = {"sqlite": sqlite.dialect, "postgresql": PGDialect}
STAMPED = Statement(
    lambda kind: text(
        "SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'"
        if kind == "sqlite"
        else "SELECT to_regclass('alembic_version') IS NOT NULL"
    )
)
_TABLE_NAMES = Statement(
    lambda kind: text(
        "SELECT name FROM sqlite_master WHERE type = 'table'"
        if kind == "sqlite"
        else "SELECT relname FROM pg_class WHERE relkind = 'r'"
        " AND relnamespace = CAST(current_schema() AS regnamespace)"
    )
)
_OBJECTS = Statement(
    lambda kind: text(
        "SELECT count(*) FROM sqlite_master"
        if kind == "sqlite"
        else "SELECT count(*) FROM pg_class WHERE relnamespace = CAST(current_schema() AS regnamespace)"
    )
)
_REVISION = Statement(text("SELECT version_num FROM alembic_version"))


def create(database: Database) -> None:
    """Make every table and index of an empty database, and note that it needs no migration."""
    with database.writing() as tx:
        make_tables(tx)
        for statement in indexes(tx.kind):
            tx.command(statement)


def make_tables(tx: Tx) -> None:
    """Make every table of an empty database."""
    dialect = _DIALECTS[tx.kind]()
    for table in METADATA.sorted_tables:
        tx.command(str(CreateTable(table).compile(dialect=dialect)))
    for statement in _BESIDE[tx.kind]:
        tx.command(statement)


def indexes(kind: Kind) -> list[str]:
    """Return the statements for what the tables lack: indexes, and the note that the database needs no migration."""
    dialect = _DIALECTS[kind]()
    made = [
        str(CreateIndex(index).compile(dialect=dialect))
        for table in METADATA.sorted_tables
        for index in sorted(table.indexes, key=lambda index: index.name or "")
    ]
    return [*made, *_AMONG[kind], _STAMP, f"INSERT INTO alembic_version VALUES ('{HEAD}')"]


def is_empty(tx: Tx) -> bool:
    """Say whether nothing stands in a database yet, not even somebody else's."""
    return not tx.value(_OBJECTS)


def table_names(tx: Tx) -> set[str]:
    """Return the names of the tables that a database has."""
    return {str(row[0]) for row in tx.all(_TABLE_NAMES)}


def revision(database: Database) -> str | None:
    """Return the migration that a database stands at, None when it has no tables of a site."""
    with database.reading() as tx:
        row = tx.first(_REVISION) if tx.value(STAMPED) else None
    return str(row[0]) if row else None
