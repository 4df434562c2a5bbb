"""Mails of the shop as rows: written in the transaction of what they tell, sent later by a job of their own.

What is in: which event sends which mail, to whom, and once. Not here: which mails there are (shop/mail/mails.py), what
they say (shop/mail/rendering.py), the way out (shop/mail/sending.py). Rules: facts, "Lists and actions"; settings of
the group `email_<id>`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, func, insert, select

from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.tables.orders import outbox_mail as table
from vetrina.core.unit_of_work import Work
from vetrina.shop.mail import mails
from vetrina.shop.mail.mails import Mail
from vetrina.shop.orders import addresses as order_addresses
from vetrina.shop.orders import statuses as order_statuses
from vetrina.shop.orders.model import Order
from vetrina.shop.settings import rules as settings

__all__ = [
    "FAILED", "SEND", "SENT", "WAITING", "about_account", "about_note", "about_order", "about_refund", "address_list",
    "fits", "put", "tell", "write",
]  # fmt: skip

WAITING: Final = "waiting"
SENT: Final = "sent"
FAILED: Final = "failed"  # what it was about was removed before it could be sent
SEND: Final = "shop.mail"  # kind of the job

_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_COUNT = Statement(
    select(func.count())
    .select_from(table)
    .where(table.c.kind == bindparam("kind"), table.c.about == bindparam("about"))
)

_NEW_ORDER: Final = "new_order"
_UNPAID: Final = frozenset({order_statuses.DRAFT, "auto-draft", "pending", "failed", "cancelled"})
_BEGUN: Final = frozenset({"processing", "on-hold"})
# Which mails a change of status sends by itself: the statuses before it, None for any, and those after it.
_CHANGES: Final[tuple[tuple[str, frozenset[str] | None, frozenset[str]], ...]] = (
    (_NEW_ORDER, _UNPAID, frozenset({"processing", "completed", "on-hold"})),
    ("customer_on_hold_order", _UNPAID, frozenset({"on-hold"})),
    ("customer_processing_order", _UNPAID | {"on-hold"}, frozenset({"processing"})),
    ("customer_completed_order", None, frozenset({"completed"})),
    ("cancelled_order", _BEGUN, frozenset({"cancelled"})),
    ("customer_cancelled_order", _BEGUN, frozenset({"cancelled"})),
    ("failed_order", _UNPAID | {"on-hold"}, frozenset({"failed"})),
    ("customer_failed_order", _UNPAID | {"on-hold"}, frozenset({"failed"})),
)  # fmt: skip


# -- events


def about_order(work: Work, one: Order, before: str) -> None:
    """Write the mails that a change of an order's status sends; before: the status that it had."""
    for id, given_up, taken in _CHANGES:
        if one.status not in taken or (given_up is not None and before not in given_up):
            continue
        mail = mails.BY_ID[id]
        # An order is new once, however often its payment fails.
        if is_enabled(work, mail) and (id != _NEW_ORDER or not work.tx.value(_COUNT, kind=id, about=one.id)):
            write(work, mail, one)


def about_refund(work: Work, of: Order, refund: int, *, whole: bool) -> None:
    """Write the mail that tells a customer what is paid back; refund: its number; whole: nothing is left to be."""
    mail = mails.BY_ID["customer_refunded_order"]
    if is_enabled(work, mail):
        write(work, mail, of, data={"refund": refund, "whole": whole})


def about_note(work: Work, of: Order, note: str) -> None:
    """Write the mail that brings a customer a note on an order; note: HTML."""
    mail = mails.BY_ID["customer_note"]
    if is_enabled(work, mail):
        write(work, mail, of, data={"note": note})


def about_account(work: Work, account: int, email: str) -> None:
    """Write the mail that welcomes a customer; account: the number of the new account."""
    mail = mails.BY_ID["customer_new_account"]
    if is_enabled(work, mail):
        put(work, mail.id, account, [email], {}, language=work.language)


def is_enabled(work: Work, mail: Mail) -> bool:
    """Say whether a mail is sent by itself."""
    group = settings.group(f"email_{mail.id}")
    one = group.settings.get("enabled")
    return one is None or settings.value_of(work, group, one) in ("yes", True)


def fits(one: Order) -> list[Mail]:
    """Return the mails that may be sent by hand about an order."""
    return [mail for mail in mails.MAILS if one.status in mail.statuses and not mail.to_shop]


def write(work: Work, mail: Mail, one: Order, to: str = "", data: Mapping[str, Any] | None = None) -> int:
    """Write a mail about an order and return its number; 0 where nobody could get it.

    to: instead of the usual one. data: what its template is given beside the order.
    """
    if mail.to_shop:
        group = settings.group(f"email_{mail.id}")
        told = str(settings.value_of(work, group, group.settings["recipient"]) or "")
        recipients, language = told or str(work.option("email")), ""
    else:
        recipients, language = to or one.billing.get("email", ""), one.language
    return put(work, mail.id, one.id, address_list(recipients), data or {}, language=language)


def address_list(written: str) -> list[str]:
    """Return the addresses of a list with commas between them; what is no address is left out."""
    return [one for part in written.split(",") if (one := part.strip()) and order_addresses.is_email(one)]


# -- rows


def put(
    work: Work, kind: str, about: int, recipients: Sequence[str], data: Mapping[str, Any], *, language: str = "",
    subject: str = "",
) -> int:  # fmt: skip
    """Write a mail that is made of its template when it is sent, and return its number; 0 for one to nobody.

    kind: name of the mail; about: the number of the order, account or product. data: what the template is given beside
    that. language: empty for the site's own. subject: where it is none of the settings.
    """
    if not recipients:
        return 0
    return _write(work, kind, about, recipients, subject, "", language, orjson.dumps(data).decode())


def tell(work: Work, kind: str, about: int, recipients: Sequence[str], subject: str, text: str) -> int:
    """Write a mail without a template and return its number. kind: of what it tells; about: the number of that."""
    return _write(work, kind, about, recipients, subject, text, "", "")


def _write(
    work: Work, kind: str, about: int, recipients: Sequence[str], subject: str, text: str, language: str, data: str
) -> int:
    id = next_number(work.tx, "outbox_mail")
    work.tx.run(
        _INSERT, id=id, kind=kind, about=about, recipients=orjson.dumps(recipients).decode(), subject=subject,
        text=text, state=WAITING, created=work.now, sent=None, error="", language=language, data=data,
    )  # fmt: skip
    job_queue.put(work.tx, SEND, {"mail": id}, due=work.now, now=work.now)
    work.note("mail", id, "created")
    return id
