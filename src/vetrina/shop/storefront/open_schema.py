"""Contents of the members of products, lines and carts that their schemas leave open.

Not here: those members (shop/storefront/product_views.py, shop/storefront/cart_views.py). Rules:
docs/rules/store_products.md, 1 and docs/rules/cart.md, 5 and 7.
"""

from __future__ import annotations

from typing import Final

from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String
from vetrina.rest.response_fields import Free, build_text_fields
from vetrina.shop.storefront.amount_views import CURRENCY_FIELDS

_PRICES: Final = Object(
    "What it costs, in the smallest unit of the currency.",
    properties={
        **build_text_fields("price", "regular_price", "sale_price"),
        "price_range": Object(
            "From the cheapest to the dearest.", properties=build_text_fields("min_amount", "max_amount"), unset=(None,)
        ),
        "raw_prices": Object(
            "As they are kept.",
            properties={
                **build_text_fields("price", "regular_price", "sale_price"),
                "precision": Integer("Decimals of these."),
            },
            optional=True,
        ),
        **CURRENCY_FIELDS,
    },
)
_TERMS: Final = Array(items=Object(properties={"id": Integer(), **build_text_fields("name", "slug", "link")}))
_CHOICES: Final = Array(
    items=Object(properties={**build_text_fields("name", "value", "raw_attribute", "attribute", "display")})
)
_LOW_STOCK: Final = Integer("How many pieces are left where they are few, else null.", unset=(None,))

PRODUCT_RESPONSE_FIELDS: Final[dict[str, Field]] = {
    "prices": _PRICES,
    "categories": _TERMS,
    "tags": _TERMS,
    "brands": _TERMS,
    "low_stock_remaining": _LOW_STOCK,
    "attributes": Array(
        "What it is made of, and what may be chosen.",
        items=Object(
            properties={
                "id": Integer(),
                **build_text_fields("name", "taxonomy"),
                "has_variations": Boolean(),
                "terms": Array(
                    items=Object(
                        properties={"id": Integer(), **build_text_fields("name", "slug"), "default": Boolean()}
                    )
                ),
            }
        ),
    ),
    "variations": Array(
        "What may be chosen together.",
        items=Object(
            properties={
                "id": Integer(),
                "attributes": Array(items=Object(properties=build_text_fields("name", "value"))),
            }
        ),
    ),
    "stock_availability": Object("How much there is, in words.", properties=build_text_fields("text", "class")),
    "dimensions": Object("Sizes, in the shop's unit.", properties=build_text_fields("length", "width", "height")),
    "add_to_cart": Object(
        "What a button to buy it says.",
        properties={
            **build_text_fields("text", "description", "url", "single_text"),
            "minimum": Integer(),
            "maximum": Integer(),
            "multiple_of": Integer(),
        },
    ),
}
LINE_RESPONSE_FIELDS: Final[dict[str, Field]] = {
    "quantity_limits": Object("How many there may be.", properties={
        "minimum": Integer(), "maximum": Integer(), "multiple_of": Integer(), "editable": Boolean(),
    }),
    "low_stock_remaining": _LOW_STOCK, "prices": _PRICES, "variation": _CHOICES,
    "totals": Object("What it comes to, in the smallest unit of the currency.", properties={
        **build_text_fields("line_subtotal", "line_subtotal_tax", "line_total", "line_total_tax"), **CURRENCY_FIELDS,
    }),
}  # fmt: skip
CART_RESPONSE_FIELDS: Final[dict[str, Field]] = {
    "totals": Object("What it comes to, in the smallest unit of the currency.", properties={
        **build_text_fields("total_items", "total_items_tax", "total_fees", "total_fees_tax", "total_discount",
                "total_discount_tax", "total_price", "total_tax"),
        "total_shipping": String("Null where the goods need not be sent.", unset=(None,)),
        "total_shipping_tax": String("Null where the goods need not be sent.", unset=(None,)),
        "tax_lines": Array(items=Object(properties=build_text_fields("name", "price", "rate"))), **CURRENCY_FIELDS,
    }),
    "coupons": Array("The coupons.", items=Object(properties={
        **build_text_fields("code", "discount_type"),
        "totals": Object(properties={**build_text_fields("total_discount", "total_discount_tax"), **CURRENCY_FIELDS}),
    })),
    "fees": Array("Fees: there are none.", max_items=0),
    "shipping_rates": Array("Parcels with the ways to send each.", items=Object(properties={
        "package_id": Integer(), "name": String(),
        "destination": Object(properties=build_text_fields(
            "address_1", "address_2", "city", "state", "postcode", "country",
        )),
        "items": Array(items=Object(properties={**build_text_fields("key", "name"), "quantity": Integer()})),
        "shipping_rates": Array(items=Object(properties={
            **build_text_fields("rate_id", "name", "description", "delivery_time", "price", "taxes", "method_id"),
            "instance_id": Integer(), "selected": Boolean(),
            "meta_data": Array(items=Object(properties=build_text_fields("key", "value"))), **CURRENCY_FIELDS,
        })),
    })),
    "errors": Array("What keeps it from being ordered.", items=Object(properties=build_text_fields("code", "message"))),
    "extensions": Free("What other modules add."),
}  # fmt: skip
