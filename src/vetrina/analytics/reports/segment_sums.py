"""The sums of segments that take statements of their own: of whole orders by their lines, coupons or customers.

Which segments a report has: analytics/reports/segments.py. Rules: docs/rules/analytics_measures.md, 9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    FromClause,
    and_,
    func,
    literal_column,
    select,
    true,
)

from vetrina.analytics.facts.coupon_orders import join_coupons
from vetrina.analytics.reports.conditions import ReportCondition, ReportFilters
from vetrina.analytics.reports.intervals import IntervalKind, get_week_start
from vetrina.analytics.reports.measures import COUPONS, LINE_PARTS, ORDER_SUMS, add_line_columns, build_line_columns
from vetrina.analytics.reports.stats import TOTAL, ReportRequest, build_interval_query, query_order_rows, query_rows
from vetrina.analytics.rollups import category_members, category_sums, customer_types
from vetrina.backends.database import DatabaseKind
from vetrina.backends.statement_cache import UnindexedColumn
from vetrina.backends.tables.analytics import fact_coupon, fact_line, fact_order
from vetrina.backends.tables.orders import order_item
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.orders.model import LINE

SegmentCells = dict[tuple[int, int], dict[str, int]]  # (interval key, segment id) → sums
_l, _o, _c = fact_line.c, fact_order.c, fact_coupon.c


def build_cells(rows: Iterable[Any], names: Sequence[str], divided: bool) -> SegmentCells:
    """Return rows as cells. divided: whether the segment stands before the sums; it is 0 otherwise."""
    out: SegmentCells = {}
    for key, *found in rows:
        segment = int(found.pop(0)) if divided else 0
        sums = {name: int(value or 0) for name, value in zip(names, found, strict=True)}
        if sums.get("rows", 1):
            out[key, segment] = sums
    return out


_ORDER_PARTS: Final = ("orders", "order_items", "order_net", "customers")


def sum_by_line_column(
    work: UnitOfWork,
    request: ReportRequest,
    kind: IntervalKind | None,
    column: str | None,
    lines: ReportCondition | None,
) -> SegmentCells:
    """Return the sums of orders by a column of their lines; column None: of the lines that meet the condition."""
    own = request.filters.with_conditions(_apply_to_lines(lines)) if lines else request.filters
    by = literal_column("0") if column is None else fact_line.c[column]
    name = f"lines by {column} {lines.name if lines else ''}"
    return _sum_by_lines(work, request, kind, name, own, lambda _: _LineSource(by, _LINES_OF_ORDERS))


def sum_by_category(
    work: UnitOfWork, request: ReportRequest, kind: IntervalKind | None, products: Mapping[int, Iterable[int]]
) -> SegmentCells:
    """Return the sums of orders by the category of their lines.

    products: those of each category, each as often as its lines count.
    """
    statuses = request.filters.statuses
    if statuses is not None:
        start = get_week_start(work) if kind == "week" else 0
        kept = category_sums.sum_categories(work, statuses, request.dates, kind, request.span, start, TOTAL)
        if kept is not None:
            return kept
    values = category_members.encode_members(products)
    own = request.filters.with_conditions(ReportCondition("members", lambda _: true(), values))

    def build_source(kind: DatabaseKind) -> _LineSource:
        members = category_members.build_member_source(kind)
        # From the lines to their categories, not the other way round.
        source = _LINES_OF_ORDERS.join(members, members.c.product == UnindexedColumn(_l.product))
        return _LineSource(members.c.category, source, members.c.times)

    return _sum_by_lines(work, request, kind, "lines by category", own, build_source) if products else {}


# From the orders of the span to their lines: SQLite would read every line of the shop to find its order.
_LINES_OF_ORDERS: Final = fact_order.join(fact_line, _l.order == UnindexedColumn(_o.id))


class _LineSource(NamedTuple):
    """Orders joined with their lines. segment: that of a line; times: how often a line counts, None for once."""

    segment: ColumnElement[Any]
    joined: FromClause
    times: ColumnElement[int] | None = None


def _sum_by_lines(
    work: UnitOfWork,
    request: ReportRequest,
    kind: IntervalKind | None,
    name: str,
    own: ReportFilters,
    build_source: Callable[[DatabaseKind], _LineSource],
) -> SegmentCells:
    """Return the sums of orders by their lines."""

    def sums(database: DatabaseKind) -> Any:
        by, source, times = build_source(database)
        # First what an order has of a segment, so that its whole figures count once.
        whole = {name: func.min(_o[name]).label(name) for name in ("items", "net", "customer")}
        held = build_interval_query(
            [by.label("segment"), *build_line_columns(times), *whole.values()],
            work, request, kind, source, own, ["segment", _o.id],
        ).subquery("held")  # fmt: skip
        h = held.c
        return select(
            h.bucket, h.segment, *add_line_columns(h),
            func.count(), func.sum(h["items"]), func.sum(h.net), func.count(h.customer.distinct()),
        ).group_by(h.bucket, h.segment)  # fmt: skip

    def coupons(database: DatabaseKind) -> Any:
        by, source, _ = build_source(database)
        columns = [by.label("segment"), func.count(_c.coupon.distinct())]
        used = join_coupons(source)
        return build_interval_query(columns, work, request, kind, used, own, ["segment"])

    cells = build_cells(
        query_order_rows(work, name, request, kind, own, lambda: sums), [*LINE_PARTS, *_ORDER_PARTS], True
    )
    rows = query_order_rows(work, f"coupons of {name}", request, kind, own, lambda: coupons)
    for at, found in build_cells(rows, ["coupons_count"], True).items():
        if at in cells:
            cells[at] |= found
    return cells


def sum_whole_orders(work: UnitOfWork, request: ReportRequest, kind: IntervalKind | None, by: str) -> SegmentCells:
    """Return the sums of whole orders by coupon, or by new and returning customers."""
    sums = {name: column for name, column in ORDER_SUMS.items() if name not in ("refunds", "coupons")}
    if by == "coupon":
        return _sum_by_coupon(work, request, kind)
    if request.filters.statuses is not None:
        start = get_week_start(work) if kind == "week" else 0
        kept = customer_types.sum_customer_types(
            work, request.filters.statuses, request.dates, kind, request.span, start, TOTAL
        )
        if kept is not None:
            return kept
    filters = request.filters.with_conditions(_ORDER_ROWS)
    sums |= {"coupons": func.sum(_o.coupons)}
    rows = query_rows(
        work, fact_order, tuple(sums.values()), "orders by repeat", request, kind, request.span, by=_o.repeat,
        filters=filters,
    )  # fmt: skip
    cells = build_cells(rows, list(sums), True)
    rows = query_rows(
        work, fact_order, (func.count(_c.coupon.distinct()),), "coupons by repeat", request, kind, request.span,
        source=join_coupons(fact_order), by=_o.repeat, filters=filters,
    )  # fmt: skip
    for at, found in build_cells(rows, ["coupons_count"], True).items():
        if at in cells:
            cells[at] |= found
    return cells


def sum_coupons_by_line(
    work: UnitOfWork,
    request: ReportRequest,
    kind: IntervalKind | None,
    column: str | None,
    lines: ReportCondition | None,
) -> SegmentCells:
    """Return the sums of coupons by a column of the lines of their orders: the discount of each line."""
    own = order_item.c
    sums = {**COUPONS.sums, "amount": func.sum(own.subtotal - own.total)}
    source = fact_coupon.join(order_item, and_(own.owner == _c.order, own.kind == LINE))
    filters = request.filters
    if lines:
        # The condition is on the lines, whatever table the filters are for.
        filters = filters.with_conditions(
            ReportCondition(lines.name, lambda table: lines.build(order_item), lines.values)
        )
    rows = query_rows(
        work, fact_coupon, tuple(sums.values()), f"coupons by lines' {column} {lines.name if lines else ''}",
        request, kind, request.span, source=source, by=None if column is None else own[column], filters=filters,
    )  # fmt: skip
    return build_cells(rows, list(sums), column is not None)


def _sum_by_coupon(work: UnitOfWork, request: ReportRequest, kind: IntervalKind | None) -> SegmentCells:
    """Return the sums of orders by coupon; an order with several coupons counts once per coupon for each of them."""
    other = fact_coupon.alias("other")
    times = select(func.count()).select_from(other).where(other.c.order == _o.id).scalar_subquery()

    def sums() -> Any:
        # First what an order has of a coupon, so that its own figures count once.
        whole = (func.min(_o[name]).label(name) for name in ("items", "net", "tax", "shipping", "total", "customer"))
        held = build_interval_query(
            [_c.coupon.label("segment"), func.sum(_c.amount).label("amount"), times.label("times"), *whole],
            work, request, kind, join_coupons(fact_order, all_coupons=True), request.filters, ["segment", _o.id],
        ).subquery("held")  # fmt: skip
        h = held.c
        counted = (h["items"], h["items"], h.net, h.amount, h.tax, h.shipping, h.net, h.total)
        return select(
            h.bucket, h.segment, func.count(), func.sum(h.times), *(func.sum(one * h.times) for one in counted),
            func.count(h.customer.distinct()),
        ).group_by(h.bucket, h.segment)  # fmt: skip

    def coupons() -> Any:
        columns = [_c.coupon.label("segment"), func.count(other.c.coupon.distinct())]
        used = join_coupons(fact_order, all_coupons=True).join(other, other.c.order == _o.id)
        return build_interval_query(columns, work, request, kind, used, request.filters, ["segment"])

    rows = query_order_rows(work, "orders by coupon", request, kind, request.filters, sums)
    cells = build_cells(rows, _COUPON_SUMS, True)
    rows = query_order_rows(work, "coupons by coupon", request, kind, request.filters, coupons)
    for at, one in build_cells(rows, ["coupons_count"], True).items():
        cells[at] |= one
    return cells


_COUPON_SUMS: Final = (
    "rows", "orders", "items", "order_items", "order_net", "coupons", "taxes", "shipping", "net", "total", "customers",
)  # fmt: skip
_ORDER_ROWS: Final = ReportCondition("orders alone", lambda table: table.c.parent == 0)


def _apply_to_lines(lines: ReportCondition) -> ReportCondition:
    return ReportCondition(lines.name, lambda table: lines.build(fact_line), lines.values)
