"""Payments by gateways: begun with the order, requested outside of every transaction, settled once.

An attempt is stored, with its key, before the gateway is called; after a crash in between, a job repeats the call with
the same key. An order has one attempt at a time: the next one waits for the outcome of the last. Money received is
never lost: where the order cannot accept it any more, a note says so. Not here: rows (shop/payments/attempts.py),
reports (shop/payments/gateway_events.py), refunds (shop/refunds/gateway_refunds.py). Rules:
docs/rules/order_statuses.md, 8: a payment that comes after its order was cancelled leaves it cancelled.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.shop.cart import store as cart_store
from vetrina.shop.checkout import endpoints
from vetrina.shop.orders import (
    model as order_model,
    notes as order_notes,
    rules as orders,
    statuses as order_statuses,
)
from vetrina.shop.orders.model import Order
from vetrina.shop.payments import attempt_polling, attempts, disputes, gateways
from vetrina.shop.payments.attempts import ABANDONED, FAILED, PAID, PENDING, WAITING, PaymentAttempt
from vetrina.shop.payments.gateway_contract import PaymentOutcome, PaymentRequest, SupportsPaymentCancel
from vetrina.shop.payments.gateways import ConfiguredGateway
from vetrina.shop.settings import currencies

_MAX_MESSAGE_LENGTH: Final = 500  # characters of a gateway's message
_MAX_REFERENCE_LENGTH: Final = 200  # characters
_MAX_ADDRESS_LENGTH: Final = 4000  # characters of a URL
_ON_HOLD: Final = "on-hold"
_PUBLIC_DETAILS_KEY: Final = "shown"  # key of the public part of an attempt's details
_MIN_CHECK_INTERVAL: Final = 10  # seconds between two polls of a gateway for a waiting customer

_log = logging.getLogger(__name__)


def build_webhook_path(gateway: str) -> str:
    """Return the path of a gateway's reports, beneath the root of the interface."""
    return f"/shop/v3/payment_gateways/{gateway}/webhook"


def begin_payment(
    work: UnitOfWork, order: Order, method: ConfiguredGateway | None, data: Mapping[str, Any], cart_key: str = ""
) -> tuple[PaymentAttempt, bool] | None:
    """Return the payment attempt of an order, and whether it is new; None where no gateway is called.

    A pending attempt of the order is returned instead. One that waits for the buyer is abandoned when they come back
    with another payment method or another amount; or with other data, where the gateway can cancel it, which is done
    first.
    """
    if method is None or method.gateway.service is None or order.total <= 0:
        return None
    for old in attempts.list_order_attempts(work, order.id):
        if (
            old.state == PENDING
            and _is_same_payment(old, order, method)
            and _is_payment_data_replaced(work, old, method, data)
        ):
            return attempts.update_attempt(work, old, state=ABANDONED), False
        if old.state == WAITING or (old.state == PENDING and _is_same_payment(old, order, method)):
            return old, False
        if old.state == PENDING:
            attempt_polling.enqueue_poll(work, attempts.update_attempt(work, old, state=ABANDONED))
    made = attempts.create_attempt(
        work, attempts.PAYMENT, order.id, method.gateway.id, order.total, order.currency,
        details={"data": dict(data), "api": work.api(""), "return": endpoints.build_order_received_url(work, order)},
        cart=cart_key,
    )  # fmt: skip
    return made, True


def _is_same_payment(attempt: PaymentAttempt, order: Order, method: ConfiguredGateway) -> bool:
    return (attempt.gateway, attempt.amount, attempt.currency) == (method.gateway.id, order.total, order.currency)


def _is_payment_data_replaced(
    work: UnitOfWork, attempt: PaymentAttempt, method: ConfiguredGateway, data: Mapping[str, Any]
) -> bool:
    """Return whether a buyer who was redirected to pay comes back with other payment data."""
    if not data or not attempt.redirect_url or not isinstance(method.gateway.service, SupportsPaymentCancel):
        return False
    return bool(attempts.load_attempt_details(work, attempt).get("data") != dict(data))


def build_payment_call(work: UnitOfWork, attempt: PaymentAttempt) -> Callable[[], PaymentOutcome] | None:
    """Return the call that makes or polls a payment; None where there is nothing to call for."""
    method = _find_gateway(work, attempt)
    service = method.gateway.service if method is not None else None
    if method is None or service is None or not attempt.is_open:
        return None
    details, order = attempts.load_attempt_details(work, attempt), order_model.find_order(work, attempt.order)
    request = PaymentRequest(
        attempt.key, attempt.order, attempt.amount, attempt.currency, attempt.reference,
        order.billing if order is not None else {}, details.get("data", {}) if attempt.state == WAITING else {},
        method.values, str(details.get("return", "")), f"{details.get('api', '')}{build_webhook_path(attempt.gateway)}",
        work.site.outbound, work.now - attempt.created,
    )  # fmt: skip
    call = service.begin if attempt.state == WAITING else service.confirm
    if isinstance(service, SupportsPaymentCancel) and _is_payment_unwanted(attempt, order):
        call = service.cancel
    return lambda: call(request)


def _is_payment_unwanted(attempt: PaymentAttempt, order: Order | None) -> bool:
    """Return whether a payment is obsolete: its buyer abandoned it, or its order is not payable any more."""
    if attempt.state != PENDING or not attempt.redirect_url:
        return attempt.state == ABANDONED
    meaning = order_statuses.STATUSES_BY_SLUG.get(order.status) if order is not None else None
    return order is None or not (order.status == _ON_HOLD or (meaning is not None and meaning.payable))


def run_gateway_call(call: Callable[[], PaymentOutcome] | None) -> PaymentOutcome | None:
    """Return the outcome of a gateway call, None where it is unknown; no transaction may be open."""
    if call is None:
        return None
    try:
        return call()
    except Exception as error:
        # Whatever fails in a third-party package, the money may have moved: the call is repeated with the same key.
        _log.warning("a payment gateway did not answer: %s", type(error).__name__, exc_info=error)
        return None


def _find_gateway(work: UnitOfWork, attempt: PaymentAttempt) -> ConfiguredGateway | None:
    try:
        return gateways.get_gateway(work, attempt.gateway)
    except gateways.GatewayNotFound:
        return None


def is_payment_check_due(work: UnitOfWork, order: Order) -> bool:
    """Return whether it is time to poll the outcome of an order's payment for a waiting customer."""
    return any(_is_attempt_check_due(work, old) for old in attempts.list_order_attempts(work, order.id))


def enqueue_payment_check(work: UnitOfWork, order: Order) -> None:
    """Enqueue a job that polls the outcome of an order's payment."""
    for old in attempts.list_order_attempts(work, order.id):
        if _is_attempt_check_due(work, old):
            attempt_polling.enqueue_poll(work, old)


def _is_attempt_check_due(work: UnitOfWork, attempt: PaymentAttempt) -> bool:
    return attempt.is_open and work.now - attempt.modified >= _MIN_CHECK_INTERVAL


def settle_payment(work: UnitOfWork, id: int, outcome: PaymentOutcome | None) -> PaymentAttempt | None:
    """Store the outcome of a payment and return its attempt; None where there is none.

    outcome: None where it is unknown. Storing the same outcome again changes nothing.
    """
    attempt = attempts.find_attempt(work, id)
    if attempt is None or attempt.kind != attempts.PAYMENT:
        return None
    if outcome is None:
        return attempt_polling.schedule_poll(work, attempt)
    said = {
        "reference": attempts.clean_gateway_text(outcome.reference, _MAX_REFERENCE_LENGTH) or attempt.reference,
        "message": attempts.clean_gateway_text(outcome.message, _MAX_MESSAGE_LENGTH),
        "redirect_url": attempts.clean_gateway_text(outcome.redirect_url, _MAX_ADDRESS_LENGTH),
    }
    if attempt.state == PAID:
        return attempt  # a later report does not undo a payment
    if outcome.state == PAID:
        return _settle_paid_attempt(work, attempts.update_attempt(work, attempt, state=PAID, **said))
    if outcome.state == FAILED and attempt.state == ABANDONED:
        return attempts.update_attempt(work, attempt, state=FAILED, **said)  # the buyer moved on, and so did the order
    if outcome.state == FAILED:
        return (
            attempt
            if attempt.state == FAILED
            else _settle_failed_attempt(work, attempts.update_attempt(work, attempt, state=FAILED, **said))
        )
    if attempt.state == FAILED:
        return attempt
    if outcome.details:
        said["details"] = attempts.extend_attempt_details(work, attempt, {_PUBLIC_DETAILS_KEY: dict(outcome.details)})
    if not outcome.buyer_done:
        said["redirect_url"] = said["redirect_url"] or attempt.redirect_url
    return _settle_pending_attempt(work, attempt, said)


def serialize_payment_details(work: UnitOfWork, attempt: PaymentAttempt) -> dict[str, str]:
    """Return what the checkout page needs while a payment is pending, by name."""
    if attempt.state != PENDING:
        return {}
    return {
        str(name): str(value)
        for name, value in attempts.load_attempt_details(work, attempt).get(_PUBLIC_DETAILS_KEY, {}).items()
    }


# -- effects of an outcome


def _settle_paid_attempt(work: UnitOfWork, attempt: PaymentAttempt) -> PaymentAttempt:
    order, sum = order_model.find_order(work, attempt.order), _format_attempt_amount(attempt)
    if order is None:
        _log.warning(
            "%s came by %s as %s for order %s, which is gone", sum, attempt.gateway, attempt.reference, attempt.order
        )
        return attempt
    meaning = order_statuses.STATUSES_BY_SLUG.get(order.status)
    is_disputed = order.status == _ON_HOLD and disputes.has_open_dispute(work, order.id)
    if meaning is None or is_disputed or not (meaning.payable or order.status == _ON_HOLD):
        again = is_disputed or (meaning is not None and (meaning.paid or order.status == "refunded"))
        word = "a second time" if again else "too late"
        _add_order_note(
            work,
            order,
            f"A payment of {sum} came by {attempt.gateway} ({attempt.reference}) {word}: the order is {order.status}. "
            "Send the goods, or give the money back.",
        )
        if not order.transaction_id:
            named = _apply_payment_method(work, order, attempt)
            order_model.save_order(
                work, order, msgspec.structs.replace(named, transaction_id=attempt.reference, paid=work.now)
            )
        return attempt
    if (attempt.amount, attempt.currency) != (order.total, order.currency):
        _add_order_note(
            work,
            order,
            f"A payment of {sum} came by {attempt.gateway} ({attempt.reference}); the order comes to another sum.",
        )
        if attempt.amount < order.total or attempt.currency != order.currency:
            orders.update_order(work, order, {"status": _ON_HOLD, "transaction_id": attempt.reference})
            return attempt
    items = order_model.load_items_by_owner(work, (order.id,))[order.id]
    order_model.save_order(
        work, order, orders.mark_order_paid(work, _apply_payment_method(work, order, attempt), items, attempt.reference)
    )
    _empty_paid_cart(work, attempt)
    return attempt


def _settle_failed_attempt(work: UnitOfWork, attempt: PaymentAttempt) -> PaymentAttempt:
    order = order_model.find_order(work, attempt.order)
    others = [other for other in attempts.list_order_attempts(work, attempt.order) if other.id > attempt.id]
    if order is None or others or order.status not in ("pending", _ON_HOLD) or order.payment_method != attempt.gateway:
        return attempt
    _add_order_note(
        work,
        order,
        f"The payment of {_format_attempt_amount(attempt)} by {attempt.gateway} failed: "
        f"{attempt.message or 'no reason was given'}",
    )
    orders.update_order(work, order, {"status": "failed"})
    return attempt


def _settle_pending_attempt(work: UnitOfWork, attempt: PaymentAttempt, said: Mapping[str, str]) -> PaymentAttempt:
    state = ABANDONED if attempt.state == ABANDONED else PENDING
    attempt = attempt_polling.schedule_poll(
        work, attempts.update_attempt(work, attempt, state=state, tries=attempt.tries, **said)
    )
    order = order_model.find_order(work, attempt.order)
    if order is not None and not attempt.redirect_url and state == PENDING and order.status == "pending":
        # The buyer has done their part: the stock is reserved for them.
        _add_order_note(
            work, order, f"{_format_attempt_amount(attempt)} will come by {attempt.gateway} ({attempt.reference})."
        )
        orders.update_order(work, order, {"status": _ON_HOLD})
        _empty_paid_cart(work, attempt)
    return attempt


def _apply_payment_method(work: UnitOfWork, order: Order, attempt: PaymentAttempt) -> Order:
    """Return an order with the payment method that its money came by."""
    method = _find_gateway(work, attempt)
    title = method.title if method is not None else attempt.gateway
    if order.payment_method == attempt.gateway:
        return order
    return msgspec.structs.replace(order, payment_method=attempt.gateway, payment_method_title=title)


def _empty_paid_cart(work: UnitOfWork, attempt: PaymentAttempt) -> None:
    """Empty the cart of an order, unless the cart has begun another one since."""
    cart = cart_store.load_cart(work, attempt.cart) if attempt.cart else None
    if cart is not None and cart.draft == attempt.order:
        cart_store.save_cart(work, msgspec.structs.replace(cart, lines=(), coupons=(), draft=0))


def _add_order_note(work: UnitOfWork, order: Order, words: str) -> None:
    order_notes.create_order_note(work, order.id, words)


def _format_attempt_amount(attempt: PaymentAttempt) -> str:
    return f"{currencies.get_currency_symbol(attempt.currency)}{money.format_amount(attempt.amount, 2)}"
