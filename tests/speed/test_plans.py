"""A statement is planned once.

SQLite plans again at every use if a bound value decides whether an index can be used.
"""

from __future__ import annotations

import sqlite3

import pytest
from sqlalchemy.dialects import sqlite

from conftest import Client, Stand
from vetrina.analytics.rollups import jobs as rollup_jobs

TARGETS = (
    "/cms/v2/posts", "/cms/v2/posts?orderby=title&author=1", "/cms/v2/posts?slug=x", "/cms/v2/posts?search=word",
    "/cms/v2/posts?categories=1", "/cms/v2/posts?sticky=true", "/cms/v2/pages?parent=0", "/cms/v2/users",
    "/cms/v2/posts?status=draft", "/cms/v2/media", "/cms/v2/categories", "/cms/v2/comments",
)  # fmt: skip


@pytest.fixture
def kind() -> str:
    """The embedded database, which reports how often it plans."""
    return "sqlite"


def test_no_statement_is_planned_each_time(site: Stand, admin: Client) -> None:
    connection = site.site.database.connection()
    try:
        connection.execute("SELECT 1 FROM sqlite_stmt").fetchall()
    except sqlite3.OperationalError:
        pytest.skip("this build of SQLite does not tell how often it plans")
    for kind in ("posts", "pages"):
        assert admin.post(f"/cms/v2/{kind}", {"title": "word", "status": "publish"}).status == 201
    for again in range(4):
        for target in TARGETS:
            assert admin.get(f"{target}{'&' if '?' in target else '?'}again={again}").status == 200
    used = connection.execute("SELECT sql, reprep FROM sqlite_stmt WHERE run > 2").fetchall()
    assert any("FROM record" in sql and "record.status = :status" in sql for sql, _ in used)
    assert [sql for sql, planned in used if planned > 2] == []


def test_the_first_and_last_order_are_looked_up_without_reading_the_others(site: Stand) -> None:
    connection = site.site.database.connection()
    for statement in rollup_jobs._ENDS.values():
        text = statement.compile_for(sqlite.dialect(paramstyle="named")).text
        steps = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {text}")]
        assert len([step for step in steps if step.startswith("SEARCH fact_order USING COVERING INDEX")]) == 2, steps
