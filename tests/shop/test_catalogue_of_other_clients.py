"""The catalog as existing clients of such shops expect it: global ids, searches, counts, variations in items."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand

PRODUCTS = "/shop/v3/products"
ORDERS = "/shop/v3/orders"
CATEGORIES = f"{PRODUCTS}/categories"
HIDDEN = "/shop/v3/settings/products/shop_hide_out_of_stock_items"


def made(client: Client, path: str, **members: Any) -> dict[str, Any]:
    answer = client.post(path, members)
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def numbers(client: Client, path: str, **query: Any) -> set[int]:
    answer = client.get(path, query=query)
    assert answer.status == 200, answer.json
    return {one["id"] for one in answer.json}


@pytest.fixture
def shirt(manager: Client) -> dict[str, Any]:
    """A variable product with a SKU, and one variation without."""
    colours = [{"name": "Material", "options": ["wool", "silk"], "variation": True}]
    product = made(manager, PRODUCTS, name="Shirt", sku="SHIRT", type="variable", attributes=colours)
    chosen = [{"name": "Material", "option": "wool"}]
    part = made(manager, f"{PRODUCTS}/{product['id']}/variations", regular_price="7", attributes=chosen)
    return {**product, "part": part["id"]}


@pytest.mark.every_database
def test_lists_find_what_has_a_global_number_variations_too(manager: Client, shirt: dict[str, Any]) -> None:
    plain = made(manager, PRODUCTS, name="Plain", global_unique_id="61-2")
    parts = f"{PRODUCTS}/{shirt['id']}/variations"
    made(manager, parts, regular_price="8")
    manager.put(f"{parts}/{shirt['part']}", {"global_unique_id": "77-1"})
    assert numbers(manager, PRODUCTS, global_unique_id="61-2") == {plain["id"]}
    assert numbers(manager, PRODUCTS, global_unique_id="61-2, 77-1") == {plain["id"], shirt["part"]}
    assert numbers(manager, parts, global_unique_id="77-1") == {shirt["part"]}
    assert numbers(manager, PRODUCTS, global_unique_id="5") == set()


def test_a_search_in_named_fields_is_the_only_search(manager: Client) -> None:
    scarf = made(manager, PRODUCTS, name="Winter scarf")
    query = {"search": "Winter", "search_fields": "name", "search_name_or_sku": "nothing"}
    assert numbers(manager, PRODUCTS, **query) == {scarf["id"]}


@pytest.mark.every_database
def test_variations_are_found_by_the_names_of_their_choices(manager: Client, shirt: dict[str, Any]) -> None:
    size = made(manager, f"{PRODUCTS}/attributes", name="Breadth")
    made(manager, f"{PRODUCTS}/attributes/{size['id']}/terms", name="Narrow")
    broad = [{"id": size["id"], "options": ["Narrow"], "variation": True}]
    coat = made(manager, PRODUCTS, name="Coat", type="variable", attributes=broad)
    chosen = [{"id": size["id"], "option": "Narrow"}]
    part = made(manager, f"{PRODUCTS}/{coat['id']}/variations", regular_price="7", attributes=chosen)
    for word, found in (("material", shirt["part"]), ("wool", shirt["part"]), ("breadth", part["id"])):
        assert numbers(manager, "/shop/v3/variations", search=word) == {found}, word
    assert numbers(manager, f"{PRODUCTS}/{shirt['id']}/variations", search="material") == {shirt["part"]}
    assert manager.get(f"{PRODUCTS}/{shirt['part']}").json["short_description"] == ""


@pytest.mark.every_database
def test_lists_of_categories_count_what_the_catalogue_shows_and_one_alone_what_it_has(manager: Client) -> None:
    above = made(manager, CATEGORIES, name="Clothes")["id"]
    below = made(manager, CATEGORIES, name="Hats", parent=above)["id"]
    tag = made(manager, f"{PRODUCTS}/tags", name="Red")["id"]
    groups = {"categories": [{"id": below}], "tags": [{"id": tag}]}
    hat = made(manager, PRODUCTS, name="Hat", **groups)
    made(manager, PRODUCTS, name="Secret hat", catalog_visibility="hidden", **groups)

    def counts() -> tuple[int, ...]:
        query = {"include": f"{above},{below}", "orderby": "id"}
        listed = manager.get(CATEGORIES, query=query).json
        return (*(one["count"] for one in listed), manager.get(f"{PRODUCTS}/tags").json[0]["count"])

    assert counts() == (1, 1, 1)
    manager.put(f"{PRODUCTS}/{hat['id']}", {"stock_status": "outofstock"})
    assert counts() == (1, 1, 1)
    manager.put(HIDDEN, {"value": "yes"})
    assert counts() == (0, 0, 0)
    assert manager.get(f"{CATEGORIES}/{below}").json["count"] == 2


def test_what_is_in_the_trash_holds_its_stock_number_against_new_products(manager: Client) -> None:
    old = made(manager, PRODUCTS, name="Old", sku="HELD")
    manager.delete(f"{PRODUCTS}/{old['id']}")
    refused = manager.post(PRODUCTS, {"name": "New", "sku": "held"})
    assert (refused.status, refused.code) == (400, "shop_rest_product_not_created")
    assert manager.get(PRODUCTS, query={"search": "New"}).json == []
    manager.delete(f"{PRODUCTS}/{old['id']}", query={"force": "true"})
    made(manager, PRODUCTS, name="New", sku="held")


@pytest.mark.parametrize(
    ("sent", "sells"),
    [
        ({"product_id": "shirt"}, "part"), ({"product_id": "shirt", "variation_id": "part", "sku": "SHIRT"}, "part"),
        ({"sku": "SHIRT"}, "part"), ({"product_id": "shirt", "variation_id": 0}, "shirt"),
        ({"product_id": "shirt", "variation_id": "shirt"}, "shirt"), ({"product_id": "plain"}, "plain"),
        ({"product_id": "plain", "sku": "SHIRT"}, "shirt"), ({"product_id": "shirt", "sku": "PLAIN"}, "plain"),
        ({"product_id": "shirt", "variation_id": 0, "sku": "PART"}, "shirt"),
    ],
)  # fmt: skip
def test_a_line_keeps_its_variation_unless_another_thing_is_named(
    manager: Client, shirt: dict[str, Any], sent: dict[str, Any], sells: str
) -> None:
    plain = made(manager, PRODUCTS, name="Plain", sku="PLAIN", regular_price="3")
    known = {"shirt": shirt["id"], "part": shirt["part"], "plain": plain["id"]}
    if sent.get("sku") == "PART":
        manager.put(f"{PRODUCTS}/{shirt['id']}/variations/{shirt['part']}", {"sku": "PART"})
    bought = [{"product_id": shirt["id"], "variation_id": shirt["part"], "quantity": 1}]
    order = made(manager, ORDERS, line_items=bought)
    line = order["line_items"][0]
    assert line["sku"] == ("PART" if sent.get("sku") == "PART" else "SHIRT")
    named = {name: known.get(value, value) for name, value in sent.items()}
    answer = manager.put(f"{ORDERS}/{order['id']}", {"line_items": [{"id": line["id"], **named}]})
    assert answer.status == 200, answer.json
    new = answer.json["line_items"][0]
    wanted = (shirt["id"], shirt["part"]) if sells == "part" else (known[sells], 0)
    assert (new["product_id"], new["variation_id"]) == wanted


def test_an_order_comes_back_as_it_was_read(manager: Client, shirt: dict[str, Any]) -> None:
    bought = [{"product_id": shirt["id"], "variation_id": shirt["part"], "quantity": 1}]
    order = made(manager, ORDERS, line_items=bought)
    back = manager.put(f"{ORDERS}/{order['id']}", {"line_items": order["line_items"]}).json
    assert back["line_items"][0]["variation_id"] == shirt["part"]
    manager.delete(f"{PRODUCTS}/{shirt['id']}/variations/{shirt['part']}", query={"force": "true"})
    gone = manager.put(f"{ORDERS}/{order['id']}", {"line_items": back["line_items"]}).json["line_items"][0]
    assert (gone["product_id"], gone["variation_id"]) == (shirt["id"], 0)


def test_what_opens_the_account_of_somebody_who_works_here_is_not_changed_among_customers(site: Stand) -> None:
    admin = site.client("admin")
    me = admin.get("/cms/v2/users/me", query={"context": "edit"}).json
    path = f"/shop/v3/customers/{me['id']}"
    for sent in ({"password": "another pass word"}, {"email": "other@example.org"}):
        answer = admin.put(path, sent)
        assert (answer.status, answer.code) == (403, "shop_rest_cannot_edit"), sent
    assert admin.put(path, {"first_name": "Ada", "email": me["email"]}).json["first_name"] == "Ada"


def test_a_group_without_settings_is_an_empty_list(manager: Client) -> None:
    answer = manager.get("/shop/v3/settings/checkout")
    assert (answer.status, answer.json) == (200, [])
    assert manager.get("/shop/v3/settings/checkout/nothing").code == "rest_setting_setting_invalid"
