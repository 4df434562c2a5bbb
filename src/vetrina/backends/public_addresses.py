"""Which IP addresses belong to the public internet, so that an outgoing request may go there.

Everything reserved for a special purpose is refused: this host, private networks, links, documentation, benchmarks,
multicast, reserved ranges; and every form in which one address embeds another. Rules: IANA's special-purpose registries
for IPv4 and IPv6 (RFC 6890 and its successors).
"""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_SPECIAL_V4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared behind a carrier's NAT
        "127.0.0.0/8",  # this host
        "169.254.0.0/16",  # link-local; cloud metadata services too
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # name servers of private networks
        "192.52.193.0/24",  # automatic multicast tunnels
        "192.88.99.0/24",  # deprecated 6to4 relays
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # name servers of private networks
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
# Only this part of IPv6 is assigned to public hosts; loopback, link-local, site-local and unique local lie outside.
_GLOBAL_V6 = IPv6Network("2000::/3")
_SPECIAL_V6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocols, Teredo tunnels, ORCHID identifiers
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4 tunnels, whose other end is any IPv4 address
        "2620:4f:8000::/48",  # name servers of private networks
        "3fff::/20",  # documentation
        "3ffe::/16",  # the former 6bone
    )
)
# These embed an IPv4 address in their last four bytes and route to it.
_IPV4_CARRIERS = tuple(IPv6Network(network) for network in ("::ffff:0:0/96", "64:ff9b::/96"))


@lru_cache(maxsize=1024)
def is_public_address(address: str) -> bool:
    """Return whether a text is a public IP address; False for anything else."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        if not any(found in network for network in _IPV4_CARRIERS):
            return found in _GLOBAL_V6 and not any(found in network for network in _SPECIAL_V6)
        found = IPv4Address(int(found) & 0xFFFF_FFFF)
    return not any(found in network for network in _SPECIAL_V4)
