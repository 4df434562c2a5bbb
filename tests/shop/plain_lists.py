"""Expected figures of the reports that list and count products, coupons, taxes and customers, computed the slow way.

Sums in Decimal over matching rows (plain_reports.py). Nothing here knows the tables of reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

from .plain_reports import Line, Row

D = Decimal
Wanted = Callable[[Line], bool]


def _lines(rows: Iterable[Row], wanted: Wanted) -> list[tuple[Row, Line]]:
    return [(row, line) for row in rows for line in row.lines if wanted(line)]


def _sold(lines: list[tuple[Row, Line]]) -> dict[str, Any]:
    return {
        "items_sold": sum(line.quantity for _, line in lines),
        "net_revenue": sum((line.net for _, line in lines), D(0)),
        "orders_count": len({row.id for row, line in lines if line.gross >= 0}),
    }


def products_stats(rows: list[Row], wanted: Wanted) -> dict[str, Any]:
    """Return the measures of products/stats."""
    lines = _lines(rows, wanted)
    return {
        **_sold(lines),
        "products_count": len({line.product for _, line in lines}),
        "variations_count": len({line.variation for _, line in lines}),
    }


def variations_stats(rows: list[Row], wanted: Wanted) -> dict[str, Any]:
    """Return the measures of variations/stats."""
    lines = _lines(rows, lambda line: line.variation > 0 and wanted(line))
    return {**_sold(lines), "variations_count": len({line.variation for _, line in lines})}


def by_product(rows: list[Row], wanted: Wanted) -> dict[int, dict[str, Any]]:
    """Return the report on products by id."""
    lines = _lines(rows, wanted)
    return {id: _sold([one for one in lines if one[1].product == id]) for id in {line.product for _, line in lines}}


def by_variation(rows: list[Row], wanted: Wanted) -> dict[int, dict[str, Any]]:
    """Return the report on variations by id."""
    lines = _lines(rows, lambda line: line.variation > 0 and wanted(line))
    out = {}
    for id in {line.variation for _, line in lines}:
        own = [one for one in lines if one[1].variation == id]
        out[id] = {**_sold(own), "orders_count": len({row.id for row, _ in own})}  # a refund is an order of its own
    return out


def by_category(rows: list[Row], held: dict[int, set[int]]) -> dict[int, dict[str, Any]]:
    """Return the report on categories by id; held: the products of each."""
    out = {}
    for id, products in held.items():
        lines = _lines(rows, lambda line, products=products: line.product in products)
        if lines:
            out[id] = {
                **_sold(lines),
                "orders_count": len({row.id for row, _ in lines}),
                "products_count": len({line.product for _, line in lines}),
            }
    return out


def by_coupon(rows: list[Row]) -> dict[str, dict[str, Any]]:
    """Return the report on coupons by their codes."""
    codes = {code for row in rows for code in row.coupons}
    return {
        code: {
            "amount": sum((row.coupons[code] for row in rows if code in row.coupons), D(0)),
            "orders_count": len({row.id for row in rows if code in row.coupons}),
        }
        for code in codes
    }


def coupons_stats(rows: list[Row], codes: set[str] | None) -> dict[str, Any]:
    """Return the measures of coupons/stats; codes: only these, None for all."""
    found = {code: one for code, one in by_coupon(rows).items() if codes is None or code in codes}
    return {
        "amount": sum((one["amount"] for one in found.values()), D(0)),
        "coupons_count": len(found),
        "orders_count": len({row.id for row in rows if row.coupons.keys() & found.keys()}),
    }


def by_rate(rows: list[Row]) -> dict[int, dict[str, Any]]:
    """Return the report on taxes by rate id."""
    return {
        id: {name: value for name, value in taxes_stats(rows, {id}).items() if name != "tax_codes"}
        for id in {tax.rate for row in rows for tax in row.taxes}
    }


def taxes_stats(rows: list[Row], rates: set[int] | None) -> dict[str, Any]:
    """Return the measures of taxes/stats; rates: only these, None for all."""
    found = [(row, tax) for row in rows for tax in row.taxes if rates is None or tax.rate in rates]
    order_tax = sum((tax.order_tax for _, tax in found), D(0))
    shipping_tax = sum((tax.shipping_tax for _, tax in found), D(0))
    return {
        "tax_codes": len({tax.rate for _, tax in found}),
        "total_tax": order_tax + shipping_tax,
        "order_tax": order_tax,
        "shipping_tax": shipping_tax,
        "orders_count": len({row.id for row, _ in found if not row.parent}),
    }


def by_buyer(rows: list[Row]) -> dict[str, dict[str, Any]]:
    """Return the report on customers by e-mail, over rows that count; all of them are there."""
    out: dict[str, dict[str, Any]] = {}
    for row in rows:
        one = out.setdefault(row.buyer, {"orders_count": 0, "total_spend": D(0), "date_last_order": None})
        one["total_spend"] += row.total
        if not row.parent:
            one["orders_count"] += 1
            one["date_last_order"] = max(one["date_last_order"] or "", row.created.replace("T", " "))
    for one in out.values():
        one["avg_order_value"] = one["total_spend"] / one["orders_count"] if one["orders_count"] else D(0)
    return out


def customers_stats(found: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the measures of customers/stats over customers."""
    bought = [one for one in found.values() if one["orders_count"]]

    def average(name: str) -> Decimal:
        return sum((D(one[name]) for one in bought), D(0)) / len(bought) if bought else D(0)

    return {
        "customers_count": len(found),
        # Averages of integers have four decimals.
        "avg_orders_count": average("orders_count").quantize(D("0.0001")),
        "avg_total_spend": average("total_spend"),
        "avg_avg_order_value": average("avg_order_value"),
    }


def of_lines(rows: list[Row], times: Callable[[Line], int]) -> dict[str, Any]:
    """Return the measures of a segment of coupons/stats; times: how often an item is in it."""
    held = [row for row in rows if row.coupons and any(times(line) for line in row.lines)]
    return {
        "amount": sum(
            (line.discount * times(line) * len(row.coupons) for row in held for line in row.lines), D(0)
        ),
        "coupons_count": len({code for row in held for code in row.coupons}),
        "orders_count": len(held),
    }  # fmt: skip


def whole_orders(rows: list[Row]) -> dict[str, Any]:
    """Return the measures of whole orders in a segment by coupon or by customer type."""
    orders = [row for row in rows if not row.parent]
    net = sum((row.net for row in orders), D(0))
    return {
        "num_items_sold": sum(row.items for row in rows),
        "total_sales": sum((row.total for row in rows), D(0)),
        "taxes": sum((row.tax for row in rows), D(0)),
        "shipping": sum((row.shipping for row in rows), D(0)),
        "net_revenue": sum((row.net for row in rows), D(0)),
        "orders_count": len(orders),
        "avg_order_value": net / len(orders) if orders else D(0),
        "total_customers": len({row.buyer for row in rows}),
    }
