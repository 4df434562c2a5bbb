"""How reports are described (`OPTIONS`): the members of their rows and their measures that the interface names.

Answers have some more (analytics/reports/row_schema.py, analytics/reports/definitions.py). Not here: the arguments.
Rules: interface.md, "Shop analytics"; the names are those that clients of such shops ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from vetrina.analytics.reports.row_schema import ROWS
from vetrina.rest.fields import Array, Field, Integer, Number, Object, String
from vetrina.rest.serializer import Shape

__all__ = ["describe_measures", "describe_row", "describe_totals"]

_ROWS: Final = {
    "products": ("product_id", "items_sold", "net_revenue", "orders_count", "extended_info"),
    "variations": ("product_id", "variation_id", "items_sold", "net_revenue", "orders_count", "extended_info"),
    "categories": (
        "category_id", "items_sold", "net_revenue", "orders_count", "products_count", "extended_info",
    ),
    "coupons": ("coupon_id", "amount", "orders_count", "extended_info"),
    "taxes": (
        "tax_rate_id", "name", "tax_rate", "country", "state", "priority", "total_tax", "order_tax", "shipping_tax",
        "orders_count",
    ),
    "stock": ("id", "parent_id", "name", "sku", "stock_status", "stock_quantity", "manage_stock"),
    "downloads": (
        "id", "product_id", "date", "date_gmt", "download_id", "file_name", "file_path", "order_id", "order_number",
        "user_id", "username", "ip_address",
    ),
    "customers": (
        "id", "user_id", "name", "first_name", "last_name", "email", "username", "country", "city", "state",
        "postcode", "date_registered", "date_registered_gmt", "date_last_active", "date_last_active_gmt",
        "orders_count", "total_spend", "avg_order_value",
    ),
    "orders": (
        "order_id", "order_number", "date_created", "date_created_gmt", "status", "customer_id", "net_total",
        "total_formatted", "num_items_sold", "customer_type", "extended_info",
    ),
}  # fmt: skip
_ID: Final = Integer("Number of what is listed.", readonly=True)

# Measures of a whole span; those of an interval have no `products`.
_WHOLE: Final = "products"
_MEASURES: Final = {
    "revenue": (
        "total_sales", "net_revenue", "coupons", "coupons_count", "shipping", "taxes", "refunds", "orders_count",
        "num_items_sold", _WHOLE, "gross_sales", "segments",
    ),
    "orders": (
        "net_revenue", "orders_count", "avg_order_value", "avg_items_per_order", "num_items_sold", "coupons",
        "coupons_count", "total_customers", _WHOLE, "segments",
    ),
    "products": ("items_sold", "net_revenue", "orders_count", "segments"),
    "variations": ("items_sold", "net_revenue", "orders_count", "segments"),
    "coupons": ("amount", "coupons_count", "orders_count", "segments"),
    "taxes": ("total_tax", "order_tax", "shipping_tax", "orders_count", "tax_codes", "segments"),
    "downloads": ("download_count",),
}  # fmt: skip
_COUNTS: Final = frozenset((
    "orders_count", "coupons_count", "num_items_sold", "items_sold", "total_customers", "tax_codes", "download_count",
    _WHOLE, "customers_count", "lowstock", "instock", "outofstock", "onbackorder",
))  # fmt: skip
_DATES: Final = ("interval", "date_start", "date_start_gmt", "date_end", "date_end_gmt")


def describe_row(name: str) -> Callable[[], dict[str, Any]]:
    """Return what gives the schema of a row of a report; all its members where the interface names none."""
    known = {"id": _ID, **ROWS[name]}
    members = {member: known[member] for member in _ROWS.get(name, ROWS[name])}
    return lambda: Shape(members, {}).schema(f"report_{name}")


def describe_measures(name: str, sums: Iterable[str]) -> Callable[[], dict[str, Any]]:
    """Return what gives the schema of a report with intervals; its sums where the interface names no measures."""
    names = _MEASURES.get(name) or (*sums, "segments")
    within = [one for one in names if one != _WHOLE]
    each = {**{one: String() for one in _DATES}, "subtotals": Object(properties=_measures(within))}
    members: dict[str, Field] = {
        "totals": Object("Measures of the whole span.", properties=_measures(names), readonly=True),
        "intervals": Array(
            "The intervals of the page, each with its own measures.", items=Object(properties=each), readonly=True
        ),
    }
    return lambda: Shape(members, {}).schema(f"report_{name}_stats")


def describe_totals(name: str, *names: str) -> Callable[[], dict[str, Any]]:
    """Return what gives the schema of a report that has nothing but totals."""
    totals = Object("Measures of everything.", properties=_measures(names), readonly=True)
    return lambda: Shape({"totals": totals}, {}).schema(f"report_{name}_stats")


def _measures(names: tuple[str, ...] | list[str]) -> dict[str, Field]:
    return {name: _measure(name) for name in names}


def _measure(name: str) -> Field:
    if name == "segments":
        return Array("The same, cut up by what `segmentby` asks for.", items=Object())
    return Integer() if name in _COUNTS else Number()
