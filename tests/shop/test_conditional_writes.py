"""Two people at one record of the shop: who writes to a state that is no longer there is refused.

Rules: docs/rules/shop_requests.md, 9.
"""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import formatdate
from typing import Any

import pytest

from conftest import Answer, Client, SetClock, Stand

from .store import Visitor, payable, sold

SHOP = "/shop/v3"
ORDERS, PRODUCTS, COUPONS = "/shop/v3/orders", "/shop/v3/products", "/shop/v3/coupons"
CUSTOMERS = "/shop/v3/customers"

# What one person changes, and what another: never the same member, so that a merge would not show a loss.
WRITES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "order": ({"billing": {"city": "Rome"}}, {"customer_note": "Ring twice"}),
    "product": ({"name": "Jug"}, {"regular_price": "12"}),
    "variation": ({"regular_price": "9"}, {"description": "Blue"}),
    "coupon": ({"amount": "5"}, {"description": "For friends"}),
    "customer": ({"first_name": "Mara"}, {"shipping": {"city": "Rome"}}),
}
RECORDS = tuple(WRITES)
# These have no extra fields, and no time of their last change.
WRITES |= {
    "rate": ({"rate": "10"}, {"name": "VAT"}),
    "review": ({"rating": 2}, {"review": "Breaks easily"}),
    "category": ({"name": "Cups"}, {"description": "To drink from"}),
    "product tag": ({"name": "Blue"}, {"slug": "azure"}),
    "brand": ({"name": "Kiln"}, {"menu_order": 4}),
    "shipping class": ({"name": "Fragile"}, {"description": "With straw around it"}),
    "attribute": ({"name": "Glaze"}, {"order_by": "name"}),
    "value": ({"name": "Ash"}, {"description": "Of beech"}),
}
GUARDED = tuple(WRITES)
# Their lists tell no time of a change, and so in which state each row is.
LISTED = GUARDED[len(RECORDS) :]
GROUPINGS = {"category": "categories", "product tag": "tags", "brand": "brands", "shipping class": "shipping_classes"}


def made(manager: Client, path: str, given: Mapping[str, Any]) -> str:
    answer = manager.post(path, dict(given))
    assert answer.status == 201, answer.json
    return f"{path}/{answer.json['id']}"


def path_of_new(manager: Client, what: str) -> str:
    if what == "order":
        return made(manager, ORDERS, {"line_items": [{"product_id": sold(manager), "quantity": 2}]})
    if what == "coupon":
        return made(manager, COUPONS, {"code": "ten", "amount": "10"})
    if what == "customer":
        return made(manager, CUSTOMERS, {"email": "mara@example.org", "username": "mara"})
    if what == "rate":
        return made(manager, f"{SHOP}/taxes", {"country": "IT", "rate": "22"})
    if what == "review":
        written_by = {"reviewer": "Mara", "reviewer_email": "mara@example.org", "review": "Fine", "rating": 5}
        return made(manager, f"{PRODUCTS}/reviews", {"product_id": sold(manager), **written_by})
    if what in GROUPINGS:
        return made(manager, f"{PRODUCTS}/{GROUPINGS[what]}", {"name": "First"})
    if what in ("attribute", "value"):
        attribute = made(manager, f"{PRODUCTS}/attributes", {"name": "Finish"})
        return attribute if what == "attribute" else made(manager, f"{attribute}/terms", {"name": "First"})
    if what == "variation":
        size = {"name": "Size", "variation": True, "options": ["S", "M"]}
        above = made(manager, PRODUCTS, {"name": "Shirt", "type": "variable", "attributes": [size]})
        choice = {"name": "Size", "option": "S"}
        return made(manager, f"{above}/variations", {"regular_price": "8", "attributes": [choice]})
    return f"{PRODUCTS}/{sold(manager)}"


def tag_of(client: Client, path: str, **words: Any) -> str:
    return str(client.get(path, **words).headers["etag"])


def written(client: Client, path: str, given: Mapping[str, Any], tag: str) -> Answer:
    return client.put(path, dict(given), headers={"If-Match": tag})


@pytest.mark.every_database
@pytest.mark.parametrize("what", GUARDED)
def test_the_second_of_two_people_is_refused_and_nothing_is_stored(site: Stand, manager: Client, what: str) -> None:
    path, (mine, theirs) = path_of_new(manager, what), WRITES[what]
    tag = tag_of(manager, path)
    assert written(site.client("admin"), path, theirs, tag).status == 200
    before = manager.get(path).json
    late = written(manager, path, mine, tag)
    assert (late.status, late.code) == (412, "rest_precondition_failed")
    assert manager.get(path).json == before
    assert written(manager, path, mine, tag_of(manager, path)).status == 200


@pytest.mark.parametrize("what", GUARDED)
def test_without_a_condition_every_write_is_taken(manager: Client, what: str) -> None:
    path, (mine, theirs) = path_of_new(manager, what), WRITES[what]
    assert [manager.put(path, given).status for given in (mine, theirs)] == [200, 200]


@pytest.mark.parametrize("what", GUARDED)
@pytest.mark.parametrize("query", [{"context": "edit"}, {"_fields": "id"}, {"_envelope": "1"}])
def test_the_tag_of_any_read_guards_a_write(manager: Client, what: str, query: dict[str, str]) -> None:
    path, (mine, theirs) = path_of_new(manager, what), WRITES[what]
    tag = tag_of(manager, path, query=query)
    assert written(manager, path, mine, tag).status == 200
    assert written(manager, path, theirs, tag).status == 412


@pytest.mark.parametrize("what", GUARDED)
def test_a_removal_holds_only_for_the_state_that_was_read(manager: Client, what: str) -> None:
    path = path_of_new(manager, what)
    tag = tag_of(manager, path)
    assert manager.put(path, WRITES[what][0]).status == 200
    client, query = manager, {"force": "true"}
    if what == "customer":
        # Shop managers remove no accounts.
        assert client.delete(path, query=query, headers={"If-Match": tag}).status == 403
        return
    assert client.delete(path, query=query, headers={"If-Match": tag}).status == 412
    assert client.get(path).status == 200
    assert client.delete(path, query=query, headers={"If-Match": tag_of(client, path)}).status == 200


def tag_in_list(client: Client, path: str) -> str:
    collection, _, number = path.rpartition("/")
    [row] = [one for one in client.get(collection).json if one["id"] == int(number)]
    return str(row["_links"]["self"][0]["targetHints"]["etag"][0])


@pytest.mark.parametrize("what", LISTED)
def test_a_row_of_a_list_tells_the_state_that_guards_a_write(manager: Client, what: str) -> None:
    path, (mine, theirs) = path_of_new(manager, what), WRITES[what]
    tag = tag_in_list(manager, path)
    answer = written(manager, path, mine, tag)
    assert answer.status == 200
    assert written(manager, path, theirs, tag).status == 412
    # So does the answer to a write, for whoever goes on from there.
    now = answer.json["_links"]["self"][0]["targetHints"]["etag"][0]
    assert now == tag_in_list(manager, path) != tag
    assert manager.delete(path, query={"force": "true"}, headers={"If-Match": tag}).status == 412
    assert manager.delete(path, query={"force": "true"}, headers={"If-Match": now}).status == 200


def test_counts_of_a_category_are_none_of_its_state(manager: Client) -> None:
    path = path_of_new(manager, "category")
    tag = tag_in_list(manager, path)
    sold(manager, categories=[{"id": int(path.rpartition("/")[2])}])
    assert tag_in_list(manager, path) == tag
    assert written(manager, path, WRITES["category"][0], tag).status == 200


@pytest.mark.parametrize("what", RECORDS)
def test_another_extra_field_is_another_state(manager: Client, what: str) -> None:
    path = path_of_new(manager, what)
    tag = tag_of(manager, path)
    manager.put(path, {"meta_data": [{"key": "colour", "value": "red"}]})
    assert written(manager, path, WRITES[what][0], tag).status == 412


def test_items_and_refunds_of_an_order_are_of_its_state(manager: Client) -> None:
    path = path_of_new(manager, "order")
    [line] = manager.get(path).json["line_items"]
    tag = tag_of(manager, path)
    manager.put(path, {"line_items": [{"id": line["id"], "meta_data": [{"key": "Engraving", "value": "M"}]}]})
    assert written(manager, path, {"customer_note": "a"}, tag).status == 412
    tag = tag_of(manager, path)
    assert manager.post(f"{path}/refunds", {"amount": "1", "api_refund": False}).status == 201
    assert written(manager, path, {"customer_note": "a"}, tag).status == 412


def test_groups_and_linked_products_are_of_the_state_of_a_product(manager: Client) -> None:
    path, other = path_of_new(manager, "product"), sold(manager, "Saucer")
    group = manager.post(f"{PRODUCTS}/categories", {"name": "Kitchen"}).json["id"]
    for given in ({"categories": [{"id": group}]}, {"upsell_ids": [other]}, {"images": []}):
        tag = tag_of(manager, path)
        manager.put(path, given)
        assert written(manager, path, {"name": "Mug"}, tag).status == (200 if "images" in given else 412)


def test_stock_that_a_buyer_takes_is_another_state_and_what_was_sold_alone_is_none(
    site: Stand, manager: Client
) -> None:
    payable(manager)
    counted = sold(manager, "Cup", manage_stock=True, stock_quantity=5)
    uncounted = sold(manager, "Plate")
    tags = {id: tag_of(manager, f"{PRODUCTS}/{id}") for id in (counted, uncounted)}
    visitor = Visitor(site)
    for id in tags:
        visitor.add(id)
    assert visitor.pay().status == 200
    assert manager.get(f"{PRODUCTS}/{uncounted}").json["total_sales"] == 1
    late = {id: written(manager, f"{PRODUCTS}/{id}", {"name": "Bowl"}, tag).status for id, tag in tags.items()}
    assert late == {counted: 412, uncounted: 200}


def test_each_member_of_a_batch_is_held_to_its_own_state(manager: Client) -> None:
    paths = [f"{PRODUCTS}/{sold(manager, name)}" for name in ("Cup", "Plate")]
    tags = ", ".join(tag_of(manager, path) for path in paths)
    ids = [int(path.rpartition("/")[2]) for path in paths]
    manager.put(paths[1], {"name": "Tray"})
    given = {"update": [{"id": id, "regular_price": "3"} for id in ids], "create": [{"name": "New"}]}
    body = manager.post(f"{PRODUCTS}/batch", given, headers={"If-Match": tags}).json
    assert body["update"][0]["regular_price"] == "3"
    assert body["update"][1]["error"]["code"] == "rest_precondition_failed"
    assert body["create"][0]["name"] == "New"
    assert manager.get(paths[1]).json["regular_price"] == "10"


@pytest.mark.parametrize("tag", ['"0-0"', '""', "", "unquoted", '"a", "b"'])
@pytest.mark.parametrize("what", GUARDED)
def test_a_tag_that_is_of_no_state_stores_nothing(manager: Client, what: str, tag: str) -> None:
    path = path_of_new(manager, what)
    assert written(manager, path, WRITES[what][0], tag).status == 412
    assert written(manager, path, WRITES[what][0], "*").status == 200


@pytest.mark.parametrize("what", RECORDS)
def test_a_write_holds_only_if_nothing_changed_since_a_moment(
    site: Stand, manager: Client, clock: SetClock, what: str
) -> None:
    path = path_of_new(manager, what)
    manager.put(path, WRITES[what][1])
    for age, status in ((3600, 412), (-3600, 200)):
        moment = formatdate(clock.now() - age, usegmt=True)
        assert manager.put(path, WRITES[what][0], headers={"If-Unmodified-Since": moment}).status == status


@pytest.mark.parametrize("what", GUARDED)
def test_rights_are_asked_before_conditions(site: Stand, manager: Client, what: str) -> None:
    path = path_of_new(manager, what)
    assert written(site.client("customer"), path, WRITES[what][0], '"0-0"').status == 403
    assert written(site.client(), path, WRITES[what][0], '"0-0"').status == 401


def test_older_versions_of_the_interface_guard_as_well(manager: Client) -> None:
    path = path_of_new(manager, "order").replace("/v3/", "/v2/")
    tag = tag_of(manager, path)
    assert written(manager, path, {"customer_note": "a"}, tag).status == 200
    assert written(manager, path, {"customer_note": "b"}, tag).status == 412
