"""Multiply the rows of a shop's reports on PostgreSQL: more orders than the disk holds whole.

    python benchmarks/multiply_facts.py FOLDER --into NAME --times 10 [--spans 1]

FOLDER is a shop whose reports are built (`vetrina demo second --site FOLDER --orders 1000000`). A database NAME is made
beside the shop's own, which stays as it is and which nobody may be using meanwhile: without orders, their items and
notes, but with the rows that reports are made of, each `times` times, by other customers. They lie within the time of
the originals, or follow each other in so many spans of it that end with it. All sums are kept at the end, as at that of
`vetrina analytics rebuild`; VETRINA_DATABASE names the database to the benchmarks that ask for reports.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import Table

from vetrina.analytics.rollups import periods
from vetrina.backends.tables import analytics as tables
from vetrina.demo.many_orders import save_rollups
from vetrina.settings import load_settings
from vetrina.site_factory import open_site

_ORDERS = ("shop_order", "order_item")  # and what belongs to them
_FACTS = (tables.fact_order, tables.fact_line, tables.fact_coupon, tables.fact_tax, tables.fact_customer)
_IDS = {
    "fact_order": {"id": "order", "parent": "order", "customer": "customer"},
    "fact_line": {"order": "order"},
    "fact_coupon": {"order": "order"},
    "fact_tax": {"order": "order", "parent": "order"},
    "fact_customer": {"id": "customer", "account": "account"},
}
_MOMENTS = ("created_gmt", "created", "paid", "completed", "registered", "last_active", "last_order")
_MONTH = "_month"  # ends the name of the month of a moment
_DAY = 86_400  # seconds


class Copies:
    """The rules by which the copies of a row differ from it. k: of a copy in its span, from 0; the last one's moments
    in the last span are the original's.
    """

    def __init__(self, connection: psycopg.Connection, times: int, spans: int) -> None:
        self.spans, self._each = spans, times // spans
        [(first, last, number)] = connection.execute("SELECT min(created), max(created), count(*) FROM fact_order")
        self._days = (last - first) // _DAY + 1  # of a span, so that times of the day stay
        self._step = max(1, self._days * _DAY // number // self._each)  # seconds
        self._tops = {
            "order": self._find(connection, "SELECT max(id) FROM fact_order"),
            "customer": self._find(connection, "SELECT max(id) FROM fact_customer"),
            "account": self._find(connection, "SELECT max(account) FROM fact_customer"),
        }

    def build_copy(self, table: Table, span: int) -> str:
        """Return the statement that copies the rows of a table, from one named `original`, into a span."""
        columns = ", ".join(f'"{column.name}"' for column in table.c)
        values = ", ".join(self._build_value(table, column.name, span) for column in table.c)
        keys = ", ".join(f'"{column.name}"' for column in table.primary_key)
        return (
            f"INSERT INTO {table.name} ({columns}) SELECT {values} "
            f"FROM (SELECT * FROM original ORDER BY {keys}) AS o CROSS JOIN generate_series(0, {self._each - 1}) AS k"
        )

    def _build_value(self, table: Table, name: str, span: int) -> str:
        column = f'o."{name}"'
        if kind := _IDS[table.name].get(name):
            # They rise with time, as the ids of a shop do.
            mapped = f"{self._tops[kind] * self._each * span} + ({column} - 1) * {self._each} + k + 1"
            return f"CASE WHEN {column} > 0 THEN {mapped} ELSE {column} END"
        if name in _MOMENTS:
            return self._shift(column, span)
        if name.endswith(_MONTH):
            moment = f"to_timestamp({self._shift(column.replace(_MONTH, ''), span)}) AT TIME ZONE 'UTC'"
            return f"CAST(12 * date_part('year', {moment}) + date_part('month', {moment}) - 1 AS bigint)"
        if name in ("email", "email_key"):
            return f"replace({column}, '@', '.{span}.' || k || '@')"
        return column

    def _shift(self, column: str, span: int) -> str:
        before = (self.spans - 1 - span) * self._days * _DAY
        return f"({column} - {before} - ({self._each - 1} - k) * {self._step})"

    def _find(self, connection: psycopg.Connection, query: str) -> int:
        row = connection.execute(query.encode()).fetchone()
        return int(row[0] or 0) if row else 0


def copy_database(url: str, into: str) -> str:
    """Make a database of another one, without its orders; one of that name goes. Return its URL."""
    name = str(conninfo_to_dict(url)["dbname"])
    with psycopg.connect(url, dbname="postgres", autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{into}" WITH (FORCE)'.encode())
        connection.execute(f'CREATE DATABASE "{into}" TEMPLATE "{name}" STRATEGY = file_copy'.encode())
    made = url.replace(f"/{name}?", f"/{into}?")
    with psycopg.connect(made, autocommit=True) as connection:
        connection.execute(f"TRUNCATE {', '.join(_ORDERS)} CASCADE".encode())
    return made


def multiply(connection: psycopg.Connection, times: int, spans: int, done: Callable[[str], None]) -> None:
    """Copy all rows of reports. done: called with the name of each part."""
    copies = Copies(connection, times, spans)
    for table in _FACTS:
        indexes = connection.execute(
            "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = %s AND indexname NOT LIKE '%%_pkey'",
            (table.name,),
        ).fetchall()
        for name, _ in indexes:
            connection.execute(f"DROP INDEX {name}".encode())
        connection.execute(f"CREATE TEMPORARY TABLE original ON COMMIT DROP AS TABLE {table.name}".encode())
        connection.execute(f"TRUNCATE {table.name}".encode())
        for span in range(spans):
            connection.execute(copies.build_copy(table, span).encode())
        for _, statement in indexes:
            connection.execute(statement.encode())
        connection.commit()
        done(table.name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--into", required=True, help="the name of the database")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--spans", type=int, default=1, help="a divisor of `times`")
    args = parser.parse_args()
    begun = time.monotonic()

    def done(part: str) -> None:
        print(f"{time.monotonic() - begun:6.0f} s  {part}", flush=True)

    url = copy_database(load_settings(args.folder).database, args.into)
    done(f"database {url}")
    with psycopg.connect(url) as connection:
        multiply(connection, args.times, args.spans, done)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    done("vacuum")
    site = open_site(args.folder, [f"database={url}"])
    with site.work() as work:
        periods.delete_all_rollups(work)
    save_rollups(site)
    site.close()
    done("sums")


if __name__ == "__main__":
    main()
