"""Public pages set no cookie before a visitor does something that needs one (docs/shop-pages.md)."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand
from shop.store import payable, sold

from .buyer import CART, CHECKOUT, Buyer


@pytest.fixture
def buyer(site: Stand) -> Buyer:
    return Buyer(site)


def test_reading_sets_no_cookie(buyer: Buyer, manager: Client, make: Any) -> None:
    make("Lamp")
    for address in ("/", "/en/", "/it/", "/en/shop/", "/en/product/lamp/", "/it/?s=lamp", "/en/nothing/", "/en/feed/"):
        assert "set-cookie" not in buyer.get(address).headers, address


def test_the_cart_sets_only_what_it_needs(buyer: Buyer, manager: Client) -> None:
    payable(manager)
    buyer.add(sold(manager, "Cup", "10"))
    buyer.get(CART)
    buyer.get(CHECKOUT)
    assert set(buyer.cookies) == {"cms_cart", "cms_cart_count", "cms_form"}
