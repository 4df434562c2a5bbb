"""The sites that are measured: built once a size, kept, and brought up to the tables of the code that is measured.

A site of PostgreSQL is that of SQLite, moved by `vetrina migrate --to`'s own code. Not here: what a site holds
(build.py, others.py), the server (postgres.py).
"""

from __future__ import annotations

import re
import shutil
import sys
import time
from pathlib import Path
from typing import Any

from postgres import Server
from sqlalchemy import Table, UniqueConstraint, text
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.schema import CreateColumn, CreateIndex, CreateTable

from vetrina.backends import database_schema, planner_statistics
from vetrina.backends.database import DatabaseKind, Statement, Transaction, open_database
from vetrina.backends.database_move import move_database
from vetrina.backends.tables.all_tables import METADATA

__all__ = ["name_of", "ready", "site_of"]

_MOVED = "moved-"  # before the name of a database that is not whole yet
_COLUMNS = re.compile(r"\(([^()]*)\)")
_CONSTRAINT = re.compile(r'CONSTRAINT "?(\w+)"?')


def site_of(kept: Path, posts: int) -> Path:
    """Return the folder of a size's site of SQLite."""
    return kept / f"site-{posts}"


def name_of(posts: int) -> str:
    """Return the name of a size's database at the server."""
    return f"site-{posts}"


def ready(kept: Path, posts: int, server: Server | None) -> None:
    """Build what is missing of a size, and bring up what is there; server: also its database there."""
    folder = site_of(kept, posts)
    if not (folder / "vetrina.toml").exists():
        shutil.rmtree(folder, ignore_errors=True)
        _say(f"building a site of {posts:,} posts")
        import build

        build.build(folder, posts)
    address = f"sqlite:///{(folder / 'site.sqlite').resolve()}"
    _brought_up(address)
    _others(folder)
    if server is None:
        return
    name = name_of(posts)
    if not server.has(name):
        _say(f"moving the site of {posts:,} posts to PostgreSQL")
        server.make(_MOVED + name)
        source, target = open_database(address), open_database(server.url(_MOVED + name))
        try:
            move_database(source, target, _Told())
        finally:
            source.close()
            target.close()
        server.rename(_MOVED + name, name)
    _brought_up(server.url(name))
    _others(folder, server.url(name))


def _others(folder: Path, url: str = "") -> None:
    # Loaded last: the tables of the site have to be those of the code first.
    import others

    others.fill(folder, url)


class _Told:
    def __init__(self) -> None:
        self._last = 0.0

    def __call__(self, table: str, done: int, rows: int) -> None:
        if done == rows or time.monotonic() - self._last > 1:
            self._last = time.monotonic()
            end = "\n" if done >= rows else ""
            print(f"\r  {table} {done:,} of {rows:,}   ", end=end, file=sys.stderr, flush=True)


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


# -- tables of today


def _brought_up(url: str) -> None:
    """Give a database the tables, columns and indexes that it lacks, and take away the indexes of yesterday."""
    database = open_database(url)
    try:
        with database.begin_write() as tx:
            statements = _lacking(tx.kind, _there(tx))
            for statement in statements:
                _say(f"  {' '.join(statement.split())[:100]}")
                tx.command(statement)
            # Not ANALYZE: it would read each index of the million, for statistics that are replaced at once.
            for statement in planner_statistics.STATEMENTS[1:] if tx.kind == "sqlite" else ():
                tx.command(statement)
            for statement in _renamed() if tx.kind == "sqlite" else ():
                tx.command(statement)
            tx.command(f"UPDATE alembic_version SET version_num = '{database_schema.HEAD_REVISION}'")
    finally:
        database.close()
    if statements and database.kind == "postgresql":
        # Which pages hold no news, without which no index is enough by itself.
        import psycopg

        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("VACUUM (ANALYZE)")


def _renamed() -> list[str]:
    """Return what gives the statistics of constraints to the indexes that stand for them here."""
    out = []
    for name in ("record", "term"):
        named = [one.name for one in METADATA.tables[name].constraints if isinstance(one, UniqueConstraint)]
        order = sorted((str(one) for one in named), key=lambda one: one != f"{name}_slug")
        out += [
            f"INSERT INTO sqlite_stat1 SELECT tbl, '{constraint}', stat FROM sqlite_stat1 "
            f"WHERE idx = 'sqlite_autoindex_{name}_{number}'"
            for number, constraint in enumerate(order, 1)
        ]
    return out


def _there(tx: Transaction) -> dict[str, tuple[set[str], dict[str, str]]]:
    """Return the columns of each table, and its indexes and named constraints with what each is of."""
    out: dict[str, tuple[set[str], dict[str, str]]] = {}
    if tx.kind == "sqlite":
        columns = "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'"
        indexes = "SELECT tbl_name, name, coalesce(sql, '') FROM sqlite_master WHERE type = 'index'"
    else:
        columns = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
        indexes = "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'"
    for table, name in tx.all(Statement(text(columns))):
        out.setdefault(table, (set(), {}))[0].add(name)
    for table, name, words in tx.all(Statement(text(indexes))):
        out.setdefault(table, (set(), {}))[1][name] = _of(words)
    if tx.kind == "sqlite":
        for table, words in tx.all(Statement(text("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))):
            out[table][1].update(dict.fromkeys(_CONSTRAINT.findall(words), ""))
    return out


def _of(words: str) -> str:
    """Return the columns of an index's statement, and in the words of SQLite the condition on its rows."""
    found = _COLUMNS.search(words)
    if found is None:
        return ""
    where = "" if " USING " in words else " ".join(words[found.end() :].split())
    return ",".join(part.strip(' "') for part in found[1].split(",")) + where


def _lacking(kind: DatabaseKind, there: dict[str, tuple[set[str], dict[str, str]]]) -> list[str]:
    dialect = sqlite.dialect() if kind == "sqlite" else PGDialect()  # type: ignore[no-untyped-call]
    declared = database_schema.build_index_statements(kind)
    out = []
    for table in METADATA.sorted_tables:
        if table.name not in there:
            out.append(str(CreateTable(table).compile(dialect=dialect)).strip())
        columns, indexes = there.get(table.name, ({column.name for column in table.c}, {}))
        for column in table.c:
            if column.name not in columns:
                words = str(CreateColumn(column).compile(dialect=dialect)).removesuffix(" NOT NULL")
                default = "" if "DEFAULT" in words else f" DEFAULT {_blank(column, kind)}"
                null = "" if column.nullable or "NOT NULL" in words else " NOT NULL"
                out.append(f'ALTER TABLE "{table.name}" ADD COLUMN {words}{default}{null}')
        wanted = {str(index.name): str(CreateIndex(index).compile(dialect=dialect)) for index in table.indexes}
        changed = {name for name in wanted if indexes.get(name) and _differ(kind, indexes[name], _of(wanted[name]))}
        if table.name in there:
            wanted |= _unique(table, kind)
        out += [
            f'DROP INDEX "{name}"' for name in sorted(indexes)
            if name.startswith(f"{table.name}_")
            and (name in changed or (name not in wanted and not any(f" {name} ON " in words for words in declared)))
            and not name.endswith(("_pkey", "_key"))
        ]  # fmt: skip
        out += [words for name, words in wanted.items() if name not in indexes or name in changed]
    return out


def _differ(kind: str, one: str, other: str) -> bool:
    """Say whether two indexes are of something else; the conditions as PostgreSQL words them are not compared."""
    return one != other if kind == "sqlite" else one != other.partition("WHERE")[0].strip()


def _unique(table: Table, kind: str) -> dict[str, str]:
    """Return the named constraints of a table, each with the statement that adds it."""
    out = {}
    for one in table.constraints:
        if isinstance(one, UniqueConstraint) and one.name:
            columns = ", ".join(f'"{column.name}"' for column in one.columns)
            out[str(one.name)] = (
                f'CREATE UNIQUE INDEX "{one.name}" ON "{table.name}" ({columns})'
                if kind == "sqlite"
                else f'ALTER TABLE "{table.name}" ADD CONSTRAINT "{one.name}" UNIQUE ({columns})'
            )
    return out


def _blank(column: Any, kind: str) -> str:
    python: type = column.type.python_type
    return {str: "''", bool: "0" if kind == "sqlite" else "false", int: "0"}[python]
