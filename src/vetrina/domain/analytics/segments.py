"""What reports are divided by: products, variations, categories, coupons, tax rates, new and returning customers.

Every candidate is there, with zeros where nothing was sold. Not here: what the figures mean (reports.py).
Rules: facts, "Segments": the figures of a product are those of its lines, but the number of orders, the averages and
the customers are those of the whole orders.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import orjson
from sqlalchemy import case, func, literal_column, select, true

from vetrina.backends.tables_facts import fact_coupon, fact_line, fact_order
from vetrina.domain.work import Work
from vetrina.kernel.errors import ApiError

from . import candidates, month_sums
from .conditions import Condition, only
from .engine import TOTAL, Asked, asked_rows, counted, rows_by, within
from .intervals import Kind
from .reports import COUPONS, LINE_PARTS, ORDER_SUMS, Report, segment_measures

__all__ = ["InvalidSegmenting", "Segment", "SegmentsOf", "of_report"]

_Cells = dict[tuple[int, int], dict[str, int]]  # (key of the interval, number of the segment) → sums
_l, _o, _c = fact_line.c, fact_order.c, fact_coupon.c
_SEGMENT_COLUMNS: Final = {"product": "product", "variation": "variation", "coupon": "coupon", "tax_rate_id": "rate"}


class InvalidSegmenting(ApiError):
    code = "shop_admin_reports_invalid_segmenting_variation"
    message = "Segments by variation need exactly one product in the request; name it in {parameter}."


@dataclass(frozen=True)
class Segment:
    """One candidate. among: numbers of products or variations that it is made of, where it is no single one."""

    id: int
    label: str | None
    products: tuple[int, ...] = ()


@dataclass(frozen=True)
class SegmentsOf:
    """The segments of a report. by: what they are; found: the candidates in the order of the answer.

    empty: whether the interface shows zeros whatever was sold.
    """

    report: Report
    by: str
    found: Sequence[Segment]
    empty: bool = False

    def of(self, work: Work, asked: Asked, kind: Kind | None, among: Iterable[int]) -> Mapping[int, Any]:
        """Return the segments of each interval: a list, or its JSON where `asked` wants that and it is there."""
        keys = [TOTAL] if kind is None else list(among)
        plain = asked.filters.statuses
        if self.report.name == "orders" and self.by == "product" and plain is not None:
            with _uncollected():
                kept = month_sums.told(work, plain, asked.dates, kind, asked.span, keys)
                if kept is not None:
                    return dict(zip(keys, self._told(kept, asked.as_text), strict=True))
        cells: _Cells = {} if self.empty else self._cells(work, asked, kind)
        orders = self.report.name == "orders"
        zeros = segment_measures(_Zeros()) if orders else counted(self.report, {})
        out: dict[int, list[Any]] = {}
        for key in keys:
            row = out[key] = []
            for one in self.found:
                sums = cells.get((key, one.id))
                if sums is None:
                    shown: dict[str, Any] = zeros
                else:
                    shown = segment_measures(sums) if orders else counted(self.report, sums)
                text = self.report.text_ids and sums is not None
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
            out: _Cells = {}
            for one in self.found:
                only_these = only("product", one.products, "segment_products")
                cells = self._grouped(work, asked, kind, None, only_these)
                out |= {(key, one.id): sums for (key, _), sums in cells.items()}
            return out
        if self.report.name == "orders" and self.by in ("coupon", "customer_type"):
            return _of_orders(work, asked, kind, self.by)
        one_product = self.found[0].products if self.by == "variation" and self.found else ()
        lines = only("product", one_product, "segment_products") if one_product else None
        return self._grouped(work, asked, kind, _SEGMENT_COLUMNS[self.by], lines)

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
        rows = rows_by(
            work, self.report.table, tuple(self.report.sums.values()), name, asked, kind, asked.span, by=by,
            filters=filters,
        )  # fmt: skip
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
        whole = {name: func.min(_o[name]).label(name) for name in ("parent", "items", "net", "customer")}
        held = within(
            [by.label("segment"), *(part.label(f"line_{name}") for name, part in LINE_PARTS.items()), *whole.values()],
            work, asked, kind, source, own, ["segment", _o.id],
        ).subquery("held")  # fmt: skip
        h = held.c
        is_order = h.parent == 0
        return select(
            h.bucket, h.segment, *(func.sum(h[f"line_{name}"]) for name in LINE_PARTS),
            func.sum(case((is_order, 1), else_=0)), func.sum(case((is_order, h["items"]), else_=0)),
            func.sum(case((is_order, h.net), else_=0)), func.count(h.customer.distinct()),
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
        used = select(_c.order, _c.coupon, func.sum(_c.amount).label("amount")).group_by(_c.order, _c.coupon)
        held = used.subquery("held")
        sums |= {"coupons": func.sum(held.c.amount)}
        source = fact_order.join(held, held.c.order == _o.id)
        rows = rows_by(
            work, fact_order, tuple(sums.values()), "orders by coupon", asked, kind, asked.span, source=source,
            by=held.c.coupon,
        )  # fmt: skip
        cells = _cells_of(rows, list(sums), True)
        for one in cells.values():
            one["coupons_count"] = 1
        return cells
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
    """Return the sums of coupons by a column of the lines of their orders, in which a product counts once."""
    of = literal_column("0") if column is None else _l[column]
    wanted = select(_l.order, of.label("segment")).distinct()
    held = (wanted.where(lines.build(fact_line)) if lines else wanted).subquery("held")
    # What the lines are compared with is bound here; the condition itself stands in the subquery.
    filters = asked.filters.also(Condition(lines.name, lambda table: true(), lines.values)) if lines else asked.filters
    rows = rows_by(
        work, fact_coupon, tuple(COUPONS.sums.values()), f"coupons by lines' {column} {lines.name if lines else ''}",
        asked, kind, asked.span, source=fact_coupon.join(held, held.c.order == _c.order), by=held.c.segment,
        filters=filters,
    )  # fmt: skip
    return _cells_of(rows, list(COUPONS.sums), True)


_ORDER_ROWS: Final = Condition("orders alone", lambda table: table.c.parent == 0)


def _on_lines(lines: Condition) -> Condition:
    return Condition(lines.name, lambda table: lines.build(fact_line), lines.values)


def of_report(work: Work, report: Report, by: str, told: Mapping[str, Sequence[int]], needs: str = "") -> SegmentsOf:
    """Return the segments of a report. Raises InvalidSegmenting.

    by: product, variation, category, coupon, customer_type, tax_rate_id. told: the numbers that the filters name, by
    `product`, `category`, `coupon`, `variation`, `tax`. needs: the parameter in which segments by variation need
    exactly one product; empty: they do not.
    """
    products = told.get("product", ())
    match by:
        case "product":
            found = [Segment(id, name) for id, name in candidates.products(work, products)]
        case "variation":
            if len(products) != 1 and needs:
                raise InvalidSegmenting(parameter=needs)
            found = _variations(work, products)
        case "category":
            found = [Segment(id, name, ids) for id, name, ids in candidates.categories(work, told.get("category", ()))]
        case "coupon":
            found = [Segment(id, code) for id, code in candidates.coupons(work, told.get("coupon", ()))]
        case "customer_type":
            found = [Segment(0, None), Segment(1, None)]
        case _:
            found = [Segment(id, code) for id, code in candidates.tax_rates(work, told.get("tax", ()))]
    return SegmentsOf(report, by, found, empty=report.name == "variations" and by != "variation")


def _variations(work: Work, products: Sequence[int]) -> list[Segment]:
    own = tuple(products)
    if not own:
        return []
    zero = [Segment(0, name, own) for _, name in candidates.products(work, own)]
    return [*zero, *(Segment(id, name, own) for id, name in candidates.variations(work, own))]
