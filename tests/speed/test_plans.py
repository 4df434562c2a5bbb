"""A statement is planned once.

SQLite plans again at every use if a bound value decides whether an index can be used.
"""

from __future__ import annotations

import re
import sqlite3

import pytest
from sqlalchemy.dialects import sqlite

from conftest import Client, Stand
from vetrina.analytics.rollups import jobs as rollup_jobs
from vetrina.media.attachments import usage

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


def test_that_a_translation_is_missing_is_seen_in_an_index(site: Stand, admin: Client) -> None:
    connection = site.site.database.connection()
    admin.post("/cms/v2/posts", {"title": "word", "status": "publish"})
    for path in ("/cms/v2/posts", "/cms/v2/posts?context=edit", "/cms/v2/categories"):
        assert admin.get(path, query={"untranslated_in": "it"}).json
    try:
        used = connection.execute("SELECT sql FROM sqlite_stmt WHERE sql LIKE '%other%:untranslated_in%'").fetchall()
    except sqlite3.OperationalError:
        pytest.skip("this build of SQLite does not tell which statements it has")
    for (sql,) in used:
        if "sqlite_stmt" in sql:
            continue
        values = dict.fromkeys(re.findall(r":(\w+)", sql))
        steps = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
        others = [step for step in steps if " other" in step and "LIST" not in step]
        assert others, steps
        assert all(step.startswith("SEARCH other") and " INDEX " in step for step in others), steps
    assert len(used) >= 3


def test_lists_of_several_statuses_are_read_in_order(site: Stand, admin: Client) -> None:
    connection = site.site.database.connection()
    post = admin.post("/cms/v2/posts", {"title": "word", "status": "publish"}).json["id"]
    assert admin.post("/cms/v2/comments", {"post": post, "content": "word"}).status == 201
    merged: set[str] = set()
    for path in (
        "posts?status=publish,draft", "posts?status=publish,draft&orderby=title",
        "comments?status=all&orderby=date", "comments?status=all&orderby=date_gmt",
    ):  # fmt: skip
        assert admin.get(f"/cms/v2/{path}").json
        try:
            used = connection.execute(
                "SELECT sql FROM sqlite_stmt WHERE sql LIKE '%UNION ALL%ORDER BY key_0%'"
            ).fetchall()
        except sqlite3.OperationalError:
            pytest.skip("this build of SQLite does not tell which statements it has")
        # Asked after each request: a connection keeps a number of statements, and lets the oldest go.
        merged.update(sql for (sql,) in used if "sqlite_stmt" not in sql)
    for sql in merged:
        values = dict.fromkeys(re.findall(r":(\w+)", sql))
        steps = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)]
        assert any("MERGE" in step for step in steps), steps
        assert not [step for step in steps if "ORDER BY" in step], steps
    assert len(merged) >= 4


def test_who_features_a_file_is_found_by_an_index(site: Stand) -> None:
    connection = site.site.database.connection()
    text = usage._FEATURING.compile_for(sqlite.dialect(paramstyle="named")).text
    values = dict.fromkeys(re.findall(r":(\w+)", text))
    steps = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {text}", values)]
    assert any("USING INDEX record_by_featured" in step for step in steps), steps
