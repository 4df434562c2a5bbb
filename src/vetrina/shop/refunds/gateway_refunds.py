"""Refunds through the gateway that took the money: requested outside of every transaction, made once.

The amount of a pending attempt is reserved, so that it cannot be refunded a second time. The refund itself, with its
effects on stock and order, is made when the gateway has confirmed. Not here: refunds as such (shop/refunds/rules.py),
rows of attempts (shop/payments/attempts.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.orders import model as order_model, notes as order_notes
from vetrina.shop.orders.model import Order
from vetrina.shop.payments import attempt_polling, attempts, gateways
from vetrina.shop.payments.attempts import FAILED, PAID, PENDING, WAITING, PaymentAttempt
from vetrina.shop.payments.gateway_contract import PaymentOutcome, RefundRequest
from vetrina.shop.refunds import rules as refunds
from vetrina.shop.refunds.rules import CannotRefund, Refund

_KEPT_MEMBERS: Final = ("amount", "reason", "line_items", "api_restock", "meta_data")  # of the request, stored
_MAX_TEXT_LENGTH: Final = 500  # characters of a gateway's message
_REFUNDS_FEATURE: Final = "refunds"  # feature of a gateway that can refund


class RefundUnderWay(ApiError):
    """The outcome is unknown yet: the refund is made when the gateway confirms it."""

    failure, code = Failure.CONFLICT, "shop_rest_refund_under_way"
    message = "The gateway was asked to give {amount} back and has not said yet what came of it; the refund follows."


def is_gateway_refund_wanted(given: Mapping[str, Any]) -> bool:
    """Return whether the gateway is to make the refund."""
    return bool(given.get("api_refund", True))


def is_gateway_refund_possible(work: UnitOfWork, order: Order) -> bool:
    """Return whether a gateway took money of an order that it can refund."""
    return any(
        one.state == PAID and _find_refund_gateway(work, one) is not None
        for one in attempts.list_order_attempts(work, order.id)
    )


def begin_refund(work: UnitOfWork, order: Order, given: Mapping[str, Any]) -> PaymentAttempt | None:
    """Return the attempt of a refund, None where there is nothing to pay back.

    The same request while an outcome is pending returns the pending attempt. Raises InvalidRefund, CannotRefund.
    """
    sent = {name: given[name] for name in _KEPT_MEMBERS if given.get(name) is not None}
    stored = json.loads(json.dumps(sent, default=str))  # in its stored form
    open = [one for one in attempts.list_order_attempts(work, order.id, attempts.REFUND) if one.is_open]
    for one in open:
        if attempts.load_attempt_details(work, one).get("given") == stored:
            return one
    amount = refunds.compute_refund_amount(work, order, stored)
    if not amount:
        return None
    source = _get_refundable_payment(work, order)
    left = source.amount - _sum_refunded_amounts(work, source)
    if amount > left:
        raise CannotRefund(
            why=f"Of what came by {source.gateway} {money.format_amount(left, 2)} is left; send "
            "`api_refund` as false for more."
        )
    return attempts.create_attempt(
        work, attempts.REFUND, order.id, source.gateway, amount, order.currency, parent=source.id,
        details={"given": stored, "by": work.user.id},
    )  # fmt: skip


def _get_refundable_payment(work: UnitOfWork, order: Order) -> PaymentAttempt:
    """Return the refundable payment of an order. Raises CannotRefund."""
    paid = [one for one in attempts.list_order_attempts(work, order.id) if one.state == PAID]
    found = [one for one in paid if _find_refund_gateway(work, one) is not None]
    if not found:
        raise CannotRefund(why="The payment of this order cannot be given back from here; send `api_refund` as false.")
    # Where an order was paid twice, the last payment is the surplus one.
    return found[-1]


def _sum_refunded_amounts(work: UnitOfWork, source: PaymentAttempt) -> Any:
    back = attempts.list_order_attempts(work, source.order, attempts.REFUND)
    return sum((one.amount for one in back if one.parent == source.id and one.state != FAILED), money.ZERO)


def _find_refund_gateway(work: UnitOfWork, attempt: PaymentAttempt) -> gateways.ConfiguredGateway | None:
    try:
        held = gateways.get_gateway(work, attempt.gateway)
    except gateways.GatewayNotFound:
        return None
    return held if held.gateway.service is not None and _REFUNDS_FEATURE in held.gateway.supports else None


def build_refund_call(work: UnitOfWork, attempt: PaymentAttempt) -> Callable[[], PaymentOutcome] | None:
    """Return the call that makes the refund; None where the outcome is known, or the gateway is missing."""
    method, source = _find_refund_gateway(work, attempt), attempts.find_attempt(work, attempt.parent)
    if method is None or method.gateway.service is None or source is None or not attempt.is_open:
        return None
    service, details = method.gateway.service, attempts.load_attempt_details(work, attempt).get("given", {})
    request = RefundRequest(
        attempt.key, attempt.order, attempt.amount, attempt.currency, source.reference,
        str(details.get("reason") or ""), method.values, work.site.outbound, work.now - attempt.created,
    )  # fmt: skip
    return lambda: service.refund(request)


def settle_refund(
    work: UnitOfWork, id: int, outcome: PaymentOutcome | None
) -> tuple[PaymentAttempt, Refund | None] | None:
    """Store the outcome of a refund and make the refund itself once. None where there is no such attempt."""
    attempt = attempts.find_attempt(work, id)
    if attempt is None or attempt.kind != attempts.REFUND:
        return None
    if attempt.state == PAID and outcome is not None and outcome.state == FAILED:
        return _settle_bounced_refund(work, attempt, outcome)
    if not attempt.is_open:
        return attempt, refunds.find_refund(work, attempt.refund) if attempt.refund else None
    if outcome is None:
        return attempt_polling.schedule_poll(work, attempt), None
    reference, message = (
        attempts.clean_gateway_text(outcome.reference, _MAX_TEXT_LENGTH) or attempt.reference,
        attempts.clean_gateway_text(outcome.message, _MAX_TEXT_LENGTH),
    )
    if outcome.state == PENDING:
        # To be polled with the same key, which the gateway answers with the current state.
        return attempt_polling.schedule_poll(
            work, attempts.update_attempt(work, attempt, state=WAITING, reference=reference)
        ), None
    if outcome.state == FAILED:
        failed = attempts.update_attempt(work, attempt, state=FAILED, reference=reference, message=message)
        if order_model.find_order(work, attempt.order) is not None:
            order_notes.create_order_note(
                work, attempt.order, f"{attempt.gateway} gave nothing back: {message or 'no reason was given'}"
            )
        return failed, None
    details = attempts.load_attempt_details(work, attempt)
    done = attempts.update_attempt(work, attempt, state=PAID, reference=reference)
    order = order_model.find_order(work, attempt.order)
    if order is None:
        return done, None
    given = {**details.get("given", {}), "amount": str(attempt.amount), "api_refund": False}
    try:
        with work.tx.savepoint():
            made = refunds.create_refund(work, order, given, by=int(details.get("by") or 0), paid_back=True)
    except ApiError as error:
        # The order was changed meanwhile. The money is refunded all the same, and the shop must know.
        order_notes.create_order_note(
            work,
            order.id,
            f"{money.format_amount(attempt.amount, 2)} went back by {attempt.gateway} ({reference}), "
            f"but no refund could be made of it: {error}",
        )
        return done, None
    order_notes.create_order_note(
        work, order.id, f"{money.format_amount(attempt.amount, 2)} went back by {attempt.gateway} ({reference})."
    )
    return attempts.update_attempt(work, done, refund=made.id), made


def _settle_bounced_refund(
    work: UnitOfWork, attempt: PaymentAttempt, outcome: PaymentOutcome
) -> tuple[PaymentAttempt, Refund | None]:
    """Record that refunded money did not reach the buyer; it can be refunded again."""
    message = attempts.clean_gateway_text(outcome.message, _MAX_TEXT_LENGTH)
    failed = attempts.update_attempt(work, attempt, state=FAILED, message=message)
    made = refunds.find_refund(work, attempt.refund) if attempt.refund else None
    if order_model.find_order(work, attempt.order) is not None:
        amount = money.format_amount(attempt.amount, 2)
        said = f"{amount} that went back by {attempt.gateway} ({attempt.reference}) did not arrive"
        then = f"; remove the refund {made.id} and make another one." if made is not None else "."
        why = message or "no reason was given"
        order_notes.create_order_note(work, attempt.order, f"{said}: {why}. The money is with the shop again{then}")
    return failed, made


def create_external_refund(
    work: UnitOfWork, source: PaymentAttempt, reference: str, amount: Decimal, reason: str
) -> None:
    """Make the refund of money that was refunded outside this shop, once; the gateway is not called.

    source: the refunded payment. reference: the gateway's reference of the refund or dispute.
    """
    if attempts.find_attempt_by_reference(work, source.gateway, reference) is not None:
        return
    details = {"given": {"amount": str(amount), "reason": reason}, "by": 0}
    one = attempts.create_attempt(
        work, attempts.REFUND, source.order, source.gateway, amount, source.currency, parent=source.id, details=details
    )
    settle_refund(work, one.id, PaymentOutcome("paid", reference))
