"""The contract of gateway packages that take money themselves: requests, outcomes and reports.

The shop calls a gateway outside of every transaction, and may repeat a call with the same key after a crash or a lost
reply: calls with the same key must take effect once. Not here: the list of gateways (shop/payments/gateways.py),
effects of an outcome (shop/payments/order_payments.py, shop/refunds/gateway_refunds.py). The guide is docs/gateways.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal, Protocol, runtime_checkable

import msgspec

from vetrina.backends.http_client import OutboundClient

PaymentState = Literal["paid", "pending", "failed"]
PAID: PaymentState = "paid"
PENDING: PaymentState = "pending"
FAILED: PaymentState = "failed"

DisputeState = Literal["opened", "funds_withdrawn", "funds_returned", "won", "lost"]
OPENED: DisputeState = "opened"
FUNDS_WITHDRAWN: DisputeState = "funds_withdrawn"
FUNDS_RETURNED: DisputeState = "funds_returned"
WON: DisputeState = "won"
LOST: DisputeState = "lost"


class InvalidGatewaySignature(Exception):
    """A report without the gateway's signature."""


class PaymentRequest(msgspec.Struct, frozen=True):
    """Request for a payment.

    key: the same for every call about it. order: the order's id. reference: the gateway's reference, empty before it is
    known. amount: in whole units of the currency. billing: the payer's address, by the interface's names. data: the
    checkout's `payment_data`, empty for `confirm`. settings: the shop's values. return_url: where the buyer returns to.
    webhook_url: where the gateway sends its reports. outbound: HTTP client, limited in time and size. age: seconds
    since the first request; most services forget a key after a day.
    """

    key: str
    order: int
    amount: Decimal
    currency: str
    reference: str
    billing: Mapping[str, str]
    data: Mapping[str, Any]
    settings: Mapping[str, Any]
    return_url: str
    webhook_url: str
    outbound: OutboundClient
    age: int = 0


class RefundRequest(msgspec.Struct, frozen=True):
    """Request for a refund. reference: of the payment to refund; the rest as in `PaymentRequest`."""

    key: str
    order: int
    amount: Decimal
    currency: str
    reference: str
    reason: str
    settings: Mapping[str, Any]
    outbound: OutboundClient
    age: int = 0


class PaymentOutcome(msgspec.Struct, frozen=True):
    """Outcome of a call.

    state: paid (of a refund: the money is on its way back), pending (unknown yet), failed (final). reference: the
    gateway's reference. message: reason of a failure, for the buyer, or of a refund for the shop. redirect_url: where
    the buyer must go before it is paid. buyer_done: pending, and a buyer who was redirected has done their part; the
    stock is kept for them. details: what the checkout page needs while it is pending, by name; sent among
    `payment_details`.
    """

    state: PaymentState
    reference: str = ""
    message: str = ""
    redirect_url: str = ""
    details: Mapping[str, str] = {}
    buyer_done: bool = False


class PaymentNotice(msgspec.Struct, frozen=True):
    """A gateway's report of a payment or a refund that this shop requested. id: of the event, processed once.

    key, reference: of the payment or the refund, one is enough. amount: None where the event has none.
    """

    id: str
    state: PaymentState
    key: str = ""
    reference: str = ""
    amount: Decimal | None = None
    currency: str = ""
    message: str = ""


class RefundNotice(msgspec.Struct, frozen=True):
    """A refund made outside this shop, as on the service's own pages. id: of the event, processed once.

    reference: the service's reference of the refund. payment: reference of the refunded payment.
    """

    id: str
    reference: str
    payment: str
    amount: Decimal
    currency: str
    reason: str = ""


class DisputeNotice(msgspec.Struct, frozen=True):
    """A chargeback by a buyer or the bank. id: of the event, processed once.

    state: opened, funds_withdrawn (until it is decided), funds_returned, won (the shop keeps the money), lost.
    reference: the service's reference of the dispute. payment: reference of the payment. message: added to the order
    notes.
    """

    id: str
    state: DisputeState
    reference: str
    payment: str
    amount: Decimal
    currency: str
    message: str = ""


GatewayReport = PaymentNotice | RefundNotice | DisputeNotice


class PaymentService(Protocol):
    """The service that moves the money.

    An exception of `begin`, `confirm` or `refund` means that the outcome is unknown: the call is repeated later, with
    the same key.
    """

    def begin(self, payment: PaymentRequest) -> PaymentOutcome:
        """Request a payment."""

    def confirm(self, payment: PaymentRequest) -> PaymentOutcome:
        """Return the outcome of a payment that was requested."""

    def refund(self, repayment: RefundRequest) -> PaymentOutcome:
        """Refund a payment."""

    def webhook(
        self, headers: Mapping[str, str], body: bytes, settings: Mapping[str, Any], now: int
    ) -> GatewayReport | None:
        """Return the content of a report, None for one that is irrelevant. Raises InvalidGatewaySignature.

        headers: by their names in lower case. now: seconds since 1970. The signature is compared in constant time.
        """


@runtime_checkable
class SupportsPaymentCancel(Protocol):
    """A service that can also cancel a payment that waits for its buyer."""

    def cancel(self, payment: PaymentRequest) -> PaymentOutcome:
        """Cancel a payment and return its outcome; it may have been paid at that very time."""
