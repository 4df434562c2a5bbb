"""The reports as values: over which rows, which sums, and what measures follow from them.

Sums come from the database as whole numbers, amounts in millionths; measures are what answers show. Not here:
intervals, totals and pages (analytics/reports/engine.py), which filters there are (analytics/reports/filters.py), lists
(analytics/reports/lists.py). Rules: facts, "Measures of orders/stats and revenue/stats" and "The reports".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import ColumnElement, Table, case, func, select

from vetrina.backends.tables.analytics import fact_coupon, fact_line, fact_order, fact_tax, order_file_fetch

__all__ = [
    "COUPONS", "DOWNLOADS", "ORDERS", "PRODUCTS", "TAXES", "VARIATIONS", "Distinct", "Measures", "Report",
    "Sums", "amount",
]  # fmt: skip

Sums = Mapping[str, int]
Measures = dict[str, Any]
_MILLION: Final = 1_000_000


@dataclass(frozen=True)
class Distinct:
    """A measure that counts what is in another table: the different values of a column among the rows' orders."""

    name: str
    table: Table
    column: str
    totals_only: bool = False


@dataclass(frozen=True)
class Report:
    """One report with intervals.

    sums: the expressions over its table, by name. measures: of those and the distinct ones, in the answers' order.
    orders: which measure an `orderby` means, where it is not of that name. kept: members that `fields` does not drop.
    split: whether `fields` may be a text with commas. segmented: whether answers have segments.
    """

    name: str
    table: Table
    sums: Mapping[str, ColumnElement[Any]]
    measures: Callable[[Sums], Measures]
    distinct: tuple[Distinct, ...] = ()
    orders: Mapping[str, str] = field(default_factory=dict)
    kept: tuple[str, ...] = ("segments",)
    split: bool = True
    segmented: bool = True
    text_ids: bool = True


def amount(millionths: int | None) -> float | int:
    """Return an amount as a JSON number: whole where it is whole."""
    if not millionths:
        return 0
    whole, rest = divmod(millionths, _MILLION)
    return millionths / _MILLION if rest else whole


def _each(sums: Sums, name: str, count: int) -> float | int:
    """Return an average amount, not rounded."""
    return _plain(sums[name] / _MILLION / count) if count else 0


def _pieces(pieces: int, count: int) -> float | int:
    """Return how many pieces an order has on average: four places, halves away from zero."""
    if not count:
        return 0
    tenths = (abs(pieces) * 20_000 + count) // (2 * count)
    return _plain((-tenths if pieces < 0 else tenths) / 10_000)


def _plain(number: float) -> float | int:
    return int(number) if number.is_integer() else number


def _of(table: Table, condition: ColumnElement[bool], value: Any) -> ColumnElement[Any]:
    return func.sum(case((condition, value), else_=0))


_o = fact_order.c
_is_order: Final = _o.parent == 0
ORDER_SUMS: Final[dict[str, ColumnElement[Any]]] = {
    "rows": func.count(),
    "orders": _of(fact_order, _is_order, 1),
    "items": func.sum(_o["items"]),
    "order_items": _of(fact_order, _is_order, _o["items"]),
    "order_net": _of(fact_order, _is_order, _o.net),
    "coupons": func.sum(_o.coupons),
    "refunds": _of(fact_order, _o.net < 0, _o.net + _o.tax + _o.shipping),
    "taxes": func.sum(_o.tax),
    "shipping": func.sum(_o.shipping),
    "net": func.sum(_o.net),
    "total": func.sum(_o.total),
    "customers": func.count(_o.customer.distinct()),
}


def order_measures(sums: Sums) -> Measures:
    """Return the measures of orders and revenue."""
    orders = sums["orders"]
    return {
        "orders_count": orders,
        "num_items_sold": sums["items"],
        "gross_sales": amount(sums["order_net"] + sums["coupons"]),
        "total_sales": amount(sums["total"]),
        "coupons": amount(sums["coupons"]),
        "coupons_count": sums["coupons_count"],
        "refunds": amount(abs(sums["refunds"])),
        "taxes": amount(sums["taxes"]),
        "shipping": amount(sums["shipping"]),
        "net_revenue": amount(sums["net"]),
        "avg_items_per_order": _pieces(sums["order_items"], orders),
        "avg_order_value": _each(sums, "order_net", orders),
        "total_customers": sums["customers"],
        "products": sums["products"],
    }


def segment_measures(sums: Sums) -> Measures:
    """Return the measures of a segment of orders: of its lines, and of the whole orders that hold them."""
    orders = sums["orders"]
    return {
        "num_items_sold": sums["items"],
        "total_sales": amount(sums["total"]),
        "coupons": amount(sums["coupons"]),
        "coupons_count": sums.get("coupons_count", 0),
        "refunds": amount(sums.get("refunds", 0)),
        "taxes": amount(sums["taxes"]),
        "shipping": amount(sums["shipping"]),
        "net_revenue": amount(sums["net"]),
        "orders_count": orders,
        "avg_items_per_order": _pieces(sums["order_items"], orders),
        "avg_order_value": _each(sums, "order_net", orders),
        "total_customers": sums["customers"],
    }


def segment_row(row: Sequence[int]) -> Measures:
    """Return the same of a row of sums by product (product_months.SUMS, customers, coupons): a year has 60,000."""
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
        "avg_items_per_order": _pieces(order_items, orders),
        "avg_order_value": _plain(order_net / _MILLION / orders) if orders else 0,
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


# How many coupons an order has, at least one: segments count its lines once for each, as the interface always did.
_coupons_used = (
    select(func.count()).select_from(fact_coupon).where(fact_coupon.c.order == _o.id).correlate(fact_order)
    .scalar_subquery()
)  # fmt: skip
TIMES: Final[ColumnElement[Any]] = case((_coupons_used > 1, _coupons_used), else_=1)

# What segments of orders are made of: the sums of an order's lines.
LINE_PARTS: Final[dict[str, ColumnElement[Any]]] = {
    "rows": func.count(),
    "items": func.sum(_l.quantity) * TIMES,
    "total": func.sum(_l.gross) * TIMES,
    "coupons": func.sum(_o.coupons),
    "refunds": func.sum(case((_l.gross < 0, _l.gross), else_=0)) * TIMES,
    "taxes": func.sum(_l.tax) * TIMES,
    "shipping": func.sum(_l.shipping) * TIMES,
    "net": func.sum(_l.net) * TIMES,
}


def product_measures(sums: Sums) -> Measures:
    """Return the measures of products."""
    return {**variation_measures(sums), "products_count": sums["products"], "variations_count": sums["variations"]}


def variation_measures(sums: Sums) -> Measures:
    """Return the measures of variations."""
    return {
        "items_sold": sums["items_sold"],
        "net_revenue": amount(sums["net"]),
        "orders_count": sums["orders"],
        "variations_count": sums["variations"],
    }


_c, _t = fact_coupon.c, fact_tax.c

ORDERS: Final = Report(
    "orders", fact_order, ORDER_SUMS, order_measures,
    (
        Distinct("coupons_count", fact_coupon, "coupon"),
        Distinct("products", fact_line, "product", totals_only=True),
    ),
    orders={"items_sold": "num_items_sold"}, kept=("products", "coupons_count", "segments"), split=False,
    text_ids=False,
)  # fmt: skip
PRODUCTS: Final = Report("products", fact_line, LINE_SUMS, product_measures)
VARIATIONS: Final = Report("variations", fact_line, LINE_SUMS, variation_measures)
COUPONS: Final = Report(
    "coupons", fact_coupon,
    {
        "rows": func.count(), "amount": func.sum(_c.amount), "coupons": func.count(_c.coupon.distinct()),
        "orders": func.count(_c.order.distinct()),
    },
    lambda sums: {
        "amount": amount(sums["amount"]), "coupons_count": sums["coupons"], "orders_count": sums["orders"],
    },
)  # fmt: skip
TAXES: Final = Report(
    "taxes", fact_tax,
    {
        "rows": func.count(), "codes": func.count(_t.rate.distinct()), "total": func.sum(_t.total),
        "order_tax": func.sum(_t.order_tax), "shipping_tax": func.sum(_t.shipping_tax),
        "orders": func.count(case((_t.parent == 0, _t.order)).distinct()),
    },
    lambda sums: {
        "tax_codes": sums["codes"], "total_tax": amount(sums["total"]), "order_tax": amount(sums["order_tax"]),
        "shipping_tax": amount(sums["shipping_tax"]), "orders_count": sums["orders"],
    },
)  # fmt: skip
DOWNLOADS: Final = Report(
    "downloads", order_file_fetch, {"rows": func.count()}, lambda sums: {"download_count": sums["rows"]}, kept=(),
    segmented=False,
)  # fmt: skip
