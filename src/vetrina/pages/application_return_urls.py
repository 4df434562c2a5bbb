"""Return URLs that an application passes in: which ones are safe, and what is added to them.

Whoever made the link chose them, so nothing may pass that a browser would run, or that would send a password in clear
over a network. Allowed are https, http to the same machine, and schemes of programs on it. Rules: RFC 8252, 7 and 8.3
(native clients, loopback), RFC 3986; WHATWG URL (how browsers treat odd characters).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

_MAX_URL_LENGTH: Final = 2000  # characters
_PRINTABLE: Final = re.compile(r"[\x21-\x7e]+")
_FORBIDDEN_CHARACTERS: Final = frozenset('<>"\\^`{|}')
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*")
_HOST: Final = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\]", re.IGNORECASE)
# Schemes with a meaning of their own for browsers and systems: none of them leads to a program that asked.
_RESERVED_SCHEMES: Final = frozenset({
    "about", "acap", "blob", "chrome", "chrome-extension", "cid", "content", "data", "dav", "dict", "edge", "feed",
    "file", "filesystem", "ftp", "ftps", "geo", "gopher", "imap", "intent", "irc", "jar", "javascript", "ldap",
    "livescript", "magnet", "mailto", "mid", "mocha", "moz-extension", "news", "nfs", "nntp", "pop", "resource", "rtsp",
    "search-ms", "sftp", "shell", "sip", "sips", "sms", "smb", "ssh", "steam", "tel", "telnet", "urn", "vbscript",
    "view-source", "webcal", "ws", "wss", "xmpp",
})  # fmt: skip
_RESERVED_PREFIXES: Final = ("ms-", "web+", "x-javascript")


def is_safe_return_url(address: str) -> bool:
    """Return whether a browser may be sent to a URL with a password in it."""
    if (
        len(address) > _MAX_URL_LENGTH
        or not _PRINTABLE.fullmatch(address)
        or not _FORBIDDEN_CHARACTERS.isdisjoint(address)
    ):
        return False
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    scheme = parts.scheme.lower()
    if not address.lower().startswith(f"{scheme}:") or not _SCHEME.fullmatch(scheme):
        return False
    # `https:host` and names in front of a host are parsed in more than one way.
    if scheme in ("http", "https"):
        host = parts.hostname or ""
        plain = address[len(scheme) :].startswith("://") and "@" not in parts.netloc
        whole = f"[{host}]" if ":" in host else host
        return plain and bool(_HOST.fullmatch(whole)) and (scheme == "https" or _is_loopback_host(host))
    return scheme not in _RESERVED_SCHEMES and not scheme.startswith(_RESERVED_PREFIXES) and "@" not in parts.netloc


def append_query(address: str, answer: Mapping[str, str]) -> str:
    """Return a URL with parameters added to its query, in place of those with the same names."""
    parts = urlsplit(address)
    remaining = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name not in answer]
    # Concatenated by hand: the library drops the slashes of an empty host, as in `program://?x=1`.
    front = address.partition("#")[0].partition("?")[0]
    fragment = address.partition("#")[1:]
    return f"{front}?{urlencode([*remaining, *answer.items()])}{''.join(fragment)}"


def build_url_source(address: str) -> str:
    """Return the Content-Security-Policy source of a safe URL; empty for none."""
    if not address:
        return ""
    parts = urlsplit(address)
    scheme = parts.scheme.lower()
    # A policy cannot name a host that is written as an IPv6 address.
    if scheme not in ("http", "https") or ":" in (parts.hostname or ""):
        return f"{scheme}:"
    return f"{scheme}://{parts.netloc.lower()}"


def format_destination(address: str) -> str:
    """Return the part of a URL that tells people where it leads."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else f"{parts.scheme}:"


def _is_loopback_host(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
