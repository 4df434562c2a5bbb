"""Routes of the parts of a cart, each a resource of its own: its lines (`items`) and its coupons.

They return lines and coupons. Not here: operations, which return the whole cart (shop/storefront/cart_routes.py).
Rules: docs/rules/cart.md, 3, 5 and 6.
"""

from __future__ import annotations

import math
from typing import Any, Final

import msgspec

from vetrina.core.call import Call
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Field, Integer, Number, Object, String
from vetrina.rest.response_fields import LINKS, Nothing, build_text_fields
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Serializer, build_link
from vetrina.shop.cart import coupons as cart_coupons, lines as cart_lines, totals as cart_totals
from vetrina.shop.cart.coupons import CouponNotInCart
from vetrina.shop.cart.lines import CartLineNotFound, InvalidCartProduct, InvalidCartQuantity
from vetrina.shop.cart.store import Cart
from vetrina.shop.cart.totals import CartTotals
from vetrina.shop.coupons.eligibility import CartCouponRefused
from vetrina.shop.products import stock
from vetrina.shop.storefront import cart_views, open_schema
from vetrina.shop.storefront.amount_views import CURRENCY_FIELDS
from vetrina.shop.storefront.cart_session import (
    CartSession,
    InvalidCartNonce,
    MissingCartNonce,
    wrap_read_handler,
    wrap_write_handler,
)
from vetrina.shop.storefront.cart_views import CartView
from vetrina.shop.storefront.product_arguments import build_context_argument

_LINE_SERIALIZER: Final = Serializer(cart_views.LINE_FIELDS, {})
PROOF_ERRORS: Final = (MissingCartNonce, InvalidCartNonce)
ADD_ERRORS: Final = (
    InvalidCartProduct,
    InvalidCartQuantity,
    cart_lines.ProductNotPurchasable,
    cart_lines.ProductOutOfStock,
    stock.InsufficientStock,
    cart_lines.ProductSoldIndividually,
    cart_lines.CartFull,
    cart_lines.MissingVariationChoices,
    cart_lines.MissingVariationValue,
    cart_lines.InvalidVariationChoice,
    cart_lines.NoMatchingVariation,
    *PROOF_ERRORS,
)
_KEY: Final = "{key:[\\w-]{32}}"

LINE_KEY_ARGUMENT: Final[dict[str, Field]] = {"key": String("Key of a line.", null="keep")}
COUPON_CODE_ARGUMENT: Final[dict[str, Field]] = {"code": String("Code of a coupon.", null="keep")}
GOODS_ARGUMENTS: Final[dict[str, Field]] = {
    "id": Integer("Number of a product or a variation.", null="keep"),
    "quantity": Number("How many pieces.", null="keep"),
    "variation": Array(
        "What is chosen of a variable product.",
        items=Object(
            properties={
                "attribute": String("Name of an attribute."), "value": String("What is chosen of it."),
            }
        ),
        null="keep",
        max_items=50,
    ),
}  # fmt: skip
_COUPON: Final = Object(
    "A coupon with what it takes off.",
    properties={
        **build_text_fields("code", "discount_type"),
        "totals": Object(properties={**build_text_fields("total_discount", "total_discount_tax"), **CURRENCY_FIELDS}),
        "_links": LINKS,
    },
)
_EMPTY_LIST: Final = Array("Nothing is left.", max_items=0)


def build_coupon_routes(base: str) -> tuple[Route, ...]:
    """Return the routes of the coupons of a cart; base: path of the namespace."""
    path = f"{base}/cart/coupons"
    coupons = _CartCouponRoutes(path)
    return (
        Route(
            READ, path, wrap_read_handler(coupons.list_coupons), {"context": build_context_argument()}, batch=True,
            answers=Array(items=_COUPON),
        ),
        Route(
            WRITE, path, wrap_write_handler(coupons.create_coupon),
            {**COUPON_CODE_ARGUMENT, "discount_type": String("Kind of the coupon; it is not taken.", null="keep")},
            batch=True, errors=(CartCouponRefused, *PROOF_ERRORS), answers=_COUPON, status=201,
        ),
        Route(
            REMOVE, path, wrap_write_handler(coupons.delete_all_coupons), batch=True, errors=PROOF_ERRORS,
            answers=_EMPTY_LIST,
        ),
        Route(
            READ, f"{path}/{{code:[\\w-]+}}", wrap_read_handler(coupons.read_coupon),
            {**COUPON_CODE_ARGUMENT, "context": build_context_argument()}, batch=True, errors=(CouponNotInCart,),
            answers=_COUPON,
        ),
        Route(
            REMOVE, f"{path}/{{code:[\\w-]+}}", wrap_write_handler(coupons.delete_coupon), COUPON_CODE_ARGUMENT,
            batch=True, errors=(CouponNotInCart, *PROOF_ERRORS), status=204, answers=Nothing(),
        ),
    )  # fmt: skip


def build_line_routes(base: str) -> tuple[Route, ...]:
    """Return the routes of the lines of a cart; base: path of the namespace."""
    path = f"{base}/cart/items"
    more: dict[str, Field] = {"extensions": Object("What other modules are told.", null="keep")}
    lines = _CartLineRoutes(path)
    return (
        Route(
            READ, path, wrap_read_handler(lines.list_lines), {"context": build_context_argument()}, batch=True,
            schema=_build_line_schema, response_fields=open_schema.LINE_RESPONSE_FIELDS, answers="many",
        ),
        Route(
            WRITE, path, wrap_write_handler(lines.create_line), {**GOODS_ARGUMENTS, **more}, batch=True,
            schema=_build_line_schema, response_fields=open_schema.LINE_RESPONSE_FIELDS,
            errors=ADD_ERRORS, answers="one",
            status=201,
        ),
        Route(
            REMOVE, path, wrap_write_handler(lines.delete_all_lines), batch=True, errors=PROOF_ERRORS,
            answers=_EMPTY_LIST,
        ),
        Route(
            READ, f"{path}/{_KEY}", wrap_read_handler(lines.read_line),
            {**LINE_KEY_ARGUMENT, "context": build_context_argument()}, batch=True, schema=_build_line_schema,
            response_fields=open_schema.LINE_RESPONSE_FIELDS, errors=(CartLineNotFound,), answers="one",
        ),
        Route(
            CHANGE, f"{path}/{_KEY}", wrap_write_handler(lines.update_line),
            {**LINE_KEY_ARGUMENT, "quantity": GOODS_ARGUMENTS["quantity"], **more}, batch=True,
            schema=_build_line_schema, response_fields=open_schema.LINE_RESPONSE_FIELDS,
            errors=(CartLineNotFound, *ADD_ERRORS),
            answers="one",
        ),
        Route(
            REMOVE, f"{path}/{_KEY}", wrap_write_handler(lines.delete_line), LINE_KEY_ARGUMENT, batch=True,
            errors=(CartLineNotFound, *PROOF_ERRORS), status=204, answers=Nothing(),
        ),
    )  # fmt: skip


def _build_line_schema() -> dict[str, Any]:
    return _LINE_SERIALIZER.schema("cart_item")


def add_line(call: Call, visit: CartSession) -> str:
    """Add a product to the cart and return the key of its line."""
    args = call.args
    id, choices = args.get("id") or 0, args.get("variation") or ()
    quantity = _parse_quantity(1 if args.get("quantity") is None else args["quantity"])
    new, line = cart_lines.add_line(visit.work, visit.cart, id, quantity, choices)
    visit.save(new)
    return line.key


def _parse_quantity(given: Any) -> int:
    """Return a quantity. Raises InvalidCartQuantity for a fraction."""
    if not math.isfinite(given) or given != int(given):
        raise InvalidCartQuantity
    return int(given)


def set_line_quantity(call: Call, visit: CartSession) -> tuple[Cart, str]:
    """Set the quantity of a line, and return the cart, which is not stored yet, with the key of the line."""
    key, quantity = call.args.get("key") or "", call.args.get("quantity")
    held = visit.cart.find_line(key)
    if quantity is None and held is not None:
        return visit.cart, key
    return cart_lines.update_line_quantity(visit.work, visit.cart, key, _parse_quantity(quantity or 0))[0], key


class _CartLineRoutes:
    """The routes of cart lines. path: of their collection."""

    def __init__(self, path: str) -> None:
        self.path = path

    def _build_view(self, visit: CartSession) -> tuple[CartTotals, CartView]:
        counted = cart_totals.compute_cart_totals(visit.work, visit.cart)
        return counted, CartView(visit.work, counted)

    def _build_links(self, visit: CartSession, key: str) -> dict[str, Any]:
        collection = visit.work.api(self.path)
        hints = {"allow": ["GET", "POST", "PUT", "PATCH", "DELETE"]}
        return {"self": [build_link(f"{collection}/{key}", targetHints=hints)], "collection": [build_link(collection)]}

    def _build_line_result(self, visit: CartSession, key: str, status: int = 200) -> Result:
        counted, view = self._build_view(visit)
        found = next((line for line in counted.lines if line.line.key == key), None)
        if found is None:
            raise _mark_not_found(CartLineNotFound())
        return Result(view.serialize_line(found), status, rels=self._build_links(visit, key), keeps_links=True)

    def list_lines(self, call: Call, visit: CartSession) -> Result:
        """List the lines of the cart."""
        _, view = self._build_view(visit)
        return Result([{**line, "_links": self._build_links(visit, line["key"])} for line in view.serialize_lines()])

    def create_line(self, call: Call, visit: CartSession) -> Result:
        """Add a product to the cart, as a line of its own."""
        return self._build_line_result(visit, add_line(call, visit), 201)

    def delete_all_lines(self, call: Call, visit: CartSession) -> Result:
        """Empty the cart of its lines."""
        visit.save(msgspec.structs.replace(visit.cart, lines=()))
        return Result([])

    def read_line(self, call: Call, visit: CartSession) -> Result:
        """Read one line of the cart."""
        return self._build_line_result(visit, call.args["key"])

    def update_line(self, call: Call, visit: CartSession) -> Result:
        """Set the quantity of a line of the cart."""
        try:
            new, key = set_line_quantity(call, visit)
        except CartLineNotFound as unknown:
            raise _mark_not_found(unknown) from None
        visit.save(new)
        return self._build_line_result(visit, key)

    def delete_line(self, call: Call, visit: CartSession) -> Result:
        """Remove a line from the cart."""
        try:
            visit.save(cart_lines.remove_line(visit.cart, call.args["key"]))
        except CartLineNotFound as unknown:
            raise _mark_not_found(unknown) from None
        return Result(None, 204)


class _CartCouponRoutes:
    """The routes of cart coupons. path: of their collection."""

    def __init__(self, path: str) -> None:
        self.path = path

    def _build_links(self, visit: CartSession, code: str) -> dict[str, Any]:
        collection = visit.work.api(self.path)
        hints = {"allow": ["GET", "DELETE"]}
        return {"self": [build_link(f"{collection}/{code}", targetHints=hints)], "collection": [build_link(collection)]}

    def _serialize_coupons(self, visit: CartSession) -> list[dict[str, Any]]:
        return CartView(visit.work, cart_totals.compute_cart_totals(visit.work, visit.cart)).serialize_coupons()

    def _build_coupon_result(self, visit: CartSession, code: str, status: int = 200) -> Result:
        key = code.strip().lower()
        found = next((one for one in self._serialize_coupons(visit) if one["code"] == key), None)
        if found is None:
            raise _mark_not_found(CouponNotInCart(code=code))
        return Result(found, status, rels=self._build_links(visit, key), keeps_links=True)

    def list_coupons(self, call: Call, visit: CartSession) -> Result:
        """List the coupons of the cart."""
        return Result(
            [{**one, "_links": self._build_links(visit, one["code"])} for one in self._serialize_coupons(visit)]
        )

    def create_coupon(self, call: Call, visit: CartSession) -> Result:
        """Apply a coupon to the cart."""
        code = call.args.get("code") or ""
        visit.save(cart_coupons.apply_coupon_code(visit.work, visit.cart, code))
        return self._build_coupon_result(visit, code, 201)

    def delete_all_coupons(self, call: Call, visit: CartSession) -> Result:
        """Remove every coupon from the cart."""
        visit.save(msgspec.structs.replace(visit.cart, coupons=()))
        return Result([])

    def read_coupon(self, call: Call, visit: CartSession) -> Result:
        """Read one coupon of the cart."""
        return self._build_coupon_result(visit, call.args["code"])

    def delete_coupon(self, call: Call, visit: CartSession) -> Result:
        """Remove a coupon from the cart."""
        try:
            visit.save(cart_coupons.remove_coupon(visit.cart, call.args["code"]))
        except CouponNotInCart as unknown:
            raise _mark_not_found(unknown) from None
        return Result(None, 204)


def _mark_not_found(error: ApiError) -> ApiError:
    """Return an operation's error as that of a missing resource."""
    error.failure = Failure.NOT_FOUND
    return error
