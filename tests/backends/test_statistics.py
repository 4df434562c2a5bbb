"""Statistics for SQLite's planner cover every index of the tables that have any; otherwise it prefers the others."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest


@pytest.fixture
def site(prepared: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{prepared / 'site.sqlite'}?mode=ro", uri=True)


@pytest.mark.parametrize("table", ["record", "record_term", "field_value", "term", "revision"])
def test_every_index_of_a_large_table_has_its_statistics(site: sqlite3.Connection, table: str) -> None:
    indexes = {row[1]: len(site.execute(f'PRAGMA index_info("{row[1]}")').fetchall()) for row in site.execute(
        f'PRAGMA index_list("{table}")'
    )}  # fmt: skip
    # The key of a table without row numbers is told of under the table's own name.
    primary = f"sqlite_autoindex_{table}_1"
    if primary in indexes and "WITHOUT ROWID" in site.execute(
        "SELECT sql FROM sqlite_master WHERE name = ?", [table]
    ).fetchone()[0]:  # fmt: skip
        indexes[table] = indexes.pop(primary)
    told = dict(site.execute("SELECT idx, stat FROM sqlite_stat1 WHERE tbl = ? AND idx IS NOT NULL", [table]))
    site.close()
    assert sorted(indexes) == sorted(told)
    # The number of rows, then how many share each further column.
    assert {name: len(stat.split()) - 1 for name, stat in told.items()} == indexes


def test_a_slug_is_looked_up_by_its_index_however_many_records_share_the_type(site: sqlite3.Connection) -> None:
    words = (
        "EXPLAIN QUERY PLAN SELECT slug FROM record WHERE type IN (SELECT value FROM json_each(?)) AND slug >= ?"
        " AND slug <= ? AND language = ? AND id != ? AND parent + 0 = ?"
    )
    plan = " / ".join(row[3] for row in site.execute(words, ["[]", "a", "b", "en", 1, 0]))
    site.close()
    assert "record_by_slug (type=? AND slug>? AND slug<?" in plan
