"""The errand that sends a mail of the outbox: made of its template here, handed over outside any transaction.

Not here: what a mail says (shop/mail/rendering.py), the way to a server (backends/mail.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, select, update

from vetrina.backends import mail as post
from vetrina.backends.database import Statement
from vetrina.backends.tables.orders import outbox_mail as table
from vetrina.core.unit_of_work import Work
from vetrina.shop.mail import appearance
from vetrina.shop.mail import rendering as mail_rendering
from vetrina.shop.mail.outbox import FAILED, SENT, WAITING

__all__ = ["FOLDER", "keep_sent", "sent"]

FOLDER: Final = "outbox"  # in the site's folder, where there is no server that sends
_GONE: Final = "what it was about is not there any more"

_WAITING = Statement(select(table).where(table.c.id == bindparam("id"), table.c.state == WAITING))
_ENDED = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    # What it was made of is nobody's business any more: a note, a name.
    .values(state=bindparam("state"), sent=bindparam("now"), error=bindparam("error"), data="")
)


def sent(work: Work, arguments: Mapping[str, Any]) -> Callable[[], str] | None:
    """Return the call that sends a mail and returns why it was not, None for one that is out already.

    The call raises MailNotSent.
    """
    row = work.tx.first(_WAITING, id=arguments["mail"])
    if row is None:
        return None
    id, kind, about, recipients, subject, text, _, created, _, _, language, data = row
    frame = work.frame
    if data:
        written = mail_rendering.written(work, kind, about, orjson.loads(data), language, subject)
        if written is None:
            return lambda: _GONE
    else:
        written = mail_rendering.Written(subject, text)
    sender, name = appearance.sender(work)
    message = post.composed(
        sender=sender, recipients=orjson.loads(recipients), subject=written.subject, text=written.text,
        html=written.html, cc=written.cc, bcc=written.bcc, name=name, at=created, id=f"mail-{id}-{created}",
    )  # fmt: skip

    def send() -> str:
        post.send(message, frame.settings.smtp_url, frame.folder / FOLDER, f"{id:08d}")
        return ""

    return send


def keep_sent(work: Work, arguments: Mapping[str, Any], found: str) -> None:
    """Note that a mail is out, or why it never will be."""
    state = FAILED if found else SENT
    work.tx.run(_ENDED, of=arguments["mail"], now=None if found else work.now, state=state, error=found)
    work.note("mail", arguments["mail"], "changed")
