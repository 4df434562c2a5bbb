"""The types of mails that a shop sends, with their recipients and settings.

Not here: when one is sent (shop/orders/transitions.py, shop/mail/outbox.py), values of the settings
(shop/settings/rules.py). Rules: docs/rules/orders.md, 7 and the setting groups `email_<id>`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

_ALWAYS: Final = frozenset({"additional_content", "email_type", "cc", "bcc"})
_ONE_SUBJECT: Final = frozenset({"enabled", "subject", "heading"})


@dataclass(frozen=True, slots=True)
class MailType:
    """A type of mail.

    to_shop: sent to the shop, else to the customer. settings: those beyond the ones that every mail has. own: settings
    that differ from the usual ones. statuses: of orders that it may be sent for by hand.
    """

    id: str
    title: str
    description: str
    to_shop: bool = False
    settings: frozenset[str] = _ONE_SUBJECT
    own: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)
    statuses: tuple[str, ...] = ()

    def has_setting(self, setting: str) -> bool:
        """Return whether the mail has a setting."""
        return setting in _ALWAYS or setting in self.settings or (setting == "recipient" and self.to_shop)


def _build_default_content(text: str) -> Mapping[str, Mapping[str, Any]]:
    return {"additional_content": {"default": text}}


MAIL_TYPES: Final = (
    MailType(
        "new_order",
        "New order",
        "Tells those who run the shop that something was ordered.",
        to_shop=True,
        own=_build_default_content("Congratulations on the sale!"),
        statuses=("processing", "completed", "on-hold"),
    ),
    MailType(
        "cancelled_order",
        "Cancelled order",
        "Tells those who run the shop of a cancelled order.",
        to_shop=True,
        statuses=("cancelled",),
    ),
    MailType(
        "customer_cancelled_order",
        "Cancelled order",
        "Tells customers that their order was cancelled.",
        statuses=("cancelled",),
    ),
    MailType(
        "failed_order",
        "Failed order",
        "Tells those who run the shop that a payment failed.",
        to_shop=True,
        statuses=("failed",),
    ),
    MailType(
        "customer_failed_order", "Failed order", "Tells customers that their payment failed.", statuses=("failed",)
    ),
    MailType(
        "customer_on_hold_order",
        "Order on-hold",
        "Tells customers that their order waits for the payment.",
        statuses=("on-hold",),
    ),
    MailType(
        "customer_processing_order",
        "Processing order",
        "Tells customers that their order was paid.",
        statuses=("processing",),
    ),
    MailType(
        "customer_completed_order",
        "Completed order",
        "Tells customers that their order is on its way.",
        statuses=("completed",),
    ),
    MailType(
        "customer_refunded_order",
        "Refunded order",
        "Tells customers what is paid back to them.",
        settings=frozenset({"enabled", "subject_full", "subject_partial", "heading_full", "heading_partial"}),
        statuses=("refunded",),
    ),
    MailType(
        "customer_invoice",
        "Order details",
        "Sends customers what they ordered, and how to pay it.",
        settings=frozenset({"subject", "heading", "subject_paid", "heading_paid"}),
        statuses=("pending", "processing", "on-hold", "completed", "cancelled", "refunded", "failed"),
    ),
    MailType("customer_note", "Customer note", "Sends customers a note that was written on their order."),
    MailType("customer_reset_password", "Reset password", "Sends those who forgot their password a way to a new one."),
    MailType("customer_new_account", "New account", "Welcomes those who made an account."),
    MailType("customer_pos_completed_order", "POS completed order", "Tells customers at a counter what they bought."),
    MailType("customer_pos_refunded_order", "POS refunded order", "Tells customers at a counter what is paid back."),
    MailType("new_receipt", "New receipt", "Sends customers the receipt of their order."),
)

MAIL_TYPES_BY_ID: Final[Mapping[str, MailType]] = {mail.id: mail for mail in MAIL_TYPES}
