"""The number of statements of a catalogue's public pages does not depend on the number of products."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conftest import Client, Stand, exchange
from recorded_statements import record_statements
from shop.conftest import manager, prepared_postgres_shop, prepared_shop, site

__all__ = ["manager", "prepared_postgres_shop", "prepared_shop", "site"]

Counting = Callable[[str], int]
_MOST_OF_A_LIST, _MOST_OF_A_PRODUCT = 40, 50


@pytest.fixture
def kind() -> str:
    """The embedded database, which reports its statements."""
    return "sqlite"


@pytest.fixture
def count(site: Stand) -> Counting:
    """Return how many statements a page takes that is made again."""

    def count_statements(address: str) -> int:
        for again in range(2):
            assert exchange(site.site, "GET", f"{address}?again={again}")[0] == 200
        with record_statements(site) as asked:
            exchange(site.site, "GET", f"{address}?again=2")
        return len(asked)

    return count_statements


def fill(manager: Client, first: int, number: int) -> None:
    """Make products with a category, an attribute and a sale."""
    category = manager.get("/shop/v3/products/categories").json[0]["id"]
    attribute = manager.get("/shop/v3/products/attributes").json[0]["id"]
    made = [
        {
            "name": f"Product {at:03}", "regular_price": "10", "sale_price": str(1 + at % 9),
            "categories": [{"id": category}], "attributes": [{"id": attribute, "visible": True, "options": ["Red"]}],
        }
        for at in range(first, first + number)
    ]  # fmt: skip
    for start in range(0, number, 50):
        answer = manager.post("/shop/v3/products/batch", {"create": made[start : start + 50]})
        assert answer.status == 200, answer.json


def test_a_list_asks_as_often_for_many_products_as_for_few(manager: Client, count: Counting) -> None:
    manager.post("/shop/v3/products/attributes", {"name": "Colour"})
    fill(manager, 0, 3)
    few = count("/en/shop/")
    fill(manager, 3, 27)
    many = count("/en/shop/")
    assert many <= few + 1  # whether there is a second page
    assert many <= _MOST_OF_A_LIST
    assert count("/en/product/product-001/") <= _MOST_OF_A_PRODUCT


def test_a_query_that_knows_nothing_of_products_loads_them_together(
    manager: Client, site: Stand, count: Counting
) -> None:
    manager.post("/shop/v3/products/attributes", {"name": "Colour"})
    fill(manager, 0, 4)
    content = (
        '<!-- wp:query {"query":{"postType":"product","perPage":50}} --><div><!-- wp:post-template -->'
        "<!-- wp:shop/product-image /--><!-- wp:shop/product-price /-->"
        "<!-- /wp:post-template --></div><!-- /wp:query -->"
    )
    members = {"title": "A", "slug": "a", "status": "publish", "content": content}
    assert site.client("admin").post("/cms/v2/pages", members).status == 201
    few = count("/en/a/")
    fill(manager, 4, 20)
    assert count("/en/a/") <= few
