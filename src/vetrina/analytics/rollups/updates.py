"""What an order that changes does to kept sums: days by status go on, products are marked, the others forgotten.

A day loses the order's old values and gets the new ones. So the current day of a busy shop is read from its kept sum,
not row by row after each order. An id leaves a set with the last row that has it. Not here: the content of a day
(analytics/rollups/order_sums.py), the other effects of an order (analytics/facts/updates.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import select

from vetrina.analytics.facts.reportable_orders import KINDS, get_excluded_statuses
from vetrina.analytics.facts.rows import compute_month
from vetrina.analytics.reports.measures import KEPT_LINE_SUMS, ORDER_SUMS
from vetrina.analytics.rollups import (
    category_sums,
    customer_sums,
    customer_types,
    order_store,
    periods,
    product_days,
    product_jobs,
    product_store,
    segment_days,
)
from vetrina.analytics.rollups.id_sets import add_id, contains_id, remove_id
from vetrina.analytics.rollups.order_store import (
    LINE_DATE,
    LINE_MEMBERS,
    MEMBERS,
    NO_LINE_SUMS,
    ORDER_SUM_NAMES,
    SUM_NAMES,
    OrderPeriod,
    Repeat,
    StatusSums,
)
from vetrina.analytics.rollups.periods import (
    BY_PRODUCT,
    CATEGORY_DAY,
    CATEGORY_MONTH,
    DAY,
    GOODS_DAY,
    MONTH,
    PARTS_DAY,
    PAST,
    SECONDS,
    TYPE_DAY,
    TYPE_MONTH,
)
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.analytics import fact_coupon, fact_line, fact_order
from vetrina.core.unit_of_work import UnitOfWork

_ORDERS, _TOTAL = (ORDER_SUM_NAMES.index(name) for name in ("orders", "total"))
_LONGEST: Final = 65_536  # bytes of ids of a day that is still rewritten with each of its orders

_ROWS = Statement(
    select(
        fact_order.c.id, fact_order.c.status, fact_order.c.customer,
        *(fact_order.c[dates] for dates in KINDS),
        *(ORDER_SUMS[name] for name in ORDER_SUM_NAMES),
    )
    .where(InList(fact_order.c.id, "ids"))
    .group_by(fact_order.c.id)
)  # fmt: skip
_COUPONS = Statement(select(fact_coupon.c.order, fact_coupon.c.coupon).where(InList(fact_coupon.c.order, "ids")))
_GOODS = Statement(
    select(fact_line.c.order, fact_line.c.product, fact_line.c.variation).where(InList(fact_line.c.order, "ids"))
)
_LINE_SUMS = Statement(
    select(fact_line.c.order, *KEPT_LINE_SUMS.values())
    .where(InList(fact_line.c.order, "ids"))
    .group_by(fact_line.c.order)
)


class RollupShare(NamedTuple):
    """What the row of an order or a refund contributes to its days.

    times: by kind of date, as in the row. sums: by SUM_NAMES. ids: by MEMBERS, an id as often as the row has it.
    """

    status: str
    times: dict[str, int]
    sums: list[int]
    ids: dict[str, list[int]]


def list_shares(work: UnitOfWork, ids: Sequence[int]) -> list[RollupShare]:
    """Return the contributions of some orders and refunds to their days, from the stored rows."""
    if not ids:
        return []
    of = encode_list(ids)
    for statement in (_COUPONS, _GOODS, _LINE_SUMS, _ROWS):
        work.tx.expect(statement, ids=of)
    coupons: dict[int, list[int]] = {}
    products: dict[int, list[int]] = {}
    variations: dict[int, list[int]] = {}
    for order, coupon in work.tx.all(_COUPONS, ids=of):
        coupons.setdefault(order, []).append(coupon)
    for order, product, variation in work.tx.all(_GOODS, ids=of):
        products.setdefault(order, []).append(product)
        if variation:
            variations.setdefault(order, []).append(variation)
    line_sums = {order: sums for order, *sums in work.tx.all(_LINE_SUMS, ids=of)}
    return [
        RollupShare(
            status,
            {dates: local for dates, local in zip(KINDS, row, strict=False) if local is not None},
            [int(value or 0) for value in (*row[len(KINDS) :], *line_sums.get(id, NO_LINE_SUMS))],
            {
                "customer": [customer],
                "coupon": coupons.get(id, []),
                "product": products.get(id, []),
                "variation": variations.get(id, []),
            },
        )
        for id, status, customer, *row in work.tx.all(_ROWS, ids=of)
    ]  # fmt: skip


def update_rollups(work: UnitOfWork, before: Sequence[RollupShare], after: Sequence[RollupShare]) -> None:
    """Update what is kept of days, months and products by the change of some rows."""
    changes: dict[tuple[str, int], list[tuple[int, RollupShare]]] = {}
    marks: set[tuple[str, int, int]] = set()
    for sign, some in ((-1, before), (1, after)):
        for share in some:
            for dates, local in share.times.items():
                changes.setdefault((dates, periods.compute_unit(DAY, local)), []).append((sign, share))
                marks.update((dates, compute_month(local), product) for product in share.ids["product"])
    if not changes:
        return
    touched = {(dates, compute_month(day * SECONDS)) for dates, day in changes}
    years = {(dates, month // 12) for dates, month in touched}
    bought = _list_bought_periods(work, before, after)
    kept = periods.find_periods(
        work,
        (DAY, MONTH, *PAST, *BY_PRODUCT),
        {dates for dates, _ in changes},
        {unit for _, unit in (*changes, *touched, *years)}.union(*bought.values()),
    )
    _update_days(work, {day: some for day, some in changes.items() if (DAY, *day) in kept})
    for dates, month in touched:
        if (MONTH, dates, month) in kept:
            order_store.delete_order_period(work, MONTH, dates, month)
    for kind, dates, unit in sorted(kept):
        if kind == GOODS_DAY and (dates, unit) in changes:
            product_days.delete_day(work, unit)
        elif kind == PARTS_DAY and (dates, unit) in changes:
            segment_days.delete_day(work, dates, unit)
        elif (kind == TYPE_DAY and (dates, unit) in changes) or (kind == TYPE_MONTH and (dates, unit) in touched):
            customer_types.delete_period(work, kind, dates, unit)
        elif (kind == CATEGORY_DAY and (dates, unit) in changes) or (
            kind == CATEGORY_MONTH and (dates, unit) in touched
        ):
            category_sums.delete_period(work, kind, dates, unit)
        elif kind in bought and unit in bought[kind]:
            customer_sums.delete_period(work, kind, unit)
    by_product = {(dates, unit) for kind, dates, unit in kept if kind in BY_PRODUCT}
    product_store.mark_products(
        work,
        (
            (dates, month, product) for dates, month, product in marks
            if (dates, month) in by_product or (dates, month // 12) in by_product
        ),
    )  # fmt: skip
    product_jobs.restart_counting(work, touched)


def _list_bought_periods(
    work: UnitOfWork, before: Sequence[RollupShare], after: Sequence[RollupShare]
) -> dict[str, set[int]]:
    """Return the periods, by kind, in which customers bought something else than before; most changes are of status."""
    excluded = get_excluded_statuses(work)
    changes: Counter[tuple[int, int, int, int]] = Counter()
    for sign, some in ((-1, before), (1, after)):
        for share in some:
            if share.status not in excluded:
                local = share.times[customer_sums.DATES]
                changes[local, share.ids["customer"][0], share.sums[_ORDERS], share.sums[_TOTAL]] += sign
    times = {local for (local, *_), times in changes.items() if times}
    return {kind: {periods.compute_unit(kind, local) for local in times} for kind in customer_sums.KINDS}


def _update_days(work: UnitOfWork, changes: Mapping[tuple[str, int], Sequence[tuple[int, RollupShare]]]) -> None:
    """Update kept days; a day that grew too long is forgotten."""
    if not changes:
        return
    shares = [share for some in changes.values() for _, share in some]
    ids = {id for share in shares for some in share.ids.values() for id in some}
    days = order_store.list_days(work, changes, {share.status for share in shares}, ids)
    for (dates, day), some in changes.items():
        period = days[dates, day]
        held, known = set(period.statuses), dict(period.repeats)
        if all(_apply_share(period, dates, sign, share) for sign, share in some) and not _is_too_long(period):
            statuses = {share.status for _, share in some}
            order_store.write_day_changes(
                work,
                dates,
                day,
                {status: period.statuses.get(status) for status in statuses if status in held | set(period.statuses)},
                {
                    repeat: period.repeats.get(repeat)
                    for repeat in known.keys() | period.repeats.keys()
                    if known.get(repeat) != period.repeats.get(repeat)
                },
            )
        else:
            order_store.delete_order_period(work, DAY, dates, day)


def _is_too_long(period: OrderPeriod) -> bool:
    return any(sum(map(len, one.sets)) > _LONGEST for one in period.statuses.values())


def _apply_share(period: OrderPeriod, dates: str, sign: int, share: RollupShare) -> bool:
    """Add a share to a day or subtract it; false when the day does not contain what is to be subtracted."""
    one = period.statuses.get(share.status)
    if one is None:
        if sign < 0:
            return False
        one = period.statuses[share.status] = StatusSums([0] * len(SUM_NAMES), [b""] * len(MEMBERS))
    of_lines = dates == LINE_DATE
    sums = share.sums if of_lines else (*share.sums[: len(ORDER_SUM_NAMES)], *NO_LINE_SUMS)
    one.sums = [value + sign * other for value, other in zip(one.sums, sums, strict=True)]
    for at, member in enumerate(MEMBERS):
        if member in LINE_MEMBERS and not of_lines:
            continue
        for id in share.ids[member]:
            packed = _count_id(one.sets[at], period.repeats, (share.status, member, id), sign)
            if packed is None:
                return False
            one.sets[at] = packed
    if not one.sums[0]:
        del period.statuses[share.status]
    return True


def _count_id(packed: bytes, repeats: dict[Repeat, int], repeat: Repeat, sign: int) -> bytes | None:
    """Return the set after one row more or less has an id; None when no row had it."""
    id = repeat[-1]
    count = repeats.pop(repeat, 1) if contains_id(packed, id) else 0
    left = count + sign
    if left < 0:
        return None
    if left > 1:
        repeats[repeat] = left
    if left == 0:
        return remove_id(packed, id)
    return packed if count else add_id(packed, id)
