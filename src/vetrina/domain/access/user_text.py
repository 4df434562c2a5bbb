"""What text of an account must be or becomes: logins, slugs, addresses of homes, locales.

Not here: markup in names and descriptions (domain/content/text/sanitise.py), who may write them (user_rights.py).
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

    Words without a protocol become a host, as the recording of a user with such an address shows.
    """
    address = _NO_ADDRESS.sub("", text.strip().replace(" ", "%20"))
    if not address:
        return ""
    found = _PROTOCOL.match(address)
    if found is None:
        return address if address[0] in "/#?" else f"http://{address}"
    if found[1].lower() in _PROTOCOLS:
        return address
    # A host with a port looks like a protocol.
    rest = address[found.end() :]
    return f"http://{address}" if rest[:1].isdecimal() else ""


def locale_of(language: str) -> str:
    """Return the locale of a language code."""
    return _LOCALES.get(language) or f"{language}_{language.upper()}"
