"""External task of a password reset on a site with a shop: it sends the shop's own mail.

It replaces the plain one (access/passwords/reset_mail.py), which is sent where the shop's mail is disabled. The mail
has no row in the outbox, since the key in it must not be stored (access/passwords/reset.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from vetrina.access.passwords import reset as password_reset, reset_mail
from vetrina.access.passwords.reset import PasswordResetLink
from vetrina.backends import mail as post
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.mail import appearance, mails, outbox, rendering as mail_rendering

_MAIL_TYPE: Final = mails.MAIL_TYPES_BY_ID["customer_reset_password"]


def send_reset_mail(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], PasswordResetLink] | None:
    """Return the call that sends the mail and returns its link; None where no mail is due.

    The call raises MailNotSent.
    """
    if not outbox.is_mail_enabled(work, _MAIL_TYPE):
        return reset_mail.prepare_reset_mail(work, arguments)
    link = password_reset.build_reset_link(work, arguments)
    if link is None:
        return None
    site, user = work.site, link.user
    written = mail_rendering.render_mail(work, _MAIL_TYPE.id, user.id, {"address": link.address}, arguments["language"])
    if written is None:
        return None
    sender, name = appearance.get_sender(work)
    id = f"new-password-{user.id}-{work.now}"
    message = post.compose_message(
        sender=sender, recipients=[user.email], subject=written.subject, text=written.text, html=written.html,
        cc=written.cc, bcc=written.bcc, name=name, at=work.now, id=id,
    )  # fmt: skip

    def send() -> PasswordResetLink:
        post.send_message(message, site.settings.smtp_url, site.folder / reset_mail.OUTBOX_FOLDER, id)
        return link

    return send
