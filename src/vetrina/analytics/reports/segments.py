"""What reports are divided by: products, variations, categories, coupons, tax rates, new and returning customers.

Every candidate is there, with zeros where nothing was sold. Not here: what the figures mean
(analytics/reports/definitions.py). Rules: facts, "Segments": the figures of a product are those of its lines, but the
number of orders, the averages and the customers are those of the whole orders.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import orjson
from sqlalchemy import and_, func, literal_column, select

from vetrina.analytics.reports import segment_members
from vetrina.analytics.reports.conditions import Condition, only
from vetrina.analytics.reports.definitions import COUPONS, LINE_PARTS, ORDER_SUMS, Measures, Report, segment_measures
from vetrina.analytics.reports.engine import TOTAL, Asked, asked_rows, counted, rows_by, within
from vetrina.analytics.reports.intervals import Kind
from vetrina.analytics.rollups import product_spans
from vetrina.backends.tables.analytics import fact_coupon, fact_line, fact_order, fact_tax
from vetrina.backends.tables.orders import order_item
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.shop.orders.model import LINE

__all__ = ["InvalidSegmenting", "Segment", "SegmentsOf", "of_report"]

_Cells = dict[tuple[int, int], dict[str, int]]  # (key of the interval, number of the segment) → sums
_l, _o, _c = fact_line.c, fact_order.c, fact_coupon.c
# What counts again for a product that is in several categories of a segment, by report; orders count once.
_ADDED: Final = {"orders": tuple(LINE_PARTS), "coupons": ("amount",)}
_ADDED_GOODS: Final = ("items_sold", "net")
_SEGMENT_COLUMNS: Final = {"product": "product", "variation": "variation", "coupon": "coupon", "tax_rate_id": "rate"}


class InvalidSegmenting(ApiError):
    code = "shop_admin_reports_invalid_segmenting_variation"
    message = "Segments by variation need exactly one product in the request; name it in {parameter}."


@dataclass(frozen=True)
class Segment:
    """One candidate. products: those that it is made of, where it is no single one; each as often as it counts."""

    id: int
    label: str | None
    products: tuple[int, ...] = ()


@dataclass(frozen=True)
class SegmentsOf:
    """The segments of a report. by: what they are; found: the candidates in the order of the answer."""

    report: Report
    by: str
    found: Sequence[Segment]

    def of(self, work: Work, asked: Asked, kind: Kind | None, among: Iterable[int]) -> Mapping[int, Any]:
        """Return the segments of each interval: a list, or its JSON where `asked` wants that and it is there."""
        keys = [TOTAL] if kind is None else list(among)
        plain = asked.filters.statuses
        if self.report.name == "orders" and self.by == "product" and plain is not None and asked.fields is None:
            with _uncollected():
                kept = product_spans.told(work, plain, asked.dates, kind, asked.span, keys)
                if kept is not None:
                    return dict(zip(keys, self._told(kept, asked.as_text), strict=True))
        cells = self._cells(work, asked, kind)
        orders = self.report.name == "orders"
        zeros = _choose_measures(segment_measures(_Zeros()) if orders else counted(self.report, {}), asked)
        out: dict[int, list[Any]] = {}
        for key in keys:
            row = out[key] = []
            for one in self.found:
                sums = cells.get((key, one.id))
                if sums is None:
                    shown: dict[str, Any] = zeros
                else:
                    shown = _choose_measures(segment_measures(sums) if orders else counted(self.report, sums), asked)
                text = self.report.text_ids and (sums is not None or self.by in ("tax_rate_id", "coupon"))
                row.append(
                    {"segment_id": str(one.id) if text else one.id, "segment_label": one.label, "subtotals": shown}
                )
        return out

    def _told(self, kept: Sequence[Mapping[int, str]], as_text: bool) -> Iterator[Any]:
        """Yield the segments of intervals of which the measures are there as JSON; as_text: as JSON themselves."""
        zeros = orjson.dumps(segment_measures(_Zeros())).decode()
        heads = [
            (one.id, f'{{"segment_id":{one.id},"segment_label":{orjson.dumps(one.label).decode()},"subtotals":')
            for one in self.found
        ]
        for told in kept:
            text = "[" + ",".join([f"{head}{told.get(id, zeros)}}}" for id, head in heads]) + "]"
            yield orjson.Fragment(text) if as_text else orjson.loads(text)

    def _cells(self, work: Work, asked: Asked, kind: Kind | None) -> _Cells:
        if self.by == "category":
            return self._by_category(work, asked, kind)
        if self.report.name == "orders" and self.by in ("coupon", "customer_type"):
            return _of_orders(work, asked, kind, self.by)
        one_product = self.found[0].products if self.by == "variation" and self.found else ()
        lines = only("product", one_product, "segment_products") if one_product else None
        return self._grouped(work, asked, kind, _SEGMENT_COLUMNS[self.by], lines)

    def _by_category(self, work: Work, asked: Asked, kind: Kind | None) -> _Cells:
        """Return the sums of categories; lines of a product that is in several of them count for each."""
        out: _Cells = {}
        again = {one.id: Counter(one.products) - Counter(set(one.products)) for one in self.found}
        for one in self.found:
            products = sorted(set(one.products))
            cells = self._grouped(work, asked, kind, None, only("product", products, "segment_products"))
            out |= {(key, one.id): sums for (key, _), sums in cells.items()}
        repeated = sorted({id for times in again.values() for id in times})
        if not repeated:
            return out
        added = _ADDED.get(self.report.name, _ADDED_GOODS)
        more = self._grouped(work, asked, kind, "product", only("product", repeated, "segment_products"))
        for (key, product), sums in more.items():
            for id, times in again.items():
                if times[product]:
                    held = out[key, id]
                    out[key, id] = held | {name: held[name] + times[product] * sums[name] for name in added}
        return out

    def _grouped(
        self, work: Work, asked: Asked, kind: Kind | None, column: str | None, lines: Condition | None
    ) -> _Cells:
        if self.report.name == "orders":
            return _of_lines(work, asked, kind, column, lines)
        if self.report.name == "coupons" and (column is None or column in _l):
            return _of_coupons(work, asked, kind, column, lines)
        by = None if column is None else self.report.table.c[column]
        filters = asked.filters.also(lines) if lines else asked.filters
        name = f"{self.report.name} by {column}"
        sums = dict(self.report.sums)
        # As in the report of categories, a refund counts as an order of its own.
        if self.report.table in (fact_line, fact_tax):
            sums["orders"] = func.count(self.report.table.c.order.distinct())
        rows = rows_by(
            work, self.report.table, tuple(sums.values()), name, asked, kind, asked.span, by=by, filters=filters
        )
        return _cells_of(rows, list(self.report.sums), by is not None)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Leave the garbage collector alone: of the 100,000 objects of a large answer none is garbage, and looking
    through them again and again takes 40 % of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _choose_measures(measures: Measures, asked: Asked) -> Measures:
    """Return those measures of a segment that the request wants, in its order."""
    if asked.fields is None:
        return measures
    return {name: measures[name] for name in asked.fields if name in measures}


class _Zeros(dict[str, int]):
    def __missing__(self, name: str) -> int:
        return 0


def _cells_of(rows: Iterable[Any], names: Sequence[str], divided: bool) -> _Cells:
    out: _Cells = {}
    for key, *found in rows:
        segment = int(found.pop(0)) if divided else 0
        sums = {name: int(value or 0) for name, value in zip(names, found, strict=True)}
        if sums.get("rows", 1):
            out[key, segment] = sums
    return out


_ORDER_PARTS: Final = ("orders", "order_items", "order_net", "customers")


def _of_lines(work: Work, asked: Asked, kind: Kind | None, column: str | None, lines: Condition | None) -> _Cells:
    """Return the sums of orders by a column of their lines; column None: of those lines that fulfil the condition."""
    own = asked.filters.also(_on_lines(lines)) if lines else asked.filters
    by = literal_column("0") if column is None else fact_line.c[column]
    source = fact_order.join(fact_line, _l.order == _o.id)

    def build() -> Any:
        # What an order holds of a segment first, so that its whole figures count once.
        whole = {name: func.min(_o[name]).label(name) for name in ("items", "net", "customer")}
        held = within(
            [by.label("segment"), *(part.label(f"line_{name}") for name, part in LINE_PARTS.items()), *whole.values()],
            work, asked, kind, source, own, ["segment", _o.id],
        ).subquery("held")  # fmt: skip
        h = held.c
        return select(
            h.bucket, h.segment, *(func.sum(h[f"line_{name}"]) for name in LINE_PARTS),
            func.count(), func.sum(h["items"]), func.sum(h.net), func.count(h.customer.distinct()),
        ).group_by(h.bucket, h.segment)  # fmt: skip

    name = f"lines by {column} {lines.name if lines else ''}"
    cells = _cells_of(asked_rows(work, name, asked, kind, own, build), [*LINE_PARTS, *_ORDER_PARTS], True)

    def coupons() -> Any:
        used = source.join(fact_coupon, _c.order == _o.id)
        columns = [by.label("segment"), func.count(_c.coupon.distinct())]
        return within(columns, work, asked, kind, used, own, ["segment"])

    rows = asked_rows(work, f"coupons of {name}", asked, kind, own, coupons)
    for at, sums in _cells_of(rows, ["coupons_count"], True).items():
        if at in cells:
            cells[at] |= sums
    return cells


def _of_orders(work: Work, asked: Asked, kind: Kind | None, by: str) -> _Cells:
    """Return the sums of whole orders by coupon, or by whether their customers return."""
    sums = {name: column for name, column in ORDER_SUMS.items() if name not in ("refunds", "coupons")}
    if by == "coupon":
        return _sum_by_coupon(work, asked, kind)
    filters = asked.filters.also(_ORDER_ROWS)
    sums |= {"coupons": func.sum(_o.coupons)}
    rows = rows_by(
        work, fact_order, tuple(sums.values()), "orders by repeat", asked, kind, asked.span, by=_o.repeat,
        filters=filters,
    )  # fmt: skip
    cells = _cells_of(rows, list(sums), True)
    rows = rows_by(
        work, fact_order, (func.count(_c.coupon.distinct()),), "coupons by repeat", asked, kind, asked.span,
        source=fact_order.join(fact_coupon, _c.order == _o.id), by=_o.repeat, filters=filters,
    )  # fmt: skip
    for at, found in _cells_of(rows, ["coupons_count"], True).items():
        if at in cells:
            cells[at] |= found
    return cells


def _of_coupons(work: Work, asked: Asked, kind: Kind | None, column: str | None, lines: Condition | None) -> _Cells:
    """Return the sums of coupons by a column of the lines of their orders: of each what its lines cost less."""
    own = order_item.c
    sums = {**COUPONS.sums, "amount": func.sum(own.subtotal - own.total)}
    source = fact_coupon.join(order_item, and_(own.owner == _c.order, own.kind == LINE))
    filters = asked.filters
    if lines:
        # The condition is one of the lines, whatever table the filters are for.
        filters = filters.also(Condition(lines.name, lambda table: lines.build(order_item), lines.values))
    rows = rows_by(
        work, fact_coupon, tuple(sums.values()), f"coupons by lines' {column} {lines.name if lines else ''}",
        asked, kind, asked.span, source=source, by=None if column is None else own[column], filters=filters,
    )  # fmt: skip
    return _cells_of(rows, list(sums), column is not None)


def _sum_by_coupon(work: Work, asked: Asked, kind: Kind | None) -> _Cells:
    """Return the sums of orders by coupon; one with several coupons counts once with each for each of them."""
    other = fact_coupon.alias("other")
    times = select(func.count()).select_from(other).where(other.c.order == _c.order).scalar_subquery()
    held = (
        select(_c.order, _c.coupon, func.sum(_c.amount).label("amount"), times.label("times"))
        .group_by(_c.order, _c.coupon).subquery("held")
    )  # fmt: skip
    h = held.c
    sums = {
        "rows": func.count(), "orders": func.sum(h.times), "items": func.sum(_o["items"] * h.times),
        "order_items": func.sum(_o["items"] * h.times), "order_net": func.sum(_o.net * h.times),
        "coupons": func.sum(h.amount * h.times), "taxes": func.sum(_o.tax * h.times),
        "shipping": func.sum(_o.shipping * h.times), "net": func.sum(_o.net * h.times),
        "total": func.sum(_o.total * h.times), "customers": func.count(_o.customer.distinct()),
    }  # fmt: skip
    source = fact_order.join(held, h.order == _o.id)
    found = rows_by(
        work, fact_order, tuple(sums.values()), "orders by coupon", asked, kind, asked.span, source=source, by=h.coupon
    )
    cells = _cells_of(found, list(sums), True)
    found = rows_by(
        work, fact_order, (func.count(other.c.coupon.distinct()),), "coupons by coupon", asked, kind, asked.span,
        source=source.join(other, other.c.order == _o.id), by=h.coupon,
    )  # fmt: skip
    for at, one in _cells_of(found, ["coupons_count"], True).items():
        cells[at] |= one
    return cells


_ORDER_ROWS: Final = Condition("orders alone", lambda table: table.c.parent == 0)


def _on_lines(lines: Condition) -> Condition:
    return Condition(lines.name, lambda table: lines.build(fact_line), lines.values)


def of_report(
    work: Work, report: Report, by: str, told: Mapping[str, Sequence[int]], needs: str = "",
    variations: Sequence[int] = (),
) -> SegmentsOf:  # fmt: skip
    """Return the segments of a report. Raises InvalidSegmenting.

    by: product, variation, category, coupon, customer_type, tax_rate_id. told: the numbers that the filters name, by
    `product`, `category`, `coupon`, `variation`, `tax`. needs: the parameter in which segments by variation need
    exactly one product; empty: they do not. variations: those that a filter names.
    """
    products = told.get("product", ())
    match by:
        case "product":
            found = [Segment(id, name) for id, name in segment_members.products(work, products)]
        case "variation":
            if len(products) != 1 and needs:
                raise InvalidSegmenting(parameter=needs)
            found = _variations(work, products)
            if variations:
                found = [one for one in found if one.id in variations]
        case "category":
            found = [
                Segment(id, name, ids) for id, name, ids in segment_members.categories(work, told.get("category", ()))
            ]
        case "coupon":
            found = [Segment(id, code) for id, code in segment_members.coupons(work, told.get("coupon", ()))]
        case "customer_type":
            found = [Segment(0, None), Segment(1, None)]
        case _:
            found = [Segment(id, code) for id, code in segment_members.tax_rates(work, told.get("tax", ()))]
    return SegmentsOf(report, by, found)


def _variations(work: Work, products: Sequence[int]) -> list[Segment]:
    own = tuple(products)
    if len(own) != 1:
        return [Segment(id, name) for id, name in segment_members.variations(work, own)]
    zero = [Segment(0, name, own) for _, name in segment_members.products(work, own)]
    return [*zero, *(Segment(id, name, own) for id, name in segment_members.variations(work, own))]
