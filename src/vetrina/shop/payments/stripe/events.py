"""Parsing of Stripe's events about payments, refunds and disputes.

An event is read as JSON: its API version is set at Stripe, and the members read here are the same in all versions.
Not here: the signature (shop/payments/stripe/gateway.py), effects (shop/payments/gateway_events.py).
Rule: Stripe's documentation, "Types of events".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from vetrina.shop.payments.gateway_contract import (
    FAILED,
    FUNDS_RETURNED,
    FUNDS_WITHDRAWN,
    LOST,
    OPENED,
    PAID,
    PENDING,
    WON,
    DisputeNotice,
    DisputeState,
    GatewayReport,
    PaymentNotice,
    PaymentState,
    RefundNotice,
)
from vetrina.shop.payments.stripe.amounts import decode_stripe_amount

PAYMENT_KEY: Final = "payment_key"  # our keys in the metadata at Stripe
REFUND_KEY: Final = "refund_key"
HOSTED_MARK: Final = "hosted_page"  # in the metadata of a payment on Stripe's page
REFUND_STATES: Final[Mapping[str, PaymentState]] = {
    "succeeded": PAID, "pending": PENDING, "requires_action": PENDING, "failed": FAILED, "canceled": FAILED,
}  # fmt: skip

_PAYMENT_EVENTS: Final[Mapping[str, PaymentState]] = {
    "payment_intent.succeeded": PAID,
    "payment_intent.processing": PENDING,
    "payment_intent.payment_failed": FAILED,
    "payment_intent.canceled": FAILED,
}
_SESSION_EVENTS: Final[Mapping[str, PaymentState]] = {
    "checkout.session.completed": PENDING,  # unless it says that it is paid
    "checkout.session.async_payment_succeeded": PAID,
    "checkout.session.async_payment_failed": FAILED,
    "checkout.session.expired": FAILED,
}
_REFUND_EVENTS: Final = ("refund.created", "refund.updated", "refund.failed", "charge.refund.updated")
_DISPUTE_EVENTS: Final[Mapping[str, DisputeState]] = {
    "charge.dispute.created": OPENED,
    "charge.dispute.funds_withdrawn": FUNDS_WITHDRAWN,
    "charge.dispute.funds_reinstated": FUNDS_RETURNED,
}
_DISPUTE_CLOSED_EVENT: Final = "charge.dispute.closed"


def parse_stripe_event(event: Any) -> GatewayReport | None:
    """Return the report of an event, None for one that is irrelevant. event: as JSON has it."""
    id, kind, thing = find_member(event, "id"), find_member(event, "type"), find_member(event, "data", "object")
    if not isinstance(id, str) or not isinstance(kind, str) or not isinstance(thing, dict):
        return None
    if kind in _PAYMENT_EVENTS:
        return _parse_payment_event(id, _PAYMENT_EVENTS[kind], thing)
    if kind in _SESSION_EVENTS:
        return _parse_session_event(id, _SESSION_EVENTS[kind], thing)
    if kind in _REFUND_EVENTS:
        return _parse_refund_event(id, thing)
    if kind == _DISPUTE_CLOSED_EVENT:
        return _parse_dispute_event(id, LOST if thing.get("status") == "lost" else WON, thing)
    return _parse_dispute_event(id, _DISPUTE_EVENTS[kind], thing) if kind in _DISPUTE_EVENTS else None


def find_member(of: Any, *names: str) -> Any:
    """Return a nested member, None where there is none."""
    for name in names:
        of = of.get(name) if isinstance(of, dict) else None
    return of


def _parse_payment_event(id: str, state: PaymentState, intent: dict[str, Any]) -> PaymentNotice | None:
    key = find_member(intent, "metadata", PAYMENT_KEY)
    if not key:
        return None  # not a payment of this software: an account may serve others too
    if state != PAID and find_member(intent, "metadata", HOSTED_MARK):
        return None  # the buyer may try again on Stripe's page: its session decides
    currency = _parse_currency(intent)
    amount = decode_stripe_amount(intent.get("amount_received" if state == PAID else "amount"), currency)
    message = find_member(intent, "last_payment_error", "message") or intent.get("cancellation_reason")
    return PaymentNotice(id, state, str(key), _get_text_member(intent, "id"), amount, currency, str(message or ""))


def _parse_session_event(id: str, state: PaymentState, session: dict[str, Any]) -> PaymentNotice | None:
    key, currency = find_member(session, "metadata", PAYMENT_KEY), _parse_currency(session)
    if not key:
        return None
    state = PAID if session.get("payment_status") == "paid" else state
    reference = _get_text_member(session, "payment_intent" if state == PAID else "id")
    amount = decode_stripe_amount(session.get("amount_total"), currency)
    return PaymentNotice(id, state, str(key), reference, amount, currency)


def _parse_refund_event(id: str, refund: dict[str, Any]) -> PaymentNotice | RefundNotice | None:
    state = REFUND_STATES.get(_get_text_member(refund, "status"))
    key, currency = find_member(refund, "metadata", REFUND_KEY), _parse_currency(refund)
    amount, reason = decode_stripe_amount(refund.get("amount"), currency), _get_text_member(refund, "failure_reason")
    if state is None or amount is None:
        return None
    if key or state == FAILED:
        return PaymentNotice(id, state, str(key or ""), _get_text_member(refund, "id"), amount, currency, reason)
    if state != PAID:
        return None  # made at Stripe, and the money is not on its way yet
    said = _get_text_member(refund, "reason")
    return RefundNotice(
        id, _get_text_member(refund, "id"), _get_text_member(refund, "payment_intent"), amount, currency,
        f"Refunded at Stripe: {said}" if said else "Refunded at Stripe.",
    )  # fmt: skip


def _parse_dispute_event(id: str, state: DisputeState, dispute: dict[str, Any]) -> DisputeNotice | None:
    currency = _parse_currency(dispute)
    amount = decode_stripe_amount(dispute.get("amount"), currency)
    if amount is None:
        return None
    said = _MESSAGE_FORMATTERS.get(state)
    message = said(dispute) if said is not None else ""
    return DisputeNotice(
        id, state, _get_text_member(dispute, "id"), _get_text_member(dispute, "payment_intent"), amount, currency,
        message,
    )  # fmt: skip


def _format_opened_dispute(dispute: dict[str, Any]) -> str:
    due, reason = find_member(dispute, "evidence_details", "due_by"), _get_text_member(dispute, "reason") or "not said"
    until = f" until {datetime.fromtimestamp(due, UTC):%Y-%m-%d}" if isinstance(due, int) and 0 < due < 1 << 35 else ""
    return f"Reason: {reason}. Answer it at Stripe{until}."


_MESSAGE_FORMATTERS: Final[Mapping[DisputeState, Callable[[dict[str, Any]], str]]] = {OPENED: _format_opened_dispute}


def _parse_currency(of: dict[str, Any]) -> str:
    return _get_text_member(of, "currency").upper()


def _get_text_member(of: dict[str, Any], name: str) -> str:
    value = of.get(name)
    return value if isinstance(value, str) else ""
