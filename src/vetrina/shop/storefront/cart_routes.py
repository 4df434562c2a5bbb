"""The cart of a visitor: what is in it, its coupons, where it goes and how it is sent.

Every operation answers with the whole cart; the addresses below `items` and `coupons` answer with lines and coupons.
Not here: the checkout (shop/storefront/checkout_routes.py), who visits (shop/storefront/visit_permissions.py). Rules:
facts, "Visitors' interface".
"""

from __future__ import annotations

import math
from typing import Any, Final

import msgspec

from vetrina.kernel.errors import ApiError, Fault, InvalidParam, WriteNeeded
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Field, Integer, Number, Object, String, Untyped
from vetrina.rest.response_fields import LINKS, Nothing, texts
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Shape, link
from vetrina.shop.cart import coupons as cart_coupons
from vetrina.shop.cart import lines as cart_lines
from vetrina.shop.cart import totals as cart_totals
from vetrina.shop.cart.coupons import CouponError, NotApplied
from vetrina.shop.cart.lines import InvalidProduct, InvalidQuantity, LineUnknown
from vetrina.shop.cart.store import Cart
from vetrina.shop.cart.totals import Counted
from vetrina.shop.orders import addresses as order_addresses
from vetrina.shop.orders.model import BILLING, SHIPPING_ADDRESS
from vetrina.shop.storefront import cart_views, open_schema, product_views
from vetrina.shop.storefront.amount_views import CURRENCY
from vetrina.shop.storefront.cart_views import View
from vetrina.shop.storefront.product_arguments import context
from vetrina.shop.storefront.visit_permissions import InvalidNonce, MissingNonce, Visit, reading, writing

__all__ = ["address_field", "conflict", "routes"]

_CART: Final = Shape(cart_views.FIELDS, {})
_LINE: Final = Shape(cart_views.LINE, {})
_PROOF: Final = (MissingNonce, InvalidNonce)
_ADDING: Final = (
    InvalidProduct, InvalidQuantity, cart_lines.NotPurchasable, cart_lines.OutOfStock, cart_lines.NotEnough,
    cart_lines.OneOnly, cart_lines.CartFull, cart_lines.MissingChoices, cart_lines.MissingChoice,
    cart_lines.InvalidChoice, cart_lines.NoSuchVariation, *_PROOF,
)  # fmt: skip
_KEY: Final = "{key:[\\w-]{32}}"


_COUPON: Final = Object("A coupon with what it takes off.", properties={
    **texts("code", "discount_type"),
    "totals": Object(properties={**texts("total_discount", "total_discount_tax"), **CURRENCY}), "_links": LINKS,
})  # fmt: skip
_WHOLE: Final[dict[str, Field]] = {
    **open_schema.CART,
    "items": Array("The lines.", items=Object(properties={**cart_views.LINE, **open_schema.LINE})),
    "cross_sells": Array(
        "Products that go with these.", items=Object(properties={**product_views.FIELDS, **open_schema.PRODUCT})
    ),
}
_NONE_LEFT: Final = Array("Nothing is left.", max_items=0)


class ExtensionUnknown(ApiError):
    code = "shop_rest_cart_extensions_error"
    message = "No module takes what is sent for the namespace {namespace!r}."


def routes(base: str) -> tuple[Route, ...]:
    """Return the routes of the cart; base: the address of the namespace."""
    path = f"{base}/cart"
    key: dict[str, Field] = {"key": String("Key of a line.", null="keep")}
    code: dict[str, Field] = {"code": String("Code of a coupon.", null="keep")}
    goods: dict[str, Field] = {
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
    more: dict[str, Field] = {"extensions": Object("What other modules are told.", null="keep")}
    lines, coupons = _Lines(f"{path}/items"), _Coupons(f"{path}/coupons")

    def operation(name: str, handler: Any, args: dict[str, Field], *errors: type[ApiError]) -> Route:
        return Route(WRITE, f"{path}/{name}", writing(handler), args, batch=True, schema=_cart_schema, shows=_WHOLE,
                     errors=(*_PROOF, *errors), answers="one")  # fmt: skip

    added = Route(WRITE, f"{path}/add-item", writing(_added), goods, batch=True, schema=_cart_schema, shows=_WHOLE,
                  errors=_ADDING, answers="one", status=201)  # fmt: skip
    return (
        Route(READ, path, reading(_read), {"context": context()}, batch=True, schema=_cart_schema, shows=_WHOLE,
              answers="one"),
        added,
        operation("apply-coupon", _applied, code, CouponError),
        Route(READ, f"{path}/coupons", reading(coupons.listed), {"context": context()}, batch=True,
              answers=Array(items=_COUPON)),
        Route(
            WRITE, f"{path}/coupons", writing(coupons.created),
            {**code, "discount_type": String("Kind of the coupon; it is not taken.", null="keep")}, batch=True,
            errors=(CouponError, *_PROOF), answers=_COUPON, status=201,
        ),
        Route(REMOVE, f"{path}/coupons", writing(coupons.emptied), batch=True, errors=_PROOF, answers=_NONE_LEFT),
        Route(
            READ, f"{path}/coupons/{{code:[\\w-]+}}", reading(coupons.read), {**code, "context": context()}, batch=True,
            errors=(NotApplied,), answers=_COUPON,
        ),
        Route(
            REMOVE, f"{path}/coupons/{{code:[\\w-]+}}", writing(coupons.removed), code, batch=True,
            errors=(NotApplied, *_PROOF), status=204, answers=Nothing(),
        ),
        operation(
            "extensions", _extended,
            {"namespace": String("Name of a module.", null="keep"), "data": Object("What it is told.", null="keep")},
            ExtensionUnknown,
        ),
        Route(READ, f"{path}/items", reading(lines.listed), {"context": context()}, batch=True, schema=_line_schema,
              shows=open_schema.LINE, answers="many"),
        Route(WRITE, f"{path}/items", writing(lines.created), {**goods, **more}, batch=True, schema=_line_schema,
              shows=open_schema.LINE, errors=_ADDING, answers="one", status=201),
        Route(REMOVE, f"{path}/items", writing(lines.emptied), batch=True, errors=_PROOF, answers=_NONE_LEFT),
        Route(READ, f"{path}/items/{_KEY}", reading(lines.read), {**key, "context": context()}, batch=True,
              schema=_line_schema, shows=open_schema.LINE, errors=(LineUnknown,), answers="one"),
        Route(CHANGE, f"{path}/items/{_KEY}", writing(lines.changed), {**key, "quantity": goods["quantity"], **more},
              batch=True, schema=_line_schema, shows=open_schema.LINE, errors=(LineUnknown, *_ADDING), answers="one"),
        Route(REMOVE, f"{path}/items/{_KEY}", writing(lines.removed), key, batch=True, errors=(LineUnknown, *_PROOF),
              status=204, answers=Nothing()),
        operation("remove-coupon", _unapplied, code, NotApplied, CouponError),
        operation("remove-item", _removed, key, LineUnknown),
        operation(
            "select-shipping-rate", _sent_by,
            {
                "package_id": Untyped("Number of the parcel; there is one, 0.",
                                      extra={"type": ["integer", "string", "null"]}),
                "rate_id": String("The way to send it, as the cart lists them.", required=True),
            },
        ),
        operation("update-item", _changed, {**key, "quantity": goods["quantity"]}, LineUnknown,
                  cart_lines.BadQuantity, *_ADDING),
        operation(
            "update-customer", _addressed,
            {"billing_address": address_field("Who pays.", BILLING),
             "shipping_address": address_field("Where it is sent to.", SHIPPING_ADDRESS)},
        ),
    )  # fmt: skip


def address_field(help: str, names: tuple[str, ...], *, required: bool = False, checked: bool = False) -> Object:
    """Return an address as an argument; parts that are not sent stay. checked: what is none is refused before all."""
    return Object(
        help,
        {name: String(null="keep") for name in names},
        required=required,
        null="keep",
        alone=True,
        check=(lambda value, name, asked: order_addresses.fault(value, name, strict=True)) if checked else _is_object,
    )


def _is_object(value: Any, name: str, asked: Any) -> Fault | None:
    return None if isinstance(value, dict) else order_addresses.fault(value, name, strict=False)


def _cart_schema() -> dict[str, Any]:
    return _CART.schema("cart")


def _line_schema() -> dict[str, Any]:
    return _LINE.schema("cart_item")


def conflict(visit: Visit, error: ApiError) -> ApiError:
    """Return an error about a cart that is not as the visitor thinks, with the cart as it is: 409."""
    error.answer_status = 409
    error.data["cart"] = cart_views.shown(visit.work, visit.cart)
    return error


def _whole(visit: Visit, status: int = 200) -> Result:
    """Return the cart after a write; how it is sent is kept where that follows from what was written."""
    counted = cart_totals.count(visit.work, visit.cart)
    if counted.cart != visit.cart:
        visit.save(counted.cart)
    return Result(View(visit.work, counted).body(), status)


def _read(call: Call, visit: Visit) -> Result:
    """Read the cart, with its totals; a coupon that it cannot have any more is taken off it."""
    counted = cart_totals.count(visit.work, visit.cart)
    if counted.cart.coupons != visit.cart.coupons:
        if not visit.work.tx.writes:
            raise WriteNeeded
        visit.save(counted.cart)
    return Result(View(visit.work, counted).body())


def _put_in(call: Call, visit: Visit) -> str:
    """Put something into the cart and return the key of its line."""
    args = call.args
    id, told = args.get("id") or 0, args.get("variation") or ()
    quantity = _pieces(1 if args.get("quantity") is None else args["quantity"])
    new, line = cart_lines.add(visit.work, visit.cart, id, quantity, told)
    visit.save(new)
    return line.key


def _pieces(given: Any) -> int:
    """Return a number of pieces; parts of one are none."""
    if not math.isfinite(given) or given != int(given):
        raise InvalidQuantity
    return int(given)


def _added(call: Call, visit: Visit) -> Result:
    """Put a product into the cart, and answer the cart."""
    _put_in(call, visit)
    return _whole(visit, 201)


def _changed(call: Call, visit: Visit) -> Result:
    """Set the quantity of a line, and answer the cart."""
    try:
        visit.save(_with_quantity(call, visit)[0])
    except LineUnknown as unknown:
        raise conflict(visit, unknown) from None
    return _whole(visit)


def _with_quantity(call: Call, visit: Visit) -> tuple[Cart, str]:
    key, quantity = call.args.get("key") or "", call.args.get("quantity")
    held = visit.cart.line(key)
    if quantity is None and held is not None:
        return visit.cart, key
    return cart_lines.change(visit.work, visit.cart, key, _pieces(quantity or 0))[0], key


def _removed(call: Call, visit: Visit) -> Result:
    """Take a line out, and answer the cart."""
    try:
        visit.save(cart_lines.remove(visit.cart, call.args.get("key") or ""))
    except LineUnknown as unknown:
        raise conflict(visit, unknown) from None
    return _whole(visit)


def _applied(call: Call, visit: Visit) -> Result:
    """Apply a coupon, and answer the cart."""
    visit.save(cart_coupons.apply(visit.work, visit.cart, call.args.get("code") or ""))
    return _whole(visit)


def _unapplied(call: Call, visit: Visit) -> Result:
    """Take a coupon off, and answer the cart."""
    code = call.args.get("code") or ""
    try:
        visit.save(cart_coupons.remove(visit.cart, code))
    except NotApplied as unknown:
        # Which coupon is meant matters first: one that this cart could not have is none.
        cart_coupons.judge(visit.work, visit.cart, code)
        raise conflict(visit, unknown) from None
    return _whole(visit)


def _sent_by(call: Call, visit: Visit) -> Result:
    """Choose how a package is shipped, and answer the cart."""
    # An unknown way is taken as none: the first one counts.
    known = tuple(one.id for one in cart_totals.count(visit.work, visit.cart).offers)
    wanted = call.args["rate_id"]
    rate = wanted if wanted in known else ""
    visit.save(msgspec.structs.replace(visit.cart, rate=rate, offered=known))
    return _whole(visit)


def _addressed(call: Call, visit: Visit) -> Result:
    """Set the customer's addresses; shipping and taxes follow."""
    old = visit.cart
    faults = {
        name: fault
        for name in ("billing_address", "shipping_address")
        if (given := call.args.get(name)) and (fault := order_addresses.fault(given, name, strict=False))
    }
    if faults:
        raise InvalidParam(faults)
    billing = order_addresses.clean(call.args.get("billing_address") or {}, BILLING)
    shipping = order_addresses.clean(call.args.get("shipping_address") or {}, SHIPPING_ADDRESS)
    new = msgspec.structs.replace(old, billing={**old.billing, **billing}, shipping={**old.shipping, **shipping})
    visit.save(new)
    return _whole(visit)


def _extended(call: Call, visit: Visit) -> Result:
    """Hand data to a module that extends the cart."""
    raise ExtensionUnknown(namespace=call.args.get("namespace") or "")


class _Lines:
    """The addresses of lines. path: of all of them."""

    def __init__(self, path: str) -> None:
        self.path = path

    def _view(self, visit: Visit) -> tuple[Counted, View]:
        counted = cart_totals.count(visit.work, visit.cart)
        return counted, View(visit.work, counted)

    def _links(self, visit: Visit, key: str) -> dict[str, Any]:
        collection = visit.work.api(self.path)
        hints = {"allow": ["GET", "POST", "PUT", "PATCH", "DELETE"]}
        return {"self": [link(f"{collection}/{key}", targetHints=hints)], "collection": [link(collection)]}

    def _one(self, visit: Visit, key: str, status: int = 200) -> Result:
        counted, view = self._view(visit)
        found = next((line for line in counted.lines if line.line.key == key), None)
        if found is None:
            raise _not_there(LineUnknown())
        return Result(view.line(found), status, rels=self._links(visit, key), keeps_links=True)

    def listed(self, call: Call, visit: Visit) -> Result:
        """List the lines of the cart."""
        _, view = self._view(visit)
        return Result([{**line, "_links": self._links(visit, line["key"])} for line in view.lines()])

    def created(self, call: Call, visit: Visit) -> Result:
        """Put a product into the cart, as a line of its own."""
        return self._one(visit, _put_in(call, visit), 201)

    def emptied(self, call: Call, visit: Visit) -> Result:
        """Empty the cart of its lines."""
        visit.save(msgspec.structs.replace(visit.cart, lines=()))
        return Result([])

    def read(self, call: Call, visit: Visit) -> Result:
        """Read one line of the cart."""
        return self._one(visit, call.args["key"])

    def changed(self, call: Call, visit: Visit) -> Result:
        """Set the quantity of a line of the cart."""
        try:
            new, key = _with_quantity(call, visit)
        except LineUnknown as unknown:
            raise _not_there(unknown) from None
        visit.save(new)
        return self._one(visit, key)

    def removed(self, call: Call, visit: Visit) -> Result:
        """Take a line out of the cart."""
        try:
            visit.save(cart_lines.remove(visit.cart, call.args["key"]))
        except LineUnknown as unknown:
            raise _not_there(unknown) from None
        return Result(None, 204)


class _Coupons:
    """The addresses of coupons. path: of all of them."""

    def __init__(self, path: str) -> None:
        self.path = path

    def _links(self, visit: Visit, code: str) -> dict[str, Any]:
        collection = visit.work.api(self.path)
        hints = {"allow": ["GET", "DELETE"]}
        return {"self": [link(f"{collection}/{code}", targetHints=hints)], "collection": [link(collection)]}

    def _shown(self, visit: Visit) -> list[dict[str, Any]]:
        return View(visit.work, cart_totals.count(visit.work, visit.cart)).coupons()

    def _one(self, visit: Visit, code: str, status: int = 200) -> Result:
        key = code.strip().lower()
        found = next((one for one in self._shown(visit) if one["code"] == key), None)
        if found is None:
            raise _not_there(NotApplied(code=code))
        return Result(found, status, rels=self._links(visit, key), keeps_links=True)

    def listed(self, call: Call, visit: Visit) -> Result:
        """List the coupons of the cart."""
        return Result([{**one, "_links": self._links(visit, one["code"])} for one in self._shown(visit)])

    def created(self, call: Call, visit: Visit) -> Result:
        """Apply a coupon to the cart."""
        code = call.args.get("code") or ""
        visit.save(cart_coupons.apply(visit.work, visit.cart, code))
        return self._one(visit, code, 201)

    def emptied(self, call: Call, visit: Visit) -> Result:
        """Take every coupon off the cart."""
        visit.save(msgspec.structs.replace(visit.cart, coupons=()))
        return Result([])

    def read(self, call: Call, visit: Visit) -> Result:
        """Read one coupon of the cart."""
        return self._one(visit, call.args["code"])

    def removed(self, call: Call, visit: Visit) -> Result:
        """Take a coupon off the cart."""
        try:
            visit.save(cart_coupons.remove(visit.cart, call.args["code"]))
        except NotApplied as unknown:
            raise _not_there(unknown) from None
        return Result(None, 204)


def _not_there(error: ApiError) -> ApiError:
    """Return an error of an operation as the address of a thing tells it: 404."""
    error.answer_status = 404
    return error
