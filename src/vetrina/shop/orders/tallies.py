"""Maintained counts of orders by status: totals of plain lists of orders are read, not counted.

The counts change in the transaction that changes the order. Not here: totals of filtered lists
(shop/orders/listing.py). Rules: docs/rules/orders.md, 6.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import bindparam, func, insert, select

from vetrina.backends.database import Statement, Transaction
from vetrina.backends.statement_cache import build_upsert
from vetrina.backends.tables.orders import order_tally, shop_order

_ADD: Final = Statement(
    build_upsert(
        order_tally,
        keys=("status",),
        values={name: bindparam(name) for name in ("status", "count")},
        changes={"count": order_tally.c.count + bindparam("count")},
    )
)
_ALL: Final = Statement(select(order_tally.c.status, order_tally.c.count))
_CLEAR: Final = Statement(order_tally.delete())
_FILL: Final = Statement(
    insert(order_tally).from_select(
        ["status", "count"], select(shop_order.c.status, func.count()).group_by(shop_order.c.status)
    )
)


def update_tallies(tx: Transaction, old: str | None, new: str | None) -> None:
    """Count an order that was inserted (old is None), deleted (new is None) or got another status."""
    if old == new:
        return
    for status, count in ((old, -1), (new, 1)):
        if status is not None:
            tx.add_later(order_tally, _ADD, "count", status=status, count=count)


def count_by_status(tx: Transaction) -> dict[str, int]:
    """Return how many orders have each status, the trash among them."""
    return {str(status): int(count) for status, count in tx.all(_ALL)}


def sum_tallies(tx: Transaction, statuses: Iterable[str]) -> int:
    """Return how many orders have one of the statuses."""
    counts = count_by_status(tx)
    return sum(counts.get(status, 0) for status in set(statuses))


def recount_tallies(tx: Transaction) -> None:
    """Count all orders again."""
    tx.run(_CLEAR)
    tx.run(_FILL)
