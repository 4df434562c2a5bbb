"""Multiply the orders of a shop on PostgreSQL by SQL, which is faster than making them.

    python benchmarks/multiply_orders.py FOLDER --times 10

FOLDER is a shop (`vetrina demo second --site FOLDER --orders 100000`) that is not served meanwhile. Each order is
copied with all its rows, as an order of a moment before it by other guests; ids follow dates among the copies. The
reports are rebuilt at the end, as by `vetrina analytics rebuild`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
from sqlalchemy import Table

from vetrina.backends.order_search_index import CREATE_ORDER_INDEX_POSTGRESQL
from vetrina.backends.tables import orders as tables
from vetrina.backends.tables.analytics import order_file_fetch
from vetrina.backends.tables.catalogue import shop_meta
from vetrina.demo.many_orders import rebuild_reports
from vetrina.settings import load_settings
from vetrina.site_factory import open_site

# Columns with an id: whose, by the table's counter.
_OWNERS = {
    "shop_order": {"id": "record", "parent": "record"},
    "shop_refund": {"id": "record", "order": "record"},
    "order_item": {"id": "order_item", "owner": "record"},
    "order_item_cost": {"item": "order_item"},
    "order_note": {"id": "order_note", "order": "record"},
    "order_download": {"id": "order_download", "order": "record"},
    "order_file_fetch": {"id": "order_file_fetch", "order": "record"},
    "coupon_use": {"id": "coupon_use", "order": "record"},
    "shop_meta": {"id": "shop_meta"},
}
_MOMENTS = ("created", "modified", "paid", "completed", "granted", "at")
_TABLES = (
    tables.shop_order, tables.shop_refund, tables.order_item, tables.order_item_cost, tables.order_note,
    tables.order_download, order_file_fetch, tables.coupon_use, shop_meta,
)  # fmt: skip
_COUPON_COUNTS = "UPDATE coupon SET usage_count = (SELECT count(*) FROM coupon_use WHERE coupon_use.coupon = coupon.id)"


class Copies:
    """The rules by which the copies of a row differ from it. k: of a copy, from 1 to `times` - 1."""

    def __init__(self, connection: psycopg.Connection, times: int) -> None:
        self.times = times
        self.tops = {str(name): int(value) for name, value in connection.execute("SELECT name, value FROM counter")}
        [(first, last, number)] = connection.execute("SELECT min(created), max(created), count(*) FROM shop_order")
        self._step = max(1, (last - first) // number // times)  # seconds

    def build_copy(self, table: Table) -> str:
        """Return the statement that copies the rows of a table."""
        names = [column.name for column in table.c]
        values = [self._build_value(table.name, name) for name in names]
        order = f'"{next(iter(table.primary_key)).name}"'
        rows = f"SELECT * FROM {table.name}"
        if table is shop_meta:
            rows += " WHERE kind IN ('order', 'order_item', 'refund')"
        columns = ", ".join(f'"{name}"' for name in names)
        return (
            f"INSERT INTO {table.name} ({columns}) SELECT {', '.join(values)} "
            f"FROM ({rows} ORDER BY {order}) AS o CROSS JOIN generate_series(1, {self.times - 1}) AS k"
        )

    def _map(self, counter: str, id: str) -> str:
        """Return the id of a copy: above all that there were, in the order of the originals."""
        return f"({self.tops[counter]} + ({id} - 1) * {self.times - 1} + k)"

    def _build_value(self, table: str, name: str) -> str:
        column = f'o."{name}"'
        if counter := _OWNERS[table].get(name):
            return f"CASE WHEN {column} = 0 THEN 0 ELSE {self._map(counter, column)} END"
        if name in _MOMENTS:
            return f"{column} - (({self.times} - k) * {self._step})"
        if table == "shop_order":
            return self._build_order_value(name, column)
        if table == "order_item" and name == "details":
            return self._build_reference(column, "(CAST(o.details AS json) ->> 'of')", "'{\"of\":' || %s || '}'")
        if table == "shop_meta" and name == "owner":
            of_items = f"CASE WHEN o.kind = 'order_item' THEN {self._map('order_item', column)}"
            return f"{of_items} ELSE {self._map('record', column)} END"
        if table == "shop_meta" and name == "value":
            refunded = "(CASE WHEN o.name = '_refunded_item_id' THEN trim(BOTH '\"' FROM o.value) END)"
            return self._build_reference(column, refunded, "'\"' || %s || '\"'")
        return column

    def _build_reference(self, column: str, id: str, shown: str) -> str:
        mapped = self._map("order_item", f"CAST({id} AS bigint)")
        return f"CASE WHEN {id} IS NULL THEN {column} ELSE {shown % mapped} END"

    def _build_order_value(self, name: str, column: str) -> str:
        if name == "order_key":
            return f"{column} || k"
        if name not in ("billing", "email_key", "search_key"):
            return column
        # Customers with an account stay who they are.
        other = f"CASE WHEN o.customer = 0 THEN replace({column}, '@', '.' || k || '@') ELSE {column} END"
        if name == "search_key":
            return f"{self._map('record', 'o.id')} || substr({other}, length(CAST(o.id AS text)) + 1)"
        return other


def multiply(connection: psycopg.Connection, times: int, done: Callable[[str], None]) -> None:
    """Copy all orders. done: called with the name of each part."""
    copies = Copies(connection, times)
    # Filled at once, an index of trigrams takes a tenth of the time.
    for statement in CREATE_ORDER_INDEX_POSTGRESQL:
        connection.execute(f"DROP INDEX {statement.split()[2]}".encode())
    for table in _TABLES:
        connection.execute(copies.build_copy(table).encode())
        done(table.name)
    counters = {name for owners in _OWNERS.values() for name in owners.values()}
    connection.execute("UPDATE counter SET value = value * %s WHERE name = ANY(%s)", (times, list(counters)))
    connection.execute(_COUPON_COUNTS)
    connection.execute("DELETE FROM order_tally")
    connection.execute("INSERT INTO order_tally SELECT status, count(*) FROM shop_order GROUP BY status")
    for statement in CREATE_ORDER_INDEX_POSTGRESQL:
        connection.execute(statement.encode())
    done("indexes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--times", type=int, default=10)
    args = parser.parse_args()
    begun = time.monotonic()

    def done(part: str) -> None:
        print(f"{time.monotonic() - begun:6.0f} s  {part}", flush=True)

    url = load_settings(args.folder).database
    with psycopg.connect(url) as connection:
        multiply(connection, args.times, done)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    done("vacuum")
    site = open_site(args.folder)
    rebuild_reports(site, lambda number: None)
    site.close()
    done("reports")


if __name__ == "__main__":
    main()
