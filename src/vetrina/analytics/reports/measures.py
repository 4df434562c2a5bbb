"""The reports as values: their table, the sums over it, and the measures computed from the sums.

Sums come from the database as integers, amounts in millionths; measures are what responses have. Not here: intervals,
totals and pages (analytics/reports/stats.py), filters (analytics/reports/filters.py), lists
(analytics/reports/item_lists.py). Rules: docs/rules/analytics_measures.md, 1, 2 and 3;
docs/rules/analytics_reports.md, 3, 4, 6 and 7.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import ColumnElement, Integer, Table, and_, case, func, literal_column, select

from vetrina.backends.tables.analytics import fact_coupon, fact_line, fact_order, fact_tax, order_file_fetch

Sums = Mapping[str, int]
Measures = dict[str, Any]
_MILLION: Final = 1_000_000


@dataclass(frozen=True)
class DistinctMeasure:
    """A measure that counts the distinct values of a column of another table among the orders of the rows."""

    name: str
    table: Table
    column: str
    totals_only: bool = False


@dataclass(frozen=True)
class StatsReport:
    """One report with intervals.

    sums: the expressions over its table, by name. measures: computed from sums and distinct counts, in the order of the
    response. orders: the measure that an `orderby` value means, where the names differ. kept: members that `fields`
    does not drop. split: whether `fields` may be text with commas. segmented: whether responses have segments.
    read_rollup: returns its sums from those that are kept of days and months, None where none are.
    """

    name: str
    table: Table
    sums: Mapping[str, ColumnElement[Any]]
    measures: Callable[[Sums], Measures]
    distinct: tuple[DistinctMeasure, ...] = ()
    orders: Mapping[str, str] = field(default_factory=dict)
    kept: tuple[str, ...] = ("segments",)
    split: bool = True
    segmented: bool = True
    text_ids: bool = True
    read_rollup: Callable[[Sums], dict[str, int]] | None = None


def serialize_amount(millionths: int | None) -> float | int:
    """Return an amount as a JSON number, an integer where it is whole."""
    if not millionths:
        return 0
    whole, rest = divmod(millionths, _MILLION)
    return millionths / _MILLION if rest else whole


def _compute_average_amount(sums: Sums, name: str, count: int) -> float | int:
    """Return an average amount, unrounded."""
    return _simplify_number(sums[name] / _MILLION / count) if count else 0


def _compute_average_items(pieces: int, count: int) -> float | int:
    """Return the average number of items of an order: four decimals, halves rounded away from zero."""
    if not count:
        return 0
    tenths = (abs(pieces) * 20_000 + count) // (2 * count)
    return _simplify_number((-tenths if pieces < 0 else tenths) / 10_000)


def _simplify_number(number: float) -> float | int:
    return int(number) if number.is_integer() else number


def _build_conditional_sum(table: Table, condition: ColumnElement[bool], value: Any) -> ColumnElement[Any]:
    return func.sum(case((condition, value), else_=0))


_o = fact_order.c
_is_order: Final = _o.parent == 0
ORDER_SUMS: Final[dict[str, ColumnElement[Any]]] = {
    "rows": func.count(),
    "orders": _build_conditional_sum(fact_order, _is_order, 1),
    "items": func.sum(_o["items"]),
    "order_items": _build_conditional_sum(fact_order, _is_order, _o["items"]),
    "order_net": _build_conditional_sum(fact_order, _is_order, _o.net),
    "coupons": func.sum(_o.coupons),
    "refunds": _build_conditional_sum(fact_order, _o.net < 0, _o.net + _o.tax + _o.shipping),
    "taxes": func.sum(_o.tax),
    "shipping": func.sum(_o.shipping),
    "net": func.sum(_o.net),
    "total": func.sum(_o.total),
    "customers": func.count(_o.customer.distinct()),
}


def compute_order_measures(sums: Sums) -> Measures:
    """Return the measures of orders and revenue."""
    orders = sums["orders"]
    return {
        "orders_count": orders,
        "num_items_sold": sums["items"],
        "gross_sales": serialize_amount(sums["order_net"] + sums["coupons"]),
        "total_sales": serialize_amount(sums["total"]),
        "coupons": serialize_amount(sums["coupons"]),
        "coupons_count": sums["coupons_count"],
        "refunds": serialize_amount(abs(sums["refunds"])),
        "taxes": serialize_amount(sums["taxes"]),
        "shipping": serialize_amount(sums["shipping"]),
        "net_revenue": serialize_amount(sums["net"]),
        "avg_items_per_order": _compute_average_items(sums["order_items"], orders),
        "avg_order_value": _compute_average_amount(sums, "order_net", orders),
        "total_customers": sums["customers"],
        "products": sums["products"],
    }


def compute_segment_measures(sums: Sums) -> Measures:
    """Return the measures of a segment of orders: of its lines, and of the whole orders that hold them."""
    orders = sums["orders"]
    return {
        "num_items_sold": sums["items"],
        "total_sales": serialize_amount(sums["total"]),
        "coupons": serialize_amount(sums["coupons"]),
        "coupons_count": sums.get("coupons_count", 0),
        "refunds": serialize_amount(sums.get("refunds", 0)),
        "taxes": serialize_amount(sums["taxes"]),
        "shipping": serialize_amount(sums["shipping"]),
        "net_revenue": serialize_amount(sums["net"]),
        "orders_count": orders,
        "avg_items_per_order": _compute_average_items(sums["order_items"], orders),
        "avg_order_value": _compute_average_amount(sums, "order_net", orders),
        "total_customers": sums["customers"],
    }


def compute_segment_row(row: Sequence[int]) -> Measures:
    """Return the same for a row of sums by product (product_months.SUMS, customers, coupons): a year has 60,000."""
    _, items, total, coupons, refunds, taxes, shipping, net, orders, order_items, order_net, customers, used = row
    return {
        "num_items_sold": items,
        "total_sales": total / _MILLION if total % _MILLION else total // _MILLION,
        "coupons": coupons / _MILLION if coupons % _MILLION else coupons // _MILLION,
        "coupons_count": used,
        "refunds": refunds / _MILLION if refunds % _MILLION else refunds // _MILLION,
        "taxes": taxes / _MILLION if taxes % _MILLION else taxes // _MILLION,
        "shipping": shipping / _MILLION if shipping % _MILLION else shipping // _MILLION,
        "net_revenue": net / _MILLION if net % _MILLION else net // _MILLION,
        "orders_count": orders,
        "avg_items_per_order": _compute_average_items(order_items, orders),
        "avg_order_value": _simplify_number(order_net / _MILLION / orders) if orders else 0,
        "total_customers": customers,
    }


_l = fact_line.c
LINE_SUMS: Final[dict[str, ColumnElement[Any]]] = {
    "rows": func.count(),
    "items_sold": func.sum(_l.quantity),
    "net": func.sum(_l.net),
    "orders": func.count(case((_l.gross >= 0, _l.order)).distinct()),
    "products": func.count(_l.product.distinct()),
    "variations": func.count(_l.variation.distinct()),
}


# What days and months keep of the lines of their orders, of all and of those of variations.
_VARIATION_LINE: Final = _l.variation > 0
KEPT_LINE_SUMS: Final[dict[str, ColumnElement[Any]]] = {
    "lines": func.count(),
    "line_items": LINE_SUMS["items_sold"],
    "line_net": LINE_SUMS["net"],
    "line_orders": LINE_SUMS["orders"],
    "variation_lines": _build_conditional_sum(fact_line, _VARIATION_LINE, 1),
    "variation_items": _build_conditional_sum(fact_line, _VARIATION_LINE, _l.quantity),
    "variation_net": _build_conditional_sum(fact_line, _VARIATION_LINE, _l.net),
    "variation_orders": func.count(case((and_(_VARIATION_LINE, _l.gross >= 0), _l.order)).distinct()),
}


def _read_order_rollup(sums: Sums) -> dict[str, int]:
    """Return the sums of orders."""
    return {**sums, **{name: sums[name] for name in ("customers", "coupons_count", "products")}}


def _read_product_rollup(sums: Sums) -> dict[str, int]:
    """Return the sums of products; lines without a variation count as one more."""
    return {
        "rows": sums["lines"],
        "items_sold": sums["line_items"],
        "net": sums["line_net"],
        "orders": sums["line_orders"],
        "products": sums["products"],
        "variations": sums["variations"] + (sums["lines"] > sums["variation_lines"]),
    }


def _read_variation_rollup(sums: Sums) -> dict[str, int]:
    """Return the sums of variations."""
    return {
        "rows": sums["variation_lines"],
        "items_sold": sums["variation_items"],
        "net": sums["variation_net"],
        "orders": sums["variation_orders"],
        "variations": sums["variations"],
    }


# How many coupons an order has, at least one: segments count its lines once for each, as the interface does.
_coupons_used = (
    select(func.count()).select_from(fact_coupon).where(fact_coupon.c.order == _o.id).correlate(fact_order)
    .scalar_subquery()
)  # fmt: skip
_TIMES: Final[ColumnElement[Any]] = case((_coupons_used > 1, _coupons_used), else_=1)

# The base of segments of orders: what of an order's lines is added up.
LINE_PARTS: Final[dict[str, ColumnElement[Any]]] = {
    "rows": literal_column("1", Integer),
    "items": _l.quantity,
    "total": _l.gross,
    "coupons": _o.coupons,
    "refunds": case((_l.gross < 0, _l.gross), else_=0),
    "taxes": _l.tax,
    "shipping": _l.shipping,
    "net": _l.net,
}
_COUNTED_ONCE: Final = ("rows", "coupons")


def build_line_columns(times: ColumnElement[int] | None = None) -> tuple[ColumnElement[Any], ...]:
    """Return the columns of LINE_PARTS for a selection by order, and how often an order counts.

    times: how often a line counts, None for once.
    """
    parts = {name: part if times is None else part * times for name, part in LINE_PARTS.items()}
    return (_TIMES.label("line_times"), *(func.sum(part).label(f"line_{name}") for name, part in parts.items()))


def add_line_columns(orders: Any) -> tuple[ColumnElement[Any], ...]:
    """Return the sums of LINE_PARTS over a selection by order. orders: its columns."""
    parts = {name: orders[f"line_{name}"] for name in LINE_PARTS}
    return tuple(func.sum(part if name in _COUNTED_ONCE else part * orders.line_times) for name, part in parts.items())


def compute_product_measures(sums: Sums) -> Measures:
    """Return the measures of products."""
    return {
        **compute_variation_measures(sums),
        "products_count": sums["products"],
        "variations_count": sums["variations"],
    }


def compute_variation_measures(sums: Sums) -> Measures:
    """Return the measures of variations."""
    return {
        "items_sold": sums["items_sold"],
        "net_revenue": serialize_amount(sums["net"]),
        "orders_count": sums["orders"],
        "variations_count": sums["variations"],
    }


_c, _t = fact_coupon.c, fact_tax.c

ORDERS: Final = StatsReport(
    "orders", fact_order, ORDER_SUMS, compute_order_measures,
    (
        DistinctMeasure("coupons_count", fact_coupon, "coupon"),
        DistinctMeasure("products", fact_line, "product", totals_only=True),
    ),
    orders={"items_sold": "num_items_sold"}, kept=("products", "coupons_count", "segments"), split=False,
    text_ids=False, read_rollup=_read_order_rollup,
)  # fmt: skip
PRODUCTS: Final = StatsReport(
    "products", fact_line, LINE_SUMS, compute_product_measures, read_rollup=_read_product_rollup
)
VARIATIONS: Final = StatsReport(
    "variations", fact_line, LINE_SUMS, compute_variation_measures, read_rollup=_read_variation_rollup
)
COUPONS: Final = StatsReport(
    "coupons", fact_coupon,
    {
        "rows": func.count(), "amount": func.sum(_c.amount), "coupons": func.count(_c.coupon.distinct()),
        "orders": func.count(_c.order.distinct()),
    },
    lambda sums: {
        "amount": serialize_amount(sums["amount"]), "coupons_count": sums["coupons"], "orders_count": sums["orders"],
    },
)  # fmt: skip
TAXES: Final = StatsReport(
    "taxes",
    fact_tax,
    {
        "rows": func.count(),
        "codes": func.count(_t.rate.distinct()),
        "total": func.sum(_t.total),
        "order_tax": func.sum(_t.order_tax),
        "shipping_tax": func.sum(_t.shipping_tax),
        "orders": func.count(case((_t.parent == 0, _t.order)).distinct()),
    },
    lambda sums: {
        "tax_codes": sums["codes"],
        "total_tax": serialize_amount(sums["total"]),
        "order_tax": serialize_amount(sums["order_tax"]),
        "shipping_tax": serialize_amount(sums["shipping_tax"]),
        "orders_count": sums["orders"],
    },
)
DOWNLOADS: Final = StatsReport(
    "downloads", order_file_fetch, {"rows": func.count()}, lambda sums: {"download_count": sums["rows"]}, kept=(),
    segmented=False,
)  # fmt: skip
