"""Outbox of the shop's mails: written in the transaction of their event, sent later by a job each.

Decides which event sends which mail, to whom, and that it is sent once. Not here: types of mails (shop/mail/mails.py),
their contents (shop/mail/rendering.py), sending (shop/mail/sending.py). Rules: docs/rules/orders.md, 7; settings of the
groups `email_<id>`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, func, insert, select

from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.tables.orders import outbox_mail as table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.email_addresses import is_email_address
from vetrina.shop.mail import mails
from vetrina.shop.mail.mails import MailType
from vetrina.shop.orders import statuses as order_statuses
from vetrina.shop.orders.model import Order
from vetrina.shop.settings import rules as settings

WAITING: Final = "waiting"
SENT: Final = "sent"
FAILED: Final = "failed"  # its subject was deleted before it could be sent
SEND_MAIL_JOB: Final = "shop.mail"  # kind of the job

_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_COUNT = Statement(
    select(func.count())
    .select_from(table)
    .where(table.c.kind == bindparam("kind"), table.c.about == bindparam("about"))
)

_NEW_ORDER: Final = "new_order"
_UNPAID_STATUSES: Final = frozenset({order_statuses.DRAFT, "auto-draft", "pending", "failed", "cancelled"})
_ACTIVE_STATUSES: Final = frozenset({"processing", "on-hold"})
# Mails sent by a change of status: mail id, statuses before it (None for any), statuses after it.
_STATUS_MAILS: Final[tuple[tuple[str, frozenset[str] | None, frozenset[str]], ...]] = (
    (_NEW_ORDER, _UNPAID_STATUSES, frozenset({"processing", "completed", "on-hold"})),
    ("customer_on_hold_order", _UNPAID_STATUSES, frozenset({"on-hold"})),
    ("customer_processing_order", _UNPAID_STATUSES | {"on-hold"}, frozenset({"processing"})),
    ("customer_completed_order", None, frozenset({"completed"})),
    ("cancelled_order", _ACTIVE_STATUSES, frozenset({"cancelled"})),
    ("customer_cancelled_order", _ACTIVE_STATUSES, frozenset({"cancelled"})),
    ("failed_order", _UNPAID_STATUSES | {"on-hold"}, frozenset({"failed"})),
    ("customer_failed_order", _UNPAID_STATUSES | {"on-hold"}, frozenset({"failed"})),
)  # fmt: skip


# -- events


def enqueue_status_mails(work: UnitOfWork, order: Order, before: str) -> None:
    """Enqueue the mails of a change of an order's status; before: the previous status."""
    for id, given_up, taken in _STATUS_MAILS:
        if order.status not in taken or (given_up is not None and before not in given_up):
            continue
        mail = mails.MAIL_TYPES_BY_ID[id]
        # A new order is announced once, however often its payment fails.
        if is_mail_enabled(work, mail) and (id != _NEW_ORDER or not work.tx.value(_COUNT, kind=id, about=order.id)):
            enqueue_order_mail(work, mail, order)


def enqueue_refund_mail(work: UnitOfWork, order: Order, refund: int, *, whole: bool) -> None:
    """Enqueue the mail about a refund to the customer; refund: its id; whole: nothing is left to refund."""
    mail = mails.MAIL_TYPES_BY_ID["customer_refunded_order"]
    if is_mail_enabled(work, mail):
        enqueue_order_mail(work, mail, order, data={"refund": refund, "whole": whole})


def enqueue_note_mail(work: UnitOfWork, order: Order, note: str) -> None:
    """Enqueue the mail with an order note to the customer; note: HTML."""
    mail = mails.MAIL_TYPES_BY_ID["customer_note"]
    if is_mail_enabled(work, mail):
        enqueue_order_mail(work, mail, order, data={"note": note})


def enqueue_account_mail(work: UnitOfWork, account: int, email: str) -> None:
    """Enqueue the welcome mail of a new customer account; account: its id."""
    mail = mails.MAIL_TYPES_BY_ID["customer_new_account"]
    if is_mail_enabled(work, mail):
        enqueue_mail(work, mail.id, account, [email], {}, language=work.language)


def is_mail_enabled(work: UnitOfWork, mail: MailType) -> bool:
    """Return whether a type of mail is sent automatically."""
    group = settings.get_setting_group(f"email_{mail.id}")
    one = group.settings.get("enabled")
    return one is None or settings.get_setting_value(work, group, one) in ("yes", True)


def list_sendable_mails(order: Order) -> list[MailType]:
    """Return the types of mails that may be sent by hand about an order."""
    return [mail for mail in mails.MAIL_TYPES if order.status in mail.statuses and not mail.to_shop]


def enqueue_order_mail(
    work: UnitOfWork, mail: MailType, order: Order, to: str = "", data: Mapping[str, Any] | None = None
) -> int:
    """Enqueue a mail about an order and return its id; 0 where it has no recipient.

    to: instead of the usual recipient. data: for its template, beside the order.
    """
    if mail.to_shop:
        group = settings.get_setting_group(f"email_{mail.id}")
        recipient = str(settings.get_setting_value(work, group, group.settings["recipient"]) or "")
        recipients, language = recipient or str(work.option("email")), ""
    else:
        recipients, language = to or order.billing.get("email", ""), order.language
    return enqueue_mail(work, mail.id, order.id, parse_addresses(recipients), data or {}, language=language)


def parse_addresses(written: str) -> list[str]:
    """Return the addresses of a comma-separated list; invalid ones are left out."""
    return [one for part in written.split(",") if (one := part.strip()) and is_email_address(one)]


# -- rows


def enqueue_mail(
    work: UnitOfWork, kind: str, about: int, recipients: Sequence[str], data: Mapping[str, Any], *, language: str = "",
    subject: str = "",
) -> int:  # fmt: skip
    """Enqueue a mail that is rendered from its template when it is sent, and return its id; 0 without a recipient.

    kind: id of the mail type; about: id of the order, account or product. data: further data of the template.
    language: empty for the site's own. subject: where the settings have none for it.
    """
    if not recipients:
        return 0
    return _insert_mail(work, kind, about, recipients, subject, "", language, orjson.dumps(data).decode())


def enqueue_plain_mail(
    work: UnitOfWork, kind: str, about: int, recipients: Sequence[str], subject: str, text: str
) -> int:
    """Enqueue a plain-text mail without a template and return its id. kind: its type; about: id of its subject."""
    return _insert_mail(work, kind, about, recipients, subject, text, "", "")


def _insert_mail(
    work: UnitOfWork,
    kind: str,
    about: int,
    recipients: Sequence[str],
    subject: str,
    text: str,
    language: str,
    data: str,
) -> int:
    id = allocate_id(work.tx, "outbox_mail")
    work.tx.run(
        _INSERT, id=id, kind=kind, about=about, recipients=orjson.dumps(recipients).decode(), subject=subject,
        text=text, state=WAITING, created=work.now, sent=None, error="", language=language, data=data,
    )  # fmt: skip
    job_queue.enqueue_job(work.tx, SEND_MAIL_JOB, {"mail": id}, due=work.now, now=work.now)
    work.note("mail", id, "created")
    return id
