"""Stripe: cards and the other methods of its account, taken by payment intents that are confirmed here.

Where no payment method is sent, the buyer is led to Stripe's own page (shop/payments/stripe/hosted_pages.py).

Available only where the profile enables it (`shop_services.stripe`); the library is an extra of the package and
imported with the first call. Stripe's URL is in the profile too: a shop manager must not be able to point this server
into its own network. Stripe forgets an idempotency key after a day, so later calls first look up whether the request
was processed. Rules: Stripe's documentation, "Payment Intents", "Refunds", "Idempotent requests", "Webhook signatures".
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import orjson

from vetrina.backends.http_client_urls import OutboundAddressRefused, parse_target
from vetrina.kernel.integers import parse_digits
from vetrina.shop.payments.gateway_contract import (
    FAILED,
    PAID,
    PENDING,
    GatewayReport,
    InvalidGatewaySignature,
    PaymentOutcome,
    PaymentRequest,
    RefundRequest,
)
from vetrina.shop.payments.gateways import Gateway
from vetrina.shop.payments.stripe.amounts import encode_stripe_amount
from vetrina.shop.payments.stripe.events import PAYMENT_KEY, REFUND_KEY, REFUND_STATES, find_member, parse_stripe_event
from vetrina.shop.payments.stripe.hosted_pages import SESSION_PREFIX, build_session_outcome, build_session_params
from vetrina.shop.settings.rules import ShopSetting

if TYPE_CHECKING:
    from stripe import StripeClient
    from stripe.params import PaymentIntentCreateParams, RefundCreateParams


PAYMENT_METHOD_MEMBERS: Final = (
    "stripe_payment_method",
    "payment_method",
)  # members of `payment_data`, the first one that is present
SIGNATURE_HEADER: Final = "stripe-signature"
_SIGNATURE_TOLERANCE: Final = 300  # seconds that a report may be old
_IDEMPOTENCY_KEY_LIFETIME: Final = 20 * 3600  # seconds in which Stripe is sure to know a key
_SEARCHABLE_AFTER: Final = 24 * 3600  # seconds after which a search is sure to find what was made by the key
_FIRST_CALL_SECONDS: Final = 60  # seconds in which a call is the first: no earlier one can have taken effect
_REFUND_RETRY_AFTER: Final = 30  # seconds after which a refund is requested again
_MAX_METADATA_LENGTH: Final = 500  # characters of a metadata value
_MAX_LISTED_REFUNDS: Final = 100  # refunds of a payment that are searched, the most that Stripe lists at once

_NO_UNITS_MESSAGE: Final = "{amount} {currency} has parts that are too small to be paid by card."
_NO_KEY_MESSAGE: Final = "Payments by card are not set up properly; choose another way of paying."
_NOT_PAID_MESSAGE: Final = "The payment was not completed."
_NOT_REACHED_MESSAGE: Final = "Stripe was not reached in a day; nothing was taken."
_FAILED_STATUSES: Final = ("requires_payment_method", "canceled")

_log = logging.getLogger(__name__)


class _StripeService:
    """Payments by Stripe. url: scheme, host and port of Stripe's API."""

    def __init__(self, url: str) -> None:
        self._url = url

    def begin(self, payment: PaymentRequest) -> PaymentOutcome:
        from vetrina.shop.payments.stripe.client import StripeDeclined, StripeKeyRefused

        units = encode_stripe_amount(payment.amount, payment.currency)
        if units is None:
            return PaymentOutcome(
                FAILED, message=_NO_UNITS_MESSAGE.format(amount=payment.amount, currency=payment.currency)
            )
        if payment.age >= _IDEMPOTENCY_KEY_LIFETIME:
            return self._search_payment(payment)
        method = next((str(payment.data[name]) for name in PAYMENT_METHOD_MEMBERS if payment.data.get(name)), "")
        try:
            return self._charge(payment, units, method) if method else self._open_hosted_page(payment, units)
        except StripeDeclined as declined:
            return PaymentOutcome(FAILED, declined.reference, declined.message)
        except StripeKeyRefused as refused:
            if payment.age >= _FIRST_CALL_SECONDS:
                raise
            _log.error("Stripe refuses the secret key: %s", refused)
            return PaymentOutcome(FAILED, message=_NO_KEY_MESSAGE)

    def _charge(self, payment: PaymentRequest, units: int, method: str) -> PaymentOutcome:
        from vetrina.shop.payments.stripe.client import call_stripe

        params: PaymentIntentCreateParams = {
            "amount": units,
            "currency": payment.currency.lower(),
            "payment_method": method,
            "confirm": True,
            "description": f"Order {payment.order}",
            "metadata": {"order_id": str(payment.order), PAYMENT_KEY: payment.key},
            "return_url": payment.return_url,
        }
        if suffix := _get_statement_suffix(payment):
            params["statement_descriptor_suffix"] = suffix
        client = self._build_client(payment)
        return _build_payment_outcome(
            call_stripe(lambda: client.v1.payment_intents.create(params, {"idempotency_key": payment.key}))
        )

    def _open_hosted_page(self, payment: PaymentRequest, units: int) -> PaymentOutcome:
        from vetrina.shop.payments.stripe.client import call_stripe

        params, client = (
            build_session_params(payment, units, _get_statement_suffix(payment)),
            self._build_client(payment),
        )
        return build_session_outcome(
            call_stripe(lambda: client.v1.checkout.sessions.create(params, {"idempotency_key": payment.key}))
        )

    def confirm(self, payment: PaymentRequest) -> PaymentOutcome:
        from vetrina.shop.payments.stripe.client import call_stripe

        client, reference = self._build_client(payment), payment.reference
        if reference.startswith(SESSION_PREFIX):
            return build_session_outcome(
                call_stripe(lambda: client.v1.checkout.sessions.retrieve(reference, {"expand": ["payment_intent"]}))
            )
        return _build_payment_outcome(call_stripe(lambda: client.v1.payment_intents.retrieve(reference)))

    def cancel(self, payment: PaymentRequest) -> PaymentOutcome:
        from vetrina.shop.payments.stripe.client import StripeDeclined, call_stripe

        client, reference = self._build_client(payment), payment.reference
        try:
            if reference.startswith(SESSION_PREFIX):
                return build_session_outcome(call_stripe(lambda: client.v1.checkout.sessions.expire(reference)))
            return _build_payment_outcome(call_stripe(lambda: client.v1.payment_intents.cancel(reference)))
        except StripeDeclined:
            return self.confirm(payment)  # it was paid, or cancelled, meanwhile

    def refund(self, repayment: RefundRequest) -> PaymentOutcome:
        from vetrina.shop.payments.stripe.client import StripeDeclined, StripeKeyRefused, call_stripe

        units = encode_stripe_amount(repayment.amount, repayment.currency)
        if units is None:
            return PaymentOutcome(
                FAILED, message=_NO_UNITS_MESSAGE.format(amount=repayment.amount, currency=repayment.currency)
            )
        metadata = {"order_id": str(repayment.order), REFUND_KEY: repayment.key}
        if repayment.reason:
            metadata["reason"] = repayment.reason[:_MAX_METADATA_LENGTH]
        params: RefundCreateParams = {"payment_intent": repayment.reference, "amount": units, "metadata": metadata}
        try:
            client = self._build_client(repayment)
            found = self._find_refund(client, repayment) if repayment.age >= _REFUND_RETRY_AFTER else None
            return _build_refund_outcome(
                found or call_stripe(lambda: client.v1.refunds.create(params, {"idempotency_key": repayment.key}))
            )
        except StripeDeclined as declined:
            return PaymentOutcome(FAILED, message=declined.message)
        except StripeKeyRefused as refused:
            if repayment.age >= _FIRST_CALL_SECONDS:
                raise
            return PaymentOutcome(FAILED, message=f"Stripe refuses the secret key: {refused}")

    def _find_refund(self, client: StripeClient, repayment: RefundRequest) -> dict[str, Any] | None:
        """Return the refund that was made with this key; Stripe replies to a repeated key with its first reply only."""
        from vetrina.shop.payments.stripe.client import StripeDeclined, call_stripe

        try:
            made = call_stripe(
                lambda: client.v1.refunds.list({"payment_intent": repayment.reference, "limit": _MAX_LISTED_REFUNDS})
            )
        except StripeDeclined as declined:
            # A refused list says nothing about whether the refund was made.
            raise LookupError(f"Stripe does not list the refunds of a payment: {declined}") from declined
        for refund in made["data"]:
            if find_member(refund, "metadata", REFUND_KEY) == repayment.key:
                return dict(refund)
        return None

    def webhook(
        self, headers: Mapping[str, str], body: bytes, settings: Mapping[str, Any], now: int
    ) -> GatewayReport | None:
        from vetrina.shop.payments.stripe.client import is_stripe_signed

        header, secret = headers.get(SIGNATURE_HEADER, ""), str(settings.get("webhook_secret") or "")
        # The signature covers the first time of the header.
        times = [parse_digits(part[2:]) for part in header.split(",") if part.startswith("t=")]
        at = times[0] if times else None
        if (
            not secret
            or at is None
            or abs(now - at) > _SIGNATURE_TOLERANCE
            or not is_stripe_signed(body, header, secret)
        ):
            raise InvalidGatewaySignature
        try:
            return parse_stripe_event(orjson.loads(body))
        except orjson.JSONDecodeError:
            return None

    def _search_payment(self, payment: PaymentRequest) -> PaymentOutcome:
        """Return the outcome of a payment whose key Stripe may have forgotten: it is never requested again."""
        from vetrina.shop.payments.stripe.client import call_stripe

        if payment.age < _SEARCHABLE_AFTER:
            raise TimeoutError("whether Stripe took this payment is known tomorrow")
        client = self._build_client(payment)
        query = f"metadata['{PAYMENT_KEY}']:'{payment.key}'"
        found = call_stripe(lambda: client.v1.payment_intents.search({"query": query}))["data"]
        return _build_payment_outcome(found[0]) if found else PaymentOutcome(FAILED, message=_NOT_REACHED_MESSAGE)

    def _build_client(self, request: PaymentRequest | RefundRequest) -> StripeClient:
        from vetrina.shop.payments.stripe import client as stripe_client

        return stripe_client.build_stripe_client(
            self._url, str(request.settings.get("secret_key") or "").strip(), request.outbound
        )


def _get_statement_suffix(payment: PaymentRequest) -> str:
    return str(payment.settings.get("statement_descriptor_suffix") or "")


def _build_payment_outcome(intent: dict[str, Any]) -> PaymentOutcome:
    """Return the outcome of a payment intent."""
    status, id = intent.get("status"), str(intent["id"])
    if status == "succeeded":
        return PaymentOutcome(PAID, id)
    if status in _FAILED_STATUSES:
        return PaymentOutcome(
            FAILED, id, str(find_member(intent, "last_payment_error", "message") or _NOT_PAID_MESSAGE)
        )
    if status != "requires_action":
        # Processing at the bank, or only authorized: the money comes, or an event reports that it does not.
        return PaymentOutcome(PENDING, id, buyer_done=True)
    leads = str(find_member(intent, "next_action", "redirect_to_url", "url") or "")
    secret = str(intent.get("client_secret") or "")
    return PaymentOutcome(PENDING, id, redirect_url=leads, details={"client_secret": secret} if secret else {})


def _build_refund_outcome(refund: dict[str, Any]) -> PaymentOutcome:
    state = REFUND_STATES.get(str(refund.get("status")), PENDING)
    return PaymentOutcome(state, str(refund["id"]), str(refund.get("failure_reason") or "") if state == FAILED else "")


_SETTINGS: Final = (
    ShopSetting("title", "Title", "safe_text", "Card", tip="What customers see at the checkout."),
    ShopSetting(
        "secret_key", "Secret key", "password", "", tip="Begins with `sk_` or `rk_`; from your account at Stripe."
    ),
    ShopSetting(
        "webhook_secret", "Secret of reports", "password", "",
        tip="Begins with `whsec_`; Stripe shows it with the address that it reports to.",
    ),
    ShopSetting(
        "statement_descriptor_suffix", "Words on statements", "text", "",
        tip="What buyers read on their card's statement behind the name of your account; at most 22 letters in all.",
    ),
)  # fmt: skip


@cache
def build_stripe_gateway(url: str) -> Gateway:
    """Return the payment method; url: scheme, host and port of Stripe's API.

    Raises ValueError when that cannot be parsed, or the extra `stripe` is not installed.
    """
    if find_spec("stripe") is None:
        raise ValueError("shop_services.stripe needs its library: pip install 'vetrina[stripe]'")
    try:
        parse_target(url, None)
    except OutboundAddressRefused as error:
        raise ValueError(f"shop_services.stripe_url: {error}") from None
    return Gateway(
        "stripe", "Card", "Pay by card.", "Stripe", "Takes cards, and what else your account at Stripe offers.",
        {one.id: one for one in _SETTINGS}, status="pending", supports=("products", "refunds"),
        service=_StripeService(url.rstrip("/")), cards=True, required=("secret_key", "webhook_secret"),
    )  # fmt: skip
