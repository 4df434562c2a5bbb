"""What counts as one client: an IPv4 address, or an IPv6 network (RFC 4291, 2.5.4: 64 bits of interface)."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

_NETWORK_BITS: Final = 64  # bits of an IPv6 address that identify a subscriber, who chooses the rest freely


@lru_cache(maxsize=4096)
def get_network(remote: str) -> str:
    """Return what an address counts as: an IPv4 address itself, the network of an IPv6 address.

    remote: as a server or a proxy writes it; a port may follow.
    """
    text = remote.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address: IPv4Address | IPv6Address = ip_address(text.partition("%")[0])
    except ValueError:
        return remote.strip().lower()
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is None:
            free = 128 - _NETWORK_BITS
            return f"{IPv6Address(int(address) >> free << free)}/{_NETWORK_BITS}"
        address = address.ipv4_mapped
    return str(address)
