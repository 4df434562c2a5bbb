"""A change of an order's parts is a change of the order, though nothing else of it moves."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, SetClock

ORDERS, PRODUCTS = "/shop/v3/orders", "/shop/v3/products"


@pytest.fixture
def order(manager: Client, clock: SetClock) -> dict[str, Any]:
    """A completed order of one piece, an hour ago."""
    product = manager.post(PRODUCTS, {"name": "Jar", "regular_price": "5"}).json["id"]
    body = {"status": "completed", "line_items": [{"product_id": product, "quantity": 1}]}
    made: dict[str, Any] = manager.post(ORDERS, body).json
    clock.forward(3600)
    return made


def change(manager: Client, order: dict[str, Any], body: dict[str, Any]) -> bool:
    """Write to an order and return whether it counts as changed, there and in its list."""
    answer = manager.put(f"{ORDERS}/{order['id']}", body)
    assert answer.status == 200, answer.json
    listed = manager.get(ORDERS, query={"modified_after": order["date_modified"]}).json
    moved: bool = answer.json["date_modified"] != order["date_modified"]
    assert moved == bool(listed)
    return moved


def test_a_quantity_whose_total_stays_is_counted_by_the_reports(manager: Client, order: dict[str, Any]) -> None:
    assert change(manager, order, {"line_items": [{"id": order["line_items"][0]["id"], "quantity": 3}]})
    assert manager.get(f"{ORDERS}/{order['id']}").json["total"] == order["total"]
    assert manager.get("/shop-analytics/reports/products/stats").json["totals"]["items_sold"] == 3


def test_an_extra_field_alone_changes_an_order(manager: Client, order: dict[str, Any]) -> None:
    assert change(manager, order, {"meta_data": [{"key": "gift", "value": "yes"}]})


@pytest.mark.parametrize("again", ["line_items", "meta_data"])
def test_writing_what_is_there_changes_nothing(manager: Client, order: dict[str, Any], again: str) -> None:
    path = f"{ORDERS}/{order['id']}"
    stored = manager.put(path, {"meta_data": [{"key": "gift", "value": "yes"}]}).json
    line = stored["line_items"][0]
    same = {"line_items": [{"id": line["id"], "quantity": line["quantity"]}], "meta_data": stored["meta_data"]}
    written = manager.put(path, {again: same[again]}).json
    assert written["date_modified"] == stored["date_modified"]
