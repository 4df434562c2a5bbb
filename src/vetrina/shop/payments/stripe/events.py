"""What Stripe reports, read: events of payments, refunds and disputes as the shop takes them.

An event is read as JSON has it: which version of the interface it speaks is set at Stripe, and the members that are
read here are the same in all. Not here: the signature (shop/payments/stripe/gateway.py), what follows
(shop/payments/gateway_events.py). Rule: Stripe's documentation, "Types of events".
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
    Notice,
    RefundNotice,
    Report,
    State,
)
from vetrina.shop.payments.stripe.amounts import of_units

__all__ = ["PAYMENT_KEY", "REFUND_KEY", "REFUND_STATES", "member", "read_event"]

PAYMENT_KEY: Final = "payment_key"  # names of our keys among the metadata at Stripe
REFUND_KEY: Final = "refund_key"
REFUND_STATES: Final[Mapping[str, State]] = {
    "succeeded": PAID, "pending": PENDING, "requires_action": PENDING, "failed": FAILED, "canceled": FAILED,
}  # fmt: skip

_PAYMENTS: Final[Mapping[str, State]] = {
    "payment_intent.succeeded": PAID,
    "payment_intent.processing": PENDING,
    "payment_intent.payment_failed": FAILED,
    "payment_intent.canceled": FAILED,
}
_REFUNDS: Final = ("refund.created", "refund.updated", "refund.failed", "charge.refund.updated")
_DISPUTES: Final[Mapping[str, DisputeState]] = {
    "charge.dispute.created": OPENED,
    "charge.dispute.funds_withdrawn": FUNDS_WITHDRAWN,
    "charge.dispute.funds_reinstated": FUNDS_RETURNED,
}
_CLOSED: Final = "charge.dispute.closed"


def read_event(event: Any) -> Report | None:
    """Return what an event says, None for one that is about nothing here. event: as JSON has it."""
    id, kind, thing = member(event, "id"), member(event, "type"), member(event, "data", "object")
    if not isinstance(id, str) or not isinstance(kind, str) or not isinstance(thing, dict):
        return None
    if kind in _PAYMENTS:
        return _payment(id, _PAYMENTS[kind], thing)
    if kind in _REFUNDS:
        return _refund(id, thing)
    if kind == _CLOSED:
        return _dispute(id, LOST if thing.get("status") == "lost" else WON, thing)
    return _dispute(id, _DISPUTES[kind], thing) if kind in _DISPUTES else None


def member(of: Any, *names: str) -> Any:
    """Return a member of a member of …, None where there is none."""
    for name in names:
        of = of.get(name) if isinstance(of, dict) else None
    return of


def _payment(id: str, state: State, intent: dict[str, Any]) -> Notice | None:
    key = member(intent, "metadata", PAYMENT_KEY)
    if not key:
        return None  # not a payment of this software: an account may serve others, too
    currency = _currency(intent)
    amount = of_units(intent.get("amount_received" if state == PAID else "amount"), currency)
    message = member(intent, "last_payment_error", "message") or intent.get("cancellation_reason")
    return Notice(id, state, str(key), _text(intent, "id"), amount, currency, str(message or ""))


def _refund(id: str, refund: dict[str, Any]) -> Notice | RefundNotice | None:
    state = REFUND_STATES.get(_text(refund, "status"))
    key, currency = member(refund, "metadata", REFUND_KEY), _currency(refund)
    amount, reason = of_units(refund.get("amount"), currency), _text(refund, "failure_reason")
    if state is None or amount is None:
        return None
    if key or state == FAILED:
        return Notice(id, state, str(key or ""), _text(refund, "id"), amount, currency, reason)
    if state != PAID:
        return None  # made at Stripe, and the money is not on its way yet
    said = _text(refund, "reason")
    return RefundNotice(
        id, _text(refund, "id"), _text(refund, "payment_intent"), amount, currency,
        f"Refunded at Stripe: {said}" if said else "Refunded at Stripe.",
    )  # fmt: skip


def _dispute(id: str, state: DisputeState, dispute: dict[str, Any]) -> DisputeNotice | None:
    currency = _currency(dispute)
    amount = of_units(dispute.get("amount"), currency)
    if amount is None:
        return None
    said = _SAID.get(state)
    message = said(dispute) if said is not None else ""
    return DisputeNotice(
        id, state, _text(dispute, "id"), _text(dispute, "payment_intent"), amount, currency, message
    )  # fmt: skip


def _opened(dispute: dict[str, Any]) -> str:
    due, reason = member(dispute, "evidence_details", "due_by"), _text(dispute, "reason") or "not said"
    until = f" until {datetime.fromtimestamp(due, UTC):%Y-%m-%d}" if isinstance(due, int) and 0 < due < 1 << 35 else ""
    return f"Reason: {reason}. Answer it at Stripe{until}."


_SAID: Final[Mapping[DisputeState, Callable[[dict[str, Any]], str]]] = {OPENED: _opened}


def _currency(of: dict[str, Any]) -> str:
    return _text(of, "currency").upper()


def _text(of: dict[str, Any], name: str) -> str:
    value = of.get(name)
    return value if isinstance(value, str) else ""
