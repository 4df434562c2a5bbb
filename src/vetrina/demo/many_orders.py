"""Orders in bulk, inserted straight into their tables, for tests at scale: no rule runs, but all of them hold.

An order here is products, shipping and a buyer without an account; stock is not reduced. The reports are built from the
orders at the end, as by `vetrina analytics rebuild`. Orders made one by one: demo/orders.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from random import Random
from typing import Any, Final, NamedTuple

from sqlalchemy import Table, update

from vetrina.analytics.facts import rebuilding
from vetrina.analytics.rollups import jobs as rollup_jobs
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.tables.orders import order_item, shop_order
from vetrina.backends.tables.records import counter
from vetrina.kernel.folding import fold_text
from vetrina.shop.orders import tallies
from vetrina.shop.orders.model import BILLING_FIELDS, SHIPPING_FIELDS
from vetrina.site import Site

from .catalogue import DemoOffer, build_address
from .orders import SPAN_DAYS
from .shop_texts import ShopTexts

_DAY: Final = 86_400  # seconds
_BATCH_ORDERS: Final = 20_000  # orders per transaction
_ROLLUP_BATCH: Final = 100  # days and months per transaction
_UNIT: Final = 1_000_000  # amounts are millionths
_SHIPPING_PRICE: Final = 6_500_000  # millionths of the currency's unit
_ORDERS_PER_BUYER: Final = 4  # average orders per buyer
_NO_BILLING: Final = dict.fromkeys(BILLING_FIELDS, "")
_NO_SHIPPING: Final = json.dumps(dict.fromkeys(SHIPPING_FIELDS, ""))
_STATUSES: Final = ("completed",) * 16 + ("processing", "on-hold", "pending", "cancelled")


class BulkOrderLine(NamedTuple):
    """A product line of an order. total: millionths of the currency's unit."""

    product: int
    variation: int
    name: str
    quantity: int
    total: int


class BulkOrder(NamedTuple):
    """An order to load. created: seconds since 1970. shipping: millionths, 0 for none.

    further: the remaining columns of its row, by name.
    """

    created: int
    status: str
    currency: str
    billing: dict[str, str]
    lines: list[BulkOrderLine]
    shipping: int = 0
    further: Mapping[str, Any] = {}


def load_orders(site: Site, found: Iterable[BulkOrder], done: Callable[[int], None]) -> None:
    """Insert orders into their tables. done: called with the number inserted since the last call."""
    with site.database.begin_write() as tx:
        first, item = allocate_id(tx), allocate_id(tx, "order_item")
    number, orders = first, iter(found)
    while part := list(islice(orders, _BATCH_ORDERS)):
        rows, items = [], []
        for one in part:
            rows.append(_build_order_row(number, one))
            for line in one.lines:
                items.append(_build_line_row(item, number, line))
                item += 1
            if one.shipping:
                items.append(_build_shipping_row(item, number, one.shipping))
                item += 1
            number += 1
        with site.database.begin_write() as tx:
            tx.load(shop_order, rows)
            tx.load(order_item, items)
            for name, value in (("record", number - 1), ("order_item", item - 1)):
                tx.run(Statement(update(counter).where(counter.c.name == name).values(value=value)))
        done(len(part))
    with site.database.begin_write() as tx:
        tallies.recount_tallies(tx)


def rebuild_reports(site: Site, done: Callable[[int], None]) -> None:
    """Build the report tables from the orders. done: called with the number of orders read since the last call."""
    with site.work() as work:
        progress = rebuilding.start_rebuild(work, by_job=False) or rebuilding.load_progress(work)
    while progress.running:
        with site.work() as work:
            before, progress = progress, rebuilding.run_rebuild_step(work, rebuilding.PART)
        done(progress.orders - before.orders)
    save_rollups(site)


def save_rollups(site: Site) -> None:
    """Keep all sums of days, months and years that are missing."""
    saved = _ROLLUP_BATCH
    while saved == _ROLLUP_BATCH:
        with site.work() as work:
            saved = rollup_jobs.save_missing_rollups(work, _ROLLUP_BATCH)


def iterate_bulk_orders(
    texts: ShopTexts, offers: list[DemoOffer], count: int, last: int, currency: str, random: Random
) -> Iterator[BulkOrder]:
    """Yield `count` orders over two years, the oldest first. last: end of the period, seconds since 1970."""
    first, span = last - SPAN_DAYS * _DAY, SPAN_DAYS * _DAY
    weights = [one.weight for one in offers]
    guests, buyers = texts.guests, max(1, count // _ORDERS_PER_BUYER)
    for at in range(count):
        buyer = random.randrange(buyers)
        name = (guests.first[buyer % len(guests.first)], guests.last[buyer // 7 % len(guests.last)])
        email = f"{name[0]}.{name[1]}.{buyer}@example.net".lower()
        chosen = dict.fromkeys(random.choices(offers, weights, k=random.choice((1, 2, 2, 3))))
        lines = []
        for one in chosen:
            quantity = random.choice((1, 1, 1, 2, 3))
            lines.append(
                BulkOrderLine(one.product, one.variation, one.name, quantity, quantity * int(one.price * _UNIT))
            )
        billing = build_address(name, guests.places[buyer % len(guests.places)], email)
        created, status = first + at * span // count, random.choice(_STATUSES)
        yield BulkOrder(
            created, status, currency, billing, lines, _SHIPPING_PRICE, _build_further_columns(created, status)
        )


def _build_further_columns(created: int, status: str) -> dict[str, Any]:
    """Return the other columns of an order's row; effects on stock and counters are left out."""
    return {
        "paid": created if status in ("completed", "processing") else None,
        "completed": created if status == "completed" else None,
        "payment_method": "bacs", "payment_method_title": "Bank transfer", "created_via": "demo",
    }  # fmt: skip


@cache
def _build_empty_row(table: Table) -> dict[str, Any]:
    return {c.name: None if c.nullable else ("" if str(c.type) == "TEXT" else 0) for c in table.c}


def _build_row(table: Table, **members: Any) -> tuple[Any, ...]:
    return tuple({**_build_empty_row(table), **members}.values())


def _build_order_row(id: int, order: BulkOrder) -> tuple[Any, ...]:
    billing = {**_NO_BILLING, **order.billing}
    found_by = fold_text(" ".join(part for part in (str(id), *billing.values()) if part))
    members: dict[str, Any] = {"search_key": found_by, **order.further}
    return _build_row(
        shop_order, id=id, status=order.status, currency=order.currency, created=order.created, modified=order.created,
        total=sum(line.total for line in order.lines) + order.shipping, shipping=order.shipping, order_key=f"k{id}",
        billing=json.dumps(billing), shipping_address=_NO_SHIPPING,
        email_key=order.billing["email"], **members,
    )  # fmt: skip


def _build_line_row(id: int, order: int, line: BulkOrderLine) -> tuple[Any, ...]:
    return _build_row(
        order_item, id=id, owner=order, kind="line", name=line.name, product=line.product, variation=line.variation,
        quantity=line.quantity, tax_status="taxable", subtotal=line.total, total=line.total, subtotal_taxes="{}",
        taxes="{}", details="{}",
    )  # fmt: skip


def _build_shipping_row(id: int, order: int, total: int) -> tuple[Any, ...]:
    return _build_row(
        order_item, id=id, owner=order, kind="shipping", name="Post", code="flat_rate", quantity=1, subtotal=total,
        total=total, subtotal_taxes="{}", taxes="{}", details="{}",
    )  # fmt: skip
