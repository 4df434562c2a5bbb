"""The plain mail with the reset link: on a site without a shop, or where the shop's own is switched off.

The link: access/passwords/reset.py. The shop's mail: shop/mail/password_reset.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from vetrina.access.passwords import reset as password_reset
from vetrina.access.passwords.reset import PasswordResetLink
from vetrina.backends import mail
from vetrina.core.text_catalog import TextCatalog
from vetrina.core.unit_of_work import UnitOfWork

OUTBOX_FOLDER: Final = "outbox"  # folder of unsent mail in the site's folder, if there is no mail server

RESET_MAIL_TEXTS: Final = TextCatalog(
    __package__,
    {
        "password_reset.subject": "{site}: a new password",
        "password_reset.text": "Hello {name},\n\nsomebody asked for a new password of the account {login} on {site}.\n"
        "Choose it here, within a day:\n\n{address}\n\n"
        "If it was not you, do nothing: the password stays as it is.\n",
    },
)


def prepare_reset_mail(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], PasswordResetLink] | None:
    """Return the function that sends the mail and returns the link in it; None if no mail is due.

    The function raises MailNotSent.
    """
    link = password_reset.build_reset_link(work, arguments)
    if link is None:
        return None
    site, user, title = work.site, link.user, str(work.option("title"))
    say = RESET_MAIL_TEXTS.build_translator(site.folder, arguments["language"])
    name = f"new-password-{user.id}-{work.now}"
    message = mail.compose_message(
        sender=site.settings.mail_from or str(work.option("email")) or "site@localhost", recipients=[user.email],
        subject=say("password_reset.subject", site=title),
        text=say("password_reset.text", name=user.name, login=user.login, site=title, address=link.address),
        name=title, at=work.now, id=name,
    )  # fmt: skip

    def send() -> PasswordResetLink:
        mail.send_message(message, site.settings.smtp_url, site.folder / OUTBOX_FOLDER, name)
        return link

    return send
