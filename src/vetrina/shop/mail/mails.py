"""The mails that a shop sends: which there are, whom they go to, what may be set about each.

Not here: when one is sent (shop/orders/transitions.py), how it is written and sent (shop/mail/outbox.py), the settings'
values (shop/settings/rules.py). Rules: facts, "Lists and actions" and the groups `email_<id>` of settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

__all__ = ["BY_ID", "MAILS", "Mail"]

_ALWAYS: Final = frozenset({"additional_content", "email_type", "cc", "bcc"})
_ONE_SUBJECT: Final = frozenset({"enabled", "subject", "heading"})


@dataclass(frozen=True, slots=True)
class Mail:
    """A kind of mail.

    to_shop: to those who run it, else to the customer. settings: those it has beside what every mail has.
    own: where a setting differs from the usual one. statuses: of orders that it fits.
    """

    id: str
    title: str
    description: str
    to_shop: bool = False
    settings: frozenset[str] = _ONE_SUBJECT
    own: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)
    statuses: tuple[str, ...] = ()

    def has(self, setting: str) -> bool:
        """Say whether something can be set about this mail."""
        return setting in _ALWAYS or setting in self.settings or (setting == "recipient" and self.to_shop)


def _says(text: str) -> Mapping[str, Mapping[str, Any]]:
    return {"additional_content": {"default": text}}


MAILS: Final = (
    Mail(
        "new_order", "New order", "Tells those who run the shop that something was ordered.", to_shop=True,
        own=_says("Congratulations on the sale!"), statuses=("processing", "completed", "on-hold"),
    ),
    Mail("cancelled_order", "Cancelled order", "Tells those who run the shop of a cancelled order.", to_shop=True,
         statuses=("cancelled",)),
    Mail("customer_cancelled_order", "Cancelled order", "Tells customers that their order was cancelled.",
         statuses=("cancelled",)),
    Mail("failed_order", "Failed order", "Tells those who run the shop that a payment failed.", to_shop=True,
         statuses=("failed",)),
    Mail("customer_failed_order", "Failed order", "Tells customers that their payment failed.", statuses=("failed",)),
    Mail("customer_on_hold_order", "Order on-hold", "Tells customers that their order waits for the payment.",
         statuses=("on-hold",)),
    Mail("customer_processing_order", "Processing order", "Tells customers that their order was paid.",
         statuses=("processing",)),
    Mail("customer_completed_order", "Completed order", "Tells customers that their order is on its way.",
         statuses=("completed",)),
    Mail(
        "customer_refunded_order", "Refunded order", "Tells customers what is paid back to them.",
        settings=frozenset({"enabled", "subject_full", "subject_partial", "heading_full", "heading_partial"}),
        statuses=("refunded",),
    ),
    Mail(
        "customer_invoice", "Order details", "Sends customers what they ordered, and how to pay it.",
        settings=frozenset({"subject", "heading", "subject_paid", "heading_paid"}),
        statuses=("pending", "processing", "on-hold", "completed", "cancelled", "refunded", "failed"),
    ),
    Mail("customer_note", "Customer note", "Sends customers a note that was written on their order."),
    Mail("customer_reset_password", "Reset password", "Sends those who forgot their password a way to a new one."),
    Mail("customer_new_account", "New account", "Welcomes those who made an account."),
    Mail("customer_pos_completed_order", "POS completed order", "Tells customers at a counter what they bought."),
    Mail("customer_pos_refunded_order", "POS refunded order", "Tells customers at a counter what is paid back."),
    Mail("new_receipt", "New receipt", "Sends customers the receipt of their order."),
)  # fmt: skip

BY_ID: Final[Mapping[str, Mail]] = {mail.id: mail for mail in MAILS}
