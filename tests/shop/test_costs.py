"""Cost of goods: products, variations, order items, refunds; nothing while the feature is off."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand

from .store import Visitor, payable, sold

PRODUCTS, ORDERS = "/shop/v3/products", "/shop/v3/orders"
SETTING = "/shop/v3/settings/advanced/shop_feature_cost_of_goods_sold_enabled"

pytestmark = pytest.mark.every_database


def switch(manager: Client, value: str) -> None:
    answer = manager.put(SETTING, {"value": value})
    assert answer.status == 200, answer.json


def made(client: Client, path: str = PRODUCTS, **members: Any) -> dict[str, Any]:
    answer = client.post(path, members)
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def cost(*values: float, **more: Any) -> dict[str, Any]:
    return {"cost_of_goods_sold": {"values": [{"defined_value": value} for value in values], **more}}


def test_a_shop_that_does_without_neither_shows_nor_keeps_them(manager: Client) -> None:
    one = made(manager, name="Cup", regular_price="5", **cost(2))
    of = made(manager, ORDERS, line_items=[{"product_id": one["id"], "quantity": 2}])
    assert "cost_of_goods_sold" not in one
    assert "cost_of_goods_sold" not in of
    assert "cost_of_goods_sold" not in of["line_items"][0]
    switch(manager, "yes")
    assert manager.get(f"{PRODUCTS}/{one['id']}").json["cost_of_goods_sold"] == {
        "values": [{"defined_value": None, "effective_value": 0}], "total_value": 0,
    }  # fmt: skip
    shown = manager.get(f"{ORDERS}/{of['id']}").json
    assert shown["cost_of_goods_sold"] == {"total_value": 0}
    assert shown["line_items"][0]["cost_of_goods_sold"] == {"value": 0}
    manager.put(f"{PRODUCTS}/{one['id']}", cost(2))
    switch(manager, "no")
    assert "cost_of_goods_sold" not in manager.get(f"{PRODUCTS}/{one['id']}").json
    switch(manager, "yes")
    assert manager.get(f"{PRODUCTS}/{one['id']}").json["cost_of_goods_sold"]["total_value"] == 2


def test_a_product_costs_the_sum_of_what_was_said(manager: Client) -> None:
    switch(manager, "yes")
    one = made(manager, name="Cup", **cost(0.1, 0.2))
    assert one["cost_of_goods_sold"] == {
        "values": [{"defined_value": 0.3, "effective_value": 0.3}], "total_value": 0.3,
    }  # fmt: skip
    item = f"{PRODUCTS}/{one['id']}"
    assert manager.put(item, {"name": "Mug"}).json["cost_of_goods_sold"]["total_value"] == 0.3
    assert [row["cost_of_goods_sold"]["total_value"] for row in manager.get(PRODUCTS).json] == [0.3]
    assert "cost_of_goods_sold" not in manager.get(item, query={"_fields": "id,name"}).json
    assert set(manager.get(item, query={"_fields": "cost_of_goods_sold"}).json) == {"cost_of_goods_sold", "_links"}
    assert "cost_of_goods_sold" not in manager.get(f"/shop/v2/products/{one['id']}").json
    for wrong in (cost("dear"), cost(1e15), {"cost_of_goods_sold": 7}):  # type: ignore[arg-type]
        assert manager.put(item, wrong).code == "rest_invalid_param"
    copied = manager.post(f"{item}/duplicate", {}).json
    assert copied["cost_of_goods_sold"]["total_value"] == 0.3
    for none in (cost(0), cost()):
        manager.put(item, cost(4))
        assert manager.put(item, none).json["cost_of_goods_sold"]["values"][0]["defined_value"] is None


def test_a_variation_adds_to_its_product_or_takes_its_place(manager: Client) -> None:
    switch(manager, "yes")
    attributes = [{"name": "Size", "variation": True, "options": ["S", "L"]}]
    above = made(manager, name="Coat", type="variable", attributes=attributes, **cost(10))["id"]
    path = f"{PRODUCTS}/{above}/variations"
    one = made(manager, path, regular_price="50", attributes=[{"name": "Size", "option": "L"}])
    told = one["cost_of_goods_sold"]
    assert told == {
        "values": [{"defined_value": None, "effective_value": 0}], "total_value": 10,
        "defined_value_is_additive": False,
    }  # fmt: skip
    item = f"{path}/{one['id']}"
    assert manager.put(item, cost(2.5)).json["cost_of_goods_sold"]["total_value"] == 2.5
    more = manager.put(item, {"cost_of_goods_sold": {"defined_value_is_additive": True}}).json["cost_of_goods_sold"]
    assert (more["values"][0]["defined_value"], more["total_value"]) == (2.5, 12.5)
    free = manager.put(item, cost(0, defined_value_is_additive=False)).json["cost_of_goods_sold"]
    assert (free["values"][0]["defined_value"], free["total_value"]) == (0, 0)
    assert manager.put(item, cost()).json["cost_of_goods_sold"]["total_value"] == 10
    of = made(manager, ORDERS, line_items=[{"variation_id": one["id"], "product_id": above, "quantity": 3}])
    assert of["line_items"][0]["cost_of_goods_sold"] == {"value": 30}


def test_a_line_keeps_what_it_cost_when_it_was_made(manager: Client) -> None:
    switch(manager, "yes")
    one = made(manager, name="Cup", regular_price="5", **cost(1.1))["id"]
    other = made(manager, name="Mug", regular_price="5", **cost(4))["id"]
    of = made(manager, ORDERS, line_items=[{"product_id": one, "quantity": 3}, {"product_id": other}])
    first, second = of["line_items"]
    assert (first["cost_of_goods_sold"], second["cost_of_goods_sold"]) == ({"value": 3.3}, {"value": 4})
    assert of["cost_of_goods_sold"] == {"total_value": 7.3}
    manager.put(f"{PRODUCTS}/{one}", cost(100))
    order = f"{ORDERS}/{of['id']}"
    assert manager.put(order, {"status": "processing"}).json["cost_of_goods_sold"] == {"total_value": 7.3}
    # More of the same item cost the same each, other items their own.
    fewer = manager.put(order, {"line_items": [{"id": first["id"], "quantity": 2}]}).json
    assert fewer["line_items"][0]["cost_of_goods_sold"] == {"value": 2.2}
    swapped = manager.put(order, {"line_items": [{"id": first["id"], "product_id": other}]}).json
    assert swapped["cost_of_goods_sold"] == {"total_value": 12}
    gone = manager.put(order, {"line_items": [{"id": second["id"], "quantity": 0}]}).json
    assert gone["cost_of_goods_sold"] == {"total_value": 8}
    assert manager.get(ORDERS).json[0]["cost_of_goods_sold"] == {"total_value": 8}
    assert "cost_of_goods_sold" not in manager.get(f"/shop/v2/orders/{of['id']}").json
    manager.delete(f"{PRODUCTS}/{other}", query={"force": True})
    assert manager.get(order).json["cost_of_goods_sold"] == {"total_value": 8}


def test_a_refund_brings_its_pieces_back(manager: Client) -> None:
    switch(manager, "yes")
    one = made(manager, name="Cup", regular_price="5", **cost(1.1))["id"]
    of = made(manager, ORDERS, status="completed", line_items=[{"product_id": one, "quantity": 3}])
    line = of["line_items"][0]["id"]
    back = {"line_items": [{"id": line, "quantity": 2, "refund_total": 10}], "api_refund": False}
    refund = made(manager, f"{ORDERS}/{of['id']}/refunds", **back)
    assert refund["cost_of_goods_sold"] == {"total_value": -2.2}
    assert refund["line_items"][0]["cost_of_goods_sold"] == {"value": -2.2}
    assert manager.get(f"{ORDERS}/{of['id']}").json["cost_of_goods_sold"] == {"total_value": 1.1}
    manager.delete(f"{ORDERS}/{of['id']}/refunds/{refund['id']}", query={"force": True})
    assert manager.get(f"{ORDERS}/{of['id']}").json["cost_of_goods_sold"] == {"total_value": 3.3}


def test_a_checkout_keeps_costs_and_tells_no_visitor(site: Stand, manager: Client) -> None:
    switch(manager, "yes")
    payable(manager, "cheque")
    one = sold(manager, price="10", **cost(3))
    visitor = Visitor(site)
    visitor.add(one, 2)
    paid = visitor.pay()
    assert paid.status == 200, paid.json
    assert "cost_of_goods" not in str(paid.json)
    assert "cost_of_goods" not in str(site.client().get(f"/shop/store/v1/products/{one}").json)
    assert manager.get(f"{ORDERS}/{paid.json['order_id']}").json["cost_of_goods_sold"] == {"total_value": 6}


def test_a_cost_beyond_all_measure_does_not_hold_up_an_order(manager: Client) -> None:
    switch(manager, "yes")
    one = made(manager, name="Moon", **cost(9e11))["id"]
    of = made(manager, ORDERS, line_items=[{"product_id": one, "quantity": 1_000_000}])
    assert of["cost_of_goods_sold"] == {"total_value": 999_999_999_999}


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_older_versions_know_no_costs(manager: Client, version: str) -> None:
    switch(manager, "yes")
    cup = made(manager, name="Cup", regular_price="5", **cost(2))["id"]
    id = made(manager, ORDERS, status="completed", line_items=[{"product_id": cup, "quantity": 2}])["id"]
    line = manager.get(f"{ORDERS}/{id}").json["line_items"][0]
    assert line["cost_of_goods_sold"] == {"value": 4}
    back = {"amount": "5", "api_refund": False, "line_items": [{"id": line["id"], "quantity": 1, "refund_total": 5}]}
    assert manager.post(f"{ORDERS}/{id}/refunds", back).status == 201
    old = f"/shop/{version}/orders/{id}"
    for path in (old, f"{old}/refunds", f"/shop/{version}/orders", f"{old}?_fields=line_items"):
        answer = manager.get(path)
        assert b"line_items" in answer.content
        assert b"cost_of_goods_sold" not in answer.content, path
