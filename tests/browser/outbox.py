"""The mails that a served site leaves in its outbox."""

from __future__ import annotations

import re
import time
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

_WAIT_SECONDS = 60


def read_link(folder: Path, address: str, page: str = "", since: float = 0) -> str:
    """Wait for a mail to an address, and return the link with a key in it.

    page: how the last part of the link's path begins. since: of mails that were written after this time.
    """
    return wait_for_mail(folder, address, rf"https?://\S*/{page}\S*[?&]key=\S*", since)


def wait_for_mail(folder: Path, address: str, pattern: str, since: float = 0) -> str:
    """Wait for a mail to an address, and return what a pattern finds in its text."""
    until = time.monotonic() + _WAIT_SECONDS
    while time.monotonic() < until:
        for file in (folder / "outbox").glob("*.eml"):
            mail: Any = message_from_bytes(file.read_bytes(), policy=policy.default)
            found = re.search(pattern, mail.get_body(("plain",)).get_content())
            if mail["To"] == address and found and file.stat().st_mtime > since:
                return found[0]
        time.sleep(0.1)
    raise AssertionError(f"no mail to {address} with {pattern}")
