"""The whole visit of a customer over HTTP, and the order in the shop; many customers at once for the last items."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from conftest import Client, Stand

from .store import HOME, Visitor, billing, payable, sold, stock


def _coat(manager: Client) -> tuple[int, int]:
    """Return the ids of a variable product in a category and of one of its variations, of which there are 5."""
    group = manager.post("/shop/v3/products/categories", {"name": "Coats"}).json["id"]
    coat = manager.post(
        "/shop/v3/products",
        {
            "name": "Coat", "type": "variable", "categories": [{"id": group}],
            "attributes": [
                {"name": "Size", "variation": True, "visible": True, "options": ["S", "L"]},
                {"name": "Colour", "variation": True, "visible": True, "options": ["red", "blue"]},
            ],
        },
    ).json["id"]  # fmt: skip
    chosen = [{"name": "Size", "option": "L"}, {"name": "Colour", "option": "red"}]
    part = manager.post(
        f"/shop/v3/products/{coat}/variations",
        {"regular_price": "100", "attributes": chosen, "manage_stock": True, "stock_quantity": 5},
    ).json["id"]  # fmt: skip
    return int(coat), int(part)


def _sending(manager: Client) -> None:
    """Ship to California for 7, with 10 % tax there."""
    manager.put("/shop/v3/settings/general/shop_calc_taxes", {"value": "yes"})
    manager.post("/shop/v3/taxes", {"country": "US", "state": "CA", "rate": "10", "name": "CA"})
    zone = manager.post("/shop/v3/shipping/zones", {"name": "California"}).json["id"]
    manager.put(f"/shop/v3/shipping/zones/{zone}/locations", [{"code": "US:CA", "type": "state"}])
    methods = f"/shop/v3/shipping/zones/{zone}/methods"
    manager.post(methods, {"method_id": "flat_rate", "settings": {"cost": "7"}})
    manager.post(methods, {"method_id": "free_shipping"})


@pytest.mark.every_database
def test_a_visitor_buys_and_the_shop_sends_and_refunds(site: Stand, manager: Client) -> None:
    coat, part = _coat(manager)
    sold(manager, "Cup", "10")
    _sending(manager)
    payable(manager, "cheque", "cod")
    manager.post("/shop/v3/coupons", {"code": "tenth", "discount_type": "percent", "amount": "10"})
    accounts = "/shop/v3/settings/account/shop_enable_signup_and_login_from_checkout"
    manager.put(accounts, {"value": "yes"})
    visitor = Visitor(site)

    # Browse and filter.
    assert {one["name"] for one in visitor.get("/products").json} == {"Coat", "Cup"}
    found = visitor.get("/products?category=coats&min_price=5000").json
    assert [one["id"] for one in found] == [coat]
    assert found[0]["variations"] == [
        {"id": part, "attributes": [{"name": "Size", "value": "L"}, {"name": "Colour", "value": "red"}]}
    ]

    # A variation into the cart, a coupon, an address, a shipping method.
    chosen = [{"attribute": "Size", "value": "L"}, {"attribute": "Colour", "value": "red"}]
    assert visitor.add(coat, 2, variation=chosen).json["items"][0]["id"] == part
    assert visitor.post("/cart/apply-coupon", {"code": "TENTH"}).json["totals"]["total_discount"] == "2000"
    cart = visitor.post("/cart/update-customer", {"billing_address": billing(), "shipping_address": HOME}).json
    free = cart["shipping_rates"][0]["shipping_rates"][1]["rate_id"]
    totals = cart["totals"]
    assert (totals["total_shipping"], totals["total_tax"], totals["total_price"]) == ("700", "1870", "20570")
    totals = visitor.post("/cart/select-shipping-rate", {"package_id": 0, "rate_id": free}).json["totals"]
    assert totals["total_price"] == "19800"

    # The checkout: the order equals the cart, and the cart is empty.
    placed = visitor.pay("cheque", create_account=True, customer_note="Ring twice")
    assert placed.status == 200, placed.json
    order = manager.get(f"/shop/v3/orders/{placed.json['order_id']}").json
    assert order["status"] == "on-hold"
    assert order["total"] == "198.00"
    assert order["created_via"] == "store-api"
    assert order["line_items"][0]["variation_id"] == part
    assert [one["method_id"] for one in order["shipping_lines"]] == ["free_shipping"]
    assert [one["code"] for one in order["coupon_lines"]] == ["tenth"]
    assert stock(manager, part) == 3
    assert manager.get("/shop/v3/coupons?code=tenth").json[0]["usage_count"] == 1
    assert visitor.get("/cart").json["items_count"] == 0
    customer = manager.get(f"/shop/v3/customers/{order['customer_id']}").json
    assert (customer["email"], customer["billing"]["city"]) == ("mara@example.org", "Fresno")

    # The visitor views it; the shop is paid, ships it, and refunds one item.
    query = {"key": order["order_key"], "billing_email": "mara@example.org"}
    assert visitor.get(f"/order/{order['id']}", query=query).json["totals"]["total_price"] == "19800"
    paid = manager.put(f"/shop/v3/orders/{order['id']}", {"status": "processing"}).json
    assert paid["date_paid"]
    assert manager.put(f"/shop/v3/orders/{order['id']}", {"status": "completed"}).json["date_completed"]
    line = order["line_items"][0]["id"]
    back = manager.post(
        f"/shop/v3/orders/{order['id']}/refunds",
        {"api_refund": False, "line_items": [{"id": line, "quantity": 1, "refund_total": "90"}]},
    )  # fmt: skip
    assert back.status == 201, back.json
    assert stock(manager, part) == 4
    assert visitor.get(f"/order/{order['id']}", query=query).json["totals"]["total_refund"] == "9000"
    assert manager.get(f"/shop/v3/customers/{order['customer_id']}").json["is_paying_customer"] is True


@pytest.mark.every_database
def test_fifty_visitors_on_the_last_pieces(site: Stand, manager: Client) -> None:
    """Seven are sold, nobody gets more, and other customers have no order that counts."""
    payable(manager, "cheque")
    last = sold(manager, "Last", "5", manage_stock=True, stock_quantity=7, virtual=True)
    manager.post("/shop/v3/coupons", {"code": "once", "discount_type": "fixed_cart", "amount": "1", "usage_limit": 3})
    visitors = [Visitor(site) for _ in range(50)]
    for at, visitor in enumerate(visitors):
        assert visitor.add(last).status == 201
        if at % 2:
            assert visitor.post("/cart/apply-coupon", {"code": "once"}).status == 200
    answers: list[Any] = []
    start = threading.Barrier(len(visitors))

    def buy(visitor: Visitor) -> None:
        start.wait()
        answers.append(visitor.pay())

    threads = [threading.Thread(target=buy, args=(visitor,)) for visitor in visitors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    placed = [answer for answer in answers if answer.status == 200]
    refused = [answer for answer in answers if answer.status != 200]
    assert len(answers) == 50
    assert len(placed) == 7
    assert {answer.status for answer in refused} == {409}
    assert all("cart" in answer.json["data"] for answer in refused)
    assert stock(manager, last) == 0
    orders = manager.get("/shop/v3/orders?per_page=100&status=on-hold").json
    assert {one["id"] for one in orders} == {answer.json["order_id"] for answer in placed}
    assert manager.get("/shop/v3/orders?status=processing,completed,pending").json == []
    used = manager.get("/shop/v3/coupons?code=once").json[0]["usage_count"]
    assert used == sum(bool(one["coupon_lines"]) for one in orders) <= 3


def test_the_order_is_what_the_cart_was(site: Stand, manager: Client) -> None:
    """Cart and order are computed by the same rules, taxes in prices and odd cents too."""
    _sending(manager)
    payable(manager)
    manager.put("/shop/v3/settings/tax/shop_prices_include_tax", {"value": "yes"})
    manager.post("/shop/v3/coupons", {"code": "odd", "discount_type": "fixed_cart", "amount": "3.33"})
    visitor = Visitor(site)
    for price, quantity in (("9.99", 3), ("0.07", 7), ("119", 1)):
        visitor.add(sold(manager, f"At {price}", price), quantity)
    visitor.post("/cart/apply-coupon", {"code": "odd"})
    totals = visitor.post("/cart/update-customer", {"shipping_address": HOME}).json["totals"]
    placed = visitor.pay(shipping_address=HOME)
    order = manager.get(f"/shop/v3/orders/{placed.json['order_id']}").json
    cents = {name: order[name].replace(".", "").lstrip("0") or "0" for name in ("total", "total_tax", "discount_total")}
    assert (totals["total_price"], totals["total_tax"], totals["total_discount"]) == tuple(cents.values())


def test_half_a_millionth_goes_where_its_binary_fraction_is_nearer_to(site: Stand, manager: Client) -> None:
    payable(manager)
    manager.put("/shop/v3/settings/general/shop_calc_taxes", {"value": "yes"})
    manager.put("/shop/v3/settings/tax/shop_prices_include_tax", {"value": "yes"})
    assert manager.post("/shop/v3/taxes", {"country": "US", "rate": "33.3333"}).status == 201
    for price, kept in (("8", 6.000001), ("20", 15.000004), ("1.6", 1.2)):
        visitor = Visitor(site)
        visitor.add(sold(manager, f"At {price}", price, virtual=True))
        order = manager.get(f"/shop/v3/orders/{visitor.pay().json['order_id']}").json
        assert order["line_items"][0]["price"] == kept
