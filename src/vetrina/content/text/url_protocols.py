"""URLs in attributes and styles: whatever precedes a colon must be a known protocol.

Not here: the known protocols (content/text/allowed_markup.py). Rules: docs/rules/markup.md, 3: an unknown protocol is
cut off and the rest stays (`javascript:x()` becomes `x()`).
"""

import html
import re
from typing import Final

from vetrina.content.text.allowed_markup import PROTOCOLS

# Every way to write a colon, with or without the semicolon that browsers forgive.
_COLON = re.compile(r":|&#0*58(?:;|(?![0-9]))|&#[xX]0*3[aA](?:;|(?![0-9a-fA-F]))|&colon;")
# Browsers ignore these inside a protocol; wider than the standard, since no honest protocol holds any of them.
_IGNORED = re.compile(r"[\x00-\x20\x7f-\xa0\xad\s\u200b-\u200f\u2028-\u202f\u2060-\u2064\ufeff]+")
_NO_PROTOCOL = re.compile(r"[/?#]")
_BLANKS: Final = " \t\r\n\x0b\x0c\0"


def strip_unsafe_protocols(address: str) -> str:
    """Return `address` without protocols that are not allowed; a relative URL stays as it is.

    address: as written in the attribute, entities not decoded.
    """
    start = at = 0
    kept = ""
    # Each round reads only what precedes the next colon, so the whole is read once.
    while colon := _COLON.search(address, at):
        head = _IGNORED.sub("", html.unescape(address[start : colon.start()])).lower()
        if head in PROTOCOLS:
            kept += head + ":"
            if head != "feed":
                return kept + address[colon.end() :].lstrip(_BLANKS)
        elif _NO_PROTOCOL.search(head):
            break
        start = at = _skip_blanks(address, colon.end())
    return kept + address[start:]


def has_safe_protocol(address: str) -> bool:
    """Return whether a URL has a known protocol or none, read as browsers do: entities decoded, then blanks removed.

    address: as written in the attribute, entities not decoded.
    """
    colon = _COLON.search(address)
    if colon is None:
        return True
    head = _IGNORED.sub("", html.unescape(address[: colon.start()])).lower()
    return head in PROTOCOLS or _NO_PROTOCOL.search(head) is not None


def _skip_blanks(address: str, at: int) -> int:
    while at < len(address) and address[at] in _BLANKS:
        at += 1
    return at
