"""Schemas of orders and refunds, arguments of writes and lists.

Not here: serialization (shop/orders/responses.py). Rules: docs/rules/orders.md, 1 and 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.rest.fields import ABSENT, EDIT, VIEW, Array, Boolean, Field, Integer, Number, Object, String, Untyped
from vetrina.shop import list_arguments
from vetrina.shop.orders import statuses as order_statuses
from vetrina.shop.products.schema import LINE_META_DATA, META_DATA
from vetrina.shop.settings import currencies

ORDERS_PATH: Final = "/shop/v3/orders"
_BOTH: Final = (VIEW, EDIT)
_STATUSES: Final = (*order_statuses.STATUS_NAMES, "auto-draft")


def _build_text_field(help: str, **more: Any) -> String:
    return String(help, context=_BOTH, **more)


def _build_readonly_field(help: str, **more: Any) -> String:
    return String(help, context=_BOTH, readonly=True, **more)


def _build_date_field(help: str) -> String:
    return String(help, nullable=True, context=_BOTH, readonly=True)


def _build_address_field(whose: str, *more: str) -> Object:
    labels = {
        "first_name": "First name.",
        "last_name": "Last name.",
        "company": "Company.",
        "address_1": "Street and number.",
        "address_2": "More of the address.",
        "city": "City.",
        "state": "State, by its code.",
        "postcode": "Postcode.",
        "country": "Country, by its code.",
        "email": "Mail address.",
        "phone": "Telephone.",
    }
    names = ("first_name", "last_name", "company", "address_1", "address_2", "city", "state", "postcode", "country")
    own = {
        # An order has those that were said of its address.
        name: String(labels[name], context=_BOTH, format="email" if name == "email" else "", null="keep", optional=True)
        for name in (*names, *more)
    }
    if "email" in own:
        own["email"] = own["email"].replace(nullable=True)
    return Object(f"Address of the {whose}.", properties=own, context=_BOTH)


_TAXES: Final = Array(
    "What each tax rate comes to.",
    items=Object(
        properties={
            "id": Integer("Number of the rate.", context=_BOTH),
            "total": _build_text_field("What it comes to."),
            "subtotal": _build_text_field("What it came to before discounts."),
        }
    ),
    context=_BOTH,
    readonly=True,
)
_ID: Final = Integer("Number of the item.", context=_BOTH, readonly=True)

_LINE: Final[dict[str, Field]] = {
    "id": _ID,
    "name": Untyped("Name of the product.", context=_BOTH),
    "parent_name": _build_readonly_field("Name of the product that a variation belongs to.", nullable=True),
    "product_id": Untyped("Number of the product.", context=_BOTH),
    "variation_id": Integer("Number of the variation, where there is one.", context=_BOTH),
    "quantity": Integer("How many pieces.", context=_BOTH),
    "tax_class": _build_text_field("Tax class, by its slug."),
    "subtotal": _build_text_field("What the pieces cost before discounts."),
    "subtotal_tax": _build_readonly_field("Tax before discounts."),
    "total": _build_text_field("What the pieces cost after discounts."),
    "total_tax": _build_readonly_field("Tax after discounts."),
    "taxes": _TAXES,
    "meta_data": LINE_META_DATA,
    "sku": String("Stock number of the product.", context=_BOTH, nullable=True),
    "global_unique_id": _build_readonly_field("Number of the product that the world knows.", nullable=True),
    "price": Number("What a piece costs.", context=_BOTH, readonly=True),
    "image": Object("Image of the product.", context=_BOTH, readonly=True),
}
_SHIPPING: Final[dict[str, Field]] = {
    "id": _ID,
    "method_title": Untyped("What the way of shipping is called.", context=_BOTH),
    "method_id": Untyped("The way of shipping.", context=_BOTH),
    "instance_id": _build_text_field("Number of the method in its zone."),
    "total": _build_text_field("What it costs."),
    "total_tax": _build_readonly_field("Its tax."),
    "taxes": _TAXES,
    "tax_status": _build_readonly_field("Whether it is taxed."),
    "meta_data": LINE_META_DATA,
}
_FEE: Final[dict[str, Field]] = {
    "id": _ID,
    "name": Untyped("What the fee is for.", context=_BOTH),
    "tax_class": _build_text_field("Tax class, by its slug."),
    "tax_status": _build_text_field("Whether it is taxed.", enum=("taxable", "none")),
    "amount": _build_text_field("Always empty; `total` is what it costs."),
    "total": _build_text_field("What it costs; it may be below nothing."),
    "total_tax": _build_readonly_field("Its tax."),
    "taxes": _TAXES,
    "meta_data": LINE_META_DATA,
}
_COUPON: Final[dict[str, Field]] = {
    "id": _ID,
    "code": Untyped("Code of the coupon.", context=_BOTH),
    "discount": _build_text_field("What it takes off."),
    "discount_tax": _build_readonly_field("Tax that is saved."),
    "meta_data": LINE_META_DATA,
    "discount_type": _build_readonly_field("Kind of the discount."),
    "nominal_amount": Number("What the coupon is worth.", context=_BOTH, readonly=True),
    "free_shipping": Boolean("Whether it gives free shipping.", context=_BOTH, readonly=True),
}


def _build_items_field(help: str, members: Mapping[str, Field], **more: Any) -> Array:
    return Array(help, items=Object(properties=dict(members)), context=_BOTH, null="keep", **more)


_AMOUNTS: Final = {
    "discount_total": "What coupons take off.", "discount_tax": "Tax that coupons save.",
    "shipping_total": "What shipping costs.", "shipping_tax": "Tax of shipping.", "cart_tax": "Tax of goods and fees.",
    "total": "What the order comes to.", "total_tax": "All taxes.",
}  # fmt: skip

ORDER_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the order.", context=_BOTH, readonly=True),
    "parent_id": Integer("The order above it.", context=_BOTH),
    "status": _build_text_field("Status of the order.", enum=_STATUSES, values=(*_STATUSES, order_statuses.TRASH)),
    "currency": _build_text_field("Currency, by its code.", enum=currencies.CURRENCY_CODES),
    "version": _build_readonly_field("Version of the shop that wrote it last."),
    "prices_include_tax": Boolean("Whether prices had their tax in them.", context=_BOTH, readonly=True),
    "date_created": _build_date_field("When it was made, in the site's time."),
    "date_modified": _build_date_field("When it was last changed, in the site's time."),
    **{name: _build_readonly_field(help) for name, help in _AMOUNTS.items()},
    "customer_id": Integer("Number of the customer; 0 for a guest.", context=_BOTH),
    "order_key": _build_readonly_field("Key by which its customer reads it."),
    "billing": _build_address_field("one who pays", "email", "phone"),
    "shipping": _build_address_field("one who receives", "phone"),
    "payment_method": _build_text_field("How it is paid."),
    "payment_method_title": _build_text_field("What the way of paying is called."),
    "transaction_id": _build_text_field("Number of the payment."),
    "customer_ip_address": _build_readonly_field("Address of the customer's machine."),
    "customer_user_agent": _build_readonly_field("The customer's browser."),
    "created_via": _build_readonly_field("What made it."),
    "customer_note": _build_text_field("What the customer wrote."),
    "date_completed": _build_date_field("When it was completed, in the site's time."),
    "date_paid": _build_date_field("When it was paid, in the site's time."),
    "cart_hash": _build_readonly_field("Names the cart it was made from."),
    "number": _build_readonly_field("What people call it."),
    "meta_data": META_DATA,
    "line_items": _build_items_field("Goods.", _LINE),
    "tax_lines": _build_items_field("Taxes by rate.", {}, readonly=True),
    "shipping_lines": _build_items_field("Ways of shipping.", _SHIPPING),
    "fee_lines": _build_items_field("Fees.", _FEE),
    "coupon_lines": _build_items_field("Coupons.", _COUPON),
    "refunds": _build_items_field("Refunds.", {}, readonly=True),
    "payment_url": _build_readonly_field("Where it can be paid.", format="uri"),
    "is_editable": Boolean("Whether its items may be changed in the administration.", context=_BOTH, readonly=True),
    "needs_payment": Boolean("Whether it waits for a payment.", context=_BOTH, readonly=True),
    "needs_processing": Boolean("Whether somebody has to do something.", context=_BOTH, readonly=True),
    "date_created_gmt": _build_date_field("When it was made, in GMT."),
    "date_modified_gmt": _build_date_field("When it was last changed, in GMT."),
    "date_completed_gmt": _build_date_field("When it was completed, in GMT."),
    "date_paid_gmt": _build_date_field("When it was paid, in GMT."),
    "currency_symbol": _build_readonly_field("Sign of the currency."),
    "set_paid": Boolean("Whether it was paid just now.", default=False, context=(EDIT,), written=True),
    "manual_update": Boolean("Whether a person changes it by hand.", default=False, context=(EDIT,), written=True),
}

REFUND_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the refund.", context=_BOTH, readonly=True),
    "parent_id": Integer("Number of the order.", context=_BOTH, readonly=True, optional=True),
    "date_created": _build_date_field("When it was made, in the site's time."),
    "date_created_gmt": _build_date_field("When it was made, in GMT."),
    "amount": _build_text_field("How much goes back."),
    "reason": _build_text_field("Why."),
    "refunded_by": Integer("Account of the one who made it.", context=_BOTH, readonly=True),
    "refunded_payment": Boolean("Whether a gateway paid it back.", context=_BOTH, readonly=True),
    "meta_data": META_DATA,
    "line_items": _build_items_field("Goods that come back.", _LINE),
    "shipping_lines": _build_items_field("Shipping that is paid back.", {}, readonly=True),
    "tax_lines": _build_items_field("Taxes by rate.", {}, readonly=True),
    "fee_lines": _build_items_field("Fees that are paid back.", {}, readonly=True),
}


def build_decimals_argument() -> Integer:
    """Return the argument for the number of decimals of amounts."""
    return Integer("Decimals that amounts are shown with, the shop's when left out; a sign says nothing.", null="keep")


def build_order_write_arguments() -> dict[str, Field]:
    """Return the arguments that write an order."""
    out = {
        name: field.replace(default=ABSENT, null="keep", context=())
        for name, field in ORDER_FIELDS.items()
        if not field.readonly
    }
    out["created_via"] = String("Read only; taken without effect.", null="keep")
    return out | {name: ORDER_FIELDS[name].replace(null="keep", context=()) for name in ("set_paid", "manual_update")}


def build_refund_write_arguments() -> dict[str, Field]:
    """Return the arguments that create a refund."""
    return {
        "amount": String("How much goes back; the sum of the lines when left out.", null="keep"),
        "reason": String("Why.", null="keep"),
        "line_items": Array("What of the order goes back.", items=Untyped(), null="keep"),
        "meta_data": META_DATA.replace(null="keep", context=()),
        "api_refund": Boolean("Whether the gateway shall pay it back.", default=True, null="keep"),
        "api_restock": Boolean("Whether pieces go back into stock.", default=True, null="keep"),
    }


def build_order_filters() -> dict[str, Field]:
    """Return the filters of the order list."""
    return {
        "context": list_arguments.build_context_argument(),
        **list_arguments.build_paging_arguments(),
        **list_arguments.build_date_filters(),
        "exclude": list_arguments.build_id_filter("Orders that are left out."),
        "include": list_arguments.build_id_filter("Only these orders."),
        "offset": Integer("Leave out so many from the start.", null="keep"),
        **list_arguments.build_sort_arguments(list_arguments.LIST_ORDERS),
        "parent": list_arguments.build_id_filter("Only orders below these."),
        "parent_exclude": list_arguments.build_id_filter("Only orders that are not below these."),
        "status": Array(
            "Only orders with these statuses.",
            items=String(enum=(order_statuses.ANY, order_statuses.TRASH, *_STATUSES)),
            default=[order_statuses.ANY],
            null="keep",
        ),
        "customer": Integer("Only orders of this customer.", null="keep"),
        "product": Integer("Only orders of this product.", null="keep"),
        **_build_display_arguments(),
        "created_via": Array("Only orders that these made.", items=String(), default=[], null="keep"),
    }


def build_refund_filters() -> dict[str, Field]:
    """Return the filters of the refund lists."""
    return {
        "context": list_arguments.build_context_argument(),
        **list_arguments.build_paging_arguments(),
        **list_arguments.build_date_filters(),
        "exclude": list_arguments.build_id_filter("Refunds that are left out."),
        "include": list_arguments.build_id_filter("Only these refunds."),
        "offset": Integer("Leave out so many from the start.", null="keep"),
        **list_arguments.build_sort_arguments(list_arguments.LIST_ORDERS),
        "parent": list_arguments.build_id_filter(
            "Says nothing: the refunds of one order are at the order's own address."
        ),
        "parent_exclude": list_arguments.build_id_filter("Only refunds of other orders than these."),
        **_build_display_arguments(),
    }


def _build_display_arguments() -> dict[str, Field]:
    """Return the arguments for the format of amounts and extra fields."""
    return {
        "dp": build_decimals_argument(),
        "order_item_display_meta": Boolean(
            "Says nothing: items tell all their extra fields.", default=False, null="keep"
        ),
        "include_meta": Array("Only these extra fields.", items=String(), default=[], null="keep"),
        "exclude_meta": Array("Not these extra fields.", items=String(), default=[], null="keep"),
    }
