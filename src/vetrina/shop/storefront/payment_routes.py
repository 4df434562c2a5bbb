"""Paying at the checkout by a gateway outside: the order is stored, the gateway is asked, the answer is written.

Three steps, of which the middle one has no transaction: whoever waits for a gateway keeps nobody else waiting, and a
crash at any point leaves an attempt that a job carries on. Not here: orders (shop/checkout/rules.py), what an outcome
does (shop/payments/rules.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from vetrina.access.passwords import hashing as password_hashing
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.shop.payments import attempts
from vetrina.shop.payments import jobs as payment_jobs
from vetrina.shop.payments import rules as payments
from vetrina.shop.payments.attempts import Attempt
from vetrina.shop.payments.gateway_contract import Outcome

__all__ = ["Asked", "NeedsOwnRequest", "Placing", "ask_outside", "leave", "payment_result"]

_ATTEMPT: Final = "attempt"  # under which a handler leaves what is to be asked
_ROUNDS: Final = 2  # the attempt that stood in the way, and the one that is wanted
_UNKNOWN: Final = "The payment service has not answered yet; it will be asked again."


class NeedsOwnRequest(ApiError):
    """A member of a batch wants to be paid by somebody outside, for whom its transaction would have to wait."""

    code = "shop_rest_checkout_needs_own_request"
    message = "This way of paying asks a service outside: send this request by itself, not in a batch."


@dataclass(slots=True)
class Placing:
    """What a handler is prepared with that is to store the order and leave the asking to its caller. password: hashed,
    of a new account."""

    password: str = ""


def leave(call: Call, attempt: tuple[Attempt, bool] | None) -> None:
    """Leave an attempt, and whether it is new, to whoever asks the gateway. Raises NeedsOwnRequest in a batch."""
    if attempt is not None and not isinstance(call.prepared, Placing):
        raise NeedsOwnRequest
    call.kept[_ATTEMPT] = attempt


@dataclass(slots=True)
class Asked:
    """What came of the first two steps. result: of the handler, its refusals too. attempt: 0 where no gateway was
    asked. outcome: None where nobody knows. settled: whether it is written already."""

    result: Result
    attempt: int = 0
    outcome: Outcome | None = None
    settled: bool = False

    def written(self, work: Any) -> Attempt | None:
        """Write the outcome and return the attempt as it stands; None where no gateway was asked."""
        if not self.attempt:
            return None
        if not self.settled:
            payment_jobs.settle(work, self.attempt, self.outcome)
        return attempts.by_id(work, self.attempt)


@contextmanager
def ask_outside(call: Call, store: Callable[[Call], Result], password: str) -> Iterator[Asked]:
    """Store an order, ask its gateway, and give what is to be written.

    store: the handler, which leaves an attempt. password: of a new account.
    """
    request = call.request
    if not isinstance(request.steps, Asked):
        password = password_hashing.Hashed(password_hashing.hashed(password)) if password else ""
        request.steps = _asked(call, store, password)
    yield request.steps


def _asked(call: Call, store: Callable[[Call], Result], password: str) -> Asked:
    assert call.open is not None
    for _ in range(_ROUNDS):
        with call.open(False) as work:
            inner = replace(call, work=work, kept={}, prepared=Placing(password))
            result = store(inner)
        left: tuple[Attempt, bool] | None = inner.kept.get(_ATTEMPT)
        if left is None:
            return Asked(result)
        attempt, is_new = left
        with call.open(True) as work:
            ask = payment_jobs.call_of(work, attempt.id)
        outcome = payments.outcome_of(ask)
        if is_new:
            return Asked(result, attempt.id, outcome)
        # An earlier attempt stood in the way. Where it has failed by now, the one that is wanted has its turn.
        with call.open(False) as work:
            payment_jobs.settle(work, attempt.id, outcome)
            now = attempts.by_id(work, attempt.id)
        if now is None or now.state != attempts.FAILED:
            break
    return Asked(result, attempt.id, settled=True)


def payment_result(work: Work, attempt: Attempt, thanks: str) -> dict[str, Any]:
    """Return what the checkout says of a payment; thanks: the address to which a buyer comes in the end."""
    match attempt.state:
        case attempts.PAID:
            status, leads, message = "success", thanks, ""
        case attempts.FAILED:
            status, leads, message = "failure", "", attempt.message
        case attempts.WAITING:
            status, leads, message = "pending", thanks, _UNKNOWN
        case _:
            status, leads, message = "pending", attempt.redirect_url or thanks, ""
    details = [{"key": "result", "value": status}]
    details += [{"key": "errorMessage", "value": message}] if message else [{"key": "redirect", "value": leads}]
    details += [{"key": name, "value": value} for name, value in payments.shown_details(work, attempt).items()]
    return {"payment_status": status, "payment_details": details, "redirect_url": leads}
