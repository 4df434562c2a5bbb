"""The job of an unfinished payment or refund: it polls the gateway and stores the outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from vetrina.core.background_work import ExternalTask
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.payments import attempts, gateway_events, order_payments as payments
from vetrina.shop.payments.gateway_contract import PaymentOutcome
from vetrina.shop.refunds import gateway_refunds


def build_attempt_call(work: UnitOfWork, id: int) -> Callable[[], PaymentOutcome] | None:
    """Return the call to the gateway that an attempt needs, None for none."""
    one = attempts.find_attempt(work, id)
    if one is None:
        return None
    return (
        gateway_refunds.build_refund_call(work, one)
        if one.kind == attempts.REFUND
        else payments.build_payment_call(work, one)
    )


def settle_attempt(work: UnitOfWork, id: int, outcome: PaymentOutcome | None) -> None:
    """Store the outcome of an attempt, and apply the reports that came before its reference was known."""
    one = attempts.find_attempt(work, id)
    if one is None:
        return
    if one.kind == attempts.REFUND:
        gateway_refunds.settle_refund(work, id, outcome)
    else:
        payments.settle_payment(work, id, outcome)
    settled = attempts.find_attempt(work, id)
    if settled is not None and settled.reference != one.reference:
        gateway_events.apply_early_reports(work, settled)


def _build_pending_attempt_call(
    work: UnitOfWork, arguments: Mapping[str, Any]
) -> Callable[[], PaymentOutcome | None] | None:
    one = attempts.find_attempt(work, int(arguments["attempt"]))
    if one is None or not one.is_open:
        return None
    # Without its package there is no call and no outcome: it is polled again when the package is back.
    call = build_attempt_call(work, one.id)
    return lambda: payments.run_gateway_call(call)


def _settle_called_attempt(work: UnitOfWork, arguments: Mapping[str, Any], outcome: PaymentOutcome | None) -> None:
    settle_attempt(work, int(arguments["attempt"]), outcome)


PAYMENT_TASK = ExternalTask(_build_pending_attempt_call, _settle_called_attempt)
