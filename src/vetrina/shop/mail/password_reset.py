"""The errand that answers who lost a password, on a site with a shop: by the shop's own mail.

It takes the place of the plain one (access/passwords/reset_mail.py), which is sent where the shop's is switched off.
The mail has no row in the outbox: the key in it is kept nowhere (access/passwords/reset.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from vetrina.access.passwords import reset as password_reset
from vetrina.access.passwords import reset_mail
from vetrina.access.passwords.reset import Link
from vetrina.backends import mail as post
from vetrina.core.unit_of_work import Work
from vetrina.shop.mail import appearance, mails, outbox
from vetrina.shop.mail import rendering as mail_rendering

__all__ = ["send_mail"]

_MAIL: Final = mails.BY_ID["customer_reset_password"]


def send_mail(work: Work, arguments: Mapping[str, Any]) -> Callable[[], Link] | None:
    """Return the call that sends the mail and returns the link in it; None where nobody gets one.

    The call raises MailNotSent.
    """
    if not outbox.is_enabled(work, _MAIL):
        return reset_mail.send_mail(work, arguments)
    link = password_reset.begin(work, arguments)
    if link is None:
        return None
    frame, user = work.frame, link.user
    written = mail_rendering.written(work, _MAIL.id, user.id, {"address": link.address}, arguments["language"])
    if written is None:
        return None
    sender, name = appearance.sender(work)
    id = f"new-password-{user.id}-{work.now}"
    message = post.composed(
        sender=sender, recipients=[user.email], subject=written.subject, text=written.text, html=written.html,
        cc=written.cc, bcc=written.bcc, name=name, at=work.now, id=id,
    )  # fmt: skip

    def send() -> Link:
        post.send(message, frame.settings.smtp_url, frame.folder / reset_mail.FOLDER, id)
        return link

    return send
