"""What products, lines and carts show inside members that their schemas leave open.

Not here: those members (shop/storefront/product_views.py, shop/storefront/cart_views.py). Rules: facts, "Visitors'
interface".
"""

from __future__ import annotations

from typing import Final

from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String
from vetrina.rest.response_fields import Free, texts
from vetrina.shop.orders.model import SHIPPING_ADDRESS
from vetrina.shop.storefront.amount_views import CURRENCY

__all__ = ["CART", "LINE", "PRODUCT"]

_PRICES: Final = Object("What it costs, in the smallest unit of the currency.", properties={
    **texts("price", "regular_price", "sale_price"),
    "price_range": Object("From the cheapest to the dearest.", properties=texts("min_amount", "max_amount")),
    "raw_prices": Object("As they are kept.", properties={
        **texts("price", "regular_price", "sale_price"), "precision": Integer("Decimals of these."),
    }),
    **CURRENCY,
})  # fmt: skip
_TERMS: Final = Array(items=Object(properties={"id": Integer(), **texts("name", "slug", "link")}))
_CHOICES: Final = Array(items=Object(properties={**texts("name", "value", "raw_attribute", "attribute", "display")}))
_LEFT: Final = Integer("How many pieces are left where they are few, else null.")

PRODUCT: Final[dict[str, Field]] = {
    "prices": _PRICES, "categories": _TERMS, "tags": _TERMS, "brands": _TERMS, "low_stock_remaining": _LEFT,
    "attributes": Array("What it is made of, and what may be chosen.", items=Object(properties={
        "id": Integer(), **texts("name", "taxonomy"), "has_variations": Boolean(),
        "terms": Array(items=Object(properties={"id": Integer(), **texts("name", "slug"), "default": Boolean()})),
    })),
    "variations": Array("What may be chosen together.", items=Object(properties={
        "id": Integer(), "attributes": Array(items=Object(properties=texts("name", "value"))),
    })),
    "stock_availability": Object("How much there is, in words.", properties=texts("text", "class")),
    "dimensions": Object("Sizes, in the shop's unit.", properties=texts("length", "width", "height")),
    "add_to_cart": Object("What a button to buy it says.", properties={
        **texts("text", "description", "url", "single_text"), "minimum": Integer(), "maximum": Integer(),
        "multiple_of": Integer(),
    }),
}  # fmt: skip
LINE: Final[dict[str, Field]] = {
    "quantity_limits": Object("How many there may be.", properties={
        "minimum": Integer(), "maximum": Integer(), "multiple_of": Integer(), "editable": Boolean(),
    }),
    "low_stock_remaining": _LEFT, "prices": _PRICES, "variation": _CHOICES,
    "totals": Object("What it comes to, in the smallest unit of the currency.", properties={
        **texts("line_subtotal", "line_subtotal_tax", "line_total", "line_total_tax"), **CURRENCY,
    }),
}  # fmt: skip
CART: Final[dict[str, Field]] = {
    "totals": Object("What it comes to, in the smallest unit of the currency.", properties={
        **texts("total_items", "total_items_tax", "total_fees", "total_fees_tax", "total_discount",
                "total_discount_tax", "total_shipping", "total_shipping_tax", "total_price", "total_tax"),
        "tax_lines": Array(items=Object(properties=texts("name", "price", "rate"))), **CURRENCY,
    }),
    "coupons": Array("The coupons.", items=Object(properties={
        **texts("code", "discount_type"),
        "totals": Object(properties={**texts("total_discount", "total_discount_tax"), **CURRENCY}),
    })),
    "fees": Array("Fees: there are none.", max_items=0),
    "shipping_rates": Array("Parcels with the ways to send each.", items=Object(properties={
        "package_id": Integer(), "name": String(),
        "destination": Object(properties=texts(*(name for name in SHIPPING_ADDRESS))),
        "items": Array(items=Object(properties={**texts("key", "name"), "quantity": Integer()})),
        "shipping_rates": Array(items=Object(properties={
            **texts("rate_id", "name", "description", "delivery_time", "price", "taxes", "method_id"),
            "instance_id": Integer(), "selected": Boolean(),
            "meta_data": Array(items=Object(properties=texts("key", "value"))), **CURRENCY,
        })),
    })),
    "errors": Array("What keeps it from being ordered.", items=Object(properties=texts("code", "message"))),
    "extensions": Free("What other modules add."),
}  # fmt: skip
