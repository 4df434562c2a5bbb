"""The mails that a test site sent, and their parts."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage

from conftest import Stand

from .background import work_off


class Mails:
    """The folder that a test site sends its mails to."""

    def __init__(self, site: Stand) -> None:
        self._site, self._folder, self._seen = site, site.site.context.folder / "outbox", 0

    def new(self) -> list[EmailMessage]:
        """Send waiting mails, and return those not returned before."""
        work_off(self._site)
        found = sorted(self._folder.glob("*.eml"))[self._seen :]
        self._seen += len(found)
        messages = [message_from_bytes(one.read_bytes(), policy=policy.default) for one in found]
        return [one for one in messages if isinstance(one, EmailMessage)]


def to(mails: list[EmailMessage], address: str) -> EmailMessage:
    [found] = [one for one in mails if one["To"] == address]
    return found


def part(mail: EmailMessage, kind: str = "plain") -> str:
    body = mail.get_body((kind,))
    assert body is not None, f"no {kind} in {mail['Subject']}"
    return str(body.get_content()).replace("\r\n", "\n")


def text_of(mail: EmailMessage) -> str:
    return part(mail).replace("\xa0", " ")
