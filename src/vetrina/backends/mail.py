"""Send a mail: to an SMTP server, or into a folder that the operator reads.

What composes and sends is imported on first use: every server would be larger by it. Rules: RFC 5322 for the message,
RFC 5321 for the transport.
"""

from __future__ import annotations

import ssl
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from email.message import EmailMessage

TIMEOUT_SECONDS: Final = 20.0  # seconds for a whole exchange with the server
_DEFAULT_PORTS: Final = {"smtp": 587, "smtps": 465}


class MailNotSent(Exception):
    """The mail was not sent; the message says why, without the password."""


def compose_message(
    *, sender: str, recipients: Sequence[str], subject: str, text: str, html: str = "", cc: Sequence[str] = (),
    bcc: Sequence[str] = (), name: str = "", at: int = 0, id: str = "",
) -> EmailMessage:  # fmt: skip
    """Return a message of plain text, with an HTML alternative if there is one.

    name: of the sender. cc, bcc: further recipients; bcc recipients get no header in the message that is sent.
    at: seconds since 1970. id: the permanent Message-ID.
    """
    from email.message import EmailMessage
    from email.policy import SMTP
    from email.utils import format_datetime, make_msgid

    message = EmailMessage(policy=SMTP)
    message["From"] = (
        f'"{_join_lines(name).replace(chr(34), "")}" <{_join_lines(sender)}>' if name else _join_lines(sender)
    )
    message["To"] = ", ".join(_join_lines(one) for one in recipients)
    for header, others in (("Cc", cc), ("Bcc", bcc)):
        if others:
            message[header] = ", ".join(_join_lines(one) for one in others)
    message["Subject"] = _join_lines(subject)
    message["Date"] = format_datetime(datetime.fromtimestamp(at, UTC))
    domain = sender.rpartition("@")[2] or "localhost"
    message["Message-ID"] = f"<{id}@{domain}>" if id else make_msgid(domain=domain)
    message.set_content(text)
    if html:
        message.add_alternative(html, subtype="html")
    return message


def send_message(message: EmailMessage, url: str, folder: Path, name: str) -> None:
    """Send a message. Raises MailNotSent.

    url: smtp://USER:PASSWORD@HOST:PORT or smtps://…; with none, the message is written into the folder as `name`.eml.
    """
    try:
        if url:
            _send_by_smtp(message, url)
        else:
            _write_to_folder(folder, name, message.as_bytes())
    except (OSError, ValueError) as error:
        raise MailNotSent(f"{type(error).__name__}: {_mask_password(str(error), url)}") from None


def _send_by_smtp(message: EmailMessage, url: str) -> None:
    import smtplib

    parts = urlsplit(url)
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        raise ValueError("smtp_url begins with smtp:// or smtps:// and names a host")
    port, context = parts.port or _DEFAULT_PORTS[parts.scheme], ssl.create_default_context()
    if parts.scheme == "smtps":
        server: smtplib.SMTP = smtplib.SMTP_SSL(parts.hostname, port, timeout=TIMEOUT_SECONDS, context=context)
    else:
        server = smtplib.SMTP(parts.hostname, port, timeout=TIMEOUT_SECONDS)
    with server:
        server.ehlo()
        if parts.scheme == "smtp" and server.has_extn("starttls"):
            server.starttls(context=context)
            server.ehlo()
        if parts.username:
            if parts.scheme == "smtp" and not isinstance(server.sock, ssl.SSLSocket):
                raise ValueError("the server offers no encryption; a password is not sent in the open")
            server.login(unquote(parts.username), unquote(parts.password or ""))
        server.send_message(message)


def _write_to_folder(folder: Path, name: str, content: bytes) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    aside, target = folder / f".{name}.part", folder / f"{name}.eml"
    aside.write_bytes(content)
    aside.replace(target)


def _join_lines(text: str) -> str:
    """Return a text as one line: a header ends at a line break."""
    return " ".join(text.split())


def _mask_password(text: str, url: str) -> str:
    password = urlsplit(url).password if url else None
    return text.replace(unquote(password), "***") if password else text
