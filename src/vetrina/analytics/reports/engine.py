"""The one engine of reports with intervals: totals, a page of intervals, and segments of both.

Not here: what a report measures (analytics/reports/definitions.py), which intervals there are
(analytics/reports/intervals.py), what segments are made of (analytics/reports/segments.py). Rules: facts, "Intervals"
and "Segments".
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from sqlalchemy import ColumnElement, FromClause, Integer, Select, Table, bindparam, func, literal_column, select

from vetrina.analytics.facts.reportable_orders import Dates
from vetrina.analytics.reports.conditions import Filters
from vetrina.analytics.reports.definitions import Measures, Report, Sums
from vetrina.analytics.reports.intervals import Interval, Kind, Span, bucket, interval_of, keys_of, week_start
from vetrina.analytics.rollups import rules as rollup_rules
from vetrina.backends.statement_cache import Shapes
from vetrina.backends.tables.analytics import fact_order
from vetrina.core.unit_of_work import Work

__all__ = ["TOTAL", "Asked", "Segments", "Stats", "counted", "rows_by", "stats", "sums_by", "within"]

_SHAPES: Final = Shapes(2048)
TOTAL: Final = -1  # the group of the totals


@dataclass(frozen=True)
class Asked:
    """What is asked of a report.

    fields: the members that are wanted, None for all. orderby: `date` or a measure. as_text: whether segments may be
    JSON (orjson.Fragment): nobody looks into them on their way out.
    """

    span: Span
    filters: Filters
    interval: Kind = "week"
    dates: Dates = "created"
    order: str = "desc"
    orderby: str = "date"
    page: int = 1
    per_page: int = 10
    fields: tuple[str, ...] | None = None
    as_text: bool = False


class Segments(Protocol):
    """What a report is divided by."""

    def of(self, work: Work, asked: Asked, kind: Kind | None, among: Iterable[int]) -> Mapping[int, Any]:
        """Return the segments of each interval by its key, of the totals by TOTAL where `kind` is None."""


@dataclass(frozen=True)
class Stats:
    """An answered report. totals: None where there is no such page. count: how many intervals the interface counts."""

    totals: Measures | None
    intervals: list[tuple[Interval, Measures]]
    count: int


def stats(work: Work, report: Report, asked: Asked, divide: Callable[[], Segments] | None = None) -> Stats:
    """Return a report. divide: gives what it is divided by; not asked where there is no such page."""
    work.uses("order", "product", "option")
    start = week_start(work)
    every, count = keys_of(asked.interval, asked.span, work.zone, start)
    if not every or (asked.page - 1) * asked.per_page >= count:
        return Stats(None, [], count)
    keys, sums = _page(work, report, asked, every)
    page = [interval_of(asked.interval, key, asked.span, start) for key in keys]
    if sums is None:
        sums = sums_by(work, report, asked, asked.interval, _around(page, asked.span), keys)
    totals = sums_by(work, report, asked, None, asked.span, ()).get(TOTAL, {})
    divided: Mapping[int, Any] = {}
    whole: Any = []
    if divide is not None:
        segments = divide()
        divided = segments.of(work, replace(asked, span=_around(page, asked.span)), asked.interval, keys)
        whole = segments.of(work, asked, None, ())[TOTAL]
    return Stats(
        _shown(report, totals, asked, True, whole),
        [(one, _shown(report, sums.get(one.key, {}), asked, False, divided.get(one.key, []))) for one in page],
        count,
    )


def counted(report: Report, sums: Sums) -> Measures:
    """Return the measures of sums that may lack what nothing was found for."""
    return report.measures(_Zero(sums))


class _Zero(dict[str, int]):
    def __missing__(self, name: str) -> int:
        return 0


def _page(
    work: Work, report: Report, asked: Asked, every: Sequence[int]
) -> tuple[list[int], dict[int, dict[str, int]] | None]:
    """Return the keys of the page's intervals, and the sums where they had to be known for it."""
    first, last = (asked.page - 1) * asked.per_page, asked.page * asked.per_page
    measure = report.orders.get(asked.orderby, asked.orderby)
    if asked.orderby != "date":
        if measure not in counted(report, {}) or (asked.fields is not None and measure not in asked.fields):
            # Nothing tells the intervals apart by a measure that they do not have: they stand as time goes.
            return list(every[first:last]), None
        sums = sums_by(work, report, asked, asked.interval, asked.span, None)
        sign = -1 if asked.order == "desc" else 1

        def rank(key: int) -> Any:
            return sign * counted(report, sums.get(key, {}))[measure]

        among = every if isinstance(every, range) else set(every)
        ranked = _ranked(every, [key for key in sums if key in among], rank, sign * counted(report, {})[measure])
        return ranked[first:last], sums
    return list(every[::-1][first:last] if asked.order == "desc" else every[first:last]), None


def _ranked(every: Sequence[int], filled: Sequence[int], rank: Callable[[int], Any], empty: Any) -> list[int]:
    """Return intervals by their rank; of the same one those first that have rows, then by time.

    filled: those that have rows. empty: the rank of all others.
    """
    found = sorted(filled, key=lambda key: (rank(key), key))
    before = bisect_right([rank(key) for key in found], empty)
    with_rows = set(filled)
    return [*found[:before], *(key for key in every if key not in with_rows), *found[before:]]


def _around(page: Sequence[Interval], span: Span) -> Span:
    """Return the span of the intervals of a page: their rows alone are looked at."""
    if not page:
        return span
    return Span(min(one.start for one in page), max(one.end for one in page))


def _shown(report: Report, sums: Sums, asked: Asked, total: bool, segments: Any) -> Measures:
    out = counted(report, sums)
    if not total:
        for one in report.distinct:
            if one.totals_only:
                out.pop(one.name, None)
    if report.segmented:
        out["segments"] = segments
    if asked.fields is None:
        return out
    wanted = [name for name in asked.fields if name in out]
    kept = [name for name in report.kept if name in out and name not in wanted]
    return {name: out[name] for name in (*wanted, *kept)}


def sums_by(
    work: Work, report: Report, asked: Asked, kind: Kind | None, span: Span, keys: Iterable[int] | None
) -> dict[int, dict[str, int]]:
    """Return the sums of the intervals that have rows, by their keys; kind None: of the whole span, by TOTAL.

    keys: the intervals that are wanted, None for all.
    """
    wanted = None if keys is None or kind is None else set(keys)
    if report.name == "orders" and asked.filters.statuses is not None:
        start = week_start(work) if kind == "week" else 0
        kept = rollup_rules.order_sums(work, asked.filters.statuses, asked.dates, kind, span, start, TOTAL)
        if kept is not None:
            return kept if wanted is None else {key: sums for key, sums in kept.items() if key in wanted}
    names = list(report.sums)
    out: dict[int, dict[str, int]] = {}
    for key, *found in rows_by(work, report.table, tuple(report.sums.values()), report.name, asked, kind, span):
        if kind is None and not found[0]:
            continue
        if wanted is None or key in wanted:
            out[key] = {name: int(value or 0) for name, value in zip(names, found, strict=True)}
    for one in report.distinct:
        if kind is not None and one.totals_only:
            continue
        column = one.table.c[one.column]
        for key, number in rows_by(
            work,
            fact_order,
            (func.count(column.distinct()),),
            one.name,
            asked,
            kind,
            span,
            source=fact_order.join(one.table, one.table.c.order == fact_order.c.id),
        ):
            if key in out:
                out[key][one.name] = int(number)
    return out


def rows_by(
    work: Work,
    table: Table,
    columns: tuple[ColumnElement[Any], ...],
    name: str,
    asked: Asked,
    kind: Kind | None,
    span: Span,
    *,
    source: FromClause | None = None,
    by: ColumnElement[Any] | None = None,
    filters: Filters | None = None,
) -> list[Any]:
    """Return rows of an interval's key, a segment's where `by` is given, and the columns.

    name: says columns, source and segment for the statement's shape. source: the table with what is joined to it.
    """
    filters = asked.filters if filters is None else filters
    start = week_start(work) if kind == "week" else 0
    dates: Dates = asked.dates if table is fact_order else "created"

    def build() -> Any:
        group: list[Any] = ["bucket"] if kind else []
        shown: list[Any] = [bucket(kind, table, dates, start).label("bucket") if kind else literal_column(str(TOTAL))]
        if by is not None:
            group, shown = [*group, by], [*shown, by]
        local = table.c[dates]
        built = select(*shown, *columns).select_from(table if source is None else source)
        built = built.where(local >= bindparam("after"), local <= bindparam("before"), filters.where(table))
        return built.group_by(*group) if group else built

    shape = (name, table.name, dates, kind, start, filters.shape)
    return work.tx.all(_SHAPES.get(shape, build), after=span.after, before=span.before, **filters.values)


def within(
    columns: list[Any], work: Work, asked: Asked, kind: Kind | None, source: FromClause, filters: Filters,
    group: list[Any],
) -> Select[Any]:  # fmt: skip
    """Return a statement over orders with what is joined to them: interval (`bucket`), columns, grouped by both."""
    start = week_start(work) if kind == "week" else 0
    key = bucket(kind, fact_order, asked.dates, start) if kind else literal_column(str(TOTAL), Integer)
    local = fact_order.c[asked.dates]
    return (
        select(key.label("bucket"), *columns)
        .select_from(source)
        .where(local >= bindparam("after"), local <= bindparam("before"), filters.where(fact_order))
        .group_by("bucket", *group)
    )


def asked_rows(
    work: Work, name: str, asked: Asked, kind: Kind | None, filters: Filters, build: Callable[[], Any]
) -> list[Any]:
    """Return the rows of a statement over orders; name: says it, beside what is asked, for its shape."""
    shape = (name, asked.dates, kind, week_start(work) if kind == "week" else 0, filters.shape)
    span = asked.span
    return work.tx.all(_SHAPES.get(shape, build), after=span.after, before=span.before, **filters.values)
