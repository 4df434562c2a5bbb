"""The fields of report rows, where the interface's own schema declares only an id and extended information.

Not here: the rows themselves (analytics/reports/list_routes.py). Rules: docs/rules/analytics_reports.md, 1.
"""

from __future__ import annotations

from typing import Final

from vetrina.rest.fields import Array, Boolean, Field, Integer, Number, Object, String
from vetrina.rest.response_fields import Either, build_optional_fields, build_text_fields


def _build_integer_fields(*names: str) -> dict[str, Field]:
    return {name: Integer() for name in names}


def _build_extended_info_field(members: dict[str, Field]) -> dict[str, Field]:
    """Return the field that `extended_info` fills, an empty list otherwise."""
    return {"extended_info": Either("More about it.", (
        Object(properties=build_optional_fields(members, None)), Array(max_items=0),
    ), optional=True)}  # fmt: skip


_SOLD: Final[dict[str, Field]] = {"items_sold": Integer(), "net_revenue": Number(), "orders_count": Integer()}
_GOODS: Final[dict[str, Field]] = {
    **build_text_fields("name", "image", "permalink", "stock_status", "sku"),
    "price": Number(),
    "stock_quantity": Number(),
    "low_stock_amount": Integer(),
    "manage_stock": Boolean(),
}
_CHOSEN: Final = Array(items=Object(properties={"id": Integer(), **build_text_fields("name", "option")}))

_PERSON: Final[dict[str, Field]] = {
    "user_id": Integer(unset=(None,)),
    **build_text_fields("username", "first_name", "last_name", "email", "country", "city", "state", "postcode"),
}  # fmt: skip


def _build_time_fields(*names: str) -> dict[str, Field]:
    return {name: String(nullable=True) for name in names}


ROW_FIELDS: Final[dict[str, dict[str, Field]]] = {
    "products": {
        "product_id": Integer(),
        **_SOLD,
        **_build_extended_info_field(
            {
                **_GOODS,
                "category_ids": Array(items=Integer()),
                "variations": Array(items=Integer()),
                "attributes": _CHOSEN,
            }
        ),
    },
    "variations": {
        **_build_integer_fields("product_id", "variation_id"),
        **_SOLD,
        **_build_extended_info_field({**_GOODS, "attributes": _CHOSEN}),
    },
    "categories": {
        "category_id": Integer(),
        **_SOLD,
        "products_count": Integer(),
        **_build_extended_info_field({"name": String()}),
    },
    "coupons": {
        "coupon_id": Integer(),
        "amount": Number(),
        "orders_count": Integer(),
        **_build_extended_info_field(
            build_text_fields(
                "code", "date_created", "date_created_gmt", "date_expires", "date_expires_gmt", "discount_type"
            )
        ),
    },
    "taxes": {
        "tax_rate_id": Integer(),
        **build_text_fields("name", "country", "state"),
        "tax_rate": Number(),
        "priority": Integer(),
        "total_tax": Number(),
        "order_tax": Number(),
        "shipping_tax": Number(),
        "orders_count": Integer(),
    },
    "stock": {
        "parent_id": Integer(),
        **build_text_fields("name", "sku", "stock_status"),
        "stock_quantity": Number(),
        "manage_stock": Boolean(),
        "low_stock_amount": Integer(),
    },
    "customers": {
        **_PERSON,
        "name": String(),
        "orders_count": Integer(),
        "total_spend": Number(),
        "avg_order_value": Number(),
        **_build_time_fields(
            "date_registered", "date_registered_gmt", "date_last_active", "date_last_active_gmt", "date_last_order"
        ),
    },
    "orders": {
        **_build_integer_fields("order_id", "parent_id", "customer_id", "num_items_sold", "order_number"),
        **build_text_fields("date", "date_created", "date_created_gmt", "status", "customer_type", "total_formatted"),
        "net_total": Number(),
        "total_sales": Number(),
        **_build_extended_info_field(
            {
                "products": Array(items=Object(properties=build_text_fields("id", "name", "quantity"))),
                "coupons": Array(items=Object(properties=build_text_fields("id", "code"))),
                "customer": Object(
                    properties={
                        **_PERSON,
                        "customer_id": Integer(),
                        **_build_time_fields("date_last_active", "date_registered"),
                    }
                ),
                "attribution": Object(properties=build_text_fields("origin")),
            }
        ),
    },
    "downloads": {
        **_build_integer_fields("product_id", "order_id", "user_id"),
        **build_text_fields(
            "download_id", "date", "date_gmt", "file_name", "file_path", "order_number", "username", "ip_address"
        ),
    },
}
