"""The schema of a new database, created at once and stamped; an older database is upgraded by migrations/."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import text
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.schema import CreateIndex, CreateTable

from vetrina.backends import planner_statistics
from vetrina.backends.order_search_index import CREATE_ORDER_INDEX, CREATE_ORDER_INDEX_POSTGRESQL
from vetrina.backends.search_index import CREATE_INDEX, CREATE_INDEX_POSTGRESQL
from vetrina.backends.tables import (
    accounts as account_tables,
    analytics as analytics_tables,
    audit as audit_tables,
    carts as carts_tables,
    catalogue as catalogue_tables,
    change_log as change_log_tables,
    comments as comment_tables,
    connector as connector_tables,
    feeds as feeds_tables,
    fields as fields_tables,
    glossary as glossary_tables,
    jobs as job_tables,
    multilingual as multilingual_tables,
    options as option_tables,
    orders as orders_tables,
    payments as payments_tables,
    records as record_tables,
    redirects as redirects_tables,
    registration as registration_tables,
    roles as roles_tables,
    second_factors as second_factors_tables,
    sessions as session_tables,
    single_sign_on as single_sign_on_tables,
    strings as strings_tables,
    taxes_shipping,
    terms as term_tables,
    tokens as tokens_tables,
    transfer as transfer_tables,
    webhooks as webhooks_tables,
)
from vetrina.backends.tables.metadata import METADATA

from .database import Database, DatabaseKind, Statement, Transaction

# Importing the module registers its tables in METADATA.
for _module in (
    account_tables,
    change_log_tables,
    comment_tables,
    job_tables,
    option_tables,
    record_tables,
    session_tables,
    term_tables,
    audit_tables,
    carts_tables,
    catalogue_tables,
    connector_tables,
    analytics_tables,
    feeds_tables,
    fields_tables,
    glossary_tables,
    webhooks_tables,
    multilingual_tables,
    orders_tables,
    payments_tables,
    redirects_tables,
    single_sign_on_tables,
    registration_tables,
    second_factors_tables,
    roles_tables,
    taxes_shipping,
    transfer_tables,
    strings_tables,
    tokens_tables,
):
    assert _module.METADATA is METADATA


FIRST_REVISION = "0008"  # the first migration; from what was there before it no step leads on
HEAD_REVISION = "0030"  # the newest migration, whose tables METADATA describes

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


_DIALECTS: dict[DatabaseKind, Callable[[], Dialect]] = {"sqlite": sqlite.dialect, "postgresql": PGDialect}
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
    dialect = _DIALECTS[kind]()
    made = [str(CreateTable(table).compile(dialect=dialect)) for table in METADATA.sorted_tables]
    return [*made, *_EXTRA_TABLE_STATEMENTS[kind]]


def build_index_statements(kind: DatabaseKind) -> list[str]:
    """Return the statements to run after the tables are filled: indexes, and the revision stamp."""
    dialect = _DIALECTS[kind]()
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
