"""The test gateway: it takes no money, and succeeds, fails or delays as the checkout requests.

Available only where the profile enables it (`shop_services.test_gateway`), and off until it is switched on. It signs
its reports as real ones do, HMAC-SHA256 over the time and the body, so that integrations can be tested from end to end.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, Final

import orjson

from vetrina.kernel.integers import parse_digits
from vetrina.kernel.keys import compute_digest, is_equal_secret
from vetrina.shop.payments.gateway_contract import (
    FAILED,
    PAID,
    PENDING,
    InvalidGatewaySignature,
    PaymentNotice,
    PaymentOutcome,
    PaymentRequest,
    PaymentState,
    RefundRequest,
)
from vetrina.shop.payments.gateways import Gateway
from vetrina.shop.settings.rules import ShopSetting

ANSWER_MEMBER: Final = "test_answer"  # the member of `payment_data` that sets the outcome
SIGNATURE_HEADER: Final = "x-test-signature"  # header of a report: `t=SECONDS,v1=HMAC`
_SIGNATURE_TOLERANCE: Final = 300  # seconds that a report may be old
_REFUSED_MESSAGE: Final = "The test gateway said no."
_STATE_BY_NAME: Final[Mapping[str, PaymentState]] = {"paid": PAID, "pending": PENDING, "failed": FAILED}


def sign_report(secret: str, body: bytes, now: int) -> str:
    """Return the signature of a report; now: seconds since 1970."""
    made = hmac.new(secret.encode(), f"{now}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={now},v1={made}"


class _TestGatewayService:
    def begin(self, payment: PaymentRequest) -> PaymentOutcome:
        reference = _build_reference("payment", payment.key)
        match str(payment.data.get(ANSWER_MEMBER) or "yes"):
            case "yes":
                return PaymentOutcome(PAID, reference)
            case "later":
                return PaymentOutcome(PENDING, reference)
            case "redirect":
                return PaymentOutcome(PENDING, reference, redirect_url=f"{payment.return_url}&test_payment={reference}")
            case _:
                return PaymentOutcome(FAILED, reference, _REFUSED_MESSAGE)

    def confirm(self, payment: PaymentRequest) -> PaymentOutcome:
        said = str(payment.settings.get("confirm") or "later")
        states: Mapping[str, PaymentState] = {"yes": PAID, "no": FAILED}
        return PaymentOutcome(states.get(said, PENDING), payment.reference, _REFUSED_MESSAGE if said == "no" else "")

    def refund(self, repayment: RefundRequest) -> PaymentOutcome:
        if repayment.settings.get("refunds") == "no":
            return PaymentOutcome(FAILED, message="The test gateway gives nothing back.")
        return PaymentOutcome(PAID, _build_reference("refund", repayment.key))

    def webhook(
        self, headers: Mapping[str, str], body: bytes, settings: Mapping[str, Any], now: int
    ) -> PaymentNotice | None:
        secret, given = str(settings.get("webhook_secret") or ""), headers.get(SIGNATURE_HEADER, "")
        at = parse_digits(given.partition(",")[0].removeprefix("t="))
        # The signature covers the time: an intercepted report cannot be replayed later.
        fresh = at is not None and abs(now - at) <= _SIGNATURE_TOLERANCE
        if not is_equal_secret(given, sign_report(secret, body, at or 0)) or not fresh or not secret:
            raise InvalidGatewaySignature
        try:
            event = orjson.loads(body)
            amount = Decimal(str(event["amount"])) if event.get("amount") is not None else None
            return PaymentNotice(
                str(event["id"]), _STATE_BY_NAME[event["state"]], str(event.get("key") or ""),
                str(event.get("payment") or ""), amount, str(event.get("currency") or ""),
            )  # fmt: skip
        except (ValueError, KeyError, TypeError, AttributeError, InvalidOperation):
            return None


def _build_reference(kind: str, key: str) -> str:
    """Return the gateway's reference: the same for the same key, as with a real one."""
    return f"test_{kind}_{compute_digest('', key)[:16]}"


_ANSWER_LABELS: Final = {"later": "Nobody knows yet", "yes": "It is paid", "no": "It failed"}
_SETTINGS: Final = (
    ShopSetting("title", "Title", "safe_text", "Test payment", tip="What customers see at the checkout."),
    ShopSetting("confirm", "What became of later payments", "select", "later", options=_ANSWER_LABELS, tip=""),
    ShopSetting("refunds", "Gives money back", "checkbox", "yes", tip=""),
    ShopSetting("webhook_secret", "Secret of reports", "password", "", tip="Reports are refused until there is one."),
)
TEST_GATEWAY: Final = Gateway(
    "test", "Test payment", "A test: no money is taken.", "Test gateway",
    "For trying a shop out. It takes no money: never switch it on where somebody sells.",
    {one.id: one for one in _SETTINGS}, status="pending", supports=("products", "refunds"),
    service=_TestGatewayService(),
)  # fmt: skip
