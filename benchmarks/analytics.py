"""Measure the reports of a shop with many orders: `python benchmarks/analytics.py [--orders 1000000] [--kept FOLDER]`.

The orders go straight into their tables, three years of them; the tables of reports are then made by `vetrina analytics
rebuild`'s own code, which is measured too. Each request is asked several times in process; the median counts, from the
request to its last byte. Beside it stands the time of the process alone, for machines that others use as well.
`--postgres FOLDER` runs a server of its own with its data in that folder.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
import postgres
import report
from sqlalchemy import update

from conftest import Client, SetClock, exchange
from vetrina.backends.database import Statement, Transaction
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.tables.catalogue import product as product_table
from vetrina.backends.tables.records import counter, record
from vetrina.demo import many_orders
from vetrina.demo.many_orders import BulkOrder, BulkOrderLine
from vetrina.kernel.garbage_collection import reduce_gc_frequency
from vetrina.settings import Settings, load_profile
from vetrina.site import Site
from vetrina.site_factory import create_stand_in_site
from vetrina.system.bootstrap import InitialAccount

_FIRST = 1_640_995_200  # 2022-01-01
_YEARS = 3 * 365 * 86_400  # seconds
_STATUSES = ("completed",) * 16 + ("processing", "on-hold", "pending", "refunded")
_M = 1_000_000
_TIMES = 5
_ORDERS = 30  # that are made one by one
_REBUILD, _REBUILD_LIMIT = "rebuild, with the sums of all days, months and years", 180_000  # milliseconds
_ONE_ORDER, _ONE_ORDER_LIMIT = "the report rows of one more order", 2
_SPAN = {"after": "2024-01-01T00:00:00", "before": "2024-12-31T23:59:59"}
CASES: tuple[tuple[str, str, dict[str, Any], int], ...] = (
    ("revenue by day, a year", "reports/revenue/stats", {**_SPAN, "interval": "day"}, 100),
    (
        "orders by month, a year, by product", "reports/orders/stats",
        {**_SPAN, "interval": "month", "segmentby": "product", "per_page": 10}, 300,
    ),
    ("products, a year", "reports/products", {**_SPAN, "orderby": "items_sold"}, 200),
    (
        "customers by spend, with a filter", "customers",
        {"orderby": "total_spend", "country_includes": "IT", "orders_count_min": 2}, 150,
    ),
    ("leaderboards, a month", "leaderboards", {"after": "2024-06-01T00:00:00", "before": "2024-06-30T23:59:59"}, 200),
)  # fmt: skip


def _fill(site: Site, orders: int, products: int, customers: int) -> None:
    with site.database.begin_write() as tx:
        base = allocate_id(tx)
        _products(tx, base, products)
        tx.run(Statement(update(counter).where(counter.c.name == "record").values(value=base + products - 1)))
    many_orders.load_orders(site, _drawn(base, orders, products, customers), _counting("orders"))
    print()


def _drawn(base: int, orders: int, products: int, customers: int) -> Iterator[BulkOrder]:
    random = Random(1)
    for number in range(orders):
        created, buyer = _FIRST + number * _YEARS // orders, random.randrange(customers)
        lines = []
        for _ in range(random.choice((1, 2, 2, 3))):
            quantity, price = random.randint(1, 3), random.randint(5, 80) * _M
            product = base + random.randrange(products)
            lines.append(BulkOrderLine(product, 0, f"Product {product}", quantity, quantity * price))
        status = random.choice(_STATUSES)
        further = {"paid": created if status != "pending" else None, "search_key": ""}
        yield BulkOrder(created, status, "USD", _billing(buyer), lines, further=further)


def _billing(buyer: int) -> dict[str, str]:
    country = ("IT", "FR", "US")[buyer % 3]
    return {"first_name": "N", "last_name": str(buyer), "country": country, "email": f"c{buyer}@example.org"}


def _counting(what: str) -> Callable[[int], None]:
    """Return what is told how many more are done, and says how many they are."""
    total = 0

    def done(more: int) -> None:
        nonlocal total
        total += more
        print(f"\r{total} {what}", end="", flush=True)

    return done


@cache
def _empty(table: Any) -> dict[str, Any]:
    return {c.name: None if c.nullable else ("" if str(c.type) == "TEXT" else 0) for c in table.c}


def _blank(table: Any, **members: Any) -> dict[str, Any]:
    return {**_empty(table), **members}


def _products(tx: Transaction, base: int, products: int) -> None:
    records = [
        _blank(record, id=base + at, type="product", status="publish", title=f"Product {at}", slug=f"product-{at}",
               language="en", translations=base + at, title_key=f"product {at}", meta="{}")
        for at in range(products)
    ]  # fmt: skip
    texts = {"downloads": "[]", "gallery": "[]", "attributes": "[]", "default_attributes": "[]", "choices": "{}"}
    beside = [
        _blank(product_table, record=base + at, kind="simple", sku=f"P{at}", stock_status="instock", **texts)
        for at in range(products)
    ]  # fmt: skip
    tx.load(record, [tuple(row[c.name] for c in record.c) for row in records])
    tx.load(product_table, [tuple(row[c.name] for c in product_table.c) for row in beside])


def _rebuilt(site: Site) -> tuple[float, float]:
    """Rebuild, and return the milliseconds that passed and those of this process."""
    begin, own = time.perf_counter(), time.process_time()
    many_orders.rebuild_reports(site, _counting("orders rebuilt"))
    print()
    return (time.perf_counter() - begin) * 1000, (time.process_time() - own) * 1000


def _asked(site: Site, client: Client, path: str, query: dict[str, Any]) -> tuple[float, float]:
    """Return the milliseconds of a request, and those of this process: medians of several."""
    target = f"{client.root}/shop-analytics/{path}?{urlencode(query)}"
    taken = []
    for _ in range(_TIMES):
        begin, own = time.perf_counter(), time.process_time()
        status, _, content = exchange(site, "GET", target, b"", client.headers)
        taken.append(((time.perf_counter() - begin) * 1000, (time.process_time() - own) * 1000))
        assert status == 200, content
    return statistics.median(wall for wall, _ in taken), statistics.median(own for _, own in taken)


def _one_order(site: Site, client: Client, product: int) -> tuple[float, float]:
    """Return the milliseconds of settling the report rows of an order, and those of this process for all of it."""
    from vetrina.analytics.facts import updates as facts

    part = []
    settle = facts.rewrite_facts

    def timed(*words: Any) -> None:
        begin = time.perf_counter()
        settle(*words)
        part.append((time.perf_counter() - begin) * 1000)

    facts.rewrite_facts = timed
    own = time.process_time()
    for at in range(_ORDERS):
        body = {"status": "completed", "billing": {"email": f"c{at}@example.org"},
                "line_items": [{"product_id": product, "quantity": 1}]}  # fmt: skip
        assert client.post("/shop/v3/orders", body).status == 201
    facts.rewrite_facts = settle
    whole = (time.process_time() - own) * 1000 / _ORDERS
    return statistics.median(part), whole


def _told(name: str, wall: float, own: float, limit: float) -> dict[str, float]:
    said = "ok" if wall <= limit else "TOO SLOW"
    print(f"{name:52} {wall:10.1f} ms ({own:.1f} of this process)   at most {limit:,} ms   {said}")
    return {"value": wall, "own": own, "limit": limit}


def main() -> None:
    """Build, rebuild, ask, and print a table."""
    reduce_gc_frequency()  # as the command does
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--orders", type=int, default=1_000_000)
    parser.add_argument("--products", type=int, default=5_000)
    parser.add_argument("--customers", type=int, default=200_000)
    parser.add_argument("--kept", type=Path, help="a folder to build the shop in and find it again")
    parser.add_argument("--rebuild", action="store_true", help="rebuild the reports of a shop that was kept, too")
    parser.add_argument("--postgres", type=Path, help="a folder for a PostgreSQL of its own; by default embedded")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as throwaway, ExitStack() as stack:
        folder = asked.kept or Path(throwaway)
        folder.mkdir(parents=True, exist_ok=True)
        fresh, database = not (folder / "filled").exists(), ""
        if asked.postgres:
            server = stack.enter_context(postgres.running(asked.postgres))
            name = f"analytics_{asked.orders}"
            fresh = fresh or not server.has(name)
            if fresh:
                server.make(name)
            database = server.url(name)
        settings = Settings(secret="of the benchmark", database=database)
        accounts = [InitialAccount("admin", "administrator", "admin@example.org", "admin pass word")]
        clock = SetClock()
        site = create_stand_in_site(load_profile("second"), accounts, folder, settings, clock=clock) if fresh else Site(
            load_profile("second"), settings, folder, clock=clock, durable=False
        )  # fmt: skip
        rows: dict[str, dict[str, float]] = {}
        run = report.of_run("analytics.py", rows)
        if fresh:
            _fill(site, asked.orders, asked.products, asked.customers)
        if fresh or asked.rebuild:
            rows[_REBUILD] = _told(_REBUILD, *_rebuilt(site), _REBUILD_LIMIT)
            (folder / "filled").touch()
        client = Client(site, "admin", "admin pass word")
        for name, path, query, limit in CASES:
            rows[name] = _told(name, *_asked(site, client, path, query), limit)
        with site.work(read=True) as work:
            product = work.tx.value(Statement(record.select().with_only_columns(record.c.id).where(
                record.c.type == "product").limit(1)))  # fmt: skip
        # Into a day that has its orders, and is kept.
        clock.ahead = _FIRST + _YEARS - 43_200 - int(time.time())
        rows[_ONE_ORDER] = _told(_ONE_ORDER, *_one_order(site, client, int(product)), _ONE_ORDER_LIMIT)
        place = f"reports-{site.database.kind} {asked.orders}"
        report.written(report.DOCUMENT, report.merged(report.RESULTS, {place: run}))
        site.close()
    raise SystemExit(any(row["value"] > row["limit"] for row in rows.values()))


if __name__ == "__main__":
    main()
