"""Which addresses count as one client."""

from __future__ import annotations

import pytest

from vetrina.kernel.networks import get_network


@pytest.mark.parametrize(
    ("written", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:5000", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:DB8:0:0:ffff::1", "2001:db8::/64"),
        ("[2001:db8::9]:5000", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
        ("", ""),
    ],
)
def test_what_counts_as_one_address(written: str, network: str) -> None:
    assert get_network(written) == network
