"""Sums of orders over whole days and months, stored while none of their rows changes.

A stored sum is the full computation of its day, by status; rewriting an order updates its days and deletes its months
(analytics/rollups/updates.py). What is not stored is computed on request, so a report is the same whatever is stored.
Not here: reports that need other filters than the status (analytics/reports/engine.py), sums by product
(analytics/rollups/product_spans.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

import orjson
from sqlalchemy import BigInteger, ColumnElement, and_, bindparam, literal_column, select

from vetrina.analytics.facts.reportable_orders import KINDS, OrderDate
from vetrina.analytics.reports.conditions import StatusFilter
from vetrina.analytics.reports.definitions import ORDER_SUMS
from vetrina.analytics.reports.intervals import IntervalKind, ReportSpan, compute_interval_key
from vetrina.analytics.rollups import store as rollup_store
from vetrina.analytics.rollups.id_sets import IdUnion, pack_ids
from vetrina.analytics.rollups.store import DAY, MONTH, RollupUnit, list_gaps
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import ArrayAgg
from vetrina.backends.tables.analytics import fact_coupon, fact_line, fact_order
from vetrina.core.unit_of_work import UnitOfWork

_SECONDS: Final = 86_400
_o, _l, _c = fact_order.c, fact_line.c, fact_coupon.c
SUM_NAMES: Final = tuple(name for name in ORDER_SUMS if name != "customers")
SET_NAMES: Final = ("customers", "coupons_count", "products")
REPEATS: Final = "again"  # of a day: by set name, the number of rows that have an id, where more than one has it
_JOINED: Final = {
    "coupons_count": (fact_order.join(fact_coupon, _c.order == _o.id), _c.coupon),
    "products": (fact_order.join(fact_line, _l.order == _o.id), _l.product),
}
_LATER: Final = {
    dates: Statement(
        select(_o.id)
        .where(_o[dates] > bindparam("after"), _o[dates] < bindparam("before"))
        .order_by(_o[dates])
        .limit(1)
    )
    for dates in KINDS
}


def _build_literal(value: int) -> ColumnElement[int]:
    return literal_column(str(value), BigInteger)


def _build_day_statement(dates: OrderDate, source: Any, *columns: ColumnElement[Any]) -> Statement:
    local = _o[dates]
    day = ((local + _build_literal(_SECONDS * 719_162)) // _build_literal(_SECONDS) - _build_literal(719_162)).label(
        "day"
    )
    where = and_(local >= bindparam("after"), local <= bindparam("before"))
    return Statement(select(day, _o.status, *columns).select_from(source).where(where).group_by("day", _o.status))


_SUMS: Final = {
    dates: _build_day_statement(
        dates, fact_order, *(ORDER_SUMS[name] for name in SUM_NAMES), ArrayAgg(_o.customer, once=False)
    )
    for dates in KINDS
}
_NUMBERS: Final = {
    (name, dates): _build_day_statement(dates, source, ArrayAgg(column, once=False))
    for name, (source, column) in _JOINED.items()
    for dates in KINDS
}


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
    first, last = _compute_whole_days(work, dates, span)
    if kind == "hour" or last < first:
        return None
    added: dict[int, list[int]] = {}
    sets: dict[int, tuple[IdUnion, ...]] = {}
    for begin, unit in _iterate_units(work, dates, span, first, last, kind not in ("day", "week")):
        key = total if kind is None else compute_interval_key(kind, begin, start)
        if key not in added:
            added[key], sets[key] = [0] * len(SUM_NAMES), (IdUnion(), IdUnion(), IdUnion())
        for status, held in unit.items():
            if statuses.includes(status):
                added[key] = [one + other for one, other in zip(added[key], held["sums"], strict=True)]
                for name, into in zip(SET_NAMES, sets[key], strict=True):
                    into.add(held[name])
    return {
        key: {
            **dict(zip(SUM_NAMES, sums, strict=True)),
            **{name: len(one) for name, one in zip(SET_NAMES, sets[key], strict=True)},
        }
        for key, sums in added.items()
        if sums[0]
    }


def _compute_whole_days(work: UnitOfWork, dates: OrderDate, span: ReportSpan) -> tuple[int, int]:
    """Return the first and the last whole day of a span; the last is before the first where there is none.

    The day at its end is whole, too, when no row follows in it: it is the current day of most reports.
    """
    end = span.before // _SECONDS
    none_left = work.tx.value(_LATER[dates], after=span.before, before=(end + 1) * _SECONDS) is None
    return -(-span.after // _SECONDS), end if none_left else end - 1


def _iterate_units(
    work: UnitOfWork, dates: OrderDate, span: ReportSpan, first: int, last: int, by_month: bool
) -> Iterator[tuple[int, RollupUnit]]:
    """Yield the sums of the parts of a span, each with the local time at which it begins. first, last: its whole days.

    Whole months where they are stored and `by_month` is true; then whole days, stored or not; and the ends.
    """
    left = [(first, last)]
    if by_month:
        low, high = rollup_store.compute_whole_months(span)
        for month, text in rollup_store.iterate_rollups(work, MONTH, dates, low, high) if low <= high else ():
            begin, end = (
                rollup_store.compute_unit_start(MONTH, month),
                rollup_store.compute_unit_start(MONTH, month + 1),
            )
            yield begin, orjson.loads(text)
            # Months come in order: what is left after this one is the last run of days.
            run = left.pop()
            left += [(run[0], begin // _SECONDS - 1), (end // _SECONDS, run[1])]
    for low, high in left:
        yield from _iterate_days(work, dates, low, high)
    for after, before in ((span.after, first * _SECONDS - 1), ((last + 1) * _SECONDS, span.before)):
        if after <= before:
            yield from _iterate_day_starts(_compute_span_days(work, dates, after, before))


def _iterate_days(work: UnitOfWork, dates: OrderDate, first: int, last: int) -> Iterator[tuple[int, RollupUnit]]:
    held = set()
    for day, text in rollup_store.iterate_rollups(work, DAY, dates, first, last) if first <= last else ():
        held.add(day)
        yield day * _SECONDS, orjson.loads(text)
    for low, high in list_gaps(held, first, last):
        yield from _iterate_day_starts(_compute_span_days(work, dates, low * _SECONDS, (high + 1) * _SECONDS - 1))


def _iterate_day_starts(units: dict[int, RollupUnit]) -> Iterator[tuple[int, RollupUnit]]:
    return ((day * _SECONDS, unit) for day, unit in units.items())


def compute_month_from_days(work: UnitOfWork, dates: OrderDate, month: int) -> RollupUnit:
    """Return the sums of a month from its days, stored or not."""
    first = rollup_store.compute_unit_start(MONTH, month) // _SECONDS
    return _join_days(
        unit
        for _, unit in _iterate_days(
            work, dates, first, rollup_store.compute_unit_start(MONTH, month + 1) // _SECONDS - 1
        )
    )


def compute_month_from_rows(work: UnitOfWork, dates: OrderDate, month: int) -> RollupUnit:
    """Return the sums of a month from the rows themselves."""
    return _join_days(
        _compute_span_days(
            work,
            dates,
            rollup_store.compute_unit_start(MONTH, month),
            rollup_store.compute_unit_start(MONTH, month + 1) - 1,
        ).values()
    )


def _join_days(days: Iterable[RollupUnit]) -> RollupUnit:
    sums: dict[str, list[int]] = {}
    sets: dict[str, dict[str, set[int]]] = {}
    for unit in days:
        for status, held in unit.items():
            before = sums.get(status, [0] * len(SUM_NAMES))
            sums[status] = [one + other for one, other in zip(before, held["sums"], strict=True)]
            own = sets.setdefault(status, {name: set() for name in SET_NAMES})
            for name in SET_NAMES:
                own[name].update(held[name])
    return {
        status: {"sums": one, **{name: pack_ids(sets[status][name]) for name in SET_NAMES}}
        for status, one in sums.items()
    }


def compute_days(work: UnitOfWork, dates: OrderDate, days: Iterable[int]) -> dict[int, RollupUnit]:
    """Return the sums of days from the rows themselves; days without rows are missing."""
    out: dict[int, RollupUnit] = {}
    for day in days:
        out |= _compute_span_days(work, dates, day * _SECONDS, (day + 1) * _SECONDS - 1)
    return out


def _compute_span_days(work: UnitOfWork, dates: OrderDate, after: int, before: int) -> dict[int, RollupUnit]:
    out: dict[int, RollupUnit] = {}
    bound = {"after": after, "before": before}
    for day, status, *sums, customers in work.tx.all(_SUMS[dates], **bound):
        held = {"sums": [int(value or 0) for value in sums], REPEATS: {}, **{name: [] for name in SET_NAMES}}
        out.setdefault(day, {})[status] = held
        _set_counts(held, "customers", customers)
    for name in _JOINED:
        for day, status, values in work.tx.all(_NUMBERS[name, dates], **bound):
            _set_counts(out[day][status], name, values)
    return out


def _set_counts(sums: dict[str, Any], name: str, values: str) -> None:
    counts = Counter(orjson.loads(values))
    sums[name] = sorted(counts)
    again = {str(id): count for id, count in counts.items() if count > 1}
    if again:
        sums[REPEATS][name] = again
