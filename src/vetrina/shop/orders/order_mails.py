"""Mails about an order that somebody sends by hand: which one fits, and to which address.

Not here: what a mail says, and which are sent by themselves (shop/mail/outbox.py). Rules: docs/rules/orders.md, 7.
"""

from __future__ import annotations

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.shop.mail import mails, outbox
from vetrina.shop.orders import notes as order_notes, rules as orders
from vetrina.shop.orders.model import Order


class OrderMailTemplateInvalid(ApiError):
    code = "shop_rest_invalid_email_template"
    message = "The mail {template!r} does not fit an order that is {status!r}."


class BillingEmailExists(ApiError):
    code = "shop_rest_order_billing_email_exists"
    message = "The order has another address; send `force_email_update` as true to replace it."


class BillingEmailMissing(ApiError):
    code = "shop_rest_missing_email"
    message = "The order has no mail address; send `email`."


def check_mail_fits(order: Order, template: str) -> None:
    """Check that a mail fits the status of an order. Raises OrderMailTemplateInvalid."""
    if mails.MAIL_TYPES_BY_ID[template] not in outbox.list_sendable_mails(order):
        raise OrderMailTemplateInvalid(template=template, status=order.status)


def send_order_mail(work: UnitOfWork, order: Order, template: str, email: str, *, replace: bool) -> str:
    """Send a mail about an order, and return what was sent to whom.

    email: the address, empty for the order's own. replace: whether it becomes the order's, which has another.
    Raises BillingEmailExists, BillingEmailMissing.
    """
    own = order.billing.get("email", "")
    if email and email != own:
        if own and not replace:
            raise BillingEmailExists
        order = orders.update_order(work, order, {"billing": {"email": email}})
    elif not own:
        raise BillingEmailMissing
    to = order.billing["email"]
    mail = mails.MAIL_TYPES_BY_ID[template]
    outbox.enqueue_order_mail(work, mail, order, to)
    said = f"The mail “{mail.title}” was sent to {to}."
    order_notes.create_order_note(work, order.id, said, author=work.user.login or order_notes.SHOP_AUTHOR)
    return said
