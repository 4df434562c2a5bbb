"""Validation and normalization of an account's texts: logins, slugs, website URLs, locales.

Markup in names and descriptions: content/text/sanitizing.py. Rules: docs/rules/users.md, 3.
"""

from __future__ import annotations

import re
from typing import Final

MAX_LOGIN_LENGTH: Final = 60  # characters
MAX_SLUG_LENGTH: Final = 50  # characters
MAX_URL_LENGTH: Final = 100  # characters

_LOGIN = re.compile(r"[A-Za-z0-9_.@-]+(?: [A-Za-z0-9_.@-]+)*")
_NO_ADDRESS = re.compile(r"[\x00-\x20\"<>\\^`{}\x7f]+")
_PROTOCOL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_HOST_WITH_PORT = re.compile(r"[^:/?]+:([0-9])?")
_HOST = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//[^/?#]*")
_SCRIPT = re.compile(r"[a-z0-9-]+\.php", re.IGNORECASE)
_PROTOCOLS: Final = frozenset(
    ("http", "https", "ftp", "ftps", "mailto", "news", "irc", "gopher", "nntp", "feed", "telnet", "mms", "rtsp", "sms",
     "svn", "tel", "fax", "xmpp", "webcal", "urn")
)  # fmt: skip
_LOCALES: Final = {"en": "en_US", "it": "it_IT", "de": "de_DE", "fr": "fr_FR", "es": "es_ES", "pt": "pt_PT"}


def is_valid_login(login: str) -> bool:
    """Return whether a login has only letters, digits, single inner spaces and `_ . - @`."""
    return _LOGIN.fullmatch(login) is not None


def sanitize_url(text: str) -> str:
    """Return `text` as a URL that is safe to link to; empty if its scheme is not allowed.

    Text without a scheme becomes a host name. Percent-encoded line ends are for mailto only, brackets for hosts only.
    """
    address = _NO_ADDRESS.sub("", text.strip().replace(" ", "%20")).replace(";//", "://")
    if not address:
        return ""
    found = _PROTOCOL.match(address)
    protocol = found[1].lower() if found else ""
    if protocol != "mailto":
        address = _strip_line_ends(address)
    if found and protocol in _PROTOCOLS:
        address = protocol + address[len(protocol) :]
        if protocol == "feed" and not _is_safe_feed(address):
            return ""
    elif address[0] not in "/#?":
        # A host with a port looks like a scheme.
        named = _HOST_WITH_PORT.match(address)
        if named and not named[1]:
            return ""
        if named or not _SCRIPT.match(address):
            address = f"http://{address}"
    front = _HOST.match(address)
    behind = front.end() if front else 0
    return address[:behind] + address[behind:].replace("[", "%5B").replace("]", "%5D")


def _strip_line_ends(address: str) -> str:
    """Return `address` without percent-encoded line ends, including those that form when one is removed."""
    if "%0" not in address:
        return address
    characters: list[str] = []
    for character in address:
        characters.append(character)
        if character in "aAdD" and characters[-3:-1] == ["%", "0"]:
            del characters[-3:]
    return "".join(characters)


def _is_safe_feed(address: str) -> bool:
    """Return whether the URL after `feed:` may itself be linked to."""
    inner = address.lower().removeprefix("feed:").removeprefix("feed:")
    found = _PROTOCOL.match(inner)
    return found is None or found[1] in _PROTOCOLS - {"feed"}


def language_to_locale(language: str) -> str:
    """Return the locale of a language code."""
    return _LOCALES.get(language) or f"{language}_{language.upper()}"
