"""Which network addresses belong to the public internet, so that a request from this server may go there.

Everything that a registry keeps for a special purpose is refused: this host, private networks, links, documentation,
benchmarks, multicast, what is reserved; and every form in which one address hides inside another.
Rules: the special-purpose registries of IANA for IPv4 and IPv6 (RFC 6890 and those after it).
"""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

__all__ = ["is_public"]

_SPECIAL_V4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared behind a carrier's translation
        "127.0.0.0/8",  # this host
        "169.254.0.0/16",  # link; the clouds' own services too
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocols
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # name servers of private networks
        "192.52.193.0/24",  # automatic multicast tunnels
        "192.88.99.0/24",  # relays that nobody runs any more
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # name servers of private networks
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
# Only this part of IPv6 is handed out to public hosts; loopback, link, site and unique local lie outside it.
_GLOBAL_V6 = IPv6Network("2000::/3")
_SPECIAL_V6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocols, tunnels through translations, identities of hosts
        "2001:db8::/32",  # documentation
        "2002::/16",  # tunnels whose other end is any IPv4 address
        "2620:4f:8000::/48",  # name servers of private networks
        "3fff::/20",  # documentation
        "3ffe::/16",  # experiments long over
    )
)
# These carry an IPv4 address in their last four bytes and reach it.
_CARRIERS = tuple(IPv6Network(network) for network in ("::ffff:0:0/96", "64:ff9b::/96"))


@lru_cache(maxsize=1024)
def is_public(address: str) -> bool:
    """Say whether an address, in the usual text form, is one of the public internet; what is no address is not."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        if not any(found in network for network in _CARRIERS):
            return found in _GLOBAL_V6 and not any(found in network for network in _SPECIAL_V6)
        found = IPv4Address(int(found) & 0xFFFF_FFFF)
    return not any(found in network for network in _SPECIAL_V4)
