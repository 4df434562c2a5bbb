"""Mails of the shop as rows: written in the transaction of what they tell, sent later by whoever drains them.

What is in: what a mail says, and to whom. Not here: which mails there are (mails.py), the sending (jobs).
Rules: facts, "Lists and actions"; settings of the group `email_<id>`.
"""

from __future__ import annotations

from typing import Final

import orjson
from sqlalchemy import bindparam, insert

from vetrina.backends.database import Statement
from vetrina.backends.numbers import next_number
from vetrina.backends.tables_orders import outbox_mail as table
from vetrina.domain.work import Work
from vetrina.kernel import money, times

from . import currencies, mails, settings
from .mails import Mail
from .order import Order

__all__ = ["WAITING", "about_order", "fits", "write"]

WAITING: Final = "waiting"

_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))

# Which mails a status sends by itself, to the customer and to the shop.
_BY_STATUS: Final = {
    "on-hold": ("new_order", "customer_on_hold_order"),
    "processing": ("new_order", "customer_processing_order"),
    "completed": ("customer_completed_order",),
    "cancelled": ("cancelled_order", "customer_cancelled_order"),
    "failed": ("failed_order", "customer_failed_order"),
}


def about_order(work: Work, one: Order) -> None:
    """Write the mails that an order's status sends."""
    for id in _BY_STATUS.get(one.status, ()):
        mail = mails.BY_ID[id]
        if is_enabled(work, mail):
            write(work, mail, one)


def is_enabled(work: Work, mail: Mail) -> bool:
    """Say whether a mail is sent by itself."""
    group = settings.group(f"email_{mail.id}")
    one = group.settings.get("enabled")
    return one is None or settings.value_of(work, group, one) in ("yes", True)


def fits(one: Order) -> list[Mail]:
    """Return the mails that may be sent by hand about an order."""
    return [mail for mail in mails.MAILS if one.status in mail.statuses and not mail.to_shop]


def write(work: Work, mail: Mail, one: Order, to: str = "") -> int:
    """Write a mail about an order and return its number; 0 where nobody could get it. to: instead of the usual one."""
    group = settings.group(f"email_{mail.id}")

    def told(name: str) -> str:
        found = group.settings.get(name)
        return str(settings.value_of(work, group, found) or "") if found is not None else ""

    site = str(work.option("title"))
    if mail.to_shop:
        recipients = told("recipient") or str(work.option("email"))
    else:
        recipients = to or one.billing.get("email", "")
    addresses = [address.strip() for address in recipients.split(",") if address.strip()]
    if not addresses:
        return 0
    names = {
        "{site_title}": site,
        "{order_number}": str(one.id),
        "{order_date}": times.iso(work.zone.to_local(one.created))[:10],
    }
    subject = told("subject") or f"{mail.title}: {site}, order {one.id}"
    for name, value in names.items():
        subject = subject.replace(name, value)
    sign = currencies.symbol(one.currency)
    text = "\n".join(
        [mail.description, "", f"Order {one.id}: {sign}{money.text(one.total, 2)}", "", told("additional_content")]
    )
    id = next_number(work.tx, "outbox_mail")
    work.tx.run(
        _INSERT, id=id, kind=mail.id, about=one.id, recipients=orjson.dumps(addresses).decode(), subject=subject,
        text=text.strip() + "\n", state=WAITING, created=work.now, sent=None, error="",
    )  # fmt: skip
    work.note("mail", id, "created")
    return id
