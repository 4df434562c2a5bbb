"""External task that sends a mail of the outbox: rendered here, sent outside any transaction.

Not here: contents (shop/mail/rendering.py), the connection to the server (backends/mail.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, select, update

from vetrina.backends import mail as post
from vetrina.backends.database import Statement
from vetrina.backends.tables.orders import outbox_mail as table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.mail import appearance, rendering as mail_rendering
from vetrina.shop.mail.outbox import FAILED, SENT, WAITING

OUTBOX_FOLDER: Final = "outbox"  # in the site's folder, used without a mail server
_SUBJECT_GONE: Final = "what it was about is not there any more"

_WAITING = Statement(select(table).where(table.c.id == bindparam("id"), table.c.state == WAITING))
_ENDED = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    # The template data may be private (a note, a name) and is not needed any more.
    .values(state=bindparam("state"), sent=bindparam("now"), error=bindparam("error"), data="")
)


def build_mail_call(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], str] | None:
    """Return the call that sends a mail and returns an error or an empty text; None for one that was sent already.

    The call raises MailNotSent.
    """
    row = work.tx.first(_WAITING, id=arguments["mail"])
    if row is None:
        return None
    id, kind, about, recipients, subject, text, _, created, _, _, language, data = row
    site = work.site
    if data:
        written = mail_rendering.render_mail(work, kind, about, orjson.loads(data), language, subject)
        if written is None:
            return lambda: _SUBJECT_GONE
    else:
        written = mail_rendering.RenderedMail(subject, text)
    sender, name = appearance.get_sender(work)
    message = post.compose_message(
        sender=sender, recipients=orjson.loads(recipients), subject=written.subject, text=written.text,
        html=written.html, cc=written.cc, bcc=written.bcc, name=name, at=created, id=f"mail-{id}-{created}",
    )  # fmt: skip

    def send() -> str:
        post.send_message(message, site.settings.smtp_url, site.folder / OUTBOX_FOLDER, f"{id:08d}")
        return ""

    return send


def save_mail_result(work: UnitOfWork, arguments: Mapping[str, Any], error: str) -> None:
    """Record that a mail was sent, or why it never will be."""
    state = FAILED if error else SENT
    work.tx.run(_ENDED, of=arguments["mail"], now=None if error else work.now, state=state, error=error)
    work.note("mail", arguments["mail"], "changed")
