"""What a gateway that takes money itself is asked, and what it answers: the contract of such a package.

The shop calls it outside of every transaction, and may call it again with the same key after a crash or a lost answer:
whoever is called twice with one key does the thing once. Not here: which gateways there are
(shop/payments/gateways.py), what comes of an answer (shop/payments/rules.py, shop/refunds/gateway_refunds.py). The
guide is docs/gateways.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal, Protocol, runtime_checkable

import msgspec

from vetrina.backends.http_client import Outbound

__all__ = [
    "FAILED", "FUNDS_RETURNED", "FUNDS_WITHDRAWN", "LOST", "OPENED", "PAID", "PENDING", "WON", "Cancelling",
    "DisputeNotice", "DisputeState", "Forged", "Notice", "Outcome", "Payment", "RefundNotice", "Repayment", "Report",
    "Service", "State",
]  # fmt: skip

State = Literal["paid", "pending", "failed"]
PAID: State = "paid"
PENDING: State = "pending"
FAILED: State = "failed"

DisputeState = Literal["opened", "funds_withdrawn", "funds_returned", "won", "lost"]
OPENED: DisputeState = "opened"
FUNDS_WITHDRAWN: DisputeState = "funds_withdrawn"
FUNDS_RETURNED: DisputeState = "funds_returned"
WON: DisputeState = "won"
LOST: DisputeState = "lost"


class Forged(Exception):
    """A report that the gateway did not sign."""


class Payment(msgspec.Struct, frozen=True):
    """A payment that is asked for.

    key: the same for every call about it. reference: the gateway's own number, empty before it said one.
    amount: in whole units of the currency. billing: who pays, by the interface's names. data: what the checkout was
    sent as `payment_data`, empty for `confirm`. settings: what the shop has set. return_url: where a buyer comes back
    to. webhook_url: where the gateway reports to. outbound: asks other servers, bounded in time and size.
    age: seconds since it was first asked for; most services forget a key after a day.
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
    outbound: Outbound
    age: int = 0


class Repayment(msgspec.Struct, frozen=True):
    """Money that goes back. reference: of the payment that it is taken from; the rest as in Payment."""

    key: str
    order: int
    amount: Decimal
    currency: str
    reference: str
    reason: str
    settings: Mapping[str, Any]
    outbound: Outbound
    age: int = 0


class Outcome(msgspec.Struct, frozen=True):
    """What came of a call.

    state: paid (of a repayment: the money is on its way back), pending (nobody knows yet), failed (it never will be).
    reference: the gateway's own number. message: what the buyer, or of a repayment the shop, reads about a failure.
    redirect_url: where the buyer must go before it is paid. details: what the page of the checkout needs while it is
    pending, by name; the checkout answers it among `payment_details`.
    """

    state: State
    reference: str = ""
    message: str = ""
    redirect_url: str = ""
    details: Mapping[str, str] = {}


class Notice(msgspec.Struct, frozen=True):
    """What a gateway reports of a payment or a refund that this shop asked for. id: of the event, taken once.

    key, reference: of the payment or the refund, one is enough. amount: None where the event names none.
    """

    id: str
    state: State
    key: str = ""
    reference: str = ""
    amount: Decimal | None = None
    currency: str = ""
    message: str = ""


class RefundNotice(msgspec.Struct, frozen=True):
    """Money that went back without this shop, as from the pages of the service itself. id: of the event, taken once.

    reference: the service's number of the refund. payment: of the payment that it is taken from.
    """

    id: str
    reference: str
    payment: str
    amount: Decimal
    currency: str
    reason: str = ""


class DisputeNotice(msgspec.Struct, frozen=True):
    """A buyer, or the bank, calls a payment back. id: of the event, taken once.

    state: opened, funds_withdrawn (until it is decided), funds_returned, won (the shop keeps the money), lost.
    reference: the service's number of the dispute. payment: of the payment. message: what the notes of the order add.
    """

    id: str
    state: DisputeState
    reference: str
    payment: str
    amount: Decimal
    currency: str
    message: str = ""


Report = Notice | RefundNotice | DisputeNotice


class Service(Protocol):
    """Who moves the money. An exception of `begin`, `confirm` and `refund` says that nobody knows what happened: the
    call is made again later, with the same key."""

    def begin(self, payment: Payment) -> Outcome:
        """Ask for a payment."""

    def confirm(self, payment: Payment) -> Outcome:
        """Return what became of a payment that was asked for."""

    def refund(self, repayment: Repayment) -> Outcome:
        """Give money back."""

    def webhook(self, headers: Mapping[str, str], body: bytes, settings: Mapping[str, Any], now: int) -> Report | None:
        """Return what a report says, None for one that is about nothing here. Raises Forged.

        headers: by their names in lower case. now: seconds since 1970. The signature is compared in constant time.
        """


@runtime_checkable
class Cancelling(Protocol):
    """A service that can also call off a payment which waits for its buyer."""

    def cancel(self, payment: Payment) -> Outcome:
        """Call a payment off and return how it stands; it may have been paid at that very moment."""
