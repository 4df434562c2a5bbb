"""The job of a payment or a refund that nobody finished: it asks the gateway, and writes what it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from vetrina.core.background_work import Errand
from vetrina.core.unit_of_work import Work
from vetrina.shop.payments import attempts, gateway_events
from vetrina.shop.payments import rules as payments
from vetrina.shop.payments.gateway_contract import Outcome
from vetrina.shop.refunds import gateway_refunds

__all__ = ["ERRAND", "call_of", "settle"]


def call_of(work: Work, id: int) -> Callable[[], Outcome] | None:
    """Return the call to the gateway that an attempt needs, None for none."""
    one = attempts.by_id(work, id)
    if one is None:
        return None
    return gateway_refunds.call_of(work, one) if one.kind == attempts.REFUND else payments.call_of(work, one)


def settle(work: Work, id: int, found: Outcome | None) -> None:
    """Write what a gateway said about an attempt, and what it had reported before its number was known."""
    one = attempts.by_id(work, id)
    if one is None:
        return
    if one.kind == attempts.REFUND:
        gateway_refunds.settle(work, id, found)
    else:
        payments.settle(work, id, found)
    settled = attempts.by_id(work, id)
    if settled is not None and settled.reference != one.reference:
        gateway_events.apply_early(work, settled)


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
