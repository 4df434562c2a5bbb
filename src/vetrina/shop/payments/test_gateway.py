"""The test gateway: it takes no money, and says yes, no or later as the checkout tells it to.

There only where the profile says so (`shop_services.test_gateway`), and off until somebody switches it on. It signs its
reports as real ones do: HMAC-SHA256 over the time and the body, so that integrations can be tried from end to end.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, Final

import orjson

from vetrina.kernel.integers import whole
from vetrina.kernel.keys import digest, same
from vetrina.shop.payments.gateway_contract import (
    FAILED,
    PAID,
    PENDING,
    Forged,
    Notice,
    Outcome,
    Payment,
    Repayment,
    State,
)
from vetrina.shop.payments.gateways import Gateway
from vetrina.shop.settings.rules import Setting

__all__ = ["ANSWER", "GATEWAY", "SIGNATURE", "sign"]

ANSWER: Final = "test_answer"  # the member of `payment_data` that says what the gateway says
SIGNATURE: Final = "x-test-signature"  # header of a report: `t=SECONDS,v1=HMAC`
_TOLERANCE: Final = 300  # seconds that a report may be old
_REFUSED: Final = "The test gateway said no."
_STATES: Final[Mapping[str, State]] = {"paid": PAID, "pending": PENDING, "failed": FAILED}


def sign(secret: str, body: bytes, now: int) -> str:
    """Return the signature of a report; now: seconds since 1970."""
    made = hmac.new(secret.encode(), f"{now}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={now},v1={made}"


class _Service:
    def begin(self, payment: Payment) -> Outcome:
        reference = _reference("payment", payment.key)
        match str(payment.data.get(ANSWER) or "yes"):
            case "yes":
                return Outcome(PAID, reference)
            case "later":
                return Outcome(PENDING, reference)
            case "redirect":
                return Outcome(PENDING, reference, redirect_url=f"{payment.return_url}&test_payment={reference}")
            case _:
                return Outcome(FAILED, reference, _REFUSED)

    def confirm(self, payment: Payment) -> Outcome:
        said = str(payment.settings.get("confirm") or "later")
        states: Mapping[str, State] = {"yes": PAID, "no": FAILED}
        return Outcome(states.get(said, PENDING), payment.reference, _REFUSED if said == "no" else "")

    def refund(self, repayment: Repayment) -> Outcome:
        if repayment.settings.get("refunds") == "no":
            return Outcome(FAILED, message="The test gateway gives nothing back.")
        return Outcome(PAID, _reference("refund", repayment.key))

    def webhook(self, headers: Mapping[str, str], body: bytes, settings: Mapping[str, Any], now: int) -> Notice | None:
        secret, given = str(settings.get("webhook_secret") or ""), headers.get(SIGNATURE, "")
        at = whole(given.partition(",")[0].removeprefix("t="))
        # The time stands in the signature: a report that somebody overheard is worth nothing later.
        fresh = at is not None and abs(now - at) <= _TOLERANCE
        if not same(given, sign(secret, body, at or 0)) or not fresh or not secret:
            raise Forged
        try:
            told = orjson.loads(body)
            amount = Decimal(str(told["amount"])) if told.get("amount") is not None else None
            return Notice(
                str(told["id"]), _STATES[told["state"]], str(told.get("key") or ""), str(told.get("payment") or ""),
                amount, str(told.get("currency") or ""),
            )  # fmt: skip
        except (ValueError, KeyError, TypeError, AttributeError, InvalidOperation):
            return None


def _reference(kind: str, key: str) -> str:
    """Return the gateway's number of something: the same for the same key, as a real one remembers it."""
    return f"test_{kind}_{digest('', key)[:16]}"


_ANSWERS: Final = {"later": "Nobody knows yet", "yes": "It is paid", "no": "It failed"}
_SETTINGS: Final = (
    Setting("title", "Title", "safe_text", "Test payment", tip="What customers see at the checkout."),
    Setting("confirm", "What became of later payments", "select", "later", options=_ANSWERS, tip=""),
    Setting("refunds", "Gives money back", "checkbox", "yes", tip=""),
    Setting("webhook_secret", "Secret of reports", "password", "", tip="Reports are refused until there is one."),
)
GATEWAY: Final = Gateway(
    "test", "Test payment", "A test: no money is taken.", "Test gateway",
    "For trying a shop out. It takes no money: never switch it on where somebody sells.",
    {one.id: one for one in _SETTINGS}, status="pending", supports=("products", "refunds"), service=_Service(),
)  # fmt: skip
