"""What PostgreSQL reads for lists of many orders: indexes that tell all, and no more orders than are shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg import Connection
from sqlalchemy import text

from conftest import Client, Stand
from vetrina.backends.database import Statement

ORDERS = "/shop/v3/orders"
_COPIES = 20_000
_DETAILS = """'{"of":"' || repeat('x', 400) || '"}'"""  # so that rows are wide beside the entries of an index
_LONG = 600  # letters, more than the index of names holds
_MOST_READ = 200  # rows, for a page of ten
_FLUSH = Statement(text("SELECT pg_stat_force_next_flush()"))  # at the end of the transaction, what was read is told

pytestmark = pytest.mark.in_process("it looks at what the site asks the server")


@pytest.fixture
def kind() -> str:
    return "postgresql"


@pytest.fixture
def connection(site: Stand) -> Iterator[Connection[Any]]:
    with psycopg.connect(site.site.context.settings.database, autocommit=True) as connection:
        # VACUUM marks no page as visible to all whose writer's commit may not be on the disk yet.
        connection.execute("SET synchronous_commit TO on")
        yield connection


def copy_rows(connection: Connection[Any], table: str, own: dict[str, str]) -> None:
    """Copy the rows of a table. own: SQL of what differs, `g` the number of the copy."""
    names = [row[0] for row in connection.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_name = %s ORDER BY ordinal_position", (table,)
    )]  # fmt: skip
    columns, values = ", ".join(f'"{name}"' for name in names), ", ".join(own.get(name, f'"{name}"') for name in names)
    connection.execute(
        f"INSERT INTO {table} ({columns}) SELECT {values} FROM {table}, generate_series(1, {_COPIES}) g".encode()
    )


@pytest.fixture
def shop(manager: Client, connection: Connection[Any]) -> Client:
    """A manager of a shop with many orders of three things."""
    lines = [{"name": name, "product_id": 999_999, "total": "1"} for name in ("Vase", "Three pencils", "Lamp")]
    for line in lines:
        manager.post(ORDERS, {"line_items": [line], "billing": {"first_name": "Ada", "city": "Verona"}})
    copy_rows(
        connection,
        "order_item",
        {"id": f"{_COPIES} + id * {_COPIES} + g", "owner": "owner + g * 1000", "details": _DETAILS},
    )
    copy_rows(connection, "shop_order", {"id": "id + g * 1000", "created": "created - g * 60"})
    connection.execute(
        "UPDATE order_tally SET count = (SELECT count(*) FROM shop_order WHERE shop_order.status = order_tally.status)"
    )
    connection.execute("VACUUM ANALYZE shop_order, order_item")
    return manager


def read_counts(site: Stand, connection: Connection[Any]) -> dict[str, int]:
    """Return how many rows of orders and of lines were read so far, and how often the index of orders' trigrams was."""
    with site.site.database.begin_read() as tx:
        tx.first(_FLUSH)
    rows = connection.execute(
        "SELECT relname, seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables "
        "WHERE relname IN ('shop_order', 'order_item') UNION ALL SELECT indexrelname, idx_scan "
        "FROM pg_stat_user_indexes WHERE indexrelname = 'shop_order_trigrams'"
    )
    return {str(name): int(number) for name, number in rows}


def ask(site: Stand, connection: Connection[Any], client: Client, **query: str) -> tuple[int, dict[str, int]]:
    """Return how many orders a list has, and what the database read for it."""
    before = read_counts(site, connection)
    answer = client.get(ORDERS, query=query)
    after = read_counts(site, connection)
    assert answer.status == 200
    return int(answer.headers["x-cms-total"]), {name: after[name] - before[name] for name in after}


@pytest.mark.parametrize("more", [{}, {"after": "2000-01-01T00:00:00"}])
def test_a_word_of_many_lines_is_counted_by_an_index(
    site: Stand, connection: Connection[Any], shop: Client, more: dict[str, str]
) -> None:
    total, read = ask(site, connection, shop, search="pencil", **more)
    assert total == _COPIES + 1
    assert (read["shop_order"] <= _MOST_READ, read["order_item"] <= _MOST_READ) == (True, True), read


def test_two_letters_are_looked_for_in_the_index_of_keys_alone(
    site: Stand, connection: Connection[Any], shop: Client
) -> None:
    total, read = ask(site, connection, shop, search="xq")
    assert (total, read["shop_order_trigrams"], read["order_item"] <= _MOST_READ) == (0, 0, True), read
    assert read["shop_order"] <= _MOST_READ, read
    assert ask(site, connection, shop, search="nowhere")[1]["shop_order_trigrams"] > 0


def test_two_letters_are_found_where_a_text_is_too_long_for_the_index_of_keys(manager: Client) -> None:
    long = "".join(f"{number * number:05}" for number in range(1000, 1600))
    ids = [manager.post(ORDERS, {"billing": {"company": company}}).json["id"] for company in ("Xq Ltd", f"{long} xq")]
    assert [
        one["id"] for one in manager.get(ORDERS, query={"search": "xq", "orderby": "id", "order": "asc"}).json
    ] == ids
    manager.patch(f"{ORDERS}/{ids[1]}", {"billing": {"company": "Lamps Ltd"}})
    assert [one["id"] for one in manager.get(ORDERS, query={"search": "xq"}).json] == ids[:1]


def test_rows_before_a_late_page_are_not_read(site: Stand, connection: Connection[Any], shop: Client) -> None:
    total, read = ask(site, connection, shop, page="1500")
    assert (total, read["shop_order"] <= _MOST_READ) == (3 * _COPIES + 3, True), read


@pytest.mark.parametrize("name", ["Vase number 17", f"A vase {'of many words ' * (_LONG // 10)}and a lid"])
def test_lines_are_found_where_there_are_too_many_names_or_too_long_ones(
    connection: Connection[Any], manager: Client, name: str
) -> None:
    body = {"line_items": [{"name": name, "product_id": 999_999, "total": "1"}]}
    id = manager.post(ORDERS, body).json["id"]
    if len(name) < _LONG:
        copy_rows(connection, "order_item", {"id": "id + g", "owner": "owner + g * 1000", "name": "'Lamp ' || g"})
    found = manager.get(ORDERS, query={"search": name[-9:]})
    assert [one["id"] for one in found.json] == [id]
