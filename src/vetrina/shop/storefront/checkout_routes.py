"""The checkout: the draft order of a cart, placing it, and paying an order that the shop created.

A refused attempt keeps its input: the draft has it for the next one. Not here: the steps themselves
(shop/checkout/draft_orders.py, shop/checkout/rules.py). Rules: docs/rules/checkout.md, 1, 2, 3 and 7.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager
from typing import Any, Final

import msgspec

from vetrina.access.passwords import hashing as password_hashing
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result, defer
from vetrina.rest.error_statuses import build_error_result
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String, Untyped
from vetrina.rest.response_fields import Either, Nothing, RecordOf
from vetrina.rest.route import READ, WRITE, Route
from vetrina.rest.serializer import Serializer
from vetrina.shop.cart import coupons as cart_coupons
from vetrina.shop.cart.coupons import CouponsRefusedAtCheckout
from vetrina.shop.cart.lines import InvalidCartProduct, ProductNotPurchasable, ProductOutOfStock
from vetrina.shop.checkout import draft_orders, endpoints, payment_methods, rate_limit, rules as checkout
from vetrina.shop.checkout.draft_orders import CartEmpty
from vetrina.shop.checkout.rate_limit import TooManyCheckoutAttempts
from vetrina.shop.checkout.rules import (
    AccountRequired,
    CheckoutInput,
    CountryNotServed,
    InvalidCheckoutAddress,
    NoShippingAvailable,
    OrderNotPayable,
    PaymentMethodDisabled,
    PaymentMethodMissing,
)
from vetrina.shop.customers import addresses as customer_addresses
from vetrina.shop.customers.rules import CustomerEmailExists
from vetrina.shop.orders import attribution, model as order_model, visitor_orders
from vetrina.shop.orders.model import BILLING_FIELDS, SHIPPING_FIELDS, Order
from vetrina.shop.orders.visitor_orders import InvalidVisitorOrder, WrongBillingEmail
from vetrina.shop.payments import gateways
from vetrina.shop.products.stock import InsufficientStock
from vetrina.shop.settings import places
from vetrina.shop.storefront.cart_routes import build_address_field, build_cart_conflict
from vetrina.shop.storefront.cart_session import (
    CartSession,
    InvalidCartNonce,
    MissingCartNonce,
    wrap_read_handler,
    wrap_write_handler,
)
from vetrina.shop.storefront.cart_views import serialize_address
from vetrina.shop.storefront.payment_routes import (
    CheckoutOutcome,
    DeferredPayment,
    PaymentNeedsOwnRequest,
    ask_gateway,
    defer_attempt,
    serialize_payment_result,
)
from vetrina.shop.storefront.product_arguments import build_context_argument

_MAX_NOTE_LENGTH: Final = 5000  # characters
_MAX_DATA_LENGTH: Final = 64 << 10  # characters of `payment_data`


class PaymentDataTooLong(ApiError):
    code = "shop_rest_checkout_long_payment_data"
    message = "`payment_data` has more than {most} letters; send what the way of paying asks for and nothing else."


_GOODS_ERRORS: Final = (InvalidCartProduct, InsufficientStock, ProductNotPurchasable, ProductOutOfStock)
_PAYMENT_ERRORS: Final = (
    InvalidCheckoutAddress,
    CountryNotServed,
    PaymentMethodMissing,
    PaymentMethodDisabled,
    TooManyCheckoutAttempts,
    MissingCartNonce,
    InvalidCartNonce,
    PaymentDataTooLong,
    PaymentNeedsOwnRequest,
)
_CALCULATE_TOTALS: Final = "__experimental_calc_totals"

_FIELDS: Final[dict[str, Field]] = {
    "order_id": Integer("Number of the order.", readonly=True),
    "status": String("Status of the order.", readonly=True),
    "order_key": String("Key by which a visitor opens the order.", readonly=True),
    "order_number": String("Number of the order, as text.", readonly=True),
    "customer_note": String("What the visitor says about it.", readonly=True),
    "customer_id": Integer("Number of the account, 0 for a guest.", readonly=True),
    "billing_address": Object("Who pays.", {name: String() for name in BILLING_FIELDS}, readonly=True),
    "shipping_address": Object("Where it is sent to.", {name: String() for name in SHIPPING_FIELDS}, readonly=True),
    "payment_method": String("How it is paid.", readonly=True),
    "payment_result": Object("What came of the payment.", additional=True, readonly=True),
    "additional_fields": Object("What else was asked.", additional=True, readonly=True),
    "__experimentalCart": Untyped("Nothing.", readonly=True),
    "extensions": Object("What other modules add.", additional=True, readonly=True),
}
_SERIALIZER: Final = Serializer(_FIELDS, {})
_ATTRIBUTION: Final = Object(
    "Where the order came from.",
    {name: String("A part of where it came from.", nullable=True, null="keep") for name in attribution.MEMBERS},
    null="keep",
)


def build_routes(base: str, site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the checkout; base: path of the namespace."""
    places.preload_countries()
    path = f"{base}/checkout"
    note = String("What the visitor says about the order.", null="keep", max_length=_MAX_NOTE_LENGTH)
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
    billing = build_address_field("Who pays.", BILLING_FIELDS, required=True, checked=True)
    shipping = build_address_field("Where it is sent to.", SHIPPING_FIELDS, checked=True)
    method = String("How it is paid.", enum=("", *gateways.list_gateway_ids(site.profile)), null="keep")
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
        "customer_note": note, "billing_address": billing.replace(required=False),
        "shipping_address": shipping, "create_account": account, "extensions": more["extensions"],
        _CALCULATE_TOTALS: Boolean("Whether to answer with the draft.", default=False, null="keep"),
    }  # fmt: skip
    opening: dict[str, Field] = {
        "id": Integer("Number of the order."),
        "key": String("Key of the order.", null="keep"),
        "billing_email": String("Mail address of the order.", null="keep"),
    }
    return (
        Route(
            READ, path, wrap_read_handler(_read_checkout), {"context": build_context_argument()}, batch=True,
            schema=_build_checkout_schema, read=False, errors=(CartEmpty, *_GOODS_ERRORS), answers="one",
        ),
        Route(
            WRITE, path, wrap_write_handler(_place_order), placing, batch=True, schema=_build_checkout_schema,
            status=200, prepare=_prepare_placing,
            errors=(
                CartEmpty,
                NoShippingAvailable,
                AccountRequired,
                CustomerEmailExists,
                CouponsRefusedAtCheckout,
                *_GOODS_ERRORS,
                *_PAYMENT_ERRORS,
            ),
            answers="one",
        ),
        Route(
            ("PUT", "PATCH"), path, wrap_write_handler(_update_checkout), changing, batch=True,
            schema=_build_checkout_schema, errors=(CartEmpty, *_GOODS_ERRORS, MissingCartNonce, InvalidCartNonce),
            answers=Either("", (RecordOf(record=_build_checkout_schema), Nothing())),
        ),
        Route(
            WRITE, f"{path}/{{id}}", wrap_write_handler(_pay_order), {**opening, **paying},
            _require_order_open_permission, batch=True, schema=_build_checkout_schema, prepare=_prepare_payment,
            errors=(InvalidVisitorOrder, WrongBillingEmail, OrderNotPayable, *_GOODS_ERRORS, *_PAYMENT_ERRORS),
            answers="one",
        ),
    )  # fmt: skip


def _build_checkout_schema() -> dict[str, Any]:
    return _SERIALIZER.schema("checkout")


def _parse_checkout(call: Call) -> CheckoutInput:
    args = call.args
    billing, shipping = args.get("billing_address"), args.get("shipping_address")
    note = args.get("customer_note")
    if note is None:
        note = args.get("order_notes")
    return CheckoutInput(
        billing=customer_addresses.clean_address(billing, BILLING_FIELDS) if billing else None,
        shipping=customer_addresses.clean_address(shipping, SHIPPING_FIELDS) if shipping else None,
        method=args.get("payment_method"), note=note, data=_parse_payment_data(args.get("payment_data")),
        create_account=bool(args.get("create_account")), password=args.get("customer_password") or "",
    )  # fmt: skip


def _parse_payment_data(sent: Any) -> dict[str, Any]:
    """Return the payment data by key, the last value of a repeated key. Raises PaymentDataTooLong."""
    found = {str(one["key"]): _parse_payment_value(one.get("value")) for one in sent or () if one.get("key")}
    if sum(len(key) + len(str(value)) for key, value in found.items()) > _MAX_DATA_LENGTH:
        raise PaymentDataTooLong(most=_MAX_DATA_LENGTH)
    return found


def _parse_payment_value(value: Any) -> str | bool:
    if isinstance(value, (str, bool)):
        return value
    return "" if value is None else str(value)


def _begin_draft(call: Call, visit: CartSession, form: CheckoutInput, *, placing: bool = False) -> tuple[Any, Order]:
    request = call.request
    agent = str(request.headers.get("user-agent") or "")
    counted, draft = draft_orders.prepare_draft_order(
        visit.work, visit.cart, form, request.remote, agent, placing=placing
    )
    visit.cart = counted.cart
    return counted, draft


def _read_checkout(call: Call, visit: CartSession) -> Result:
    """Begin the checkout: read the draft order of the cart."""
    _, draft = _begin_draft(call, visit, CheckoutInput())
    return Result(_serialize_checkout(visit.work, draft, placed=False))


def _update_checkout(call: Call, visit: CartSession) -> Result:
    """Change the draft order before it is placed."""
    try:
        _, draft = _begin_draft(call, visit, _parse_checkout(call))
    except ApiError as error:
        raise build_cart_conflict(visit, error) from None
    return Result(_serialize_checkout(visit.work, draft, placed=False) if call.args.get(_CALCULATE_TOTALS) else None)


def _prepare_placing(call: Call) -> AbstractContextManager[Any] | None:
    """Do the slow work outside the transaction: hash the password of a new account, call the payment service."""
    form, visit = _parse_checkout(call), CartSession(call)
    if not visit.has_proof or not visit.cart.lines:
        return None
    password = checkout.get_new_account_password(call.work, form)
    if not call.request.inner and payment_methods.is_external_method(call.work, form.method):
        return ask_gateway(call, wrap_write_handler(_place_order), password)
    return defer(_hash_password, password) if password else None


def _hash_password(password: str) -> DeferredPayment:
    return DeferredPayment(password_hashing.HashedPassword(password_hashing.hash_password(password)))


def _place_order(call: Call, visit: CartSession) -> Result:
    """Place the order of the cart, and pay it."""
    if isinstance(call.prepared, CheckoutOutcome):
        return _settle_payment(call.prepared, visit)
    rate_limit.count_checkout_attempt(visit.work, call.request.remote, inner=call.request.inner)
    form = _parse_checkout(call)
    if isinstance(call.prepared, DeferredPayment) and call.prepared.password:
        form = msgspec.structs.replace(form, password=call.prepared.password)
    refused = cart_coupons.find_misaddressed_coupons(visit.work, visit.cart, form.billing)
    _remove_coupons(visit, refused)
    try:
        counted, draft = _begin_draft(call, visit, form, placing=True)
    except ApiError as error:
        if isinstance(error, CartEmpty):
            error.data["0"] = Failure.INVALID
        raise build_cart_conflict(visit, error) from None
    refused |= cart_coupons.find_used_up_coupons(visit.work, counted)
    if refused:
        return _report_refused_coupons(call, visit, form, refused)
    noted = len(visit.work.changes)
    try:
        with visit.work.tx.savepoint():
            placed, visit.cart, attempt = checkout.place_order(visit.work, counted, draft, form)
            defer_attempt(call, attempt)
            extensions = call.args.get("extensions") or {}
            attribution.save_attribution(visit.work, placed.id, extensions.get(attribution.NAMESPACE) or {})
    except ApiError as error:
        # The input is kept, so the transaction commits; changes that were undone must not be logged.
        del visit.work.changes[noted:]
        checkout.save_refused_cart(visit.work, counted)
        return build_error_result(error)
    return Result(_serialize_checkout(visit.work, placed, placed=True))


def _remove_coupons(visit: CartSession, codes: Collection[str]) -> None:
    left = tuple(code for code in visit.cart.coupons if code not in codes)
    visit.cart = msgspec.structs.replace(visit.cart, coupons=left)


def _report_refused_coupons(call: Call, visit: CartSession, form: CheckoutInput, refused: Mapping[str, str]) -> Result:
    """Remove coupons from the cart and its draft, and report it: the visitor may not want to buy without them.

    refused: why, by code.
    """
    _remove_coupons(visit, refused)
    _begin_draft(call, visit, form)
    return build_error_result(build_cart_conflict(visit, CouponsRefusedAtCheckout(refused)))


def _require_order_open_permission(call: Call) -> None:
    """The customer of the order, and anyone with its key and billing mail address."""
    args = call.args
    call.lookups["order"] = visitor_orders.get_visitor_order(
        call.work, args.get("id") or 0, str(args.get("key") or ""), str(args.get("billing_email") or "")
    )


def _prepare_payment(call: Call) -> AbstractContextManager[Any] | None:
    """Call the payment service of an order, where its payment method has one."""
    if call.request.inner or not payment_methods.is_external_method(call.work, call.args.get("payment_method")):
        return None
    if not CartSession(call).has_proof:
        return None
    return ask_gateway(call, _store_payment, "")


def _store_payment(call: Call) -> Result:
    _require_order_open_permission(call)
    return wrap_write_handler(_pay_order)(call)


def _pay_order(call: Call, visit: CartSession) -> Result:
    """Pay an order that was placed and not paid."""
    if isinstance(call.prepared, CheckoutOutcome):
        return _settle_payment(call.prepared, visit)
    rate_limit.count_checkout_attempt(visit.work, call.request.remote, inner=call.request.inner)
    paid, attempt = checkout.pay_order(visit.work, call.lookups["order"], _parse_checkout(call))
    defer_attempt(call, attempt)
    return Result(_serialize_checkout(visit.work, paid, placed=True))


def _settle_payment(outcome: CheckoutOutcome, visit: CartSession) -> Result:
    """Store a gateway's outcome and return it."""
    attempt = outcome.write_outcome(visit.work)
    one = order_model.find_order(visit.work, attempt.order) if attempt is not None else None
    if attempt is None or one is None:
        return outcome.result
    visit.forget_cart()
    body, thanks = (
        _serialize_checkout(visit.work, one, placed=True),
        endpoints.build_order_received_url(visit.work, one),
    )
    return Result({**body, "payment_result": serialize_payment_result(visit.work, attempt, thanks)})


def _serialize_checkout(work: UnitOfWork, order: Order, *, placed: bool) -> dict[str, Any]:
    thanks = endpoints.build_order_received_url(work, order) if placed else ""
    # A free order uses no payment method, which would have details.
    has_details = placed and order.total > 0
    details = [{"key": "result", "value": "success"}, {"key": "redirect", "value": thanks}] if has_details else []
    return {
        "order_id": order.id,
        "status": order.status,
        "order_key": order.order_key,
        "order_number": order.shown_number,
        "customer_note": order.customer_note,
        "customer_id": order.customer,
        "billing_address": serialize_address(order.billing, BILLING_FIELDS),
        "shipping_address": serialize_address(order.shipping_address, SHIPPING_FIELDS),
        "payment_method": order.payment_method,
        "payment_result": {
            "payment_status": "success" if placed else "", "payment_details": details, "redirect_url": thanks,
        },
        "additional_fields": {},
        "__experimentalCart": None,
        "extensions": {},
    }  # fmt: skip
