"""Addresses in attributes and styles: whatever stands in front of a colon must be a known protocol.

Not here: which protocols those are (content/text/allowed_markup.py).
Rules: observed on links; an unknown protocol is cut off and the rest stays (`javascript:x()` becomes `x()`).
"""

import html
import re
from typing import Final

from vetrina.content.text.allowed_markup import PROTOCOLS

# Every way to write a colon, with or without the semicolon that browsers forgive.
_COLON = re.compile(r":|&#0*58(?:;|(?![0-9]))|&#[xX]0*3[aA](?:;|(?![0-9a-fA-F]))|&colon;")
# Browsers pass over these inside a protocol; wider than the standard, since no honest protocol holds any of them.
_IGNORED = re.compile(r"[\x00-\x20\x7f-\xa0\xad\s\u200b-\u200f\u2028-\u202f\u2060-\u2064\ufeff]+")
_NO_PROTOCOL = re.compile(r"[/?#]")
_BLANKS: Final = " \t\r\n\x0b\x0c\0"


def harmless(address: str) -> str:
    """Return `address` without protocols that are not allowed; a relative address stays as it is.

    address: as it stands in the attribute, its entities unread.
    """
    start = at = 0
    kept = ""
    # Each round reads only what stands in front of the next colon, so the whole is read once.
    while colon := _COLON.search(address, at):
        head = _IGNORED.sub("", html.unescape(address[start : colon.start()])).lower()
        if head in PROTOCOLS:
            kept += head + ":"
            if head != "feed":
                return kept + address[colon.end() :].lstrip(_BLANKS)
        elif _NO_PROTOCOL.search(head):
            break
        start = at = _skipped(address, colon.end())
    return kept + address[start:]


def is_harmless(address: str) -> bool:
    """Say whether an address has a known protocol or none, read as browsers read it: entities, then blanks within.

    address: as it stands in the attribute, its entities unread.
    """
    colon = _COLON.search(address)
    if colon is None:
        return True
    head = _IGNORED.sub("", html.unescape(address[: colon.start()])).lower()
    return head in PROTOCOLS or _NO_PROTOCOL.search(head) is not None


def _skipped(address: str, at: int) -> int:
    while at < len(address) and address[at] in _BLANKS:
        at += 1
    return at
