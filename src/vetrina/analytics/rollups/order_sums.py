"""Sums of orders over whole days and months, kept while none of their rows changes.

A kept sum is the full computation of its day, by status; rewriting an order updates its days and forgets its months
(analytics/rollups/updates.py). What is not kept is computed on request, so a report is the same whatever is kept.
Not here: reports that need other filters than the status (analytics/reports/stats.py), rows of kept sums
(analytics/rollups/order_store.py), sums by product (analytics/rollups/product_spans.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import add
from typing import Any, Final

import orjson
from sqlalchemy import BigInteger, ColumnElement, and_, bindparam, literal_column, select

from vetrina.analytics.facts.coupon_orders import bind_coupon_ends, join_coupons
from vetrina.analytics.facts.reportable_orders import KINDS, OrderDate
from vetrina.analytics.reports.conditions import StatusFilter
from vetrina.analytics.reports.intervals import IntervalKind, ReportSpan, compute_interval_key
from vetrina.analytics.reports.measures import KEPT_LINE_SUMS, ORDER_SUMS
from vetrina.analytics.rollups import order_store, periods, span_parts
from vetrina.analytics.rollups.id_sets import count_union, list_ids, pack_ids
from vetrina.analytics.rollups.order_store import (
    LINE_DATE,
    LINE_MEMBERS,
    MEMBERS,
    NO_LINE_SUMS,
    ORDER_SUM_NAMES,
    SUM_NAMES,
    OrderPeriod,
    StatusSums,
)
from vetrina.analytics.rollups.periods import DAY, MONTH, SECONDS
from vetrina.analytics.rollups.span_parts import PartSource
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import ArrayAgg
from vetrina.backends.tables.analytics import fact_coupon, fact_line, fact_order
from vetrina.core.unit_of_work import UnitOfWork

_o, _l, _c = fact_order.c, fact_line.c, fact_coupon.c
_COUNTS: Final = (
    "customers",
    "coupons_count",
    "products",
    "variations",
)  # what the sizes of the sets of MEMBERS are called in sums
_LINES: Final = fact_order.join(fact_line, _l.order == _o.id)
_JOINED: Final = {
    "coupon": (join_coupons(fact_order), _c.coupon),
    "product": (_LINES, _l.product),
    "variation": (_LINES, _l.variation),
}
_StatusPart = tuple[str, StatusSums]


def _build_literal(value: int) -> ColumnElement[int]:
    return literal_column(str(value), BigInteger)


def _build_day_statement(dates: OrderDate, source: Any, *columns: ColumnElement[Any]) -> Statement:
    local = _o[dates]
    day = ((local + _build_literal(SECONDS * 719_162)) // _build_literal(SECONDS) - _build_literal(719_162)).label(
        "day"
    )
    where = and_(local >= bindparam("after"), local <= bindparam("before"))
    return Statement(select(day, _o.status, *columns).select_from(source).where(where).group_by("day", _o.status))


_SUMS: Final = {
    dates: _build_day_statement(
        dates, fact_order, *(ORDER_SUMS[name] for name in ORDER_SUM_NAMES), ArrayAgg(_o.customer, once=False)
    )
    for dates in KINDS
}
_LINE_SUMS: Final = _build_day_statement(LINE_DATE, _LINES, *KEPT_LINE_SUMS.values())
_NUMBERS: Final = {
    (member, dates): _build_day_statement(dates, source, ArrayAgg(column, once=False))
    for member, (source, column) in _JOINED.items()
    for dates in KINDS
}


class OrderSums(dict[str, int]):
    """The sums of some orders by name.

    How many customers, coupons, products and variations they have is counted when it is asked for: it takes most of the
    time, and each report asks for some of it only.
    """

    def __init__(self, sums: Iterable[tuple[str, int]], sets: Mapping[str, Sequence[bytes]]) -> None:
        super().__init__(sums)
        self._sets = sets

    def __missing__(self, name: str) -> int:
        self[name] = count = count_union(self._sets[name])
        return count


def sum_orders(
    work: UnitOfWork,
    statuses: StatusFilter,
    dates: OrderDate,
    kind: IntervalKind | None,
    span: ReportSpan,
    start: int,
    total: int,
) -> dict[int, dict[str, int]] | None:
    """Return the sums of orders by interval; of the whole span, keyed by `total`, where kind is None.

    None where the span has no whole day, or intervals are shorter than days.
    """
    # The reports on orders, revenue, products and variations ask for the same ones.
    key = f"rollup orders {statuses} {dates} {kind} {span} {start}"
    if work.tx.writes or key not in work.lookups:
        work.lookups[key] = _sum_orders(work, statuses, dates, kind, span, start, total)
    found: dict[int, dict[str, int]] | None = work.lookups[key]
    return found


def _sum_orders(
    work: UnitOfWork, statuses: StatusFilter, dates: OrderDate, kind: IntervalKind | None, span: ReportSpan,
    start: int, total: int,
) -> dict[int, dict[str, int]] | None:  # fmt: skip
    first, last = span_parts.compute_whole_days(work, dates, span)
    if kind == "hour" or last < first:
        return None
    added: dict[int, list[int]] = {}
    sets: dict[int, tuple[list[bytes], ...]] = {}
    parts = span_parts.iterate_parts(work, _SOURCE, dates, span, first, last, by_month=kind not in ("day", "week"))
    for begin, (status, one) in parts:
        if not statuses.includes(status):
            continue
        key = total if kind is None else compute_interval_key(kind, begin, start)
        if key in added:
            added[key] = list(map(add, added[key], one.sums))
        else:
            added[key], sets[key] = one.sums, tuple([] for _ in MEMBERS)
        for packed, into in zip(one.sets, sets[key], strict=True):
            into.append(packed)
    return {
        key: OrderSums(zip(SUM_NAMES, sums, strict=True), dict(zip(_COUNTS, sets[key], strict=True)))
        for key, sums in added.items()
        if sums[0]
    }


def _read_kept(
    work: UnitOfWork, kind: str, dates: OrderDate, first: int, last: int
) -> Iterator[tuple[int, _StatusPart]]:
    for unit, status, sums in order_store.iterate_status_sums(work, kind, dates, first, last):
        yield unit, (status, sums)


def _count_parts(work: UnitOfWork, dates: OrderDate, after: int, before: int) -> Iterator[tuple[int, _StatusPart]]:
    for day, period in _compute_days(work, dates, after, before).items():
        for status, sums in period.statuses.items():
            yield day, (status, sums)


_SOURCE: Final = PartSource(DAY, MONTH, _read_kept, _count_parts)


def compute_month_from_days(work: UnitOfWork, dates: OrderDate, month: int) -> OrderPeriod:
    """Return the sums of a month from its days, kept or not."""
    first, after = (periods.compute_unit_start(MONTH, unit) // SECONDS for unit in (month, month + 1))
    return _join_days(part for _, part in span_parts.iterate_days(work, _SOURCE, dates, first, after - 1))


def compute_month_from_rows(work: UnitOfWork, dates: OrderDate, month: int) -> OrderPeriod:
    """Return the sums of a month from the rows themselves."""
    start = periods.compute_unit_start
    counted = _count_parts(work, dates, start(MONTH, month), start(MONTH, month + 1) - 1)
    return _join_days(part for _, part in counted)


def _join_days(days: Iterable[_StatusPart]) -> OrderPeriod:
    sums: dict[str, list[int]] = {}
    sets: dict[str, list[set[int]]] = {}
    for status, one in days:
        sums[status] = list(map(add, sums[status], one.sums)) if status in sums else one.sums
        for packed, into in zip(one.sets, sets.setdefault(status, [set() for _ in MEMBERS]), strict=True):
            into.update(list_ids(packed))
    return OrderPeriod(
        {status: StatusSums(one, [pack_ids(ids) for ids in sets[status]]) for status, one in sums.items()}, {}
    )


def compute_day(work: UnitOfWork, dates: OrderDate, day: int) -> OrderPeriod:
    """Return the sums of a day from the rows themselves."""
    found = _compute_days(work, dates, day * SECONDS, (day + 1) * SECONDS - 1)
    return found.get(day, OrderPeriod({}, {}))


def _compute_days(work: UnitOfWork, dates: OrderDate, after: int, before: int) -> dict[int, OrderPeriod]:
    """Return the days of a span that have rows, as far as they lie in it."""
    out: dict[int, OrderPeriod] = {}
    bound = {"after": after, "before": before}
    for day, status, *sums, customers in work.tx.all(_SUMS[dates], **bound):
        period = out.setdefault(day, OrderPeriod({}, {}))
        period.statuses[status] = StatusSums(
            [*(int(value or 0) for value in sums), *NO_LINE_SUMS], [b""] * len(MEMBERS)
        )
        _set_members(period, status, "customer", customers)
    if dates == LINE_DATE:
        for day, status, *sums in work.tx.all(_LINE_SUMS, **bound):
            out[day].statuses[status].sums[-len(sums) :] = [int(value or 0) for value in sums]
    bound |= bind_coupon_ends(work)
    for member in _JOINED if dates == LINE_DATE else (one for one in _JOINED if one not in LINE_MEMBERS):
        for day, status, values in work.tx.all(_NUMBERS[member, dates], **bound):
            _set_members(out[day], status, member, values)
    return out


def _set_members(period: OrderPeriod, status: str, member: str, values: str) -> None:
    counts = Counter(orjson.loads(values))
    if member == "variation":
        del counts[0]  # a line without one
    period.statuses[status].sets[MEMBERS.index(member)] = pack_ids(counts)
    period.repeats.update({(status, member, id): times for id, times in counts.items() if times > 1})
