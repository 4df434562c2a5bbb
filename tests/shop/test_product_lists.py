"""Lists of products: filters, orders, pages; their number of queries."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand
from recorded_statements import record_statements
from vetrina.shop.products import listing as product_listing

PRODUCTS = "/shop/v3/products"

ROWS: list[dict[str, Any]] = [
    {"name": "Alpha", "regular_price": "10", "sku": "L-1", "featured": True, "menu_order": 3},
    {"name": "Beta", "regular_price": "20", "sale_price": "15", "sku": "L-2", "menu_order": 1},
    {"name": "Gamma", "regular_price": "30", "sku": "L-3", "status": "draft", "virtual": True, "menu_order": 2},
    {"name": "Delta", "sku": "M-4", "tax_class": "zero-rate", "manage_stock": True, "stock_quantity": 0},
]


@pytest.fixture
def filled(manager: Client) -> Client:
    answer = manager.post(f"{PRODUCTS}/batch", {"create": ROWS})
    assert all("error" not in one for one in answer.json["create"]), answer.json
    return manager


def names(client: Client, **query: Any) -> list[str]:
    answer = client.get(PRODUCTS, query={"order": "asc", **query})
    assert answer.status == 200, answer.json
    return [row["name"] for row in answer.json]


@pytest.mark.every_database
def test_filters_leave_what_they_say(filled: Client) -> None:
    for query, wanted in (
        ({}, ["Alpha", "Beta", "Gamma", "Delta"]), ({"status": "draft"}, ["Gamma"]),
        ({"include_status": "draft,publish", "exclude_status": "draft"}, ["Alpha", "Beta", "Delta"]),
        ({"featured": True}, ["Alpha"]), ({"featured": False}, ["Beta", "Gamma", "Delta"]),
        ({"on_sale": True}, ["Beta"]), ({"on_sale": False}, ["Alpha", "Gamma", "Delta"]),
        ({"min_price": "15"}, ["Beta", "Gamma"]), ({"min_price": "11", "max_price": "16"}, ["Beta"]),
        ({"sku": "l-1,M-4"}, ["Alpha", "Delta"]), ({"search_sku": "l-"}, ["Alpha", "Beta", "Gamma"]),
        ({"search_name_or_sku": "m-4"}, ["Delta"]), ({"search": "alp"}, ["Alpha"]),
        ({"search": "m-4", "search_fields": "sku"}, ["Delta"]), ({"stock_status": "outofstock"}, ["Delta"]),
        ({"tax_class": "zero-rate"}, ["Delta"]), ({"virtual": True}, ["Gamma"]), ({"slug": "beta"}, ["Beta"]),
        ({"type": "grouped"}, []), ({"exclude_types": "simple"}, []), ({"category": "9999"}, []),
    ):  # fmt: skip
        assert names(filled, orderby="id", **query) == wanted, query


@pytest.mark.every_database
def test_orders_put_first_what_they_say(filled: Client) -> None:
    for query, wanted in (
        ({"orderby": "title"}, ["Alpha", "Beta", "Delta", "Gamma"]),
        ({"orderby": "price", "order": "desc"}, ["Gamma", "Beta", "Alpha", "Delta"]),
        ({"orderby": "price"}, ["Delta", "Alpha", "Beta", "Gamma"]),
        ({"orderby": "menu_order"}, ["Delta", "Beta", "Gamma", "Alpha"]),
        ({"orderby": "popularity", "order": "desc"}, ["Delta", "Gamma", "Beta", "Alpha"]),
        ({"orderby": "slug"}, ["Gamma", "Alpha", "Beta", "Delta"]),
    ):  # fmt: skip
        assert names(filled, **query) == wanted, query
    assert sorted(names(filled, orderby="random")) == ["Alpha", "Beta", "Delta", "Gamma"]
    ids = [row["id"] for row in filled.get(PRODUCTS, query={"orderby": "title", "order": "asc"}).json]
    chosen = f"{ids[2]},{ids[0]}"
    assert names(filled, include=chosen, orderby="include") == ["Delta", "Alpha"]


@pytest.mark.every_database
def test_a_long_list_along_an_index_is_the_list_that_sorting_gives(
    filled: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries = [
        {"orderby": name, "order": order, **more}
        for name in ("price", "popularity", "rating")
        for order in ("asc", "desc")
        for more in ({}, {"status": "publish"}, {"search": "a"}, {"offset": 1})
    ]
    sorted_lists = [names(filled, **query) for query in queries]
    monkeypatch.setattr(product_listing, "_INDEX_SCAN_THRESHOLD", 0)
    assert [names(filled, **query) for query in queries] == sorted_lists


@pytest.mark.every_database
def test_pages_hold_every_product_once(filled: Client) -> None:
    seen: list[str] = []
    for page in (1, 2, 3):
        answer = filled.get(PRODUCTS, query={"per_page": 3, "page": page, "orderby": "title", "order": "asc"})
        assert (answer.headers["x-cms-total"], answer.headers["x-cms-totalpages"]) == ("4", "2")
        seen += [row["name"] for row in answer.json]
    assert seen == ["Alpha", "Beta", "Delta", "Gamma"]
    assert names(filled, orderby="title", offset=3) == ["Gamma"]
    assert 'rel="next"' in filled.get(PRODUCTS, query={"per_page": 3}).headers["link"]


def test_bad_filters_are_named_together(manager: Client) -> None:
    answer = manager.get(PRODUCTS, query={"per_page": 0, "orderby": "colour", "after": "soon"})
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    assert set(answer.json["data"]["params"]) == {"per_page", "orderby", "after"}


@pytest.mark.in_process("it asks SQLite")
def test_a_page_asks_as_often_for_a_hundred_products_as_for_two(site: Stand, manager: Client) -> None:
    category = manager.post(f"{PRODUCTS}/categories", {"name": "All"}).json["id"]
    given = {"regular_price": "5", "categories": [{"id": category}], "meta_data": [{"key": "a", "value": 1}]}
    for start in range(0, 100, 50):
        manager.post(f"{PRODUCTS}/batch", {"create": [{"name": f"P {start + at}", **given} for at in range(50)]})
    counts = []
    for size in (2, 100):
        manager.get(PRODUCTS, query={"per_page": size})
        with record_statements(site) as noted:
            assert len(manager.get(PRODUCTS, query={"per_page": size}).json) == size
        counts.append(len(noted))
    assert counts[0] == counts[1]


@pytest.mark.in_process("it asks SQLite")
def test_a_page_of_variations_asks_as_often_for_many_as_for_few(site: Stand, manager: Client) -> None:
    options = [f"o{at}" for at in range(40)]
    attributes = [{"name": "Size", "variation": True, "options": options}]
    one = manager.post(PRODUCTS, {"name": "Coat", "type": "variable", "attributes": attributes}).json
    path = f"{PRODUCTS}/{one['id']}/variations"
    assert manager.post(f"{path}/generate", {"default_values": {"regular_price": "5"}}).json == {"count": 40}
    counts = []
    for size in (2, 40):
        manager.get(path, query={"per_page": size})
        with record_statements(site) as noted:
            assert len(manager.get(path, query={"per_page": size}).json) == size
        counts.append(len(noted))
    assert counts[0] == counts[1]


@pytest.mark.every_database
def test_a_group_is_not_on_sale_itself(filled: Client) -> None:
    beta = filled.get(PRODUCTS, query={"search": "Beta"}).json[0]["id"]
    group = filled.post(PRODUCTS, {"name": "Group", "type": "grouped", "grouped_products": [beta]}).json
    assert group["on_sale"] is True
    assert names(filled, on_sale=True) == ["Beta"]
    assert names(filled, on_sale=False) == ["Alpha", "Gamma", "Delta", "Group"]
