"""What the rows of reports show, of which the interface's own schema names only a number and what is told besides.

Not here: how they are made (analytics/reports/list_routes.py). Rules: facts, "Analytics"; the recordings of reports.
"""

from __future__ import annotations

from typing import Final

from vetrina.rest.fields import Array, Boolean, Field, Integer, Number, Object, String
from vetrina.rest.response_fields import Either, texts

__all__ = ["ROWS"]


def _numbers(*names: str) -> dict[str, Field]:
    return {name: Integer() for name in names}


def _told(members: dict[str, Field]) -> dict[str, Field]:
    """Return the member that is told where `extended_info` asks for it, and an empty list else."""
    return {"extended_info": Either("More about it.", (Object(properties=members), Array(max_items=0)))}


_SOLD: Final[dict[str, Field]] = {"items_sold": Integer(), "net_revenue": Number(), "orders_count": Integer()}
_GOODS: Final[dict[str, Field]] = {
    **texts("name", "image", "permalink", "stock_status", "sku"), "price": Number(), "stock_quantity": Number(),
    "low_stock_amount": Integer(), "manage_stock": Boolean(),
}  # fmt: skip
_CHOSEN: Final = Array(items=Object(properties={"id": Integer(), **texts("name", "option")}))

_PERSON: Final[dict[str, Field]] = {
    "user_id": Integer(),
    **texts("username", "first_name", "last_name", "email", "country", "city", "state", "postcode"),
}  # fmt: skip


def _moments(*names: str) -> dict[str, Field]:
    return {name: String(nullable=True) for name in names}


ROWS: Final[dict[str, dict[str, Field]]] = {
    "products": {
        "product_id": Integer(), **_SOLD,
        **_told({
            **_GOODS, "category_ids": Array(items=Integer()), "variations": Array(items=Integer()),
            "attributes": _CHOSEN,
        }),
    },
    "variations": {**_numbers("product_id", "variation_id"), **_SOLD, **_told({**_GOODS, "attributes": _CHOSEN})},
    "categories": {
        "category_id": Integer(), **_SOLD, "products_count": Integer(), **_told({"name": String()}),
    },
    "coupons": {
        "coupon_id": Integer(), "amount": Number(), "orders_count": Integer(),
        **_told(texts(
            "code", "date_created", "date_created_gmt", "date_expires", "date_expires_gmt", "discount_type"
        )),
    },
    "taxes": {
        "tax_rate_id": Integer(), **texts("name", "country", "state"), "tax_rate": Number(), "priority": Integer(),
        "total_tax": Number(), "order_tax": Number(), "shipping_tax": Number(), "orders_count": Integer(),
    },
    "stock": {
        "parent_id": Integer(), **texts("name", "sku", "stock_status"), "stock_quantity": Number(),
        "manage_stock": Boolean(), "low_stock_amount": Integer(),
    },
    "customers": {
        **_PERSON, "name": String(), "orders_count": Integer(), "total_spend": Number(), "avg_order_value": Number(),
        **_moments("date_registered", "date_registered_gmt", "date_last_active", "date_last_active_gmt",
                   "date_last_order"),
    },
    "orders": {
        **_numbers("order_id", "parent_id", "customer_id", "num_items_sold", "order_number"),
        **texts("date", "date_created", "date_created_gmt", "status", "customer_type", "total_formatted"),
        "net_total": Number(), "total_sales": Number(),
        **_told({
            "products": Array(items=Object(properties=texts("id", "name", "quantity"))),
            "coupons": Array(items=Object(properties=texts("id", "code"))),
            "customer": Object(properties={
                **_PERSON, "customer_id": Integer(), **_moments("date_last_active", "date_registered"),
            }),
            "attribution": Object(properties=texts("origin")),
        }),
    },
    "downloads": {
        **_numbers("product_id", "order_id", "user_id"),
        **texts("download_id", "date", "date_gmt", "file_name", "file_path", "order_number", "username", "ip_address"),
    },
}  # fmt: skip
