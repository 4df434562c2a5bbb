"""Addresses that an application gives to be led back to: which ones are good, and what they get back.

They are chosen by whoever made the link, so nothing may pass that a browser would run, or send in clear over a network.
Good are https, http to the same machine, and schemes of programs on it.
Rules: RFC 8252, 7 and 8.3 (native clients, loopback), RFC 3986; WHATWG URL (what browsers make of odd signs).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

__all__ = ["is_good", "shown", "source", "with_answer"]

_LONGEST: Final = 2000  # signs
_SIGNS: Final = re.compile(r"[\x21-\x7e]+")
_ODD: Final = frozenset('<>"\\^`{|}')
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*")
_HOST: Final = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\]", re.IGNORECASE)
# Schemes that browsers and systems give a meaning of their own: none of them leads to a program that asked.
_TAKEN: Final = frozenset({
    "about", "acap", "blob", "chrome", "chrome-extension", "cid", "content", "data", "dav", "dict", "edge", "feed",
    "file", "filesystem", "ftp", "ftps", "geo", "gopher", "imap", "intent", "irc", "jar", "javascript", "ldap",
    "livescript", "magnet", "mailto", "mid", "mocha", "moz-extension", "news", "nfs", "nntp", "pop", "resource", "rtsp",
    "search-ms", "sftp", "shell", "sip", "sips", "sms", "smb", "ssh", "steam", "tel", "telnet", "urn", "vbscript",
    "view-source", "webcal", "ws", "wss", "xmpp",
})  # fmt: skip
_TAKEN_FAMILIES: Final = ("ms-", "web+", "x-javascript")


def is_good(address: str) -> bool:
    """Say whether somebody may be led to an address with a password in it."""
    if len(address) > _LONGEST or not _SIGNS.fullmatch(address) or not _ODD.isdisjoint(address):
        return False
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    scheme = parts.scheme.lower()
    if not address.lower().startswith(f"{scheme}:") or not _SCHEME.fullmatch(scheme):
        return False
    # `https:host` and names in front of a host are read in more than one way.
    if scheme in ("http", "https"):
        host = parts.hostname or ""
        plain = address[len(scheme) :].startswith("://") and "@" not in parts.netloc
        whole = f"[{host}]" if ":" in host else host
        return plain and bool(_HOST.fullmatch(whole)) and (scheme == "https" or _is_loopback(host))
    return scheme not in _TAKEN and not scheme.startswith(_TAKEN_FAMILIES) and "@" not in parts.netloc


def with_answer(address: str, answer: Mapping[str, str]) -> str:
    """Return an address with the members of an answer in its query, in the place of those that had their names."""
    parts = urlsplit(address)
    kept = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name not in answer]
    # Put together by hand: the library drops the strokes of an empty host, as in `program://?x=1`.
    front = address.partition("#")[0].partition("?")[0]
    fragment = address.partition("#")[1:]
    return f"{front}?{urlencode([*kept, *answer.items()])}{''.join(fragment)}"


def source(address: str) -> str:
    """Return what a Content-Security-Policy calls the place of a good address by; empty for none."""
    if not address:
        return ""
    parts = urlsplit(address)
    scheme = parts.scheme.lower()
    # A policy has no way to name a host that is written as an IPv6 address.
    if scheme not in ("http", "https") or ":" in (parts.hostname or ""):
        return f"{scheme}:"
    return f"{scheme}://{parts.netloc.lower()}"


def shown(address: str) -> str:
    """Return the part of an address that tells people where it leads."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else f"{parts.scheme}:"


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
