"""A migrated database equals a new one, whatever backends/tables declares today."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic import op
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine

from vetrina.backends import database_schema, migrations
from vetrina.backends.database import DatabaseKind, open_database
from vetrina.backends.tables.all_tables import METADATA

from . import write_first_migration

Structure = dict[str, list[Any]]

LATER = """'A later step.'

import sqlalchemy as sa
from alembic import op

revision = "{later}"
down_revision = "{newest}"


def upgrade():
    op.add_column("counter", sa.Column("later", sa.Text(), server_default="x", nullable=False))
"""
COLUMNS = """SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name
FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, ordinal_position"""
KEYS = """SELECT conrelid::regclass::text, contype::text, pg_get_constraintdef(oid)
FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2, 3"""
INDEXES = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1"


@pytest.fixture
def empty(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Make empty databases and return their URLs."""
    made: list[str] = []

    def make() -> str:
        if kind == "postgresql":
            made.append(request.getfixturevalue("postgres").new())
        else:
            made.append(f"sqlite:///{tmp_path / f'{len(made)}.sqlite'}")
        return made[-1]

    yield make
    if kind == "postgresql":
        for url in made:
            request.getfixturevalue("postgres").drop(url)


def engine_of(url: str) -> Engine:
    if not url.startswith("postgresql"):
        return create_engine(url)
    import psycopg

    return create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url))


def made_at_once(url: str) -> str:
    database = open_database(url)
    database_schema.create_schema(database)
    database.close()
    return url


def structure(url: str) -> Structure:
    """Return the schema of every table except that of the stamp."""
    engine = engine_of(url)
    with engine.connect() as connection:
        ask = connection.exec_driver_sql
        if url.startswith("postgresql"):
            parts = {"columns": COLUMNS, "keys": KEYS, "indexes": INDEXES}
            out = {name: [tuple(row) for row in ask(words)] for name, words in parts.items()}
            out = {name: [row for row in rows if "alembic" not in row[0]] for name, rows in out.items()}
        else:
            out = _structure_of_a_file(lambda words: [tuple(row) for row in ask(words)])
    engine.dispose()
    return out


def _structure_of_a_file(ask: Callable[[str], list[Any]]) -> Structure:
    out: Structure = {"advice": sorted(ask("SELECT * FROM sqlite_stat1"), key=str)}
    for (name,) in ask("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"):
        out[f"{name} columns"] = ask(f"PRAGMA table_info('{name}')")
        out[f"{name} keys"] = sorted(ask(f"PRAGMA foreign_key_list('{name}')"))
        out[f"{name} unique"] = sorted(
            [row[2] for row in ask(f"PRAGMA index_info('{index[1]}')")]
            for index in ask(f"PRAGMA index_list('{name}')")
            if index[3] == "u"
        )
    stated = ask("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name")
    out["indexes"] = [(name, re.sub(r"\s+", " ", words)) for type, name, words in stated if type == "index"]
    out["counted"] = [name for _, name, words in stated if "AUTOINCREMENT" in words]
    out["virtual"] = [words for _, _, words in stated if "VIRTUAL" in words]
    return out


@pytest.mark.every_database
def test_migrating_from_nothing_gives_the_tables_of_today(empty: Callable[[], str]) -> None:
    migrated = empty()
    migrations.upgrade_database(migrated)
    assert structure(migrated) == structure(made_at_once(empty()))


@pytest.mark.every_database
def test_alembic_sees_no_difference_either(empty: Callable[[], str]) -> None:
    url = empty()
    migrations.upgrade_database(url)
    engine = engine_of(url)
    with engine.connect() as connection:
        # The indexes of the search are not in backends/tables; the structure above has them.
        opts = {
            "compare_type": True,
            "include_name": lambda name, *_: (
                not re.match(
                    "(order_)?search_index|.*_trigrams|order_item_(by|long)_name|shop_order_(keys|long_key)", name or ""
                )
            ),
        }
        found = compare_metadata(MigrationContext.configure(connection, opts=opts), METADATA)
    engine.dispose()
    assert found == []


@pytest.mark.every_database
def test_a_new_database_is_stamped_with_the_newest_step(empty: Callable[[], str]) -> None:
    url = made_at_once(empty())
    database = open_database(url)
    assert database_schema.find_revision(database) == database_schema.HEAD_REVISION
    database.close()
    # And Alembic recognizes the stamp: there is nothing left to do.
    told: list[str] = []
    migrations.upgrade_database(url, told.append)
    assert told == []


def test_the_history_is_one_line_and_ends_where_the_stamp_says() -> None:
    history = ScriptDirectory.from_config(migrations.build_alembic_config("sqlite://"))
    assert history.get_heads() == [database_schema.HEAD_REVISION]
    steps = list(history.walk_revisions())
    assert all(isinstance(step.down_revision, str | None) for step in steps)
    # The stamps are compared as text to find the newer one.
    first = int(database_schema.FIRST_REVISION)
    assert [step.revision for step in reversed(steps)] == [
        f"{number:04}" for number in range(first, first + len(steps))
    ]


@pytest.mark.every_database
def test_every_step_is_told(empty: Callable[[], str]) -> None:
    told: list[str] = []
    migrations.upgrade_database(empty(), told.append)
    assert told[0] == "0008  The first tables."


@pytest.mark.parametrize("kind", write_first_migration.KINDS)
def test_the_first_step_is_written_from_the_tables_while_it_is_the_only_one(kind: DatabaseKind) -> None:
    if database_schema.HEAD_REVISION != database_schema.FIRST_REVISION:
        pytest.skip("later steps lead from the first tables to those of today")
    written = write_first_migration.find_file(kind).read_text(encoding="utf-8")
    assert written == write_first_migration.build_statements(kind), "run tests/backends/write_first_migration.py"


@pytest.mark.every_database
def test_a_step_on_top_of_the_newest_is_run_alone(empty: Callable[[], str], tmp_path: Path) -> None:
    newest = database_schema.HEAD_REVISION
    later = f"{int(newest) + 1:04}"
    (tmp_path / f"{later}_later.py").write_text(LATER.format(later=later, newest=newest))
    versions = (migrations.VERSIONS, tmp_path)
    made, told = made_at_once(empty()), list[str]()
    migrations.upgrade_database(made, told.append, versions)
    assert told == [f"{later}  A later step."]
    migrated = empty()
    migrations.upgrade_database(migrated, versions=versions)
    assert structure(migrated) == structure(made)
    database = open_database(made)
    assert database_schema.find_revision(database) == later
    database.close()


def test_a_step_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "failed.sqlite"
    real = op.execute

    def failing(statement: str) -> None:
        if "record_by_date" in statement:
            raise RuntimeError("the disk is full")
        real(statement)

    monkeypatch.setattr(op, "execute", failing)
    with pytest.raises(RuntimeError, match="the disk is full"):
        migrations.upgrade_database(f"sqlite:///{path}")
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == []
