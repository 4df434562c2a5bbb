"""The schema of a new database, created at once and stamped; an older database is upgraded by migrations/.

All tables are imported when they are made: a server imports those of the modules that its site has.
"""

from __future__ import annotations

from sqlalchemy import text
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.schema import CreateIndex, CreateTable

from vetrina.backends import planner_statistics
from vetrina.backends.order_search_index import CREATE_ORDER_INDEX, CREATE_ORDER_INDEX_POSTGRESQL
from vetrina.backends.search_index import CREATE_INDEX, CREATE_INDEX_POSTGRESQL

from .database import Database, DatabaseKind, Statement, Transaction

FIRST_REVISION = "0008"  # the first migration; from what was there before it no step leads on
HEAD_REVISION = "0036"  # the newest migration, whose tables METADATA describes

# Written out as Alembic writes it, so that a start need not import Alembic to learn one revision.
_CREATE_STAMP_TABLE = "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"


# What each kind of database needs beside the tables, and its own indexes.
_EXTRA_TABLE_STATEMENTS: dict[DatabaseKind, tuple[str, ...]] = {
    "sqlite": (CREATE_INDEX, CREATE_ORDER_INDEX),
    "postgresql": (),
}
_STATISTICS: dict[DatabaseKind, tuple[str, ...]] = {"sqlite": planner_statistics.STATEMENTS, "postgresql": ()}
_EXTRA_INDEX_STATEMENTS: dict[DatabaseKind, tuple[str, ...]] = {
    "sqlite": (),
    "postgresql": (*CREATE_INDEX_POSTGRESQL, *CREATE_ORDER_INDEX_POSTGRESQL),
}


IS_STAMPED = Statement(
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
_COUNT_OBJECTS = Statement(
    lambda kind: text(
        "SELECT count(*) FROM sqlite_master"
        if kind == "sqlite"
        else "SELECT count(*) FROM pg_class WHERE relnamespace = CAST(current_schema() AS regnamespace)"
    )
)
_REVISION = Statement(text("SELECT version_num FROM alembic_version"))


def _load_dialect(kind: DatabaseKind) -> Dialect:
    # A site has one of the two databases; the dialects are large.
    if kind == "postgresql":
        from sqlalchemy.dialects.postgresql.base import PGDialect

        from vetrina.backends.tables.metadata import add_postgresql_conditions

        add_postgresql_conditions()
        return PGDialect()  # type: ignore[no-untyped-call]  # the dialect has no annotations
    from sqlalchemy.dialects import sqlite

    return sqlite.dialect()


def create_schema(database: Database) -> None:
    """Create every table and index in an empty database, and stamp it with the newest revision."""
    with database.begin_write() as tx:
        create_tables(tx)
        for statement in build_index_statements(tx.kind):
            tx.command(statement)


def create_tables(tx: Transaction) -> None:
    """Create every table in an empty database."""
    for statement in (*build_table_statements(tx.kind), *_STATISTICS[tx.kind]):
        tx.command(statement)


def build_table_statements(kind: DatabaseKind) -> list[str]:
    """Return the statements that create every table."""
    from vetrina.backends.tables.all_tables import METADATA

    dialect = _load_dialect(kind)
    made = [str(CreateTable(table).compile(dialect=dialect)) for table in METADATA.sorted_tables]
    return [*made, *_EXTRA_TABLE_STATEMENTS[kind]]


def build_index_statements(kind: DatabaseKind) -> list[str]:
    """Return the statements to run after the tables are filled: indexes, and the revision stamp."""
    from vetrina.backends.tables.all_tables import METADATA

    dialect = _load_dialect(kind)
    made = [
        str(CreateIndex(index).compile(dialect=dialect))
        for table in METADATA.sorted_tables
        for index in sorted(table.indexes, key=lambda index: index.name or "")
    ]
    return [
        *made,
        *_EXTRA_INDEX_STATEMENTS[kind],
        _CREATE_STAMP_TABLE,
        f"INSERT INTO alembic_version VALUES ('{HEAD_REVISION}')",
    ]


def is_database_empty(tx: Transaction) -> bool:
    """Return whether a database has no tables at all, of this program or any other."""
    return not tx.value(_COUNT_OBJECTS)


def list_table_names(tx: Transaction) -> set[str]:
    """Return the names of a database's tables."""
    return {str(row[0]) for row in tx.all(_TABLE_NAMES)}


def find_revision(database: Database) -> str | None:
    """Return the migration revision of a database, None if it has no tables of a site."""
    with database.begin_read() as tx:
        row = tx.first(_REVISION) if tx.value(IS_STAMPED) else None
    return str(row[0]) if row else None
