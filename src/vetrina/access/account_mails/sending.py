"""The external task that sends a mail about an account: read what it says, send it, store what only then is true.

A key in a mail is made when the mail is, and never stored: its digest is, once the mail was sent. What each mail says:
access/account_mails/tasks.py. Rules: docs/rules/registration.md, 6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from vetrina.access.account_mails.texts import ACCOUNT_MAIL_TEXTS
from vetrina.backends import job_queue, mail
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.keys import generate_key

ACCOUNT_MAIL_JOB: Final = "access.account_mail"
OUTBOX_FOLDER: Final = "outbox"  # folder of unsent mail in the site's folder, if there is no mail server
_KEY_BYTES: Final = 24
KEY_SECONDS: Final = 24 * 3600  # seconds that the key in a mail is valid


class AccountMail(NamedTuple):
    """What one mail says.

    name: of its texts. to: its recipient. values: of the placeholders in its texts. save: (work, digest) stores the
    digest of its key; None for a mail without one.
    """

    name: str
    to: str
    values: Mapping[str, object]
    digest: str = ""
    save: Callable[[UnitOfWork, str], None] | None = None


def enqueue_account_mail(work: UnitOfWork, name: str, id: object, language: str = "") -> None:
    """Enqueue a mail. name: of its texts. id: of what it is about; language: of its texts."""
    arguments = {"mail": name, "id": id, "language": language or work.language, "at": work.now}
    job_queue.enqueue_job(work.tx, ACCOUNT_MAIL_JOB, arguments, due=work.now, now=work.now)


def generate_mail_key() -> str:
    """Return a key for a link in a mail."""
    return generate_key(_KEY_BYTES)


def build_link(work: UnitOfWork, page: str, **query: str) -> str:
    """Return the address of a page that a mail leads to, of the site or of its front end."""
    base = work.site.profile.accounts.links_url.rstrip("/") or f"{work.origin}/admin"
    return f"{base}/{page}?{urlencode(query)}" if query else f"{base}/{page}"


def prepare_message(work: UnitOfWork, one: AccountMail, language: str, id: str) -> Callable[[], None]:
    """Return the call that sends a mail. id: its name, which its Message-ID has too. It raises MailNotSent."""
    site, title = work.site, str(work.option("title"))
    say = ACCOUNT_MAIL_TEXTS.build_translator(site.folder, language)
    values = {"site": title, "email": one.to, **one.values}
    message = mail.compose_message(
        sender=site.settings.mail_from or str(work.option("email")) or "site@localhost", recipients=[one.to],
        subject=say(f"{one.name}.subject", **values), text=say(f"{one.name}.text", **values),
        name=title, at=work.now, id=id,
    )  # fmt: skip
    return lambda: mail.send_message(message, site.settings.smtp_url, site.folder / OUTBOX_FOLDER, id)


def build_message_name(arguments: Mapping[str, Any]) -> str:
    """Return the name of the message of a job."""
    return f"{arguments['mail'].replace('_', '-')}-{arguments['id']}-{arguments['at']}"
