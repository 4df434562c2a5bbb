"""The schemas of reports for `OPTIONS`: the row members and measures that the interface declares.

Responses have some more (analytics/reports/row_schema.py, analytics/reports/measures.py). Rules:
docs/rules/analytics_arguments.md, 1 and 2; the names are those that clients of such shops request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from vetrina.analytics.reports.row_schema import ROW_FIELDS
from vetrina.rest.fields import Array, Field, Integer, Number, Object, String
from vetrina.rest.serializer import Serializer

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
_TOTALS_ONLY: Final = "products"
_MEASURES: Final = {
    "revenue": (
        "total_sales", "net_revenue", "coupons", "coupons_count", "shipping", "taxes", "refunds", "orders_count",
        "num_items_sold", _TOTALS_ONLY, "gross_sales", "segments",
    ),
    "orders": (
        "net_revenue", "orders_count", "avg_order_value", "avg_items_per_order", "num_items_sold", "coupons",
        "coupons_count", "total_customers", _TOTALS_ONLY, "segments",
    ),
    "products": ("items_sold", "net_revenue", "orders_count", "segments"),
    "variations": ("items_sold", "net_revenue", "orders_count", "segments"),
    "coupons": ("amount", "coupons_count", "orders_count", "segments"),
    "taxes": ("total_tax", "order_tax", "shipping_tax", "orders_count", "tax_codes", "segments"),
    "downloads": ("download_count",),
}  # fmt: skip
_COUNTS: Final = frozenset((
    "orders_count", "coupons_count", "num_items_sold", "items_sold", "total_customers", "tax_codes", "download_count",
    _TOTALS_ONLY, "customers_count", "lowstock", "instock", "outofstock", "onbackorder",
))  # fmt: skip
_DATES: Final = ("interval", "date_start", "date_start_gmt", "date_end", "date_end_gmt")


def describe_row(name: str) -> Callable[[], dict[str, Any]]:
    """Return a function for the schema of a report row; all its members where the interface declares none."""
    known = {"id": _ID, **ROW_FIELDS[name]}
    members = {member: known[member] for member in _ROWS.get(name, ROW_FIELDS[name])}
    return lambda: Serializer(members, {}).schema(f"report_{name}")


def describe_measures(name: str, sums: Iterable[str]) -> Callable[[], dict[str, Any]]:
    """Return a function for the schema of a report with intervals; its sums where no measures are declared."""
    names = _MEASURES.get(name) or (*sums, "segments")
    within = [one for one in names if one != _TOTALS_ONLY]
    each = {**{one: String() for one in _DATES}, "subtotals": Object(properties=_build_measure_fields(within))}
    members: dict[str, Field] = {
        "totals": Object(
            "Measures of the whole span.", properties=_build_measure_fields(names), readonly=True, unset=(None,)
        ),
        "intervals": Array(
            "The intervals of the page, each with its own measures.", items=Object(properties=each), readonly=True
        ),
    }
    return lambda: Serializer(members, {}).schema(f"report_{name}_stats")


def describe_totals(name: str, *names: str) -> Callable[[], dict[str, Any]]:
    """Return a function for the schema of a report that has only totals."""
    totals = Object("Measures of everything.", properties=_build_measure_fields(names), readonly=True)
    return lambda: Serializer({"totals": totals}, {}).schema(f"report_{name}_stats")


def _build_measure_fields(names: tuple[str, ...] | list[str]) -> dict[str, Field]:
    return {name: _build_measure_field(name) for name in names}


def _build_measure_field(name: str) -> Field:
    """Return the field of a measure; the argument `fields` leaves out others."""
    if name == "segments":
        return Array("The same, cut up by what `segmentby` asks for.", items=Object(), optional=True)
    return Integer(optional=True) if name in _COUNTS else Number(optional=True)
