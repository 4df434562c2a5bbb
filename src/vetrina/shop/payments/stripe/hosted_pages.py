"""Stripe's hosted payment page, for buyers whose page has no card fields: a Checkout Session and what became of it.

The session decides: on Stripe's page a buyer may try another card after one was declined, so only its own end, or money
that came, says how the payment ended. Not here: payments by a payment method that a front end has made
(shop/payments/stripe/gateway.py). Rule: Stripe's documentation, "Checkout Sessions", "Fulfill orders".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from vetrina.shop.payments.gateway_contract import FAILED, PAID, PENDING, PaymentOutcome, PaymentRequest
from vetrina.shop.payments.stripe.events import HOSTED_MARK, PAYMENT_KEY, find_member

if TYPE_CHECKING:
    from stripe.params.checkout import SessionCreateParams, SessionCreateParamsPaymentIntentData

SESSION_PREFIX: Final = "cs_"  # of the reference of a session; a payment intent's begins with `pi_`
_EXPIRED_MESSAGE: Final = "The payment was not completed."


def build_session_params(payment: PaymentRequest, units: int, suffix: str) -> SessionCreateParams:
    """Return what a session is created with. units: the amount as Stripe counts it. suffix: words on the statement."""
    metadata = {"order_id": str(payment.order), PAYMENT_KEY: payment.key, HOSTED_MARK: "1"}
    intent: SessionCreateParamsPaymentIntentData = {"description": f"Order {payment.order}", "metadata": metadata}
    if suffix:
        intent["statement_descriptor_suffix"] = suffix
    params: SessionCreateParams = {
        "mode": "payment",
        "line_items": [
            {
                "quantity": 1,
                "price_data": {
                    "currency": payment.currency.lower(),
                    "unit_amount": units,
                    "product_data": {"name": f"Order {payment.order}"},
                },
            }
        ],
        "client_reference_id": str(payment.order),
        "metadata": metadata,
        "payment_intent_data": intent,
        "success_url": payment.return_url,
        "cancel_url": payment.return_url,
    }
    if email := payment.billing.get("email"):
        params["customer_email"] = email
    return params


def build_session_outcome(session: dict[str, Any]) -> PaymentOutcome:
    """Return the outcome of a session. session: with its payment intent expanded, where it has one."""
    id, status, intent = str(session["id"]), session.get("status"), session.get("payment_intent")
    reference = str(find_member(intent, "id") or intent or id)
    if session.get("payment_status") == "paid":
        return PaymentOutcome(PAID, reference)
    if status == "expired":
        return PaymentOutcome(FAILED, id, _EXPIRED_MESSAGE)
    if status != "complete":
        return PaymentOutcome(PENDING, id, redirect_url=str(session.get("url") or ""))
    # A debit or a transfer, which takes days: the buyer has done their part.
    if find_member(intent, "status") in ("requires_payment_method", "canceled"):
        said = find_member(intent, "last_payment_error", "message")
        return PaymentOutcome(FAILED, reference, str(said or _EXPIRED_MESSAGE))
    return PaymentOutcome(PENDING, id, buyer_done=True)
