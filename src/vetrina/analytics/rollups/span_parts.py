"""The parts that a span is put together from: kept months and days, and what is counted between them.

A subject says what it keeps and how it counts (`PartSource`). Not here: which periods are kept
(analytics/rollups/periods.py), what is kept of them (analytics/rollups/order_sums.py,
analytics/rollups/customer_types.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from operator import add
from typing import Final, Generic, Protocol, TypeVar

from sqlalchemy import bindparam, select

from vetrina.analytics.facts.reportable_orders import KINDS, OrderDate
from vetrina.analytics.reports.intervals import IntervalKind, ReportSpan, compute_interval_key
from vetrina.analytics.rollups import periods
from vetrina.analytics.rollups.id_sets import IdUnion
from vetrina.analytics.rollups.periods import MONTH, SECONDS, list_gaps
from vetrina.backends.database import Statement
from vetrina.backends.tables.analytics import fact_order
from vetrina.core.unit_of_work import UnitOfWork

Part = TypeVar("Part")


class SegmentPart(Protocol):
    """The orders of one segment in a part of a span. customers, coupons: packed ids."""

    @property
    def sums(self) -> tuple[int, ...]: ...

    @property
    def customers(self) -> bytes: ...

    @property
    def coupons(self) -> bytes: ...


OfSegment = TypeVar("OfSegment", bound=SegmentPart)

_o = fact_order.c
_LATER: Final = {
    dates: Statement(
        select(_o.id)
        .where(_o[dates] > bindparam("after"), _o[dates] < bindparam("before"))
        .order_by(_o[dates])
        .limit(1)
    )
    for dates in KINDS
}


@dataclass(frozen=True)
class PartSource(Generic[Part]):
    """What is kept of days and months. day, month: the kinds of their periods.

    read: the parts of kept periods of a kind, from one unit to another, by unit. count: those between two local times,
    by day. list_units: which units are kept and hold.
    """

    day: str
    month: str
    read: Callable[[UnitOfWork, str, OrderDate, int, int], Iterable[tuple[int, Part]]]
    count: Callable[[UnitOfWork, OrderDate, int, int], Iterable[tuple[int, Part]]]
    list_units: Callable[[UnitOfWork, str, str, int, int], list[int]] = periods.list_units


@dataclass
class SegmentTotal:
    """The orders of one segment in an interval."""

    sums: tuple[int, ...]
    customers: IdUnion = field(default_factory=IdUnion)
    coupons: IdUnion = field(default_factory=IdUnion)

    def count_sets(self) -> dict[str, int]:
        """Return how many customers and coupons there are, as measures."""
        return {"customers": len(self.customers), "coupons_count": len(self.coupons)}


def sum_segments(
    work: UnitOfWork,
    source: PartSource[OfSegment],
    dates: OrderDate,
    kind: IntervalKind | None,
    span: ReportSpan,
    start: int,
    total: int,
    get_segment: Callable[[OfSegment], int | None],
) -> dict[tuple[int, int], SegmentTotal] | None:
    """Return the orders of a span by interval and segment; by `total` where kind is None.

    start: the first day of the week. get_segment: None for what is left out. None where the span has no whole day.
    """
    first, last = compute_whole_days(work, dates, span)
    if last < first:
        return None
    out: dict[tuple[int, int], SegmentTotal] = {}
    by_month = kind not in ("day", "week")
    for begin, one in iterate_parts(work, source, dates, span, first, last, by_month=by_month):
        segment = get_segment(one)
        if segment is None:
            continue
        at = total if kind is None else compute_interval_key(kind, begin, start), segment
        held = out.get(at)
        if held is None:
            held = out[at] = SegmentTotal(one.sums)
        else:
            held.sums = tuple(map(add, held.sums, one.sums))
        held.customers.add(one.customers)
        held.coupons.add(one.coupons)
    return out


def compute_whole_days(work: UnitOfWork, dates: OrderDate, span: ReportSpan) -> tuple[int, int]:
    """Return the first and the last whole day of a span; the last is before the first where there is none.

    The day at its end is whole, too, when no row follows in it: it is the current day of most reports.
    """
    end = span.before // SECONDS
    none_left = work.tx.value(_LATER[dates], after=span.before, before=(end + 1) * SECONDS) is None
    return -(-span.after // SECONDS), end if none_left else end - 1


def iterate_parts(
    work: UnitOfWork,
    source: PartSource[Part],
    dates: OrderDate,
    span: ReportSpan,
    first: int,
    last: int,
    *,
    by_month: bool,
) -> Iterator[tuple[int, Part]]:
    """Yield the parts of a span, each with the local time at which it begins. first, last: whole days.

    Whole months where they are kept and `by_month` is true; then whole days, kept or not; and the ends.
    """
    months: list[int] = []
    low, high = periods.compute_whole_months(span)
    if by_month and low <= high:
        months = source.list_units(work, source.month, dates, low, high)
        for month, part in source.read(work, source.month, dates, low, high) if months else ():
            yield periods.compute_unit_start(MONTH, month), part
    begin = first
    for month in months:
        yield from iterate_days(work, source, dates, begin, periods.compute_unit_start(MONTH, month) // SECONDS - 1)
        begin = periods.compute_unit_start(MONTH, month + 1) // SECONDS
    yield from iterate_days(work, source, dates, begin, last)
    for after, before in ((span.after, first * SECONDS - 1), ((last + 1) * SECONDS, span.before)):
        if after <= before:
            yield from _iterate_counted(work, source, dates, after, before)


def iterate_days(
    work: UnitOfWork, source: PartSource[Part], dates: OrderDate, first: int, last: int
) -> Iterator[tuple[int, Part]]:
    """Yield the parts of whole days, kept or not, each with the local time at which it begins."""
    if first > last:
        return
    kept = source.list_units(work, source.day, dates, first, last)
    for day, part in source.read(work, source.day, dates, first, last) if kept else ():
        yield day * SECONDS, part
    for low, high in list_gaps(kept, first, last):
        yield from _iterate_counted(work, source, dates, low * SECONDS, (high + 1) * SECONDS - 1)


def _iterate_counted(
    work: UnitOfWork, source: PartSource[Part], dates: OrderDate, after: int, before: int
) -> Iterator[tuple[int, Part]]:
    for day, part in source.count(work, dates, after, before):
        yield day * SECONDS, part
