"""Addresses that this server is asked to go to: read strictly, taken apart, refused where they cannot be asked.

Not here: which hosts are public (backends/public_addresses.py), asking them (backends/http_client.py).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

__all__ = ["PORTS", "STANDARD", "AddressRefused", "OutboundError", "Target", "checked_address"]

PORTS: Final = frozenset((80, 443, 8080, 8443))
STANDARD: Final = {"http": 80, "https": 443}
_HOST: Final = re.compile(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?\.?", re.ASCII)


class OutboundError(Exception):
    """Another server could not be asked, or gave no answer that can be used; the message says why."""


class AddressRefused(OutboundError):
    """The address is malformed, or leads somewhere that this server does not go."""


@dataclass(frozen=True, slots=True)
class Target:
    """An address taken apart: where to connect and what to ask for."""

    url: str
    scheme: str
    host: str
    port: int
    path: str


def checked_address(url: str, ports: frozenset[int] | None = PORTS) -> Target:
    """Return an address taken apart; its name is not resolved yet.

    ports: those that may be asked; None for all. Raises AddressRefused when it is not one that could be asked.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname or "", parts.port
        if ":" not in host:
            host = host.encode("idna").decode("ascii").lower() if not host.isascii() else host
    except (ValueError, UnicodeError):
        raise AddressRefused("the address cannot be read") from None
    if parts.scheme not in STANDARD or not host:
        raise AddressRefused("only addresses that begin with http:// or https:// and a host can be asked")
    if parts.username is not None or parts.password is not None:
        raise AddressRefused("an address with a user and a password is not asked")
    if ":" not in host and not _HOST.fullmatch(host):
        raise AddressRefused("the host of the address cannot be read")
    port = STANDARD[parts.scheme] if port is None else port
    if ports is not None and port not in ports:
        raise AddressRefused(f"port {port} is not asked; use one of {', '.join(map(str, sorted(ports)))}")
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    query = quote(parts.query, safe="/%:@!$&'()*+,;=~-._?")
    whole = urlunsplit((parts.scheme, parts.netloc, path, query, ""))
    return Target(whole, parts.scheme, host, port, path + (f"?{query}" if query else ""))
