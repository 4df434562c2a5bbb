"""URLs of outgoing requests: parsed strictly, refused where no request may go. Sent by backends/http_client.py."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

ALLOWED_PORTS: Final = frozenset((80, 443, 8080, 8443))
DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_HOST: Final = re.compile(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?\.?", re.ASCII)


class OutboundError(Exception):
    """A request to another server failed, or its response cannot be used; the message says why."""


class OutboundAddressRefused(OutboundError):
    """The URL is malformed, or leads somewhere that this server does not connect to."""


@dataclass(frozen=True, slots=True)
class OutboundTarget:
    """A parsed URL: where to connect and what to request."""

    url: str
    scheme: str
    host: str
    port: int
    path: str


def parse_target(url: str, ports: frozenset[int] | None = ALLOWED_PORTS) -> OutboundTarget:
    """Parse a URL; its host name is not resolved yet.

    ports: the allowed ports; None for all. Raises OutboundAddressRefused for a URL that cannot be requested.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname or "", parts.port
        if ":" not in host:
            host = host.encode("idna").decode("ascii").lower() if not host.isascii() else host
    except (ValueError, UnicodeError):
        raise OutboundAddressRefused("the address cannot be read") from None
    if parts.scheme not in DEFAULT_PORTS or not host:
        raise OutboundAddressRefused("only addresses that begin with http:// or https:// and a host can be asked")
    if parts.username is not None or parts.password is not None:
        raise OutboundAddressRefused("an address with a user and a password is not asked")
    if ":" not in host and not _HOST.fullmatch(host):
        raise OutboundAddressRefused("the host of the address cannot be read")
    port = DEFAULT_PORTS[parts.scheme] if port is None else port
    if ports is not None and port not in ports:
        raise OutboundAddressRefused(f"port {port} is not asked; use one of {', '.join(map(str, sorted(ports)))}")
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    query = quote(parts.query, safe="/%:@!$&'()*+,;=~-._?")
    whole = urlunsplit((parts.scheme, parts.netloc, path, query, ""))
    return OutboundTarget(whole, parts.scheme, host, port, path + (f"?{query}" if query else ""))
