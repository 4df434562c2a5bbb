"""Updates stored days: rewriting an order subtracts its old values and adds the new ones.

So the current day of a busy shop is read from its stored sum, not row by row after each order. An id leaves a set with
the last row that has it. Not here: the content of a day (analytics/rollups/rules.py), the other effects of an order
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
from vetrina.analytics.rollups.rules import REPEATS, SET_NAMES, SUM_NAMES
from vetrina.analytics.rollups.store import DAY, RollupUnit
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.analytics import fact_coupon, fact_line, fact_order
from vetrina.core.unit_of_work import UnitOfWork

_LONGEST: Final = 65_536  # characters of a day that is still rewritten with each of its orders

_ROWS = Statement(
    select(
        fact_order.c.id, fact_order.c.status, fact_order.c.customer,
        *(fact_order.c[dates] for dates in KINDS),
        *(ORDER_SUMS[name] for name in SUM_NAMES),
    )
    .where(InList(fact_order.c.id, "ids"))
    .group_by(fact_order.c.id)
)  # fmt: skip
_COUPONS = Statement(select(fact_coupon.c.order, fact_coupon.c.coupon).where(InList(fact_coupon.c.order, "ids")))
_PRODUCTS = Statement(select(fact_line.c.order, fact_line.c.product).where(InList(fact_line.c.order, "ids")))


class RollupShare(NamedTuple):
    """What the row of an order or a refund contributes to its days.

    times: by kind of date, as in the row. sums: in the order of ADDED. sets: by the names of SETS, an id as often as
    the row has it.
    """

    status: str
    times: dict[str, int]
    sums: list[int]
    sets: dict[str, list[int]]


def list_shares(work: UnitOfWork, ids: Sequence[int]) -> list[RollupShare]:
    """Return the contributions of some orders and refunds to their days, from the stored rows."""
    if not ids:
        return []
    of = encode_list(ids)
    coupons: dict[int, list[int]] = {}
    products: dict[int, list[int]] = {}
    for statement, into in ((_COUPONS, coupons), (_PRODUCTS, products)):
        for order, number in work.tx.all(statement, ids=of):
            into.setdefault(order, []).append(number)
    return [
        RollupShare(
            status,
            {dates: local for dates, local in zip(KINDS, row, strict=False) if local is not None},
            [int(value or 0) for value in row[len(KINDS) :]],
            {"customers": [customer], "coupons_count": coupons.get(id, []), "products": products.get(id, [])},
        )
        for id, status, customer, *row in work.tx.all(_ROWS, ids=of)
    ]  # fmt: skip


def update_day_rollups(work: UnitOfWork, before: Iterable[RollupShare], after: Iterable[RollupShare]) -> None:
    """Update the stored days by the change of some rows; a day that grew too long is deleted."""
    changes: dict[tuple[str, int], list[tuple[int, RollupShare]]] = {}
    for sign, some in ((-1, before), (1, after)):
        for share in some:
            for dates, local in share.times.items():
                changes.setdefault((dates, rollup_store.compute_unit(DAY, local)), []).append((sign, share))
    for dates, day, text in rollup_store.list_rollups(work, DAY, {day for _, day in changes}):
        wanted = changes.get((dates, day))
        if wanted is None:
            continue
        unit: RollupUnit = orjson.loads(text)
        carried = len(text) <= _LONGEST and all(_apply_share(unit, sign, share) for sign, share in wanted)
        if carried:
            rollup_store.save_rollup(work, DAY, dates, day, rollup_store.encode_unit(unit))
        else:
            rollup_store.delete_rollup(work, DAY, dates, day)


def _apply_share(unit: RollupUnit, sign: int, share: RollupShare) -> bool:
    """Add a share to a day or subtract it; false when the day does not contain what is to be subtracted."""
    sums_of_status = unit.get(share.status)
    if sums_of_status is None:
        if sign < 0:
            return False
        sums_of_status = unit[share.status] = {
            "sums": [0] * len(SUM_NAMES),
            REPEATS: {},
            **{name: [] for name in SET_NAMES},
        }
    sums_of_status["sums"] = [one + sign * other for one, other in zip(sums_of_status["sums"], share.sums, strict=True)]
    for name, ids in share.sets.items():
        if not all(_count_id(sums_of_status, name, id, sign) for id in ids):
            return False
    if not sums_of_status["customers"]:
        del unit[share.status]
    return True


def _count_id(counts: dict[str, Any], name: str, id: int, sign: int) -> bool:
    """Count one row more or less that has an id; false when no row had it."""
    ids: list[int] = counts[name]
    at = bisect_left(ids, id)
    again: dict[str, int] = counts[REPEATS].get(name, {})
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
        counts[REPEATS][name] = again
    else:
        counts[REPEATS].pop(name, None)
    return True
