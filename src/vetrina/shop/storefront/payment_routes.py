"""Paying at the checkout by an external gateway: store the order, call the gateway, store the outcome.

The gateway is called outside of a transaction: a slow gateway blocks no other request, and a crash at any point leaves
an attempt that a job carries on. Not here: orders (shop/checkout/rules.py), effects of an outcome
(shop/payments/order_payments.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from vetrina.access.passwords import hashing as password_hashing
from vetrina.core.call import Call
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Result
from vetrina.shop.payments import attempts, jobs as payment_jobs, order_payments as payments
from vetrina.shop.payments.attempts import PaymentAttempt
from vetrina.shop.payments.gateway_contract import PaymentOutcome

_ATTEMPT_KEY: Final = "attempt"  # lookup in which a handler leaves the attempt to run
_MAX_ROUNDS: Final = 2  # the attempt in the way, and the wanted one
_PENDING_MESSAGE: Final = "The payment service has not answered yet; it will be asked again."


class PaymentNeedsOwnRequest(ApiError):
    """A batch member needs an external payment, for which the batch's transaction would have to wait."""

    code = "shop_rest_checkout_needs_own_request"
    message = "This way of paying asks a service outside: send this request by itself, not in a batch."


@dataclass(slots=True)
class DeferredPayment:
    """Prepared value of a handler that stores the order and leaves the gateway call to `ask_gateway`.

    password: of a new account, hashed.
    """

    password: str = ""


def defer_attempt(call: Call, attempt: tuple[PaymentAttempt, bool] | None) -> None:
    """Leave an attempt, and whether it is new, to `ask_gateway`. Raises PaymentNeedsOwnRequest in a batch."""
    if attempt is not None and not isinstance(call.prepared, DeferredPayment):
        raise PaymentNeedsOwnRequest
    call.lookups[_ATTEMPT_KEY] = attempt


@dataclass(slots=True)
class CheckoutOutcome:
    """Outcome of the first two steps.

    result: of the handler, its errors too. attempt: id, 0 where no gateway was called. outcome: None where it is
    unknown. is_settled: whether it is stored already.
    """

    result: Result
    attempt: int = 0
    outcome: PaymentOutcome | None = None
    is_settled: bool = False

    def write_outcome(self, work: Any) -> PaymentAttempt | None:
        """Store the outcome and return the updated attempt; None where no gateway was called."""
        if not self.attempt:
            return None
        if not self.is_settled:
            payment_jobs.settle_attempt(work, self.attempt, self.outcome)
        return attempts.find_attempt(work, self.attempt)


@contextmanager
def ask_gateway(call: Call, store: Callable[[Call], Result], password: str) -> Iterator[CheckoutOutcome]:
    """Store an order, call its gateway, and yield the outcome to store.

    store: the handler, which leaves an attempt. password: of a new account.
    """
    request = call.request
    if not isinstance(request.steps, CheckoutOutcome):
        password = password_hashing.HashedPassword(password_hashing.hash_password(password)) if password else ""
        request.steps = _run_checkout_steps(call, store, password)
    yield request.steps


def _run_checkout_steps(call: Call, store: Callable[[Call], Result], password: str) -> CheckoutOutcome:
    assert call.open is not None
    for _ in range(_MAX_ROUNDS):
        with call.open(False) as work:
            inner = replace(call, work=work, lookups={}, prepared=DeferredPayment(password))
            result = store(inner)
        left: tuple[PaymentAttempt, bool] | None = inner.lookups.get(_ATTEMPT_KEY)
        if left is None:
            return CheckoutOutcome(result)
        attempt, is_new = left
        with call.open(True) as work:
            ask = payment_jobs.build_attempt_call(work, attempt.id)
        outcome = payments.run_gateway_call(ask)
        if is_new:
            return CheckoutOutcome(result, attempt.id, outcome)
        # An earlier attempt was in the way. If it has failed by now, the wanted one is next.
        with call.open(False) as work:
            payment_jobs.settle_attempt(work, attempt.id, outcome)
            now = attempts.find_attempt(work, attempt.id)
        if now is None or now.state != attempts.FAILED:
            break
    return CheckoutOutcome(result, attempt.id, is_settled=True)


def serialize_payment_result(work: UnitOfWork, attempt: PaymentAttempt, thanks: str) -> dict[str, Any]:
    """Return the payment result of the checkout; thanks: URL of the confirmation page."""
    match attempt.state:
        case attempts.PAID:
            status, leads, message = "success", thanks, ""
        case attempts.FAILED:
            status, leads, message = "failure", "", attempt.message
        case attempts.WAITING:
            status, leads, message = "pending", thanks, _PENDING_MESSAGE
        case _:
            status, leads, message = "pending", attempt.redirect_url or thanks, ""
    details = [{"key": "result", "value": status}]
    details += [{"key": "errorMessage", "value": message}] if message else [{"key": "redirect", "value": leads}]
    details += [
        {"key": name, "value": value} for name, value in payments.serialize_payment_details(work, attempt).items()
    ]
    return {"payment_status": status, "payment_details": details, "redirect_url": leads}
