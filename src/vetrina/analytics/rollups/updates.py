"""Days that are kept are carried on: an order that is written anew takes out what it was and adds what it is.

So the running day of a busy shop is read as it is kept, and not row by row after each order. A number leaves a set with
the last of the rows that have it. Not here: what a day holds (analytics/rollups/rules.py), what else an order touches
(analytics/facts/rules.py).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import orjson
from sqlalchemy import select

from vetrina.analytics.facts.reportable_orders import KINDS
from vetrina.analytics.reports.definitions import ORDER_SUMS
from vetrina.analytics.rollups import store as rollup_store
from vetrina.analytics.rollups.rules import ADDED, AGAIN, SETS
from vetrina.analytics.rollups.store import DAY, Unit
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.analytics import fact_coupon, fact_line, fact_order
from vetrina.core.unit_of_work import Work

__all__ = ["Share", "carry_on", "shares"]

_LONGEST: Final = 65_536  # characters of a day that is still written with each of its orders

_ROWS = Statement(
    select(
        fact_order.c.id, fact_order.c.status, fact_order.c.customer,
        *(fact_order.c[dates] for dates in KINDS),
        *(ORDER_SUMS[name] for name in ADDED),
    )
    .where(Among(fact_order.c.id, "ids"))
    .group_by(fact_order.c.id)
)  # fmt: skip
_COUPONS = Statement(select(fact_coupon.c.order, fact_coupon.c.coupon).where(Among(fact_coupon.c.order, "ids")))
_PRODUCTS = Statement(select(fact_line.c.order, fact_line.c.product).where(Among(fact_line.c.order, "ids")))


class Share(NamedTuple):
    """What the row of an order or a refund gives to its days.

    times: by date, as its row says them. sums: in the order of ADDED. sets: by the names of SETS, a number as
    often as it has it.
    """

    status: str
    times: dict[str, int]
    sums: list[int]
    sets: dict[str, list[int]]


def shares(work: Work, ids: Sequence[int]) -> list[Share]:
    """Return what some orders and refunds give to their days, by the rows that are stored."""
    if not ids:
        return []
    of = listed(ids)
    coupons: dict[int, list[int]] = {}
    products: dict[int, list[int]] = {}
    for statement, into in ((_COUPONS, coupons), (_PRODUCTS, products)):
        for order, number in work.tx.all(statement, ids=of):
            into.setdefault(order, []).append(number)
    return [
        Share(
            status,
            {dates: local for dates, local in zip(KINDS, row, strict=False) if local is not None},
            [int(value or 0) for value in row[len(KINDS) :]],
            {"customers": [customer], "coupons_count": coupons.get(id, []), "products": products.get(id, [])},
        )
        for id, status, customer, *row in work.tx.all(_ROWS, ids=of)
    ]  # fmt: skip


def carry_on(work: Work, before: Iterable[Share], after: Iterable[Share]) -> None:
    """Bring the days that are kept from what some rows were to what they are; one that grew too long is forgotten."""
    changes: dict[tuple[str, int], list[tuple[int, Share]]] = {}
    for sign, some in ((-1, before), (1, after)):
        for share in some:
            for dates, local in share.times.items():
                changes.setdefault((dates, rollup_store.number_of(DAY, local)), []).append((sign, share))
    for dates, day, text in rollup_store.some(work, DAY, {day for _, day in changes}):
        wanted = changes.get((dates, day))
        if wanted is None:
            continue
        unit: Unit = orjson.loads(text)
        carried = len(text) <= _LONGEST and all(_moved(unit, sign, share) for sign, share in wanted)
        if carried:
            rollup_store.keep(work, DAY, dates, day, rollup_store.said(unit))
        else:
            rollup_store.forget(work, DAY, dates, day)


def _moved(unit: Unit, sign: int, share: Share) -> bool:
    """Add a share to a day or take it out; false when the day does not have what is to be taken."""
    held = unit.get(share.status)
    if held is None:
        if sign < 0:
            return False
        held = unit[share.status] = {"sums": [0] * len(ADDED), AGAIN: {}, **{name: [] for name in SETS}}
    held["sums"] = [one + sign * other for one, other in zip(held["sums"], share.sums, strict=True)]
    for name, ids in share.sets.items():
        if not all(_counted(held, name, id, sign) for id in ids):
            return False
    if not held["customers"]:
        del unit[share.status]
    return True


def _counted(held: dict[str, Any], name: str, id: int, sign: int) -> bool:
    """Count one row more or less that has a number; false when no row had it."""
    ids: list[int] = held[name]
    at = bisect_left(ids, id)
    again: dict[str, int] = held[AGAIN].get(name, {})
    count = again.pop(str(id), 1) if at < len(ids) and ids[at] == id else 0
    left = count + sign
    if left < 0:
        return False
    if left == 0:
        del ids[at]
    elif count == 0:
        ids.insert(at, id)
    if left > 1:
        again[str(id)] = left
    if again:
        held[AGAIN][name] = again
    else:
        held[AGAIN].pop(name, None)
    return True
