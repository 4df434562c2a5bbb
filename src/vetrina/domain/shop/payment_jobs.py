"""The job of a payment or a refund that nobody finished: it asks the gateway, and writes what it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from vetrina.domain.background import Errand
from vetrina.domain.work import Work

from . import payment_attempts as attempts
from . import payment_reports, payments, repayments
from .payment_calls import Outcome

__all__ = ["ERRAND", "call_of", "settle"]


def call_of(work: Work, id: int) -> Callable[[], Outcome] | None:
    """Return the call to the gateway that an attempt needs, None for none."""
    one = attempts.by_id(work, id)
    if one is None:
        return None
    return repayments.call_of(work, one) if one.kind == attempts.REFUND else payments.call_of(work, one)


def settle(work: Work, id: int, found: Outcome | None) -> None:
    """Write what a gateway said about an attempt, and what it had reported before its number was known."""
    one = attempts.by_id(work, id)
    if one is None:
        return
    if one.kind == attempts.REFUND:
        repayments.settle(work, id, found)
    else:
        payments.settle(work, id, found)
    settled = attempts.by_id(work, id)
    if settled is not None and settled.reference != one.reference:
        payment_reports.apply_early(work, settled)


def _ask(work: Work, arguments: Mapping[str, Any]) -> Callable[[], Outcome | None] | None:
    one = attempts.by_id(work, int(arguments["attempt"]))
    if one is None or not one.is_open:
        return None
    # Without its package there is no call, and nobody knows: it is asked when the package is there again.
    call = call_of(work, one.id)
    return lambda: payments.outcome_of(call)


def _keep(work: Work, arguments: Mapping[str, Any], found: Outcome | None) -> None:
    settle(work, int(arguments["attempt"]), found)


ERRAND = Errand(_ask, _keep)
