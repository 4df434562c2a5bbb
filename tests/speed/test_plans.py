"""Which statements PostgreSQL plans anew each time: none of those that every list or every write has."""

from __future__ import annotations

import psycopg
import pytest
from sqlalchemy import text

from conftest import Client, Stand
from vetrina.backends.database import Statement
from vetrina.backends.tables.records import record

POSTS = "/cms/v2/posts"
_PLANS = Statement(text("SELECT statement, generic_plans, custom_plans FROM pg_prepared_statements"))

pytestmark = pytest.mark.in_process("it asks for the plans of that process's connections")


@pytest.fixture
def kind() -> str:
    return "postgresql"


def count_plans(site: Stand, words: str) -> tuple[int, int]:
    """Return how often the statements with some words had the plan for all values, and how often one of their own."""
    with site.site.database.begin_read() as tx:
        found = [row for row in tx.all(_PLANS) if words in row[0]]
    return sum(row[1] for row in found), sum(row[2] for row in found)


@pytest.mark.parametrize(
    ("filtered", "order"),
    [
        ("", "ORDER BY record.date DESC, record.id"),
        ("categories=1&", "ORDER BY record_term.date DESC, record_term.record"),
    ],
)
def test_a_plain_list_is_planned_once_however_large_the_site_is(
    site: Stand, admin: Client, anyone: Client, filtered: str, order: str
) -> None:
    admin.post(POSTS, {"title": "One of many", "status": "publish"})
    own = {"id": "1000000 + g", "translations": "1000000 + g", "slug": "slug || g", "date": "date - g * 60"}
    columns = ", ".join(f'"{column.name}"' for column in record.c)
    values = ", ".join(own.get(column.name, f'"{column.name}"') for column in record.c)
    with psycopg.connect(site.site.context.settings.database, autocommit=True) as connection:
        connection.execute(
            f"INSERT INTO record ({columns}) SELECT {values} FROM record, generate_series(1, 20000) g".encode()
        )
        connection.execute(
            "INSERT INTO record_term (record, term, type, status, language, date) "
            "SELECT id, 1, type, status, language, date FROM record WHERE id > 1000000"
        )
        connection.execute("ANALYZE")
    for number in range(30):
        assert len(anyone.get(f"{POSTS}?{filtered}again={number}").json) == 10
    kept, made = count_plans(site, order)
    # The first ones are made with the values, then PostgreSQL compares them with one for all values.
    assert kept > 2 * made > 0


def test_what_a_write_asks_for_leases_is_planned_once(site: Stand, admin: Client) -> None:
    for number in range(8):
        assert admin.post(POSTS, {"title": f"Post {number}"}).status == 201
    kept, made = count_plans(site, "FROM counter \nWHERE counter.name >=")
    assert (kept > 0, made) == (True, 0)
