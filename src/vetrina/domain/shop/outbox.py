"""Mails of the shop as rows: written in the transaction of what they tell, sent later by a job of their own.

What is in: what a mail says, to whom, and when it is out. Not here: which mails there are (mails.py), the way out
(backends/mail.py). Rules: facts, "Lists and actions"; settings of the group `email_<id>`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import unescape
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, insert, select, update

from vetrina.backends import mail as post
from vetrina.backends import queue
from vetrina.backends.database import Statement
from vetrina.backends.numbers import next_number
from vetrina.backends.tables_orders import outbox_mail as table
from vetrina.domain.work import Work
from vetrina.kernel import money, times

from . import currencies, mails, settings
from .mails import Mail
from .order import Order

__all__ = ["FOLDER", "SEND", "SENT", "WAITING", "about_order", "fits", "keep_sent", "sent", "tell", "write"]

WAITING: Final = "waiting"
SENT: Final = "sent"
SEND: Final = "shop.mail"  # kind of the job
FOLDER: Final = "outbox"  # in the site's folder, where there is no server that sends

_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_WAITING = Statement(
    select(table.c.id, table.c.recipients, table.c.subject, table.c.text, table.c.created).where(
        table.c.id == bindparam("id"), table.c.state == WAITING
    )
)
_IS_SENT = Statement(update(table).where(table.c.id == bindparam("of")).values(state=SENT, sent=bindparam("now")))

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

    site = unescape(str(work.option("title")))
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
    return tell(work, mail.id, one.id, addresses, subject, text.strip() + "\n")


def tell(work: Work, kind: str, about: int, addresses: Sequence[str], subject: str, text: str) -> int:
    """Write a mail and return its number; a job sends it. kind: of what it tells; about: the number of that."""
    id = next_number(work.tx, "outbox_mail")
    work.tx.run(
        _INSERT, id=id, kind=kind, about=about, recipients=orjson.dumps(addresses).decode(), subject=subject,
        text=text, state=WAITING, created=work.now, sent=None, error="",
    )  # fmt: skip
    queue.put(work.tx, SEND, {"mail": id}, due=work.now, now=work.now)
    work.note("mail", id, "created")
    return id


# -- the errand


def sent(work: Work, arguments: Mapping[str, Any]) -> Callable[[], None] | None:
    """Return the call that sends a mail, None for one that is out already; the call raises MailNotSent."""
    row = work.tx.first(_WAITING, id=arguments["mail"])
    if row is None:
        return None
    id, recipients, subject, text, created = row
    frame = work.frame
    sender = frame.settings.mail_from or str(work.option("email")) or "shop@localhost"
    message = post.composed(
        sender=sender, recipients=orjson.loads(recipients), subject=subject, text=text,
        name=unescape(str(work.option("title"))), at=created, id=f"mail-{id}-{created}",
    )  # fmt: skip
    return lambda: post.send(message, frame.settings.smtp_url, frame.folder / FOLDER, f"{id:08d}")


def keep_sent(work: Work, arguments: Mapping[str, Any], found: None) -> None:
    """Note that a mail is out."""
    work.tx.run(_IS_SENT, of=arguments["mail"], now=work.now)
    work.note("mail", arguments["mail"], "changed")
