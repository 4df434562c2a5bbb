"""The checkout: the order that a cart begins, placing it, and paying an order that the shop made.

A try that is refused is answered without undoing what it told: the draft keeps it for the next one.
Not here: the steps themselves (shop/checkout/rules.py). Rules: facts, "Visitors' interface".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

import msgspec

from vetrina.access.passwords import hashing as password_hashing
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String, Untyped
from vetrina.rest.response_fields import Either, Nothing, RecordOf
from vetrina.rest.route import READ, WRITE, Route
from vetrina.rest.serializer import Shape
from vetrina.shop.cart import coupons as cart_coupons
from vetrina.shop.cart.coupons import UsedUp
from vetrina.shop.cart.lines import InvalidProduct, NotEnough, NotPurchasable, OutOfStock
from vetrina.shop.checkout import endpoints, rate_limit
from vetrina.shop.checkout import rules as checkout
from vetrina.shop.checkout.rate_limit import TooManyTries
from vetrina.shop.checkout.rules import (
    AccountNeeded,
    CartEmpty,
    CountryNotServed,
    InvalidAddress,
    MethodDisabled,
    MethodMissing,
    NoShipping,
    NotPayable,
    Told,
)
from vetrina.shop.customers.rules import EmailExists
from vetrina.shop.orders import addresses as order_addresses
from vetrina.shop.orders import attribution, visitor_orders
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders.model import BILLING, SHIPPING_ADDRESS, Order
from vetrina.shop.orders.visitor_orders import InvalidOrder, WrongAddress
from vetrina.shop.payments import gateways
from vetrina.shop.settings import places
from vetrina.shop.storefront.cart_routes import address_field, conflict
from vetrina.shop.storefront.cart_views import address
from vetrina.shop.storefront.payment_routes import Asked, NeedsOwnRequest, Placing, ask_outside, leave, payment_result
from vetrina.shop.storefront.product_arguments import context
from vetrina.shop.storefront.visit_permissions import InvalidNonce, MissingNonce, Visit, reading, writing

__all__ = ["routes"]

_LONGEST_NOTE: Final = 5000  # letters
_LONGEST_DATA: Final = 64 << 10  # letters of what a way of paying is told


class LongPaymentData(ApiError):
    code = "shop_rest_checkout_long_payment_data"
    message = "`payment_data` has more than {most} letters; send what the way of paying asks for and nothing else."


_GOODS: Final = (InvalidProduct, NotEnough, NotPurchasable, OutOfStock)
_PAYING: Final = (
    InvalidAddress, CountryNotServed, MethodMissing, MethodDisabled, TooManyTries, MissingNonce, InvalidNonce,
    LongPaymentData, NeedsOwnRequest,
)  # fmt: skip
_CALCULATES: Final = "__experimental_calc_totals"

_FIELDS: Final[dict[str, Field]] = {
    "order_id": Integer("Number of the order.", readonly=True),
    "status": String("Status of the order.", readonly=True),
    "order_key": String("Key by which a visitor opens the order.", readonly=True),
    "order_number": String("Number of the order, as text.", readonly=True),
    "customer_note": String("What the visitor says about it.", readonly=True),
    "customer_id": Integer("Number of the account, 0 for a guest.", readonly=True),
    "billing_address": Object("Who pays.", {name: String() for name in BILLING}, readonly=True),
    "shipping_address": Object("Where it is sent to.", {name: String() for name in SHIPPING_ADDRESS}, readonly=True),
    "payment_method": String("How it is paid.", readonly=True),
    "payment_result": Object("What came of the payment.", additional=True, readonly=True),
    "additional_fields": Object("What else was asked.", additional=True, readonly=True),
    "__experimentalCart": Untyped("Nothing.", readonly=True),
    "extensions": Object("What other modules add.", additional=True, readonly=True),
}
_SHAPE: Final = Shape(_FIELDS, {})
_ATTRIBUTION: Final = Object(
    "Where the order came from.",
    {name: String("A part of where it came from.", nullable=True, null="keep") for name in attribution.MEMBERS},
    null="keep",
)


def routes(base: str, frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the checkout; base: the address of the namespace."""
    places.learn()
    path = f"{base}/checkout"
    note = String("What the visitor says about the order.", null="keep", max_length=_LONGEST_NOTE)
    more: dict[str, Field] = {
        "additional_fields": Object("What else is asked.", null="keep"),
        "extensions": Object("What other modules are told.", {attribution.NAMESPACE: _ATTRIBUTION}, null="keep"),
    }
    data = Array(
        "What a way of paying is told.",
        items=Object(
            properties={"key": String(), "value": Untyped(extra={"type": ["string", "boolean"]})},
        ),
        null="keep",
        max_items=100,
    )
    billing = address_field("Who pays.", BILLING, required=True, checked=True)
    shipping = address_field("Where it is sent to.", SHIPPING_ADDRESS, checked=True)
    method = String("How it is paid.", enum=("", *gateways.ids(frame.profile)), null="keep")
    account = Boolean("Whether to make an account.", null="keep")
    paying: dict[str, Field] = {
        "payment_data": data, "customer_note": note, "billing_address": billing, "shipping_address": shipping,
        "payment_method": method, **more,
    }  # fmt: skip
    placing = {
        "payment_data": data, "customer_password": String("Password of a new account.", null="keep"),
        "customer_note": note, "billing_address": billing, "shipping_address": shipping, "payment_method": method,
        "create_account": account, **more,
    }  # fmt: skip
    changing: dict[str, Field] = {
        "additional_fields": more["additional_fields"], "payment_method": method, "order_notes": note,
        "customer_note": note, "billing_address": billing.but(required=False),
        "shipping_address": shipping, "create_account": account, "extensions": more["extensions"],
        _CALCULATES: Boolean("Whether to answer with the draft.", default=False, null="keep"),
    }  # fmt: skip
    opening: dict[str, Field] = {
        "id": Integer("Number of the order."),
        "key": String("Key of the order.", null="keep"),
        "billing_email": String("Mail address of the order.", null="keep"),
    }
    return (
        Route(READ, path, reading(_begun), {"context": context()}, batch=True, schema=_schema, read=False,
              errors=(CartEmpty, *_GOODS), answers="one"),
        Route(WRITE, path, writing(_placed), placing, batch=True, schema=_schema,
              status=200, prepare=_preparing,
              errors=(CartEmpty, NoShipping, AccountNeeded, EmailExists, UsedUp, *_GOODS, *_PAYING), answers="one"),
        Route(("PUT", "PATCH"), path, writing(_told_more), changing, batch=True, schema=_schema,
              errors=(CartEmpty, *_GOODS, MissingNonce, InvalidNonce),
              answers=Either("", (RecordOf(record=_schema), Nothing()))),
        Route(WRITE, f"{path}/{{id}}", writing(_paid), {**opening, **paying}, _may_open, batch=True, schema=_schema,
              prepare=_asking, errors=(InvalidOrder, WrongAddress, NotPayable, *_GOODS, *_PAYING), answers="one"),
    )  # fmt: skip


def _schema() -> dict[str, Any]:
    return _SHAPE.schema("checkout")


def _told(call: Call) -> Told:
    args = call.args
    billing, shipping = args.get("billing_address"), args.get("shipping_address")
    note = args.get("customer_note")
    if note is None:
        note = args.get("order_notes")
    return Told(
        billing=order_addresses.clean(billing, BILLING) if billing else None,
        shipping=order_addresses.clean(shipping, SHIPPING_ADDRESS) if shipping else None,
        method=args.get("payment_method"),
        note=note,
        data=_data(args.get("payment_data")),
        create_account=bool(args.get("create_account")),
        password=args.get("customer_password") or "",
    )


def _data(sent: Any) -> dict[str, Any]:
    """Return what a way of paying is told, by its keys; of one that comes twice the last. Raises LongPaymentData."""
    found = {str(one["key"]): _word(one.get("value")) for one in sent or () if one.get("key")}
    if sum(len(key) + len(str(value)) for key, value in found.items()) > _LONGEST_DATA:
        raise LongPaymentData(most=_LONGEST_DATA)
    return found


def _word(value: Any) -> str | bool:
    if isinstance(value, (str, bool)):
        return value
    return "" if value is None else str(value)


def _draft(call: Call, visit: Visit, told: Told, *, placing: bool = False) -> tuple[Any, Order]:
    request = call.request
    agent = str(request.headers.get("user-agent") or "")
    counted, draft = checkout.begin(visit.work, visit.cart, told, request.remote, agent, placing=placing)
    visit.cart = counted.cart
    return counted, draft


def _begun(call: Call, visit: Visit) -> Result:
    """Begin the checkout: read the draft order that the cart becomes."""
    _, draft = _draft(call, visit, Told())
    return Result(_shown(visit.work, draft, placed=False))


def _told_more(call: Call, visit: Visit) -> Result:
    """Change the draft order before it is placed."""
    try:
        _, draft = _draft(call, visit, _told(call))
    except ApiError as error:
        raise conflict(visit, error) from None
    return Result(_shown(visit.work, draft, placed=False) if call.args.get(_CALCULATES) else None)


def _preparing(call: Call) -> AbstractContextManager[Any] | None:
    """Do what nobody may hold the transaction for: hash the password of a new account, ask a service for the money."""
    told, visit = _told(call), Visit(call)
    if not visit.proved or not visit.cart.lines:
        return None
    password = checkout.chosen_password(call.work, told)
    if not call.request.inner and checkout.is_asked_outside(call.work, told.method):
        return ask_outside(call, writing(_placed), password)
    return _hashed(password) if password else None


@contextmanager
def _hashed(password: str) -> Iterator[Placing]:
    yield Placing(password_hashing.Hashed(password_hashing.hashed(password)))


def _placed(call: Call, visit: Visit) -> Result:
    """Place the order of the cart, and pay it."""
    if isinstance(call.prepared, Asked):
        return _answered(call.prepared, visit)
    rate_limit.count(visit.work, call.request)
    told = _told(call)
    if isinstance(call.prepared, Placing) and call.prepared.password:
        told = msgspec.structs.replace(told, password=call.prepared.password)
    try:
        counted, draft = _draft(call, visit, told, placing=True)
    except ApiError as error:
        if isinstance(error, CartEmpty):
            error.data["0"] = 400
        raise conflict(visit, error) from None
    if codes := cart_coupons.list_used_up(visit.work, counted):
        return _without_coupons(call, visit, told, codes)
    noted = len(visit.work.noted)
    try:
        with visit.work.tx.part():
            placed, visit.cart, attempt = checkout.place(visit.work, counted, draft, told)
            leave(call, attempt)
            extensions = call.args.get("extensions") or {}
            attribution.keep(visit.work, placed.id, extensions.get(attribution.NAMESPACE) or {})
    except ApiError as error:
        # What was told is kept, so the transaction is; what was undone is nobody's news.
        del visit.work.noted[noted:]
        checkout.keep(visit.work, counted)
        return Result(error.body(), error.answer_status)
    return Result(_shown(visit.work, placed, placed=True))


def _without_coupons(call: Call, visit: Visit, told: Told, codes: Sequence[str]) -> Result:
    """Take coupons off the cart and its draft, and tell the visitor, who may not want to buy without them."""
    left = tuple(code for code in visit.cart.coupons if code not in codes)
    visit.cart = msgspec.structs.replace(visit.cart, coupons=left)
    _draft(call, visit, told)
    error = UsedUp(codes=", ".join(codes))
    error.data["removed_coupons"] = dict.fromkeys(codes, error.text)
    conflict(visit, error)
    return Result(error.body(), error.answer_status)


def _may_open(call: Call) -> None:
    """The customer of the order, and whoever knows its key and the mail address that it was billed to."""
    args = call.args
    call.kept["order"] = visitor_orders.opened(
        call.work, args.get("id") or 0, str(args.get("key") or ""), str(args.get("billing_email") or "")
    )


def _asking(call: Call) -> AbstractContextManager[Any] | None:
    """Ask a service for the money of an order, where the way of paying has one."""
    if call.request.inner or not checkout.is_asked_outside(call.work, call.args.get("payment_method")):
        return None
    if not Visit(call).proved:
        return None
    return ask_outside(call, _store_paid, "")


def _store_paid(call: Call) -> Result:
    _may_open(call)
    return writing(_paid)(call)


def _paid(call: Call, visit: Visit) -> Result:
    """Pay an order that was placed and not paid."""
    if isinstance(call.prepared, Asked):
        return _answered(call.prepared, visit)
    rate_limit.count(visit.work, call.request)
    paid, attempt = checkout.pay(visit.work, call.kept["order"], _told(call))
    leave(call, attempt)
    return Result(_shown(visit.work, paid, placed=True))


def _answered(asked: Asked, visit: Visit) -> Result:
    """Write what a gateway said, and tell it."""
    attempt = asked.written(visit.work)
    one = order_model.by_id(visit.work, attempt.order) if attempt is not None else None
    if attempt is None or one is None:
        return asked.result
    visit.forget_cart()
    body, thanks = _shown(visit.work, one, placed=True), endpoints.thanks_address(visit.work, one)
    return Result({**body, "payment_result": payment_result(visit.work, attempt, thanks)})


def _shown(work: Work, one: Order, *, placed: bool) -> dict[str, Any]:
    thanks = endpoints.thanks_address(work, one) if placed else ""
    # What costs nothing passes no way of paying, which would have something to say.
    told = placed and one.total > 0
    details = [{"key": "result", "value": "success"}, {"key": "redirect", "value": thanks}] if told else []
    return {
        "order_id": one.id,
        "status": one.status,
        "order_key": one.order_key,
        "order_number": str(one.id),
        "customer_note": one.customer_note,
        "customer_id": one.customer,
        "billing_address": address(one.billing, BILLING),
        "shipping_address": address(one.shipping_address, SHIPPING_ADDRESS),
        "payment_method": one.payment_method,
        "payment_result": {
            "payment_status": "success" if placed else "", "payment_details": details, "redirect_url": thanks,
        },
        "additional_fields": {},
        "__experimentalCart": None,
        "extensions": {},
    }  # fmt: skip
