"""Stock: changes, effects of the shop's settings, and notifications."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from conftest import Client, Stand
from vetrina.backends.database import Statement

PRODUCTS, ORDERS, SETTINGS = "/shop/v3/products", "/shop/v3/orders", "/shop/v3/settings/products"


def goods(client: Client, pieces: int, **more: Any) -> int:
    given = {"name": "Lamp", "regular_price": "5", "manage_stock": True, "stock_quantity": pieces, **more}
    answer = client.post(PRODUCTS, given)
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def order(client: Client, id: int, pieces: int, status: str = "processing") -> dict[str, Any]:
    line = {"product_id": id, "quantity": pieces}
    answer = client.post(ORDERS, {"status": status, "line_items": [line]})
    assert answer.status == 201, answer.json
    return dict(answer.json)


def left(client: Client, id: int) -> int:
    return int(client.get(f"{PRODUCTS}/{id}").json["stock_quantity"])


def sold(client: Client, id: int) -> int:
    return int(client.get(f"{PRODUCTS}/{id}").json["total_sales"])


def option(client: Client, name: str, value: str) -> None:
    assert client.put(f"{SETTINGS}/{name}", {"value": value}).status == 200


def mails(site: Stand) -> list[tuple[str, str]]:
    """Return type and subject of the mails about stock."""
    asked = text(
        "SELECT kind, subject FROM outbox_mail WHERE kind IN ('low_stock', 'no_stock', 'backorder') ORDER BY id"
    )
    with site.site.work(read=True) as work:
        return [(row[0], row[1].partition(": ")[2]) for row in work.tx.all(Statement(asked))]


def test_a_shop_that_keeps_no_count_moves_none(manager: Client) -> None:
    id = goods(manager, 10)
    made = order(manager, id, 3)
    assert left(manager, id) == 7
    option(manager, "shop_manage_stock", "no")
    order(manager, id, 2)
    manager.put(f"{ORDERS}/{made['id']}", {"line_items": [{"id": made["line_items"][0]["id"], "quantity": 5}]})
    manager.put(f"{ORDERS}/{made['id']}", {"status": "cancelled"})
    assert left(manager, id) == 7
    option(manager, "shop_manage_stock", "yes")
    manager.put(f"{ORDERS}/{made['id']}", {"status": "pending"})
    assert left(manager, id) == 10


@pytest.mark.every_database
def test_stock_follows_the_lines_of_an_order_and_sales_are_counted_once(manager: Client) -> None:
    id, other = goods(manager, 10), goods(manager, 10)
    made = order(manager, id, 3)
    at, line = f"{ORDERS}/{made['id']}", made["line_items"][0]["id"]
    manager.put(at, {"line_items": [{"id": line, "quantity": 5}]})
    assert (left(manager, id), sold(manager, id)) == (5, 3)
    manager.put(at, {"line_items": [{"id": line, "quantity": 1}, {"product_id": other, "quantity": 4}]})
    assert [(left(manager, one), sold(manager, one)) for one in (id, other)] == [(9, 3), (6, 0)]
    manager.put(at, {"line_items": [{"id": line, "product_id": other}]})
    assert [(left(manager, one), sold(manager, one)) for one in (id, other)] == [(10, 3), (5, 0)]
    manager.put(at, {"line_items": [{"id": line, "quantity": 0}]})
    assert [(left(manager, one), sold(manager, one)) for one in (id, other)] == [(10, 3), (6, 0)]
    manager.put(at, {"status": "cancelled"})
    # The restored stock is what the order holds then.
    assert [(left(manager, one), sold(manager, one)) for one in (id, other)] == [(10, 3), (10, 4)]


def test_what_a_refund_put_back_is_not_taken_again(manager: Client) -> None:
    id = goods(manager, 10)
    made = order(manager, id, 3)
    at, line = f"{ORDERS}/{made['id']}", made["line_items"][0]["id"]
    back = {"api_refund": False, "line_items": [{"id": line, "quantity": 1, "refund_total": 5}]}
    assert manager.post(f"{at}/refunds", back).status == 201
    assert left(manager, id) == 8
    manager.put(at, {"line_items": [], "shipping": {"country": "IT"}})
    assert left(manager, id) == 8
    manager.put(at, {"line_items": [{"id": line, "quantity": 4}]})
    assert left(manager, id) == 7
    manager.put(at, {"status": "cancelled"})
    assert left(manager, id) == 10


def test_two_lines_of_one_product_take_what_both_say(manager: Client) -> None:
    id = goods(manager, 5)
    lines = [{"product_id": id, "quantity": 2}, {"product_id": id, "quantity": 3}]
    made = manager.post(ORDERS, {"set_paid": True, "line_items": lines}).json
    shown = manager.get(f"{PRODUCTS}/{id}").json
    assert (shown["stock_quantity"], shown["stock_status"], shown["total_sales"]) == (0, "outofstock", 5)
    manager.put(f"{ORDERS}/{made['id']}", {"status": "cancelled"})
    shown = manager.get(f"{PRODUCTS}/{id}").json
    assert (shown["stock_quantity"], shown["stock_status"], shown["total_sales"]) == (5, "instock", 0)


def test_a_shop_is_told_once_when_a_mark_is_passed(site: Stand, manager: Client) -> None:
    id = goods(manager, 6)
    order(manager, id, 3)
    assert mails(site) == []
    order(manager, id, 1)
    order(manager, id, 1)
    assert mails(site) == [("low_stock", "Little is left of Lamp")]
    order(manager, id, 1)
    order(manager, id, 1)
    assert mails(site)[1:] == [("no_stock", "Nothing is left of Lamp")]


def test_marks_of_a_product_and_of_the_shop(site: Stand, manager: Client) -> None:
    own, shops = goods(manager, 9, low_stock_amount=8), goods(manager, 9, name="Mug")
    option(manager, "shop_notify_low_stock_amount", "7")
    option(manager, "shop_notify_no_stock_amount", "4")
    order(manager, own, 1)
    order(manager, shops, 1)
    assert mails(site) == [("low_stock", "Little is left of Lamp")]
    order(manager, shops, 4)
    assert mails(site)[1:] == [("no_stock", "Nothing is left of Mug")]
    assert manager.get(f"{PRODUCTS}/{shops}").json["stock_status"] == "outofstock"


def test_backorders_are_told_and_mails_can_be_switched_off(site: Stand, manager: Client) -> None:
    id = goods(manager, 1, backorders="notify")
    option(manager, "shop_notify_no_stock", "no")
    order(manager, id, 3)
    assert mails(site) == [("backorder", "Lamp is on backorder")]
    option(manager, "shop_stock_email_recipient", "")
    order(manager, id, 1)
    assert len(mails(site)) == 1


def test_what_no_column_holds_is_refused(manager: Client) -> None:
    id = goods(manager, 5)
    for line in ({"quantity": 2**53}, {"quantity": 2, "total": "999999999999", "subtotal": "999999999999"}):
        answer = manager.post(ORDERS, {"line_items": [{"product_id": id, **line}] * 2})
        assert (answer.status, answer.code) == (400, "shop_rest_order_amount_too_large"), answer.json
    assert manager.get(ORDERS).json == []


def test_a_shop_may_leave_out_what_is_not_in_stock(anyone: Client, manager: Client) -> None:
    gone, waits, there = goods(manager, 0), goods(manager, 0, backorders="yes"), goods(manager, 3)

    def shown(**asked: str) -> set[int]:
        return {one["id"] for one in anyone.get("/shop/store/v1/products", query=asked).json}

    assert shown() == {gone, waits, there}
    option(manager, "shop_hide_out_of_stock_items", "yes")
    assert shown() == {waits, there}
    assert shown(stock_status="outofstock") == {gone}
    order(manager, there, 3)
    assert shown() == {waits}
