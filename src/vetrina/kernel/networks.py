"""Who counts as one caller: one address of IPv4, one network of IPv6. Rules: RFC 4291, 2.5.4 (64 bits of interface)."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

__all__ = ["network_of"]

_NETWORK: Final = 64  # bits of an IPv6 address that name a subscriber; the others he chooses himself


@lru_cache(maxsize=4096)
def network_of(remote: str) -> str:
    """Return what an address counts as: itself, or the network of one of IPv6.

    remote: as a server or a proxy writes it; a port may follow it.
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
            free = 128 - _NETWORK
            return f"{IPv6Address(int(address) >> free << free)}/{_NETWORK}"
        address = address.ipv4_mapped
    return str(address)
