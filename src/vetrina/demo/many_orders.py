"""Very many orders, written straight into their tables, to try the scale: no rule is asked, but all of them hold.

An order here is goods, shipping and a buyer without an account; nothing is taken from the stock for it. The reports are
made of the orders at the end, as `vetrina analytics rebuild` makes them. Not here: orders made one by one
(demo/orders.py).
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
from vetrina.backends.id_sequences import next_number
from vetrina.backends.tables.core import counter
from vetrina.backends.tables.orders import order_item, shop_order
from vetrina.kernel.folding import fold
from vetrina.site import Site

from .catalogue import Offer, address
from .orders import YEARS
from .shop_texts import ShopTexts

__all__ = ["BulkOrder", "Line", "bulk", "load", "reports"]

_DAY: Final = 86_400  # seconds
_PART: Final = 20_000  # orders of one transaction
_KEPT: Final = 100  # days and months of one transaction
_UNIT: Final = 1_000_000  # amounts are millionths
_POST: Final = 6_500_000  # millionths of the currency's unit
_EACH: Final = 4  # orders of one buyer, about
_STATUSES: Final = ("completed",) * 16 + ("processing", "on-hold", "pending", "cancelled")


class Line(NamedTuple):
    """Goods of an order. total: millionths of the currency's unit."""

    product: int
    variation: int
    name: str
    quantity: int
    total: int


class BulkOrder(NamedTuple):
    """An order as it is loaded. created: seconds since 1970. shipping: millionths, 0 for none.

    further: what else its row says, by the names of columns.
    """

    created: int
    status: str
    currency: str
    billing: dict[str, str]
    lines: list[Line]
    shipping: int = 0
    further: Mapping[str, Any] = {}


def load(site: Site, found: Iterable[BulkOrder], done: Callable[[int], None]) -> None:
    """Write orders into their tables. done: is told how many were written since the last time."""
    with site.database.writing() as tx:
        first, item = next_number(tx), next_number(tx, "order_item")
    number, orders = first, iter(found)
    while part := list(islice(orders, _PART)):
        rows, items = [], []
        for one in part:
            rows.append(_order_row(number, one))
            for line in one.lines:
                items.append(_line_row(item, number, line))
                item += 1
            if one.shipping:
                items.append(_shipping_row(item, number, one.shipping))
                item += 1
            number += 1
        with site.database.writing() as tx:
            tx.load(shop_order, rows)
            tx.load(order_item, items)
            for name, value in (("record", number - 1), ("order_item", item - 1)):
                tx.run(Statement(update(counter).where(counter.c.name == name).values(value=value)))
        done(len(part))


def reports(site: Site, done: Callable[[int], None]) -> None:
    """Make the tables of reports of the orders. done: is told how many orders were read since the last time."""
    with site.work() as work:
        held = rebuilding.start(work, by_job=False) or rebuilding.progress(work)
    while held.running:
        with site.work() as work:
            before, held = held, rebuilding.step(work, rebuilding.PART)
        done(held.orders - before.orders)
    kept = _KEPT
    while kept == _KEPT:
        with site.work() as work:
            kept = rollup_jobs.keep_missing(work, _KEPT)


def bulk(
    texts: ShopTexts, offers: list[Offer], count: int, last: int, currency: str, random: Random
) -> Iterator[BulkOrder]:
    """Return so many orders of two years, the oldest first. last: the moment at which they end."""
    first, span = last - YEARS * _DAY, YEARS * _DAY
    weights = [one.weight for one in offers]
    guests, buyers = texts.guests, max(1, count // _EACH)
    for at in range(count):
        buyer = random.randrange(buyers)
        name = (guests.first[buyer % len(guests.first)], guests.last[buyer // 7 % len(guests.last)])
        email = f"{name[0]}.{name[1]}.{buyer}@example.net".lower()
        chosen = dict.fromkeys(random.choices(offers, weights, k=random.choice((1, 2, 2, 3))))
        lines = []
        for one in chosen:
            quantity = random.choice((1, 1, 1, 2, 3))
            lines.append(Line(one.product, one.variation, one.name, quantity, quantity * int(one.price * _UNIT)))
        billing = address(name, guests.places[buyer % len(guests.places)], email)
        created, status = first + at * span // count, random.choice(_STATUSES)
        yield BulkOrder(created, status, currency, billing, lines, _POST, _further(created, status))


def _further(created: int, status: str) -> dict[str, Any]:
    """Return what the rest of an order's row says; what it took from the stock and counted is not written."""
    return {
        "paid": created if status in ("completed", "processing") else None,
        "completed": created if status == "completed" else None,
        "payment_method": "bacs", "payment_method_title": "Bank transfer", "created_via": "demo",
    }  # fmt: skip


@cache
def _empty(table: Table) -> dict[str, Any]:
    return {c.name: None if c.nullable else ("" if str(c.type) == "TEXT" else 0) for c in table.c}


def _row(table: Table, **members: Any) -> tuple[Any, ...]:
    return tuple({**_empty(table), **members}.values())


def _order_row(id: int, one: BulkOrder) -> tuple[Any, ...]:
    found_by = fold(" ".join(part for part in (str(id), *one.billing.values()) if part))
    members: dict[str, Any] = {"search_key": found_by, **one.further}
    return _row(
        shop_order, id=id, status=one.status, currency=one.currency, created=one.created, modified=one.created,
        total=sum(line.total for line in one.lines) + one.shipping, shipping=one.shipping, order_key=f"k{id}",
        billing=json.dumps(one.billing), shipping_address="{}", email_key=one.billing["email"], **members,
    )  # fmt: skip


def _line_row(id: int, order: int, line: Line) -> tuple[Any, ...]:
    return _row(
        order_item, id=id, owner=order, kind="line", name=line.name, product=line.product, variation=line.variation,
        quantity=line.quantity, tax_status="taxable", subtotal=line.total, total=line.total, subtotal_taxes="{}",
        taxes="{}", details="{}",
    )  # fmt: skip


def _shipping_row(id: int, order: int, total: int) -> tuple[Any, ...]:
    return _row(
        order_item, id=id, owner=order, kind="shipping", name="Post", code="flat_rate", quantity=1, subtotal=total,
        total=total, subtotal_taxes="{}", taxes="{}", details="{}",
    )  # fmt: skip
