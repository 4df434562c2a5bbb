"""Categories, tags, brands, shipping classes, shared attributes and their terms."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client

pytestmark = pytest.mark.every_database

PRODUCTS = "/shop/v3/products"
CATEGORIES, ATTRIBUTES = f"{PRODUCTS}/categories", f"{PRODUCTS}/attributes"


def made(client: Client, path: str, **members: Any) -> dict[str, Any]:
    answer = client.post(path, members)
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def test_a_category_lists_products_of_those_beneath_it(manager: Client) -> None:
    above = made(manager, CATEGORIES, name="Kitchen")
    below = made(manager, CATEGORIES, name="Pots", parent=above["id"], display="products", menu_order=3)
    assert (below["parent"], below["display"], below["menu_order"]) == (above["id"], "products", 3)
    one = made(manager, PRODUCTS, name="Pot", categories=[{"id": below["id"]}])
    found = manager.get(PRODUCTS, query={"category": str(above["id"])}).json
    assert [row["id"] for row in found] == [one["id"]]


def test_a_name_is_taken_beneath_one_parent_only(manager: Client) -> None:
    above = made(manager, CATEGORIES, name="Kitchen")
    refused = manager.post(CATEGORIES, {"name": "kitchen"})
    assert (refused.status, refused.code, refused.json["data"]) == (
        400, "term_exists", {"status": 400, "resource_id": above["id"]},
    )  # fmt: skip
    below = made(manager, CATEGORIES, name="Kitchen", parent=above["id"])
    assert below["slug"] == "kitchen-kitchen"
    unknown = manager.post(CATEGORIES, {"name": "Pots", "parent": 9999})
    assert (unknown.status, unknown.code) == (400, "shop_rest_term_invalid")


def test_a_removed_category_lifts_its_children_and_leaves_its_products_to_the_default_one(manager: Client) -> None:
    above = made(manager, CATEGORIES, name="Kitchen")
    middle = made(manager, CATEGORIES, name="Pots", parent=above["id"])
    below = made(manager, CATEGORIES, name="Lids", parent=middle["id"])
    one = made(manager, PRODUCTS, name="Pot", categories=[{"id": middle["id"]}])
    assert manager.delete(f"{CATEGORIES}/{middle['id']}").code == "shop_rest_trash_not_supported"
    gone = manager.delete(f"{CATEGORIES}/{middle['id']}", query={"force": True})
    assert (gone.status, gone.json["name"]) == (200, "Pots")
    assert manager.get(f"{CATEGORIES}/{below['id']}").json["parent"] == above["id"]
    found = manager.get(f"{PRODUCTS}/{one['id']}").json
    assert [group["slug"] for group in found["categories"]] == ["uncategorized"]


def test_the_default_category_stays(manager: Client) -> None:
    default = manager.get(CATEGORIES, query={"slug": "uncategorized"}).json[0]
    refused = manager.delete(f"{CATEGORIES}/{default['id']}", query={"force": True})
    assert (refused.status, refused.code) == (400, "shop_rest_cannot_delete")


def test_unknown_terms_are_told_before_any_right_is_asked(manager: Client, anyone: Client) -> None:
    tag = made(manager, f"{PRODUCTS}/tags", name="Blue")
    assert anyone.get(f"{PRODUCTS}/tags/9999").code == "shop_rest_term_invalid"
    assert anyone.get(f"{CATEGORIES}/{tag['id']}").code == "shop_rest_term_invalid"
    assert (anyone.get(f"{PRODUCTS}/tags/{tag['id']}").status, anyone.get(f"{PRODUCTS}/tags").status) == (401, 401)


def test_a_slug_is_suggested_that_no_class_has(manager: Client) -> None:
    path = f"{PRODUCTS}/shipping_classes"
    made(manager, path, name="Bulky")
    assert manager.get(f"{path}/slug-suggestion", query={"name": "Bulky"}).json == "bulky-2"


def test_an_attribute_is_found_by_number_and_goes_with_its_terms(manager: Client) -> None:
    colour = made(manager, ATTRIBUTES, name="Colour", slug="pa_hue", order_by="name", has_archives=True)
    assert (colour["slug"], colour["type"], colour["order_by"], colour["has_archives"]) == (
        "pa_hue", "select", "name", True,
    )  # fmt: skip
    terms = f"{ATTRIBUTES}/{colour['id']}/terms"
    red = made(manager, terms, name="Red", menu_order=4)
    assert (red["menu_order"], manager.put(f"{terms}/{red['id']}", {"name": "Rosso"}).json["menu_order"]) == (4, 0)
    changed = manager.put(f"{ATTRIBUTES}/{colour['id']}", {"name": "Color", "slug": "color"}).json
    assert (changed["name"], changed["slug"]) == ("Color", "pa_color")
    assert [term["name"] for term in manager.get(terms).json] == ["Rosso"]
    listed = manager.get(ATTRIBUTES)
    assert (listed.headers["x-cms-total"], listed.headers["x-cms-totalpages"]) == ("1", "1")
    assert manager.delete(f"{ATTRIBUTES}/{colour['id']}").json["id"] == colour["id"]
    assert manager.get(f"{ATTRIBUTES}/{colour['id']}").code == "shop_rest_taxonomy_invalid"
    assert manager.get(terms).code == "shop_rest_taxonomy_invalid"


@pytest.mark.parametrize("name", ["", "Colour", "category", "a name that has more than twenty-eight letters"])
def test_an_attribute_needs_a_name_of_its_own(manager: Client, name: str) -> None:
    made(manager, ATTRIBUTES, name="Colour")
    refused = manager.post(ATTRIBUTES, {"name": name})
    assert (refused.status, refused.code) == (400, "shop_rest_cannot_create")


def test_products_are_found_by_the_terms_of_an_attribute(manager: Client) -> None:
    colour = made(manager, ATTRIBUTES, name="Colour")
    one = made(manager, PRODUCTS, name="A", attributes=[{"id": colour["id"], "options": ["Red", "Blue"]}])
    made(manager, PRODUCTS, name="B", attributes=[{"id": colour["id"], "options": ["Green"]}])
    terms = manager.get(f"{ATTRIBUTES}/{colour['id']}/terms").json
    assert [(term["name"], term["count"]) for term in terms] == [("Blue", 1), ("Green", 1), ("Red", 1)]
    red = next(term["id"] for term in terms if term["name"] == "Red")
    found = manager.get(PRODUCTS, query={"attribute": "pa_colour", "attribute_term": str(red)}).json
    assert [row["id"] for row in found] == [one["id"]]


def test_terms_are_written_in_a_batch(manager: Client) -> None:
    answer = manager.post(f"{PRODUCTS}/tags/batch", {"create": [{"name": "A"}, {"name": "a"}, {}]})
    first, second, third = answer.json["create"]
    assert (first["name"], second["error"]["code"], third["error"]["code"]) == ("A", "term_exists", "empty_term_name")
    assert second["error"]["data"]["resource_id"] == first["id"]
