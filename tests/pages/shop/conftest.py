"""A test site with a shop, and what its tests make in it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from conftest import Client, Stand
from shop.conftest import customer, manager, prepared_postgres_shop, prepared_shop, site

__all__ = ["customer", "manager", "prepared_postgres_shop", "prepared_shop", "site"]

PRODUCTS = "/shop/v3/products"


@pytest.fixture
def make(manager: Client) -> Any:
    """Make a product of 10.00, and return it."""

    def make_product(name: str = "A thing", **members: Any) -> Any:
        answer = manager.post(PRODUCTS, {"name": name, "regular_price": "10", **members})
        assert answer.status == 201, answer.json
        return answer.json

    return make_product


@pytest.fixture
def configure(site: Stand) -> Any:
    """Store options of the site."""

    def store(**options: Any) -> None:
        with site.site.work() as work:
            for name, value in options.items():
                work.set_option(name, value)

    return store


def list_names(html: str) -> list[str]:
    """Return the names of the products of the main list of a page, in their order."""
    found = re.search(r'<ul class="wp-block-shop-product-template.*?</ul>', html, re.DOTALL)
    return re.findall(r"<h2[^>]*><a[^>]*>([^<]*)</a></h2>", found[0]) if found else []
