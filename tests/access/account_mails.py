"""The mails of a test site, read from its outbox, and the keys in their links."""

from __future__ import annotations

import re
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from urllib.parse import parse_qsl, urlsplit

from conftest import Stand
from vetrina.system import job_runner


def run_jobs(stand: Stand) -> None:
    """Run the jobs that are due."""
    job_runner.build_consumer(replace(stand.site.context), stand.site.database).run_due_jobs()


def read_mails(stand: Stand, to: str = "") -> list[EmailMessage]:
    """Run the jobs that are due, and return the mails that were sent, the oldest first. to: an address of interest."""
    run_jobs(stand)
    files = sorted((stand.site.folder / "outbox").glob("*.eml"), key=lambda file: file.stat().st_mtime_ns)
    found = [message_from_bytes(file.read_bytes(), policy=policy.default) for file in files]
    return [one for one in found if isinstance(one, EmailMessage) and (not to or one["To"] == to)]


def get_text(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def get_link(mail: EmailMessage, page: str) -> dict[str, str]:
    """Return the query of the link in a mail to one of the pages."""
    found = re.search(rf"https?://\S*/{page}\?\S*", get_text(mail))
    assert found, get_text(mail)
    return dict(parse_qsl(urlsplit(found[0]).query))
