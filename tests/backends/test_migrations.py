"""A database that was migrated is the database that is made at once, whatever tables.py says today."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest
from alembic import op
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from vetrina.backends import migrations, schema
from vetrina.backends.database import open_database
from vetrina.backends.tables import METADATA

Row = tuple[object, ...]


@pytest.fixture
def migrated(tmp_path: Path) -> Path:
    path = tmp_path / "migrated.sqlite"
    migrations.upgrade(f"sqlite:///{path}")
    return path


def made(folder: Path) -> Path:
    path = folder / "made.sqlite"
    database = open_database(f"sqlite:///{path}")
    schema.create(database)
    database.close()
    return path


def structure(path: Path) -> dict[str, list[Row]]:
    """Return what SQLite knows of every table: columns, keys, indexes with their columns and conditions."""
    connection = sqlite3.connect(path)
    out: dict[str, list[Row]] = {}
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    for (name,) in names:
        out[f"{name} columns"] = connection.execute(f"PRAGMA table_info('{name}')").fetchall()
        out[f"{name} keys"] = sorted(connection.execute(f"PRAGMA foreign_key_list('{name}')").fetchall())
        out[f"{name} unique"] = sorted(
            tuple(row[2] for row in connection.execute(f"PRAGMA index_info('{index[1]}')"))
            for index in connection.execute(f"PRAGMA index_list('{name}')").fetchall()
            if index[3] == "u"
        )
    out["indexes"] = [
        (name, re.sub(r"\s+", " ", text))
        for name, text in connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name"
        )
    ]
    out["counted"] = [
        (name,)
        for name, text in connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name")
        if "AUTOINCREMENT" in text
    ]
    connection.close()
    return out


def test_migrating_from_nothing_gives_the_tables_of_today(migrated: Path, tmp_path: Path) -> None:
    assert structure(migrated) == structure(made(tmp_path))


def test_alembic_sees_no_difference_either(migrated: Path) -> None:
    engine = create_engine(f"sqlite:///{migrated}")
    with engine.connect() as connection:
        # The index of the search is no table of tables.py; the structure above has it.
        opts = {"compare_type": True, "include_name": lambda name, *_: not str(name).startswith("search_index")}
        context = MigrationContext.configure(connection, opts=opts)
        found = compare_metadata(context, METADATA)
    engine.dispose()
    assert found == []


def test_a_new_database_is_stamped_with_the_newest_step(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{made(tmp_path)}")
    assert schema.revision(database) == schema.HEAD
    database.close()


def test_the_history_is_one_line_and_ends_where_the_stamp_says() -> None:
    history = ScriptDirectory.from_config(migrations.configuration("sqlite://"))
    assert history.get_heads() == [schema.HEAD]
    steps = list(history.walk_revisions())
    assert all(isinstance(step.down_revision, str | None) for step in steps)
    # The stamps are compared as texts to know which is newer.
    assert [step.revision for step in reversed(steps)] == [f"{number:04}" for number in range(1, len(steps) + 1)]


def test_every_step_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    migrations.upgrade(f"sqlite:///{tmp_path / 'told.sqlite'}", told.append)
    assert told[0] == "0001  The first tables."


def test_a_step_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "failed.sqlite"
    real = op.create_index

    def failing(name: str, *rest: object, **words: object) -> None:
        if name == "record_by_date":
            raise RuntimeError("the disk is full")
        real(name, *rest, **words)  # type: ignore[arg-type]

    monkeypatch.setattr(op, "create_index", failing)
    with pytest.raises(RuntimeError, match="the disk is full"):
        migrations.upgrade(f"sqlite:///{path}")
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == []
    connection.close()
