"""The cart of a visitor: reading it, and the operations on its lines, coupons, addresses and shipping rate.

Every operation returns the whole cart. Not here: its lines and coupons as resources
(shop/storefront/cart_part_routes.py), the checkout (shop/storefront/checkout_routes.py), the session
(shop/storefront/cart_session.py). Rules: docs/rules/cart.md, 3, 5, 6, 7, 8 and 9.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from vetrina.core.call import Call
from vetrina.kernel.errors import ApiError, Failure, Fault, InvalidParam, WriteNeeded
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Field, Object, String, Untyped
from vetrina.rest.route import READ, WRITE, Route
from vetrina.rest.serializer import Serializer
from vetrina.shop.cart import coupons as cart_coupons, lines as cart_lines, totals as cart_totals
from vetrina.shop.cart.coupons import CouponNotInCart
from vetrina.shop.cart.lines import CartLineNotFound
from vetrina.shop.coupons.eligibility import CartCouponRefused
from vetrina.shop.customers import addresses as customer_addresses
from vetrina.shop.orders.model import BILLING_FIELDS, SHIPPING_FIELDS
from vetrina.shop.storefront import cart_part_routes, cart_views, open_schema, product_views
from vetrina.shop.storefront.cart_session import (
    CartSession,
    wrap_read_handler,
    wrap_write_handler,
)
from vetrina.shop.storefront.cart_views import CartView
from vetrina.shop.storefront.product_arguments import build_context_argument

_CART_SERIALIZER: Final = Serializer(cart_views.CART_FIELDS, {})
_CART_RESPONSE_FIELDS: Final[dict[str, Field]] = {
    **open_schema.CART_RESPONSE_FIELDS,
    "items": Array(
        "The lines.", items=Object(properties={**cart_views.LINE_FIELDS, **open_schema.LINE_RESPONSE_FIELDS})
    ),
    "cross_sells": Array(
        "Products that go with these.",
        items=Object(properties={**product_views.PRODUCT_FIELDS, **open_schema.PRODUCT_RESPONSE_FIELDS}),
    ),
}


class CartExtensionNotFound(ApiError):
    code = "shop_rest_cart_extensions_error"
    message = "No module takes what is sent for the namespace {namespace!r}."


def build_routes(base: str) -> tuple[Route, ...]:
    """Return the routes of the cart; base: path of the namespace."""
    path = f"{base}/cart"

    def operation(name: str, handler: Any, args: dict[str, Field], *errors: type[ApiError]) -> Route:
        return Route(
            WRITE, f"{path}/{name}", wrap_write_handler(handler), args, batch=True, schema=_build_cart_schema,
            response_fields=_CART_RESPONSE_FIELDS, errors=(*cart_part_routes.PROOF_ERRORS, *errors), answers="one",
        )  # fmt: skip

    added = Route(
        WRITE, f"{path}/add-item", wrap_write_handler(_add_item), cart_part_routes.GOODS_ARGUMENTS, batch=True,
        schema=_build_cart_schema, response_fields=_CART_RESPONSE_FIELDS,
        errors=cart_part_routes.ADD_ERRORS, answers="one",
        status=201,
    )  # fmt: skip
    return (
        Route(
            READ, path, wrap_read_handler(_read_cart), {"context": build_context_argument()}, batch=True,
            schema=_build_cart_schema, response_fields=_CART_RESPONSE_FIELDS, answers="one",
        ),
        added,
        operation("apply-coupon", _apply_coupon, cart_part_routes.COUPON_CODE_ARGUMENT, CartCouponRefused),
        *cart_part_routes.build_coupon_routes(base),
        operation(
            "extensions",
            _update_extension,
            {"namespace": String("Name of a module.", null="keep"), "data": Object("What it is told.", null="keep")},
            CartExtensionNotFound,
        ),
        *cart_part_routes.build_line_routes(base),
        operation(
            "remove-coupon", _remove_coupon, cart_part_routes.COUPON_CODE_ARGUMENT, CouponNotInCart, CartCouponRefused
        ),
        operation("remove-item", _remove_item, cart_part_routes.LINE_KEY_ARGUMENT, CartLineNotFound),
        operation(
            "select-shipping-rate",
            _select_shipping_rate,
            {
                "package_id": Untyped(
                    "Number of the parcel; there is one, 0.", extra={"type": ["integer", "string", "null"]}
                ),
                "rate_id": String("The way to send it, as the cart lists them.", required=True),
            },
        ),
        operation(
            "update-item", _update_item,
            {**cart_part_routes.LINE_KEY_ARGUMENT, "quantity": cart_part_routes.GOODS_ARGUMENTS["quantity"]},
            CartLineNotFound, cart_lines.QuantityOutOfRange, *cart_part_routes.ADD_ERRORS,
        ),
        operation(
            "update-customer",
            _update_customer,
            {
                "billing_address": build_address_field("Who pays.", BILLING_FIELDS),
                "shipping_address": build_address_field("Where it is sent to.", SHIPPING_FIELDS),
            },
        ),
    )  # fmt: skip


def build_address_field(help: str, names: tuple[str, ...], *, required: bool = False, checked: bool = False) -> Object:
    """Return an address argument; fields that are not sent stay. checked: refuse an invalid address in validation."""
    return Object(
        help, {name: String(null="keep") for name in names}, required=required, null="keep", alone=True,
        check=(lambda value, name, context: customer_addresses.find_address_fault(value, name, strict=True))
        if checked
        else _find_address_fault,
    )  # fmt: skip


def _find_address_fault(value: Any, name: str, context: Any) -> Fault | None:
    return None if isinstance(value, dict) else customer_addresses.find_address_fault(value, name, strict=False)


def _build_cart_schema() -> dict[str, Any]:
    return _CART_SERIALIZER.schema("cart")


def build_cart_conflict(visit: CartSession, error: ApiError) -> ApiError:
    """Return an error as a conflict: a cart that differs from what the visitor expects, with the current cart."""
    error.failure = Failure.CONFLICT
    error.data["cart"] = cart_views.serialize_cart(visit.work, visit.cart)
    return error


def _build_cart_result(visit: CartSession, status: int = 200) -> Result:
    """Return the cart after a write; the shipping rate is stored where the write determines it."""
    counted = cart_totals.compute_cart_totals(visit.work, visit.cart)
    if counted.cart != visit.cart:
        visit.save(counted.cart)
    return Result(CartView(visit.work, counted).serialize_cart(), status)


def _read_cart(call: Call, visit: CartSession) -> Result:
    """Read the cart, with its totals; a coupon that it cannot have any more is taken off it."""
    counted = cart_totals.compute_cart_totals(visit.work, visit.cart)
    if counted.cart.coupons != visit.cart.coupons:
        if not visit.work.tx.writes:
            raise WriteNeeded
        visit.save(counted.cart)
    return Result(CartView(visit.work, counted).serialize_cart())


def _add_item(call: Call, visit: CartSession) -> Result:
    """Add a product to the cart, and return the cart."""
    cart_part_routes.add_line(call, visit)
    return _build_cart_result(visit, 201)


def _update_item(call: Call, visit: CartSession) -> Result:
    """Set the quantity of a line, and return the cart."""
    try:
        visit.save(cart_part_routes.set_line_quantity(call, visit)[0])
    except CartLineNotFound as unknown:
        raise build_cart_conflict(visit, unknown) from None
    return _build_cart_result(visit)


def _remove_item(call: Call, visit: CartSession) -> Result:
    """Remove a line, and return the cart."""
    try:
        visit.save(cart_lines.remove_line(visit.cart, call.args.get("key") or ""))
    except CartLineNotFound as unknown:
        raise build_cart_conflict(visit, unknown) from None
    return _build_cart_result(visit)


def _apply_coupon(call: Call, visit: CartSession) -> Result:
    """Apply a coupon, and return the cart."""
    visit.save(cart_coupons.apply_coupon_code(visit.work, visit.cart, call.args.get("code") or ""))
    return _build_cart_result(visit)


def _remove_coupon(call: Call, visit: CartSession) -> Result:
    """Remove a coupon, and return the cart."""
    code = call.args.get("code") or ""
    try:
        visit.save(cart_coupons.remove_coupon(visit.cart, code))
    except CouponNotInCart as unknown:
        # Check the coupon first: one that this cart could not have is unknown.
        cart_coupons.get_applicable_coupon(visit.work, visit.cart, code)
        raise build_cart_conflict(visit, unknown) from None
    return _build_cart_result(visit)


def _select_shipping_rate(call: Call, visit: CartSession) -> Result:
    """Choose how a package is shipped, and return the cart."""
    # An unknown rate counts as none: the first one is taken.
    known = tuple(one.id for one in cart_totals.compute_cart_totals(visit.work, visit.cart).offers)
    wanted = call.args["rate_id"]
    rate = wanted if wanted in known else ""
    visit.save(msgspec.structs.replace(visit.cart, rate=rate, offered=known))
    return _build_cart_result(visit)


def _update_customer(call: Call, visit: CartSession) -> Result:
    """Set the customer's addresses; shipping and taxes follow."""
    old = visit.cart
    faults = {
        name: fault
        for name in ("billing_address", "shipping_address")
        if (given := call.args.get(name))
        and (fault := customer_addresses.find_address_fault(given, name, strict=False))
    }
    if faults:
        raise InvalidParam(faults)
    billing = customer_addresses.clean_address(call.args.get("billing_address") or {}, BILLING_FIELDS)
    shipping = customer_addresses.clean_address(call.args.get("shipping_address") or {}, SHIPPING_FIELDS)
    new = msgspec.structs.replace(old, billing={**old.billing, **billing}, shipping={**old.shipping, **shipping})
    visit.save(new)
    return _build_cart_result(visit)


def _update_extension(call: Call, visit: CartSession) -> Result:
    """Pass data to a module that extends the cart."""
    raise CartExtensionNotFound(namespace=call.args.get("namespace") or "")
