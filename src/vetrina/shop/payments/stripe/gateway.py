"""Stripe: cards and what else its account offers, taken by payment intents that are confirmed here.

There only where the profile says so (`shop_services.stripe`); the library is an extra of the package and loaded with
the first call. Where Stripe is lies in the profile too: a manager of the shop must not lead this server into its own
network. Stripe forgets an idempotency key after a day, so who asks later than that looks first whether it was done. Not
here: the library (shop/payments/stripe/client.py), events (shop/payments/stripe/events.py), amounts
(shop/payments/stripe/amounts.py). Rules: Stripe's documentation, "Payment Intents", "Refunds", "Idempotent requests",
"Webhook signatures".
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import orjson

from vetrina.backends.http_client import AddressRefused, checked_address
from vetrina.kernel.integers import whole
from vetrina.shop.payments.gateway_contract import FAILED, PAID, PENDING, Forged, Outcome, Payment, Repayment, Report
from vetrina.shop.payments.gateways import Gateway
from vetrina.shop.payments.stripe.amounts import in_units
from vetrina.shop.payments.stripe.events import PAYMENT_KEY, REFUND_KEY, REFUND_STATES, member, read_event
from vetrina.shop.settings.rules import Setting

if TYPE_CHECKING:
    from stripe import StripeClient
    from stripe.params import PaymentIntentCreateParams, RefundCreateParams

__all__ = ["METHODS", "SIGNATURE", "at"]

METHODS: Final = ("stripe_payment_method", "payment_method")  # members of `payment_data`, the first that is there
SIGNATURE: Final = "stripe-signature"
_TOLERANCE: Final = 300  # seconds that a report may be old
_KEY_LIVES: Final = 20 * 3600  # seconds in which Stripe surely knows a key again
_FOUND: Final = 24 * 3600  # seconds after which a search surely finds what was made while the key lived
_SURE: Final = 60  # seconds in which a call is the first one: nothing can have been done by an earlier one
_AGAIN: Final = 30  # seconds after which a refund is asked for again
_LONGEST: Final = 500  # characters of a value of metadata
_REFUNDS: Final = 100  # of a payment that are looked through, as many as Stripe lists at once

_NO_METHOD: Final = "Nothing to pay with was sent; send `stripe_payment_method` in `payment_data`."
_NO_UNITS: Final = "{amount} {currency} has parts that are too small to be paid by card."
_NO_KEY: Final = "Payments by card are not set up properly; choose another way of paying."
_NOT_PAID: Final = "The payment was not completed."
_NEVER_CAME: Final = "Stripe was not reached in a day; nothing was taken."
_FAILED: Final = ("requires_payment_method", "canceled")

_log = logging.getLogger(__name__)


class _Service:
    """url: scheme, host and port of Stripe's interface."""

    def __init__(self, url: str) -> None:
        self._url = url

    def begin(self, payment: Payment) -> Outcome:
        from vetrina.shop.payments.stripe.client import Declined, KeyRefused, ask

        units = in_units(payment.amount, payment.currency)
        method = next((str(payment.data[name]) for name in METHODS if payment.data.get(name)), "")
        if units is None or not method:
            no_units = _NO_UNITS.format(amount=payment.amount, currency=payment.currency)
            return Outcome(FAILED, message=_NO_METHOD if units is not None else no_units)
        if payment.age >= _KEY_LIVES:
            return self._looked_for(payment)
        asked: PaymentIntentCreateParams = {
            "amount": units,
            "currency": payment.currency.lower(),
            "payment_method": method,
            "confirm": True,
            "description": f"Order {payment.order}",
            "metadata": {"order_id": str(payment.order), PAYMENT_KEY: payment.key},
            "return_url": payment.return_url,
        }
        if suffix := str(payment.settings.get("statement_descriptor_suffix") or ""):
            asked["statement_descriptor_suffix"] = suffix
        try:
            client = self._client(payment)
            return _outcome(ask(lambda: client.v1.payment_intents.create(asked, {"idempotency_key": payment.key})))
        except Declined as declined:
            return Outcome(FAILED, declined.reference, declined.message)
        except KeyRefused as refused:
            if payment.age >= _SURE:
                raise
            _log.error("Stripe refuses the secret key: %s", refused)
            return Outcome(FAILED, message=_NO_KEY)

    def confirm(self, payment: Payment) -> Outcome:
        from vetrina.shop.payments.stripe.client import ask

        client = self._client(payment)
        return _outcome(ask(lambda: client.v1.payment_intents.retrieve(payment.reference)))

    def cancel(self, payment: Payment) -> Outcome:
        from vetrina.shop.payments.stripe.client import Declined, ask

        client = self._client(payment)
        try:
            return _outcome(ask(lambda: client.v1.payment_intents.cancel(payment.reference)))
        except Declined:
            return self.confirm(payment)  # it was paid, or called off, at that moment

    def refund(self, repayment: Repayment) -> Outcome:
        from vetrina.shop.payments.stripe.client import Declined, KeyRefused, ask

        units = in_units(repayment.amount, repayment.currency)
        if units is None:
            return Outcome(FAILED, message=_NO_UNITS.format(amount=repayment.amount, currency=repayment.currency))
        metadata = {"order_id": str(repayment.order), REFUND_KEY: repayment.key}
        if repayment.reason:
            metadata["reason"] = repayment.reason[:_LONGEST]
        asked: RefundCreateParams = {"payment_intent": repayment.reference, "amount": units, "metadata": metadata}
        try:
            client = self._client(repayment)
            found = self._refund_of(client, repayment) if repayment.age >= _AGAIN else None
            return _refund_outcome(
                found or ask(lambda: client.v1.refunds.create(asked, {"idempotency_key": repayment.key}))
            )
        except Declined as declined:
            return Outcome(FAILED, message=declined.message)
        except KeyRefused as refused:
            if repayment.age >= _SURE:
                raise
            return Outcome(FAILED, message=f"Stripe refuses the secret key: {refused}")

    def _refund_of(self, client: StripeClient, repayment: Repayment) -> dict[str, Any] | None:
        """Return the refund that was made by this key; asked again, a key answers only what it answered first."""
        from vetrina.shop.payments.stripe.client import Declined, ask

        try:
            made = ask(lambda: client.v1.refunds.list({"payment_intent": repayment.reference, "limit": _REFUNDS}))
        except Declined as declined:
            # That it does not list them says nothing of what it did.
            raise LookupError(f"Stripe does not list the refunds of a payment: {declined}") from declined
        for refund in made["data"]:
            if member(refund, "metadata", REFUND_KEY) == repayment.key:
                return dict(refund)
        return None

    def webhook(self, headers: Mapping[str, str], body: bytes, settings: Mapping[str, Any], now: int) -> Report | None:
        from vetrina.shop.payments.stripe.client import is_signed

        header, secret = headers.get(SIGNATURE, ""), str(settings.get("webhook_secret") or "")
        # The first time of the header is the one that is signed.
        times = [whole(part[2:]) for part in header.split(",") if part.startswith("t=")]
        at = times[0] if times else None
        if not secret or at is None or abs(now - at) > _TOLERANCE or not is_signed(body, header, secret):
            raise Forged
        try:
            return read_event(orjson.loads(body))
        except orjson.JSONDecodeError:
            return None

    def _looked_for(self, payment: Payment) -> Outcome:
        """Return what became of a payment whose key Stripe may have forgotten: it is never asked for again."""
        from vetrina.shop.payments.stripe.client import ask

        if payment.age < _FOUND:
            raise TimeoutError("whether Stripe took this payment is known tomorrow")
        client = self._client(payment)
        query = f"metadata['{PAYMENT_KEY}']:'{payment.key}'"
        found = ask(lambda: client.v1.payment_intents.search({"query": query}))["data"]
        return _outcome(found[0]) if found else Outcome(FAILED, message=_NEVER_CAME)

    def _client(self, of: Payment | Repayment) -> StripeClient:
        from vetrina.shop.payments.stripe import client as stripe_client

        return stripe_client.client(self._url, str(of.settings.get("secret_key") or "").strip(), of.outbound)


def _outcome(intent: dict[str, Any]) -> Outcome:
    """Return how a payment intent stands."""
    status, id = intent.get("status"), str(intent["id"])
    if status == "succeeded":
        return Outcome(PAID, id)
    if status in _FAILED:
        return Outcome(FAILED, id, str(member(intent, "last_payment_error", "message") or _NOT_PAID))
    if status != "requires_action":
        # Under way at the bank, or only reserved: the money comes, or an event says that it does not.
        return Outcome(PENDING, id)
    leads = str(member(intent, "next_action", "redirect_to_url", "url") or "")
    secret = str(intent.get("client_secret") or "")
    return Outcome(PENDING, id, redirect_url=leads, details={"client_secret": secret} if secret else {})


def _refund_outcome(refund: dict[str, Any]) -> Outcome:
    state = REFUND_STATES.get(str(refund.get("status")), PENDING)
    return Outcome(state, str(refund["id"]), str(refund.get("failure_reason") or "") if state == FAILED else "")


_SETTINGS: Final = (
    Setting("title", "Title", "safe_text", "Card", tip="What customers see at the checkout."),
    Setting("secret_key", "Secret key", "password", "", tip="Begins with `sk_` or `rk_`; from your account at Stripe."),
    Setting(
        "webhook_secret", "Secret of reports", "password", "",
        tip="Begins with `whsec_`; Stripe shows it with the address that it reports to.",
    ),
    Setting(
        "statement_descriptor_suffix", "Words on statements", "text", "",
        tip="What buyers read on their card's statement behind the name of your account; at most 22 letters in all.",
    ),
)  # fmt: skip


@cache
def at(url: str) -> Gateway:
    """Return the way of paying; url: scheme, host and port of Stripe's interface.

    Raises ValueError when that cannot be read, or the extra `stripe` is not installed.
    """
    if find_spec("stripe") is None:
        raise ValueError("shop_services.stripe needs its library: pip install 'vetrina[stripe]'")
    try:
        checked_address(url, None)
    except AddressRefused as error:
        raise ValueError(f"shop_services.stripe_url: {error}") from None
    return Gateway(
        "stripe", "Card", "Pay by card.", "Stripe", "Takes cards, and what else your account at Stripe offers.",
        {one.id: one for one in _SETTINGS}, status="pending", supports=("products", "refunds"),
        service=_Service(url.rstrip("/")), cards=True, required=("secret_key", "webhook_secret"),
    )  # fmt: skip
