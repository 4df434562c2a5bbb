"""The plain mail with the link to a new password: on a site without a shop, or where the shop's own is switched off.

Not here: the link (access/passwords/reset.py), the shop's mail (shop/mail/password_reset.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from vetrina.access.passwords import reset as password_reset
from vetrina.access.passwords.reset import Link
from vetrina.backends import mail
from vetrina.core.unit_of_work import Work

__all__ = ["FOLDER", "send_mail"]

FOLDER: Final = "outbox"  # in the site's folder, where there is no server that sends

_EN: Final = {
    "subject": "{site}: a new password",
    "text": "Hello {name},\n\nsomebody asked for a new password of the account {login} on {site}.\n"
    "Choose it here, within a day:\n\n{address}\n\nIf it was not you, do nothing: the password stays as it is.\n",
}
_IT: Final = {
    "subject": "{site}: una nuova password",
    "text": "Ciao {name},\n\nqualcuno ha chiesto una nuova password per l’account {login} su {site}.\n"
    "Sceglila qui, entro un giorno:\n\n{address}\n\nSe non sei stato tu, non fare nulla: la password resta com’è.\n",
}
_WORDS: Final = {"en": _EN, "it": _IT}


def send_mail(work: Work, arguments: Mapping[str, Any]) -> Callable[[], Link] | None:
    """Return the call that sends the mail and returns the link in it; None where nobody gets one.

    The call raises MailNotSent.
    """
    link = password_reset.begin(work, arguments)
    if link is None:
        return None
    frame, user, site = work.frame, link.user, str(work.option("title"))
    said = _WORDS.get(arguments["language"], _EN)
    name = f"new-password-{user.id}-{work.now}"
    message = mail.composed(
        sender=frame.settings.mail_from or str(work.option("email")) or "site@localhost", recipients=[user.email],
        subject=said["subject"].format(site=site),
        text=said["text"].format(name=user.name, login=user.login, site=site, address=link.address),
        name=site, at=work.now, id=name,
    )  # fmt: skip

    def send() -> Link:
        mail.send(message, frame.settings.smtp_url, frame.folder / FOLDER, name)
        return link

    return send
