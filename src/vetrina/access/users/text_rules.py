"""What text of an account must be or becomes: logins, slugs, addresses of homes, locales.

Not here: markup in names and descriptions (content/text/sanitizing.py), who may write them (access/users/rights.py).
Rules: facts, "Users", and the recordings of refused users.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["LONGEST_LOGIN", "LONGEST_SLUG", "LONGEST_URL", "good_login", "locale_of", "web_address"]

LONGEST_LOGIN: Final = 60  # letters
LONGEST_SLUG: Final = 50  # letters
LONGEST_URL: Final = 100  # letters

_LOGIN = re.compile(r"[A-Za-z0-9_.@-]+(?: [A-Za-z0-9_.@-]+)*")
_NO_ADDRESS = re.compile(r"[^A-Za-z0-9~+_.?#=!&;,/:%@$|*'()\[\]\x80-\U0010ffff-]+")
_PROTOCOL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_HOST_WITH_PORT = re.compile(r"[^:/?]+:([0-9])?")
_HOST = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//[^/?#]*")
_SCRIPT = re.compile(r"[a-z0-9-]+\.php", re.IGNORECASE)
_PROTOCOLS: Final = frozenset(
    ("http", "https", "ftp", "ftps", "mailto", "news", "irc", "gopher", "nntp", "feed", "telnet", "mms", "rtsp", "sms",
     "svn", "tel", "fax", "xmpp", "webcal", "urn")
)  # fmt: skip
_LOCALES: Final = {"en": "en_US", "it": "it_IT", "de": "de_DE", "fr": "fr_FR", "es": "es_ES", "pt": "pt_PT"}


def good_login(login: str) -> bool:
    """Say whether a login has only letters, digits, single inner blanks and `_ . - @`."""
    return _LOGIN.fullmatch(login) is not None


def web_address(text: str) -> str:
    """Return `text` as an address that is safe to link to; empty when its protocol is not allowed.

    Words without a protocol become a host, as the recording of a user with such an address shows. Octets of line ends
    are for mail alone, brackets for hosts alone.
    """
    address = _NO_ADDRESS.sub("", text.strip().replace(" ", "%20")).replace(";//", "://")
    if not address:
        return ""
    found = _PROTOCOL.match(address)
    protocol = found[1].lower() if found else ""
    if protocol != "mailto":
        address = _without_line_ends(address)
    if found and protocol in _PROTOCOLS:
        address = protocol + address[len(protocol) :]
        if protocol == "feed" and not _is_feed(address):
            return ""
    elif address[0] not in "/#?":
        # A host with a port looks like a protocol.
        named = _HOST_WITH_PORT.match(address)
        if named and not named[1]:
            return ""
        if named or not _SCRIPT.match(address):
            address = f"http://{address}"
    front = _HOST.match(address)
    behind = front.end() if front else 0
    return address[:behind] + address[behind:].replace("[", "%5B").replace("]", "%5D")


def _without_line_ends(address: str) -> str:
    """Return `address` without octets of line ends, and without those that arise where one was taken out."""
    if "%0" not in address:
        return address
    kept: list[str] = []
    for sign in address:
        kept.append(sign)
        if sign in "aAdD" and kept[-3:-1] == ["%", "0"]:
            del kept[-3:]
    return "".join(kept)


def _is_feed(address: str) -> bool:
    """Say whether what `feed:` stands in front of may be linked to itself."""
    inner = address.lower().removeprefix("feed:").removeprefix("feed:")
    found = _PROTOCOL.match(inner)
    return found is None or found[1] in _PROTOCOLS - {"feed"}


def locale_of(language: str) -> str:
    """Return the locale of a language code."""
    return _LOCALES.get(language) or f"{language}_{language.upper()}"
