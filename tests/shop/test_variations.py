"""Variable products: attributes, variations, their combinations, and the product's members derived from them."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client

pytestmark = pytest.mark.every_database

PRODUCTS = "/shop/v3/products"


def made(client: Client, path: str, **members: Any) -> dict[str, Any]:
    answer = client.post(path, members)
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


@pytest.fixture
def colour(manager: Client) -> dict[str, Any]:
    """A shared attribute with two terms."""
    attribute = made(manager, f"{PRODUCTS}/attributes", name="Colour")
    for name in ("Red", "Green"):
        made(manager, f"{PRODUCTS}/attributes/{attribute['id']}/terms", name=name)
    return attribute


@pytest.fixture
def shirt(manager: Client, colour: dict[str, Any]) -> dict[str, Any]:
    """A variable product with a shared attribute and one of its own."""
    attributes = [
        {"id": colour["id"], "position": 0, "visible": True, "variation": True, "options": ["Red", "Green"]},
        {"name": "Size", "position": 1, "variation": True, "options": ["Short", "Long"]},
    ]
    return made(manager, PRODUCTS, name="Shirt", type="variable", attributes=attributes)


def variation(client: Client, of: dict[str, Any], colour: dict[str, Any], **members: Any) -> dict[str, Any]:
    chosen = [{"id": colour["id"], "option": "Green"}, {"name": "Size", "option": "Long"}]
    return made(client, f"{PRODUCTS}/{of['id']}/variations", **{"attributes": chosen, **members})


def test_a_product_lists_shared_attributes_with_their_prefix_and_its_own_as_they_are_called(
    shirt: dict[str, Any], colour: dict[str, Any]
) -> None:
    assert colour["slug"] == "pa_colour"
    assert shirt["attributes"] == [
        {"id": colour["id"], "name": "Colour", "slug": "pa_colour", "position": 0, "visible": True, "variation": True,
         "options": ["Green", "Red"]},
        {"id": 0, "name": "Size", "slug": "Size", "position": 1, "visible": False, "variation": True,
         "options": ["Short", "Long"]},
    ]  # fmt: skip
    assert (shirt["price"], shirt["has_options"], shirt["variations"]) == ("", True, [])


def test_a_variation_is_named_by_its_choices_and_addressed_by_them(
    manager: Client, shirt: dict[str, Any], colour: dict[str, Any]
) -> None:
    one = variation(manager, shirt, colour, regular_price="12", sku="SH-GL")
    assert (one["name"], one["type"], one["parent_id"]) == ("Green, Long", "variation", shirt["id"])
    assert one["permalink"].endswith("/product/shirt/?attribute_pa_colour=green&attribute_size=Long")
    assert one["attributes"] == [
        {"id": colour["id"], "name": "Colour", "slug": "pa_colour", "option": "Green"},
        {"id": 0, "name": "Size", "slug": "size", "option": "Long"},
    ]
    through = manager.get(f"{PRODUCTS}/{one['id']}").json
    assert (through["type"], through["parent_id"], through["sku"]) == ("variation", shirt["id"], "SH-GL")


def test_the_price_of_a_product_is_the_lowest_of_its_published_variations(
    manager: Client, shirt: dict[str, Any], colour: dict[str, Any]
) -> None:
    variation(manager, shirt, colour, regular_price="12")
    cheap = variation(manager, shirt, colour, regular_price="9", sale_price="8")
    hidden = variation(manager, shirt, colour, regular_price="1", status="private")
    assert hidden["purchasable"] is False
    found = manager.get(f"{PRODUCTS}/{shirt['id']}").json
    assert (found["price"], found["regular_price"], found["sale_price"], found["on_sale"]) == ("8", "", "", True)
    assert "Price range: &#36;8.00 through &#36;12.00" in found["price_html"]
    manager.delete(f"{PRODUCTS}/{shirt['id']}/variations/{cheap['id']}", query={"force": True})
    found = manager.get(f"{PRODUCTS}/{shirt['id']}").json
    assert (found["price"], found["on_sale"]) == ("12", False)


def test_a_choice_that_is_left_out_may_be_any(manager: Client, shirt: dict[str, Any]) -> None:
    path = f"{PRODUCTS}/{shirt['id']}/variations"
    one = made(manager, path, regular_price="5", attributes=[{"name": "Size", "option": "Long"}])
    assert one["name"] == "Long"
    assert [chosen["slug"] for chosen in one["attributes"]] == ["size"]


def test_variations_are_listed_newest_first_and_found_by_number_sale_and_choice(
    manager: Client, shirt: dict[str, Any], colour: dict[str, Any]
) -> None:
    path = f"{PRODUCTS}/{shirt['id']}/variations"
    first = variation(manager, shirt, colour, regular_price="12", sku="A-1")
    second = made(manager, path, regular_price="9", sale_price="8", sku="A-2",
                  attributes=[{"id": colour["id"], "option": "Red"}])  # fmt: skip

    def ids(**query: Any) -> list[int]:
        answer = manager.get(path, query=query)
        assert answer.status == 200, answer.json
        return [one["id"] for one in answer.json]

    assert ids() == [second["id"], first["id"]]
    assert ids(orderby="id", order="asc") == [first["id"], second["id"]]
    assert ids(sku="a-1") == [first["id"]]
    assert ids(on_sale=True) == [second["id"]]
    assert ids(attributes=[{"attribute": "pa_colour", "term": "red"}]) == [second["id"]]
    assert ids(attributes=[{"attribute": "size", "term": "Long"}]) == [first["id"]]
    assert ids(attributes=[{"attribute": "size", "term": "Short"}]) == []


def test_only_missing_combinations_are_made_and_foreign_variations_go_when_asked(
    manager: Client, shirt: dict[str, Any], colour: dict[str, Any]
) -> None:
    path = f"{PRODUCTS}/{shirt['id']}/variations"
    variation(manager, shirt, colour, status="private")
    odd = made(manager, path, attributes=[{"name": "Size", "option": "Long"}])
    answer = manager.post(f"{path}/generate", {"default_values": {"regular_price": "7"}})
    assert (answer.status, answer.json) == (200, {"count": 3})
    assert [one["regular_price"] for one in manager.get(path).json].count("7") == 3
    again = manager.post(f"{path}/generate", {"delete": True})
    assert again.json == {"count": 0, "deleted_count": 1}
    assert manager.get(f"{path}/{odd['id']}").code == "shop_rest_product_variation_invalid_id"


def test_a_variation_is_counted_by_its_product_unless_it_counts_itself(
    manager: Client, shirt: dict[str, Any], colour: dict[str, Any]
) -> None:
    manager.put(f"{PRODUCTS}/{shirt['id']}", {"manage_stock": True, "stock_quantity": 0})
    one = variation(manager, shirt, colour, regular_price="3")
    assert (one["manage_stock"], one["stock_quantity"]) == ("parent", 0)
    item = f"{PRODUCTS}/{shirt['id']}/variations/{one['id']}"
    assert manager.get(item).json["stock_status"] == "outofstock"
    own = manager.put(item, {"manage_stock": True, "stock_quantity": 4}).json
    assert (own["manage_stock"], own["stock_quantity"], own["stock_status"]) == (True, 4, "instock")
    back = manager.put(item, {"manage_stock": "parent"}).json
    assert back["manage_stock"] == "parent"
    assert manager.get(item).json["stock_status"] == "outofstock"


def test_a_product_is_out_of_stock_when_all_its_variations_are(
    manager: Client, shirt: dict[str, Any], colour: dict[str, Any]
) -> None:
    one = variation(manager, shirt, colour, regular_price="3", manage_stock=True, stock_quantity=0)
    assert manager.get(f"{PRODUCTS}/{shirt['id']}").json["stock_status"] == "outofstock"
    manager.put(f"{PRODUCTS}/{shirt['id']}/variations/{one['id']}", {"stock_quantity": 1})
    assert manager.get(f"{PRODUCTS}/{shirt['id']}").json["stock_status"] == "instock"


def test_variations_share_stock_numbers_with_products(
    manager: Client, shirt: dict[str, Any], colour: dict[str, Any]
) -> None:
    taken = made(manager, PRODUCTS, name="Other", sku="X")
    refused = manager.post(f"{PRODUCTS}/{shirt['id']}/variations", {"sku": "x"})
    assert (refused.status, refused.code) == (400, "product_invalid_sku")
    assert (refused.json["data"]["resource_id"], refused.json["data"]["unique_sku"]) == (taken["id"], "x-1")


def test_unknown_variations_and_products_are_told_apart(manager: Client, shirt: dict[str, Any]) -> None:
    path = f"{PRODUCTS}/{shirt['id']}/variations"
    assert (manager.get(f"{path}/9999").status, manager.delete(f"{path}/9999").status) == (404, 404)
    assert manager.put(f"{path}/9999", {"sku": "x"}).status == 400
    for answer in (manager.get(f"{PRODUCTS}/9999/variations"), manager.post(f"{PRODUCTS}/9999/variations", {})):
        assert (answer.status, answer.code) == (404, "shop_rest_product_invalid_id")


def test_variations_go_with_their_product_and_come_back_with_it(
    manager: Client, shirt: dict[str, Any], colour: dict[str, Any]
) -> None:
    one = variation(manager, shirt, colour, regular_price="3")
    item = f"{PRODUCTS}/{shirt['id']}/variations/{one['id']}"
    manager.delete(f"{PRODUCTS}/{shirt['id']}")
    assert manager.get(item).json["status"] == "trash"
    restored = manager.put(f"{PRODUCTS}/{shirt['id']}", {"status": "publish"}).json
    assert manager.get(item).json["status"] == "publish"
    assert (restored["price"], restored["stock_status"]) == ("3", "instock")
    assert manager.get(f"{PRODUCTS}/{shirt['id']}").json["variations"] == [one["id"]]
    manager.delete(f"{PRODUCTS}/{shirt['id']}", query={"force": True})
    assert manager.get(item).status == 404


def test_variations_are_written_in_a_batch(manager: Client, shirt: dict[str, Any]) -> None:
    path = f"{PRODUCTS}/{shirt['id']}/variations"
    chosen = [{"name": "Size", "option": "Long"}]
    answer = manager.post(f"{path}/batch", {"create": [{"regular_price": 4, "attributes": chosen}, {}]})
    first, second = answer.json["create"]
    assert (first["regular_price"], first["name"], second["name"]) == ("4", "Long", "")
    answer = manager.post(
        f"{path}/batch", {"update": [{"id": first["id"], "regular_price": "5"}], "delete": [second["id"], 9999]}
    )
    assert answer.json["update"][0]["regular_price"] == "5"
    assert answer.json["delete"][0]["id"] == second["id"]
    assert answer.json["delete"][1]["error"]["code"] == "shop_rest_product_variation_invalid_id"


def test_leaving_out_an_attribute_keeps_what_is_chosen_at_first(
    manager: Client, shirt: dict[str, Any], colour: dict[str, Any]
) -> None:
    item = f"{PRODUCTS}/{shirt['id']}"
    first = [{"id": colour["id"], "option": "Green"}, {"name": "Size", "option": "Long"}]
    answer = manager.put(item, {"default_attributes": first}).json
    assert answer["default_attributes"] == [
        {"id": colour["id"], "name": "Colour", "option": "Green"},
        {"id": 0, "name": "Size", "option": "Long"},
    ]
    left = [{"name": "Size", "variation": True, "options": ["Short", "Long"]}]
    answer = manager.put(item, {"attributes": left}).json
    assert [one["name"] for one in answer["attributes"]] == ["Size"]
    assert len(answer["default_attributes"]) == 2


def test_a_product_that_is_no_longer_variable_loses_its_variations(
    manager: Client, shirt: dict[str, Any], colour: dict[str, Any]
) -> None:
    one = variation(manager, shirt, colour, regular_price="3")
    answer = manager.put(f"{PRODUCTS}/{shirt['id']}", {"type": "simple", "regular_price": "6"}).json
    assert (answer["type"], answer["price"], answer["variations"]) == ("simple", "6", [])
    assert manager.get(f"{PRODUCTS}/{one['id']}").status == 404
