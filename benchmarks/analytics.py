"""Measure the reports of a shop with many orders: `python benchmarks/analytics.py [--orders 1000000] [--kept FOLDER]`.

The orders go straight into their tables, three years of them; the tables of reports are then made by `vetrina analytics
rebuild`'s own code, which is measured too. Each request is asked several times in process; the median counts, from the
request to its last byte. Beside it stands the time of the process alone, for machines that others use as well.
`--postgres FOLDER` runs a server of its own with its data in that folder.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
import postgres
from sqlalchemy import update

from conftest import Client, exchange
from vetrina.backends.database import Statement, Tx
from vetrina.backends.numbers import next_number
from vetrina.backends.tables import counter, record
from vetrina.backends.tables_catalogue import product as product_table
from vetrina.backends.tables_orders import order_item, shop_order
from vetrina.domain.analytics import keeping, rebuilding
from vetrina.domain.founding import Account
from vetrina.kernel.garbage import look_seldom
from vetrina.settings import Settings, load_profile
from vetrina.site import Site, stand_in

_FIRST = 1_640_995_200  # 2022-01-01
_YEARS = 3 * 365 * 86_400  # seconds
_PART = 20_000  # orders of one transaction
_STATUSES = ("completed",) * 16 + ("processing", "on-hold", "pending", "refunded")
_M = 1_000_000
_TIMES = 5
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
    random = Random(1)
    with site.database.writing() as tx:
        base = next_number(tx)
        _products(tx, base, products)
    first = base + products
    columns, item_columns = [c.name for c in shop_order.c], [c.name for c in order_item.c]
    item = 0
    for at in range(0, orders, _PART):
        rows, items = [], []
        for number in range(at, min(at + _PART, orders)):
            id, created = first + number, _FIRST + number * _YEARS // orders
            buyer = random.randrange(customers)
            total = 0
            for _ in range(random.choice((1, 2, 2, 3))):
                item += 1
                quantity, price = random.randint(1, 3), random.randint(5, 80) * _M
                total += quantity * price
                items.append(
                    _item(item_columns, item, id, base + random.randrange(products), quantity, quantity * price)
                )
            rows.append(_order(columns, id, created, random.choice(_STATUSES), f"c{buyer}@example.org", total, buyer))
        with site.database.writing() as tx:
            tx.load(shop_order, rows)
            tx.load(order_item, items)
        print(f"\r{at + len(rows)} orders", end="", flush=True)
    with site.database.writing() as tx:
        for name, value in (("record", first + orders), ("order_item", item)):
            next_number(tx, name)
            tx.run(Statement(update(counter).where(counter.c.name == name).values(value=value)))
    print()


@cache
def _empty(table: Any) -> dict[str, Any]:
    return {c.name: None if c.nullable else ("" if str(c.type) == "TEXT" else 0) for c in table.c}


def _blank(table: Any, **members: Any) -> dict[str, Any]:
    return {**_empty(table), **members}


def _products(tx: Tx, base: int, products: int) -> None:
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


def _order(
    columns: list[str], id: int, created: int, status: str, email: str, total: int, buyer: int
) -> tuple[Any, ...]:
    billing = {"first_name": "N", "last_name": str(buyer), "country": ("IT", "FR", "US")[buyer % 3], "email": email}
    members = _blank(
        shop_order, id=id, status=status, currency="USD", created=created, modified=created, total=total,
        paid=created if status != "pending" else None, order_key=f"k{id}", billing=json.dumps(billing),
        shipping_address="{}", email_key=email,
    )  # fmt: skip
    return tuple(members[name] for name in columns)


def _item(columns: list[str], id: int, order: int, product: int, quantity: int, total: int) -> tuple[Any, ...]:
    members = _blank(
        order_item, id=id, owner=order, kind="line", name=f"Product {product}", product=product, quantity=quantity,
        tax_status="taxable", subtotal=total, total=total, subtotal_taxes="{}", taxes="{}", details="{}",
    )  # fmt: skip
    return tuple(members[name] for name in columns)


def _rebuilt(site: Site) -> tuple[float, float]:
    """Rebuild, and return the seconds that passed and those of this process."""
    begin, own = time.perf_counter(), time.process_time()
    with site.work() as work:
        held = rebuilding.start(work, by_job=False) or rebuilding.progress(work)
    while held.running:
        with site.work() as work:
            held = rebuilding.step(work, 2000)
        print(f"\r{held.orders} of {held.of_orders} rebuilt", end="", flush=True)
    print()
    done = 100
    while done == 100:
        with site.work() as work:
            done = keeping.keep_missing(work, 100)
    return time.perf_counter() - begin, time.process_time() - own


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
    """Return the milliseconds of making an order, and those of settling its report rows."""
    from vetrina.domain.analytics import facts

    whole, part = [], []
    settle = facts.rewrite

    def timed(*words: Any) -> None:
        begin = time.perf_counter()
        settle(*words)
        part.append((time.perf_counter() - begin) * 1000)

    facts.rewrite = timed
    for at in range(30):
        begin = time.perf_counter()
        body = {"status": "completed", "billing": {"email": f"c{at}@example.org"},
                "line_items": [{"product_id": product, "quantity": 1}]}  # fmt: skip
        assert client.post("/shop/v3/orders", body).status == 201
        whole.append((time.perf_counter() - begin) * 1000)
    facts.rewrite = settle
    return statistics.median(whole), statistics.median(part)


def main() -> None:
    """Build, rebuild, ask, and print a table."""
    look_seldom()  # as the command does
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--orders", type=int, default=1_000_000)
    parser.add_argument("--products", type=int, default=5_000)
    parser.add_argument("--customers", type=int, default=200_000)
    parser.add_argument("--kept", type=Path, help="a folder to build the shop in and find it again")
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
        accounts = [Account("admin", "administrator", "admin@example.org", "admin pass word")]
        site = stand_in(load_profile("second"), accounts, folder, settings) if fresh else Site(
            load_profile("second"), settings, folder, durable=False
        )  # fmt: skip
        if fresh:
            _fill(site, asked.orders, asked.products, asked.customers)
            wall, own = _rebuilt(site)
            print(f"rebuild with kept sums: {wall:.1f} s, {own:.1f} s of this process")
            (folder / "filled").touch()
        client = Client(site, "admin", "admin pass word")
        wrong = 0
        for name, path, query, limit in CASES:
            wall, own = _asked(site, client, path, query)
            wrong += wall > limit
            said = "ok" if wall <= limit else "TOO SLOW"
            print(f"{name:40} {wall:8.1f} ms ({own:.1f} of this process)   at most {limit} ms   {said}")
        with site.work(read=True) as work:
            product = work.tx.value(Statement(record.select().with_only_columns(record.c.id).where(
                record.c.type == "product").limit(1)))  # fmt: skip
        whole, part = _one_order(site, client, int(product))
        print(f"{'one order, its report rows':40} {part:8.1f} ms   at most 2 ms      (of {whole:.1f} ms)")
        site.close()
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
