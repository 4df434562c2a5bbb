"""The segments of reports: by product, variation, category, coupon, tax rate, or new and returning customers.

Every segment is listed, with zeros where nothing was sold. Not here: the measures (analytics/reports/measures.py).
Rules: docs/rules/analytics_measures.md, 9: the figures of a product are those of its lines, but the number of orders,
the averages and the customers are those of the whole orders.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import orjson
from sqlalchemy import func

from vetrina.analytics.reports import segment_items
from vetrina.analytics.reports.conditions import ReportCondition, build_column_condition
from vetrina.analytics.reports.intervals import IntervalKind, ReportSpan, compute_interval_key, get_week_start
from vetrina.analytics.reports.measures import (
    VARIATIONS,
    Measures,
    StatsReport,
    compute_segment_measures,
)
from vetrina.analytics.reports.segment_sums import (
    SegmentCells,
    build_cells,
    sum_by_category,
    sum_by_line_column,
    sum_coupons_by_line,
    sum_whole_orders,
)
from vetrina.analytics.reports.stats import (
    TOTAL,
    ReportRequest,
    compute_measures,
    query_rows,
)
from vetrina.analytics.rollups import goods_spans, product_spans
from vetrina.analytics.rollups.goods_spans import PRODUCT, VARIATION, GoodsTotal, group_rows
from vetrina.analytics.rollups.product_months import ProductRow
from vetrina.backends.tables.analytics import fact_line, fact_tax
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError

# What counts repeatedly for a product in several categories of a segment, by report; orders count once.
_ADDED: Final = {"coupons": ("amount",)}
_ADDED_GOODS: Final = ("items_sold", "net")
_OF_GOODS: Final = ("product", "variation", "category")
_SEGMENT_COLUMNS: Final = {"product": "product", "variation": "variation", "coupon": "coupon", "tax_rate_id": "rate"}


# A part of a span: when it begins, the sums of its segments, and what counts in them repeatedly.
_PartTotals = tuple[int, Mapping[int, GoodsTotal], Mapping[tuple[int, str], int]]


class InvalidSegmenting(ApiError):
    code = "shop_admin_reports_invalid_segmenting_variation"
    message = "Segments by variation need exactly one product in the request; name it in {parameter}."


@dataclass(frozen=True)
class ReportSegment:
    """One segment. products: those it consists of, where it is not a single one; each as often as it counts."""

    id: int
    label: str | None
    products: tuple[int, ...] = ()


@dataclass(frozen=True)
class DividedReport:
    """The segments of a report. by: what it is segmented by; found: the segments in the order of the response."""

    report: StatsReport
    by: str
    found: Sequence[ReportSegment]
    _parts: dict[tuple[ReportSpan, bool], list[_PartTotals] | None] = field(
        default_factory=dict, compare=False, repr=False
    )

    def compute(
        self, work: UnitOfWork, request: ReportRequest, kind: IntervalKind | None, interval_keys: Iterable[int]
    ) -> Mapping[int, Any]:
        """Return the segments of each interval: a list, or its JSON where `request` permits and it is stored."""
        keys = [TOTAL] if kind is None else list(interval_keys)
        plain = request.filters.statuses
        if self.report.name == "orders" and self.by == "product" and plain is not None and request.fields is None:
            with _pause_garbage_collection():
                kept = product_spans.build_measure_texts(work, plain, request.dates, kind, request.span, keys)
                if kept is not None:
                    return dict(zip(keys, self._iterate_texts(kept, request.as_text), strict=True))
        cells = self._compute_cells(work, request, kind)
        orders = self.report.name == "orders"
        zeros = _choose_measures(
            compute_segment_measures(_ZeroSegmentSums()) if orders else compute_measures(self.report, {}), request
        )
        out: dict[int, list[Any]] = {}
        for key in keys:
            row = out[key] = []
            for one in self.found:
                sums = cells.get((key, one.id))
                if sums is None:
                    shown: dict[str, Any] = zeros
                else:
                    shown = _choose_measures(
                        compute_segment_measures(sums) if orders else compute_measures(self.report, sums), request
                    )
                text = self.report.text_ids and (sums is not None or self.by in ("tax_rate_id", "coupon"))
                row.append(
                    {"segment_id": str(one.id) if text else one.id, "segment_label": one.label, "subtotals": shown}
                )
        return out

    def _iterate_texts(self, texts: Sequence[Mapping[int, str]], as_text: bool) -> Iterator[Any]:
        """Yield the segments of intervals whose measures are stored as JSON; as_text: as JSON themselves."""
        zeros = orjson.dumps(compute_segment_measures(_ZeroSegmentSums())).decode()
        heads = [
            (one.id, f'{{"segment_id":{one.id},"segment_label":{orjson.dumps(one.label).decode()},"subtotals":')
            for one in self.found
        ]
        for measures_by_id in texts:
            text = "[" + ",".join([f"{head}{measures_by_id.get(id, zeros)}}}" for id, head in heads]) + "]"
            yield orjson.Fragment(text) if as_text else orjson.loads(text)

    def _compute_cells(self, work: UnitOfWork, request: ReportRequest, kind: IntervalKind | None) -> SegmentCells:
        if self.report.table is fact_line and self.by in _OF_GOODS and kind != "hour":
            totals = self._total_goods(work, request, kind)
            if totals is not None:
                return totals
        if self.by == "category":
            return self._sum_by_category(work, request, kind)
        if self.report.name == "orders" and self.by in ("coupon", "customer_type"):
            return sum_whole_orders(work, request, kind, self.by)
        one_product = self.found[0].products if self.by == "variation" and self.found else ()
        lines = build_column_condition("product", one_product, "segment_products") if one_product else None
        return self._sum_by_column(work, request, kind, _SEGMENT_COLUMNS[self.by], lines)

    def _total_goods(self, work: UnitOfWork, request: ReportRequest, kind: IntervalKind | None) -> SegmentCells | None:
        """Return the sums of the reports on lines from the parts of a span; None where its parts are not known."""
        start = get_week_start(work) if kind == "week" else 0
        parts = self._total_parts(work, request, daily=kind in ("day", "week"))
        if parts is None:
            return None
        totals: dict[tuple[int, int], GoodsTotal] = {}
        added: Counter[tuple[int, int, str]] = Counter()
        for begin, groups, more in parts:
            key = TOTAL if kind is None else compute_interval_key(kind, begin, start)
            for id, one in groups.items():
                totals.setdefault((key, id), GoodsTotal()).add_total(one)
            for (id, name), value in more.items():
                added[key, id, name] += value
        out = {at: one.to_line_sums() for at, one in totals.items()}
        for (key, id, name), value in added.items():
            out[key, id][name] += value
        return out

    def _total_parts(self, work: UnitOfWork, request: ReportRequest, *, daily: bool) -> list[_PartTotals] | None:
        """Return the sums of segments in each part of a span, or of one that it is a part of."""
        span = request.span
        for (held, held_daily), found in self._parts.items():
            # Intervals of parts that are not asked for do no harm; no part lies in two intervals of a page.
            if held_daily == daily and held.after <= span.after and span.before <= held.before:
                return found
        parts = goods_spans.list_goods(work, request.filters.statuses, span, daily=daily)
        out = None if parts is None else [self._total_part(begin, rows) for begin, rows in parts]
        self._parts[span, daily] = out
        return out

    def _total_part(self, begin: int, rows: list[ProductRow]) -> _PartTotals:
        one_product = self.found[0].products if self.by == "variation" and self.found else ()
        if self.report is VARIATIONS:
            rows = [row for row in rows if row[VARIATION]]
        added: Counter[tuple[int, str]] = Counter()
        if self.by == "category":
            of_products = group_rows(rows, PRODUCT)
            groups = {}
            for one in self.found:
                groups[one.id] = [row for id in dict.fromkeys(one.products) for row in of_products.get(id, ())]
                for id, times in (Counter(one.products) - Counter(set(one.products))).items():
                    for row in of_products.get(id, ()):
                        added[one.id, "items_sold"] += times * row[3]
                        added[one.id, "net"] += times * row[4]
        else:
            if one_product:
                rows = [row for row in rows if row[PRODUCT] in one_product]
            groups = group_rows(rows, PRODUCT if self.by == "product" else VARIATION)
        totals: dict[int, GoodsTotal] = {}
        for id, some in groups.items():
            if some:
                totals[id] = GoodsTotal()
                totals[id].add_part(some)
        return begin, totals, added

    def _sum_by_category(self, work: UnitOfWork, request: ReportRequest, kind: IntervalKind | None) -> SegmentCells:
        """Return the sums by category; lines of a product in several of them count for each."""
        if self.report.name == "orders":
            return sum_by_category(work, request, kind, {one.id: one.products for one in self.found})
        out: SegmentCells = {}
        again = {one.id: Counter(one.products) - Counter(set(one.products)) for one in self.found}
        for one in self.found:
            lines = build_column_condition("product", sorted(set(one.products)), "segment_products")
            cells = self._sum_by_column(work, request, kind, None, lines)
            out |= {(key, one.id): sums for (key, _), sums in cells.items()}
        repeated = sorted({id for times in again.values() for id in times})
        if not repeated:
            return out
        added = _ADDED.get(self.report.name, _ADDED_GOODS)
        lines = build_column_condition("product", repeated, "segment_products")
        more = self._sum_by_column(work, request, kind, "product", lines)
        for (key, product), sums in more.items():
            for id, times in again.items():
                if times[product]:
                    held = out[key, id]
                    out[key, id] = held | {name: held[name] + times[product] * sums[name] for name in added}
        return out

    def _sum_by_column(
        self,
        work: UnitOfWork,
        request: ReportRequest,
        kind: IntervalKind | None,
        column: str | None,
        lines: ReportCondition | None,
    ) -> SegmentCells:
        if self.report.name == "orders":
            return sum_by_line_column(work, request, kind, column, lines)
        if self.report.name == "coupons" and (column is None or column in fact_line.c):
            return sum_coupons_by_line(work, request, kind, column, lines)
        by = None if column is None else self.report.table.c[column]
        filters = request.filters.with_conditions(lines) if lines else request.filters
        name = f"{self.report.name} by {column}"
        sums = dict(self.report.sums)
        # As in the report of categories, a refund counts as an order of its own.
        if self.report.table in (fact_line, fact_tax):
            sums["orders"] = func.count(self.report.table.c.order.distinct())
        rows = query_rows(
            work, self.report.table, tuple(sums.values()), name, request, kind, request.span, by=by, filters=filters
        )
        return build_cells(rows, list(self.report.sums), by is not None)


@contextmanager
def _pause_garbage_collection() -> Iterator[None]:
    """Pause garbage collection, which takes 40 % of the time of an answer of 100,000 objects and finds none to free."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _choose_measures(measures: Measures, request: ReportRequest) -> Measures:
    """Return the requested measures of a segment, in the order of the request."""
    if request.fields is None:
        return measures
    return {name: measures[name] for name in request.fields if name in measures}


class _ZeroSegmentSums(dict[str, int]):
    def __missing__(self, name: str) -> int:
        return 0


def build_segments(
    work: UnitOfWork, report: StatsReport, by: str, filtered_ids: Mapping[str, Sequence[int]], needs: str = "",
    variations: Sequence[int] = (),
) -> DividedReport:  # fmt: skip
    """Return the segments of a report. Raises InvalidSegmenting.

    by: product, variation, category, coupon, customer_type, tax_rate_id. filtered_ids: the ids that the filters name,
    by `product`, `category`, `coupon`, `variation`, `tax`. needs: the parameter in which segments by variation require
    exactly one product; empty: not required. variations: ids that a filter names.
    """
    products = filtered_ids.get("product", ())
    match by:
        case "product":
            found = [ReportSegment(id, name) for id, name in segment_items.list_products(work, products)]
        case "variation":
            if len(products) != 1 and needs:
                raise InvalidSegmenting(parameter=needs)
            found = _list_variation_segments(work, products)
            if variations:
                found = [one for one in found if one.id in variations]
        case "category":
            found = [
                ReportSegment(id, name, ids)
                for id, name, ids in segment_items.list_categories(work, filtered_ids.get("category", ()))
            ]
        case "coupon":
            found = [
                ReportSegment(id, code) for id, code in segment_items.list_coupons(work, filtered_ids.get("coupon", ()))
            ]
        case "customer_type":
            found = [ReportSegment(0, None), ReportSegment(1, None)]
        case _:
            found = [
                ReportSegment(id, code) for id, code in segment_items.list_tax_rates(work, filtered_ids.get("tax", ()))
            ]
    return DividedReport(report, by, found)


def _list_variation_segments(work: UnitOfWork, products: Sequence[int]) -> list[ReportSegment]:
    own = tuple(products)
    if len(own) != 1:
        return [ReportSegment(id, name) for id, name in segment_items.list_variations(work, own)]
    zero = [ReportSegment(0, name, own) for _, name in segment_items.list_products(work, own)]
    return [*zero, *(ReportSegment(id, name, own) for id, name in segment_items.list_variations(work, own))]
