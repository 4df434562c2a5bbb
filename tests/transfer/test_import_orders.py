"""Orders of another shop come as they were, and what follows from them here holds."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import func, select

from conftest import Stand
from vetrina.analytics.facts import integrity_rules as fact_integrity
from vetrina.backends.database import Statement
from vetrina.backends.tables.orders import outbox_mail
from vetrina.backends.tables.webhooks import webhook_delivery
from vetrina.shop.mail.rendering import preview_mail
from vetrina.system.integrity_rules import RULES

from .conftest import ImportCall
from .shop_export import ADDRESS, COUPON_LINE, LINE, ORDER, ORDERS, SHIPPING_LINE, ShopExport

pytestmark = pytest.mark.in_process("the site is written without HTTP")

MIRROR = "/shop-analytics/orders"  # a list of orders that is searched by number
STOCK_NOTE = {"key": "_reduced_stock", "value": "2"}
REFUND = {
    "id": 5002, "parent_id": 5001, "date_created": "2021-03-09T11:00:00", "date_created_gmt": "2021-03-09T10:00:00",
    "amount": "10.98", "reason": "Torn", "refunded_by": 0, "refunded_payment": True,
    "meta_data": [{"key": "_refund_type", "value": "partial"}],
    "line_items": [{
        **LINE, "id": 21, "quantity": -1, "subtotal": "-9.00", "subtotal_tax": "-1.98", "total": "-9.00",
        "total_tax": "-1.98", "taxes": [{"id": 1, "total": "-1.98", "subtotal": "-1.98"}],
        "meta_data": [{"key": "_refunded_item_id", "value": "7"}],
    }],
}  # fmt: skip


def read(shop: Stand, path: str) -> Any:
    answer = shop.client("admin").get(path)
    assert answer.status == 200, answer.json
    return answer.json


def list_faults(shop: Stand) -> list[str]:
    """Return what the checks of stored data find, and how the reports differ from the orders."""
    with shop.site.work() as work:
        found = [f"{rule.name}: {one}" for rule in RULES for one in rule.broken(work)]
        for ids in [*fact_integrity.iterate_order_ids(work)]:
            found += map(str, fact_integrity.list_differences(work, ids))
    return found


def test_an_order_comes_as_it_was(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    export.add_order()
    assert move().get_resource(ORDERS).created == 1
    found = read(shop, f"{ORDERS}/5001")
    followed = {"line_items", "shipping_lines", "tax_lines", "coupon_lines", "meta_data"}
    assert {name: found[name] for name in ORDER.keys() - followed} == {
        name: value for name, value in ORDER.items() if name not in followed
    }
    for name in followed:
        for here, there in zip(found[name], ORDER[name], strict=True):
            assert {member: here[member] for member in there.keys() - {"meta_data", "id"}} == {
                member: value for member, value in there.items() if member not in ("meta_data", "id")
            }
    assert [line["id"] for line in found["line_items"]] == [7]
    assert [(one["key"], one["value"]) for one in found["line_items"][0]["meta_data"]] == [("pa_size", "l")]
    assert [one["key"] for one in found["coupon_lines"][0]["meta_data"]] == ["coupon_info"]
    assert list_faults(shop) == []


def test_an_order_comes_once_and_changes_with_its_source(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    export.add_order(line_items=[LINE, {**LINE, "id": 11, "name": "Hat"}])
    move()
    before = read(shop, f"{ORDERS}/5001")
    assert move().get_resource(ORDERS).unchanged == 1
    export.add_order(status="refunded", line_items=[{**LINE, "quantity": 3, "meta_data": []}], meta_data=[])
    assert move().get_resource(ORDERS).updated == 1
    found = read(shop, f"{ORDERS}/5001")
    assert (found["status"], found["date_modified_gmt"]) == ("refunded", before["date_modified_gmt"])
    assert [(line["id"], line["quantity"], line["meta_data"]) for line in found["line_items"]] == [(7, 3, [])]
    assert found["meta_data"] == []
    assert list_faults(shop) == []


def test_nobody_is_told_and_no_stock_moves(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    admin = shop.client("admin")
    product = admin.post("/shop/v3/products", {"name": "Socks", "manage_stock": True, "stock_quantity": 5}).json["id"]
    coupon = admin.post("/shop/v3/coupons", {"code": "welcome10", "amount": "10"}).json["id"]
    hook = {"topic": "order.created", "delivery_url": "https://receiver.example/hook"}
    assert admin.post("/shop/v3/webhooks", hook).status == 201
    waiting = count_messages(shop)
    export.add_order(line_items=[{**LINE, "product_id": product}])
    move()
    assert count_messages(shop) == waiting
    assert read(shop, f"/shop/v3/products/{product}")["stock_quantity"] == 5
    found = read(shop, f"/shop/v3/coupons/{coupon}")
    assert (found["usage_count"], found["used_by"]) == (1, ["mara@example.net"])


def count_messages(shop: Stand) -> tuple[int, int]:
    """Return how many webhook deliveries and how many mails there are."""
    with shop.site.work(read=True) as work:
        deliveries, mails = (
            int(work.tx.value(Statement(select(func.count()).select_from(table))))
            for table in (webhook_delivery, outbox_mail)
        )
    return deliveries, mails


def test_a_later_status_puts_stock_back_once(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    admin = shop.client("admin")
    product = admin.post("/shop/v3/products", {"name": "Socks", "manage_stock": True, "stock_quantity": 5}).json["id"]
    export.add_order(status="processing", line_items=[{**LINE, "product_id": product, "meta_data": [STOCK_NOTE]}])
    move()
    for status in ("completed", "cancelled", "pending", "cancelled"):
        assert admin.put(f"{ORDERS}/5001", {"status": status}).status == 200
    assert read(shop, f"/shop/v3/products/{product}")["stock_quantity"] == 7
    assert list_faults(shop) == []


def test_states_of_its_own_and_the_trash_come(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    export.add_order(status="trash").add_order(id=5003, status="shipped", line_items=[])
    report = move()
    assert read(shop, f"{ORDERS}/5001")["status"] == "trash"
    assert read(shop, f"{ORDERS}/5003")["status"] == "shipped"
    assert report.notes["the order status 'shipped' is not known here"] == 1
    assert report.notes["the order came to something else than its items, and still does"] == 1


@pytest.mark.every_database
@pytest.mark.parametrize(("options", "number"), [({}, "SO-2021-7"), ({"keep_ids": False}, "5001")])
def test_an_order_keeps_the_number_that_people_know(
    shop: Stand, export: ShopExport, move: ImportCall, options: dict[str, bool], number: str
) -> None:
    if options:
        shop.client("admin").post(ORDERS, {"status": "pending"})
    export.add_order(number=number)
    move(**options)
    known = read(shop, f"{MIRROR}?number={number}")
    assert [one["number"] for one in known] == [number]
    id = known[0]["id"]
    assert str(id) != number
    assert [one["id"] for one in read(shop, f"{ORDERS}?search={number}")] == [id]
    assert [one["id"] for one in read(shop, f"{MIRROR}?number={number[:4].lower()}")] == [id]
    assert [one["id"] for one in read(shop, f"{MIRROR}?number={id}")] == []
    with shop.site.work(read=True) as work:
        mail = preview_mail(work, "new_order", id)
    assert mail.subject.endswith(f"#{number}")
    assert number in mail.html
    export.add_order(number="")
    move(**options)
    assert [one["number"] for one in read(shop, f"{ORDERS}?include={id}")] == [str(id)]


def test_odd_values_are_taken(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    export.add(ORDERS, 5001, {
        "id": 5001, "status": None, "total": 12.5, "total_tax": "", "date_created_gmt": "2021-03-04T10:00:01",
        "date_paid": "0000-00-00T00:00:00", "billing": {"email": None, "postcode": 16121, "vat": "IT1"}, "shipping": [],
        "customer_id": "0", "line_items": [{"name": None, "quantity": "2", "total": 12.5, "taxes": {}, "id": "7"}, "x"],
        "coupon_lines": [{"id": 9, "code": "gone", "meta_data": [{"key": "coupon_data", "value": {"amount": "5"}}]}],
        "tax_lines": None, "fee_lines": [{"name": "Gift", "total": "0", "id": 8, "tax_status": ""}], "meta_data": {},
    })  # fmt: skip
    report = move()
    assert report.refusals == []
    found = read(shop, f"{ORDERS}/5001")
    assert (found["status"], found["total"], found["date_paid"]) == ("pending", "12.50", None)
    assert (found["billing"]["postcode"], found["billing"]["email"]) == ("16121", "")
    assert [(line["id"], line["quantity"], line["total"]) for line in found["line_items"]] == [(7, 2, "12.50")]
    assert found["coupon_lines"][0]["nominal_amount"] == 5
    assert report.notes["the member 'vat' of an address is not known here"] == 1
    assert list_faults(shop) == []


@pytest.mark.parametrize("keep", [True, False])
def test_a_refund_names_the_lines_of_its_order(shop: Stand, export: ShopExport, move: ImportCall, keep: bool) -> None:
    if not keep:
        ordered = {"line_items": [{"name": "x", "product_id": 1}], "status": "processing"}
        assert shop.client("admin").post(ORDERS, ordered).status == 201
    export.add_order().add(f"{ORDERS}/{{order_id}}/refunds", 5002, REFUND, 5001)
    move(keep_ids=keep)
    order = next(one for one in read(shop, ORDERS) if one["order_key"] == ORDER["order_key"])
    assert (order["id"] == 5001) is keep
    assert [one["total"] for one in order["refunds"]] == ["-10.98"]
    [refund] = read(shop, f"{ORDERS}/{order['id']}/refunds")
    assert (refund["amount"], refund["reason"], refund["refunded_payment"]) == ("10.98", "Torn", True)
    assert refund["date_created_gmt"] == REFUND["date_created_gmt"]
    [line] = refund["line_items"]
    assert (line["quantity"], line["total"], line["taxes"][0]["total"]) == (-1, "-9.00", "-1.98")
    assert [one["value"] for one in line["meta_data"]] == [str(order["line_items"][0]["id"])]
    assert list_faults(shop) == []
    assert move(keep_ids=keep).get_resource(f"{ORDERS}/{{order_id}}/refunds").unchanged == 1


def test_notes_come_with_author_and_time(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    told = {"author": "anna", "date_created_gmt": "2021-03-04T10:00:05", "note": "Sent.", "customer_note": True}
    export.add_order().add(f"{ORDERS}/{{order_id}}/notes", 31, {"id": 31, **told}, 5001)
    export.add(f"{ORDERS}/{{order_id}}/notes", 32, {"id": 32, **told}, 9999)
    report = move()
    [note] = read(shop, f"{ORDERS}/5001/notes")
    assert {name: note[name] for name in told} == told
    assert [(where, id) for where, id, _ in report.refusals] == [(f"{ORDERS}/{{order_id}}/notes", "32")]
    assert count_messages(shop) == (0, 0)


def test_a_coupon_is_used_as_often_as_there(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    coupon = {"id": 161, "code": "welcome10", "amount": "10", "discount_type": "percent", "status": "publish"}
    export.add(
        "/shop/v3/coupons", 161, {**coupon, "usage_count": 2, "used_by": ["mara@example.net", "otto@example.net"]}
    )
    # The first was begun with its status and never counted, the second says by it that it was.
    export.add_order(id=5001, status="refunded").add_order(id=5003)
    export.add_order(id=5005, status="refunded", billing={**ADDRESS, "email": "otto@example.net"})
    move()
    found = read(shop, "/shop/v3/coupons/161")
    assert (found["usage_count"], found["used_by"]) == (2, ["mara@example.net", "otto@example.net"])
    shop.client("admin").put(f"{ORDERS}/5003", {"status": "cancelled"})
    shop.client("admin").put(f"{ORDERS}/5001", {"status": "cancelled"})
    assert read(shop, "/shop/v3/coupons/161")["used_by"] == ["otto@example.net"]
    shop.client("admin").put(f"{ORDERS}/5005", {"status": "cancelled"})
    assert read(shop, "/shop/v3/coupons/161")["usage_count"] == 0
    assert list_faults(shop) == []


def test_customers_of_reports_keep_their_ids(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    path = "/shop-analytics/reports/customers"
    for id, name in ((41, "otto"), (7, "mara"), (8, "nobody")):
        export.add(path, id, {"id": id, "user_id": 0, "email": f"{name}@example.net", "name": name})
    export.add_order().add_order(id=5003, billing={**ADDRESS, "email": "otto@example.net"})
    move()
    assert {one["email"]: one["id"] for one in read(shop, path) if one["id"] in (7, 8, 41)} == {
        "mara@example.net": 7, "otto@example.net": 41, "nobody@example.net": 8
    }  # fmt: skip
    orders = read(shop, "/shop-analytics/reports/orders?after=2021-01-01T00:00:00&before=2021-12-31T23:59:59")
    assert {one["order_id"]: one["customer_id"] for one in orders} == {5001: 7, 5003: 41}
    assert list_faults(shop) == []


def test_reports_say_what_the_old_ones_said(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    export.add_order().add_order(id=5003, billing={**ADDRESS, "email": "otto@example.net"})
    export.add(f"{ORDERS}/{{order_id}}/refunds", 5002, REFUND, 5001)
    move()
    span = "after=2021-01-01T00:00:00&before=2021-12-31T23:59:59"
    totals = read(shop, f"/shop-analytics/reports/revenue/stats?{span}")["totals"]
    assert (totals["orders_count"], totals["total_sales"], totals["refunds"]) == (2, 48.8, 10.98)
    assert (totals["taxes"], totals["shipping"], totals["coupons"]) == (8.8, 13, 4)
    customers = read(shop, "/shop-analytics/reports/customers?orderby=orders_count&search=&per_page=10")
    assert {one["email"] for one in customers} >= {"mara@example.net", "otto@example.net"}


def test_what_paid_orders_give_is_given(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    admin = shop.client("admin")
    files = [{"name": "Map", "file": "https://new.example/map.pdf"}]
    given = {"name": "Map", "downloadable": True, "virtual": True, "downloads": files, "download_expiry": 30}
    product = admin.post("/shop/v3/products", given).json["id"]
    export.add("/shop/v3/customers", 77, {"id": 77, "username": "mara", "email": "mara@example.net"})
    export.add_order(customer_id=77, line_items=[{**LINE, "product_id": product}])
    move()
    [download] = read(shop, "/shop/v3/customers/77/downloads")
    assert (download["order_id"], download["access_expires"][:10]) == (5001, "2021-04-05")
    assert read(shop, "/shop/v3/customers/77")["is_paying_customer"] is True


def test_a_line_keeps_the_way_it_was_sent(shop: Stand, export: ShopExport, move: ImportCall) -> None:
    export.add_order(shipping_lines=[{**SHIPPING_LINE, "instance_id": 3}], coupon_lines=[{**COUPON_LINE, "id": 12}])
    move()
    found = read(shop, f"{ORDERS}/5001")
    assert found["shipping_lines"][0]["instance_id"] == "3"
    assert found["coupon_lines"][0]["id"] == 12
