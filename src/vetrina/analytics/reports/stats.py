"""The statistics of reports with intervals: totals, a page of intervals, and segments of both.

Not here: the measures of a report (analytics/reports/measures.py), the intervals of a span
(analytics/reports/intervals.py), segments (analytics/reports/segments.py). Rules: docs/rules/analytics_measures.md, 4,
6 and 7.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from sqlalchemy import ColumnElement, FromClause, Integer, Select, Table, bindparam, func, literal_column, select

from vetrina.analytics.facts.coupon_orders import bind_coupon_ends, join_coupons
from vetrina.analytics.facts.reportable_orders import OrderDate
from vetrina.analytics.reports.conditions import ReportFilters
from vetrina.analytics.reports.intervals import (
    IntervalKind,
    ReportInterval,
    ReportSpan,
    build_interval,
    build_key_expression,
    get_week_start,
    list_interval_keys,
)
from vetrina.analytics.reports.measures import Measures, StatsReport, Sums
from vetrina.analytics.rollups import chosen_goods, order_sums as rollup_rules
from vetrina.backends.statement_cache import StatementCache
from vetrina.backends.tables.analytics import fact_coupon, fact_line, fact_order
from vetrina.core.unit_of_work import UnitOfWork

_SHAPES: Final = StatementCache(2048)
TOTAL: Final = -1  # the group of the totals


@dataclass(frozen=True)
class ReportRequest:
    """The request of a report.

    fields: the requested members, None for all. orderby: `date` or a measure. as_text: whether segments may be JSON
    (orjson.Fragment), where nothing reads them before they are sent.
    """

    span: ReportSpan
    filters: ReportFilters
    interval: IntervalKind = "week"
    dates: OrderDate = "created"
    order: str = "desc"
    orderby: str = "date"
    page: int = 1
    per_page: int = 10
    fields: tuple[str, ...] | None = None
    as_text: bool = False


class ReportSegments(Protocol):
    """The segments that a report is divided into."""

    def compute(
        self, work: UnitOfWork, request: ReportRequest, kind: IntervalKind | None, interval_keys: Iterable[int]
    ) -> Mapping[int, Any]:
        """Return the segments of each interval by its key; by TOTAL for the totals, where `kind` is None."""


@dataclass(frozen=True)
class ReportStats:
    """A computed report. totals: None where there is no such page. count: how many intervals the interface counts."""

    totals: Measures | None
    intervals: list[tuple[ReportInterval, Measures]]
    count: int


def compute_report(
    work: UnitOfWork, report: StatsReport, request: ReportRequest, divide: Callable[[], ReportSegments] | None = None
) -> ReportStats:
    """Return a report. divide: returns its segments; not called where there is no such page."""
    work.uses("order", "product", "option")
    start = get_week_start(work)
    every, count = list_interval_keys(request.interval, request.span, work.zone, start)
    if not every or (request.page - 1) * request.per_page >= count:
        return ReportStats(None, [], count)
    keys, sums = _select_page(work, report, request, every)
    page = [build_interval(request.interval, key, request.span, start) for key in keys]
    if sums is None:
        sums = sum_by_interval(work, report, request, request.interval, _compute_page_span(page, request.span), keys)
    totals = sum_by_interval(work, report, request, None, request.span, ()).get(TOTAL, {})
    divided: Mapping[int, Any] = {}
    whole: Any = []
    if divide is not None:
        segments = divide()
        # The whole span first, of which a page is a part.
        whole = segments.compute(work, request, None, ())[TOTAL]
        divided = segments.compute(
            work, replace(request, span=_compute_page_span(page, request.span)), request.interval, keys
        )
    return ReportStats(
        _select_measures(report, totals, request, True, whole),
        [
            (one, _select_measures(report, sums.get(one.key, {}), request, False, divided.get(one.key, [])))
            for one in page
        ],
        count,
    )


def compute_measures(report: StatsReport, sums: Sums) -> Measures:
    """Return the measures of sums, where sums without rows may be missing."""
    return report.measures(_ZeroSums(sums))


class _ZeroSums(dict[str, int]):
    def __missing__(self, name: str) -> int:
        return 0


def _select_page(
    work: UnitOfWork, report: StatsReport, request: ReportRequest, every: Sequence[int]
) -> tuple[list[int], dict[int, dict[str, int]] | None]:
    """Return the keys of the page's intervals, and the sums where the order required them."""
    first, last = (request.page - 1) * request.per_page, request.page * request.per_page
    measure = report.orders.get(request.orderby, request.orderby)
    if request.orderby != "date":
        if measure not in compute_measures(report, {}) or (
            request.fields is not None and measure not in request.fields
        ):
            # A measure that intervals do not have cannot order them: they stay in chronological order.
            return list(every[first:last]), None
        sums = sum_by_interval(work, report, request, request.interval, request.span, None)
        sign = -1 if request.order == "desc" else 1

        def rank(key: int) -> Any:
            return sign * compute_measures(report, sums.get(key, {}))[measure]

        among = every if isinstance(every, range) else set(every)
        ranked = _rank_intervals(
            every, [key for key in sums if key in among], rank, sign * compute_measures(report, {})[measure]
        )
        return ranked[first:last], sums
    return list(every[::-1][first:last] if request.order == "desc" else every[first:last]), None


def _rank_intervals(every: Sequence[int], filled: Sequence[int], rank: Callable[[int], Any], empty: Any) -> list[int]:
    """Return intervals by rank; equal ones those with rows first, then chronologically.

    filled: the intervals that have rows. empty: the rank of all others.
    """
    found = sorted(filled, key=lambda key: (rank(key), key))
    before = bisect_right([rank(key) for key in found], empty)
    with_rows = set(filled)
    return [*found[:before], *(key for key in every if key not in with_rows), *found[before:]]


def _compute_page_span(page: Sequence[ReportInterval], span: ReportSpan) -> ReportSpan:
    """Return the span of the intervals of a page, so that only their rows are read."""
    if not page:
        return span
    return ReportSpan(min(one.start for one in page), max(one.end for one in page))


def _select_measures(report: StatsReport, sums: Sums, request: ReportRequest, total: bool, segments: Any) -> Measures:
    out = compute_measures(report, sums)
    if not total:
        for one in report.distinct:
            if one.totals_only:
                out.pop(one.name, None)
    if report.segmented:
        out["segments"] = segments
    if request.fields is None:
        return out
    wanted = [name for name in request.fields if name in out]
    kept = [name for name in report.kept if name in out and name not in wanted]
    return {name: out[name] for name in (*wanted, *kept)}


def sum_by_interval(
    work: UnitOfWork,
    report: StatsReport,
    request: ReportRequest,
    kind: IntervalKind | None,
    span: ReportSpan,
    keys: Iterable[int] | None,
) -> dict[int, dict[str, int]]:
    """Return the sums of the intervals that have rows, by their keys; kind None: of the whole span, by TOTAL.

    keys: the requested intervals, None for all.
    """
    wanted = None if keys is None or kind is None else set(keys)
    if report.read_rollup is not None and request.filters.statuses is not None:
        start = get_week_start(work) if kind == "week" else 0
        kept = rollup_rules.sum_orders(work, request.filters.statuses, request.dates, kind, span, start, TOTAL)
        if kept is not None:
            read = ((key, report.read_rollup(sums)) for key, sums in kept.items() if wanted is None or key in wanted)
            return {key: sums for key, sums in read if sums["rows"]}
    if report.table is fact_line and request.filters.goods is not None:
        start = get_week_start(work) if kind == "week" else 0
        sold = chosen_goods.sum_chosen_goods(work, request.filters.goods, kind, span, start, TOTAL)
        if sold is not None:
            return {key: sums for key, sums in sold.items() if wanted is None or key in wanted}
    names = list(report.sums)
    out: dict[int, dict[str, int]] = {}
    for key, *found in query_rows(work, report.table, tuple(report.sums.values()), report.name, request, kind, span):
        if kind is None and not found[0]:
            continue
        if wanted is None or key in wanted:
            out[key] = {name: int(value or 0) for name, value in zip(names, found, strict=True)}
    for one in report.distinct:
        if kind is not None and one.totals_only:
            continue
        column = one.table.c[one.column]
        for key, number in query_rows(
            work,
            fact_order,
            (func.count(column.distinct()),),
            one.name,
            request,
            kind,
            span,
            source=(
                join_coupons(fact_order)
                if one.table is fact_coupon
                else fact_order.join(one.table, one.table.c.order == fact_order.c.id)
            ),
        ):
            if key in out:
                out[key][one.name] = int(number)
    return out


def query_rows(
    work: UnitOfWork,
    table: Table,
    columns: tuple[ColumnElement[Any], ...],
    name: str,
    request: ReportRequest,
    kind: IntervalKind | None,
    span: ReportSpan,
    *,
    source: FromClause | None = None,
    by: ColumnElement[Any] | None = None,
    filters: ReportFilters | None = None,
) -> list[Any]:
    """Return rows of an interval's key, a segment's where `by` is given, and the columns.

    name: identifies columns, source and segment within the statement's shape. source: the table with its joins.
    """
    filters = request.filters if filters is None else filters
    start = get_week_start(work) if kind == "week" else 0
    dates: OrderDate = request.dates if table is fact_order else "created"

    def build() -> Any:
        group: list[Any] = ["bucket"] if kind else []
        shown: list[Any] = [
            build_key_expression(kind, table, dates, start).label("bucket") if kind else literal_column(str(TOTAL))
        ]
        if by is not None:
            group, shown = [*group, by], [*shown, by]
        local = table.c[dates]
        built = select(*shown, *columns).select_from(table if source is None else source)
        built = built.where(local >= bindparam("after"), local <= bindparam("before"), filters.where(table))
        return built.group_by(*group) if group else built

    shape = (name, table.name, dates, kind, start, filters.shape)
    bound = filters.values if source is None else {**filters.values, **bind_coupon_ends(work)}
    return work.tx.all(_SHAPES.get(shape, build), after=span.after, before=span.before, **bound)


def build_interval_query(
    columns: list[Any],
    work: UnitOfWork,
    request: ReportRequest,
    kind: IntervalKind | None,
    source: FromClause,
    filters: ReportFilters,
    group: list[Any],
) -> Select[Any]:
    """Return a statement over orders and their joins: interval (`bucket`), columns, grouped by interval and `group`."""
    start = get_week_start(work) if kind == "week" else 0
    key = build_key_expression(kind, fact_order, request.dates, start) if kind else literal_column(str(TOTAL), Integer)
    local = fact_order.c[request.dates]
    return (
        select(key.label("bucket"), *columns)
        .select_from(source)
        .where(local >= bindparam("after"), local <= bindparam("before"), filters.where(fact_order))
        .group_by("bucket", *group)
    )


def query_order_rows(
    work: UnitOfWork,
    name: str,
    request: ReportRequest,
    kind: IntervalKind | None,
    filters: ReportFilters,
    build: Callable[[], Any],
) -> list[Any]:
    """Return the rows of a statement over orders; name: identifies it within the statement's shape."""
    shape = (name, request.dates, kind, get_week_start(work) if kind == "week" else 0, filters.shape)
    span = request.span
    bound = {**filters.values, **bind_coupon_ends(work)}
    return work.tx.all(_SHAPES.get(shape, build), after=span.after, before=span.before, **bound)
