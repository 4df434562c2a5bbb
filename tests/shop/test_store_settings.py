"""Effects of a shop's settings on carts and checkouts."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from sqlalchemy import select

from conftest import Answer, Client, SetClock, Stand
from vetrina.backends.database import Statement
from vetrina.backends.tables.catalogue import shop_meta

from .store import HOME, STORE, Visitor, billing, payable, sold

SETTINGS = "/shop/v3/settings"


def set_to(admin: Client, group: str, name: str, value: Any) -> None:
    answer = admin.put(f"{SETTINGS}/{group}/{name}", {"value": value})
    assert answer.status == 200, answer.json


def sending(manager: Client, *methods: str) -> None:
    """Ship all over the world by these methods."""
    for method in methods:
        answer = manager.post("/shop/v3/shipping/zones/0/methods", {"method_id": method, "settings": {}})
        assert answer.status == 200, answer.json
        if method == "flat_rate":
            manager.put(f"/shop/v3/shipping/zones/0/methods/{answer.json['instance_id']}", {"settings": {"cost": "5"}})


def ways(answer: Answer) -> list[str]:
    return [rate["method_id"] for parcel in answer.json["shipping_rates"] for rate in parcel["shipping_rates"]]


# -- shipping


def test_what_costs_is_hidden_beside_free_shipping(site: Stand, admin: Client, manager: Client) -> None:
    sending(manager, "flat_rate", "free_shipping", "local_pickup")
    visitor = Visitor(site)
    assert ways(visitor.add(sold(manager))) == ["flat_rate", "free_shipping", "local_pickup"]
    set_to(admin, "shipping", "shop_shipping_hide_rates_when_free", "yes")
    cart = visitor.get("/cart")
    assert ways(cart) == ["free_shipping", "local_pickup"]
    assert cart.json["totals"]["total_shipping"] == "0"


def test_nothing_is_hidden_where_nothing_is_free(site: Stand, admin: Client, manager: Client) -> None:
    sending(manager, "flat_rate", "local_pickup")
    set_to(admin, "shipping", "shop_shipping_hide_rates_when_free", "yes")
    assert ways(Visitor(site).add(sold(manager))) == ["flat_rate", "local_pickup"]


def test_what_sending_costs_waits_for_the_address(site: Stand, admin: Client, manager: Client) -> None:
    sending(manager, "flat_rate")
    payable(manager)
    set_to(admin, "shipping", "shop_shipping_cost_requires_address", "yes")
    visitor = Visitor(site)
    cart = visitor.add(sold(manager))
    assert (ways(cart), cart.json["has_calculated_shipping"], cart.json["needs_shipping"]) == ([], False, True)
    assert cart.json["totals"]["total_shipping"] is None
    assert cart.json["totals"]["total_price"] == "1000"
    cart = visitor.post("/cart/update-customer", {"shipping_address": HOME})
    assert (ways(cart), cart.json["has_calculated_shipping"]) == (["flat_rate"], True)
    assert cart.json["totals"]["total_price"] == "1500"
    assert visitor.pay(shipping_address=HOME).status == 200


def test_a_country_without_postcodes_needs_none(site: Stand, admin: Client, manager: Client) -> None:
    sending(manager, "flat_rate")
    set_to(admin, "shipping", "shop_shipping_cost_requires_address", "yes")
    visitor = Visitor(site)
    visitor.add(sold(manager))
    cart = visitor.post(
        "/cart/update-customer", {"shipping_address": {"country": "HK", "state": "", "city": "Central"}}
    )
    assert ways(cart) == ["flat_rate"]


def test_a_shop_may_send_to_who_pays_alone(site: Stand, admin: Client, manager: Client) -> None:
    sending(manager, "flat_rate")
    payable(manager)
    set_to(admin, "shipping", "shop_ship_to_destination", "billing_only")
    visitor = Visitor(site)
    visitor.add(sold(manager))
    elsewhere = {**HOME, "first_name": "Other", "address_1": "9 Far Rd"}
    cart = visitor.post("/cart/update-customer", {"billing_address": billing(), "shipping_address": elsewhere})
    assert cart.json["shipping_address"]["address_1"] == HOME["address_1"]
    placed = visitor.pay(shipping_address=elsewhere)
    assert placed.status == 200, placed.json
    assert placed.json["shipping_address"]["address_1"] == HOME["address_1"]
    kept = manager.get(f"/shop/v3/orders/{placed.json['order_id']}").json
    assert kept["shipping"]["address_1"] == HOME["address_1"]


def test_a_shop_supposes_where_a_visitor_is_or_does_not(site: Stand, admin: Client) -> None:
    assert Visitor(site).get("/cart").json["shipping_address"]["country"] == "US"
    set_to(admin, "general", "shop_default_customer_address", "")
    cart = Visitor(site).get("/cart").json
    assert (cart["shipping_address"]["country"], cart["billing_address"]["state"]) == ("", "")


# -- tries to pay


def test_tries_to_pay_are_counted_where_the_shop_wants_it(
    site: Stand, admin: Client, manager: Client, clock: SetClock
) -> None:
    payable(manager)
    cup = sold(manager)
    set_to(admin, "advanced", "shop_feature_rate_limit_checkout_enabled", "yes")
    visitor = Visitor(site)
    visitor.add(cup)
    # Refused tries count like successful ones.
    assert visitor.pay("nothing").status == 400
    tries = [visitor.pay("bacs"), visitor.pay("bacs"), visitor.pay("bacs"), visitor.pay()]
    assert [one.code for one in tries[:3]] == ["shop_rest_checkout_payment_method_disabled"] * 3
    late = tries[3]
    assert (late.status, late.code) == (429, "rate_limit_exceeded")
    assert 0 < int(late.headers["retry-after"]) <= 60
    # Another token is not another address, and a batch is no way around.
    other = Visitor(site)
    other.add(cup)
    assert other.pay().status == 429
    told = {"billing_address": billing(), "payment_method": "cheque"}
    batch = other.post(
        "/batch",
        {"requests": [{"path": f"{STORE}/checkout", "method": "POST", "body": told, "headers": other.headers}]},
    )
    assert batch.json["responses"][0]["status"] == 429
    clock.forward(61)
    assert visitor.pay().status == 200


def test_tries_to_pay_are_not_counted_otherwise(site: Stand, manager: Client) -> None:
    payable(manager)
    visitor = Visitor(site)
    visitor.add(sold(manager))
    for _ in range(6):
        assert visitor.pay("bacs").status == 400
    assert visitor.pay().status == 200


# -- where an order came from


@pytest.mark.parametrize("wanted", ["yes", "no"])
def test_an_order_keeps_where_it_came_from(site: Stand, admin: Client, manager: Client, wanted: str) -> None:
    payable(manager)
    set_to(admin, "advanced", "shop_feature_order_attribution_enabled", wanted)
    visitor = Visitor(site)
    visitor.add(sold(manager))
    told = {"source_type": "utm", "utm_source": "<b>news</b>letter", "referrer": None, "unknown": "x"}
    placed = visitor.pay(extensions={"shop/order-attribution": told})
    assert placed.status == 200, placed.json
    with site.site.database.begin_read() as tx:
        rows = tx.all(Statement(select(shop_meta.c.name, shop_meta.c.value).where(shop_meta.c.kind == "order")))
    kept = {name: orjson.loads(value) for name, value in rows if "attribution" in name}
    expected = {"_shop_order_attribution_source_type": "utm", "_shop_order_attribution_utm_source": "newsletter"}
    assert kept == (expected if wanted == "yes" else {})


@pytest.mark.parametrize("told", [7, "x", {"utm_source": {"a": 1}}])
def test_what_is_no_origin_is_refused(site: Stand, manager: Client, told: Any) -> None:
    payable(manager)
    visitor = Visitor(site)
    visitor.add(sold(manager))
    answer = visitor.pay(extensions={"shop/order-attribution": told})
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    assert "extensions" in answer.json["data"]["params"]


# -- coupons


@pytest.mark.parametrize(("wanted", "off"), [("no", "70.00"), ("yes", "60.00")])
def test_coupons_take_off_at_once_or_one_after_the_other(
    site: Stand, admin: Client, manager: Client, wanted: str, off: str
) -> None:
    set_to(admin, "general", "shop_calc_discounts_sequentially", wanted)
    for code, amount in (("half", "50"), ("fifth", "20")):
        manager.post("/shop/v3/coupons", {"code": code, "discount_type": "percent", "amount": amount})
    cup = sold(manager, price="100")
    lines = {"line_items": [{"product_id": cup, "quantity": 1}], "coupon_lines": [{"code": "half"}, {"code": "fifth"}]}
    assert manager.post("/shop/v3/orders", lines).json["discount_total"] == off
    visitor = Visitor(site)
    visitor.add(cup)
    for code in ("half", "fifth"):
        cart = visitor.post("/cart/apply-coupon", {"code": code})
    assert cart.json["totals"]["total_discount"] == off.replace(".", "")
