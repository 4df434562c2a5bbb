"""Rules of totals over HTTP that hold for few orders only: the tax that counts, goods of a coupon, the last cent.

Not here: coupons as such (test_coupons.py), totals of any order (test_order_sums.py, test_sums_of_random_shops.py).
"""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand

from .store import Visitor, billing, payable, sold

COUPONS, ORDERS, PRODUCTS, TAXES = "/shop/v3/coupons", "/shop/v3/orders", "/shop/v3/products", "/shop/v3/taxes"


def coupon(manager: Client, code: str, **given: Any) -> dict[str, Any]:
    answer = manager.post(COUPONS, {"code": code, **given})
    assert answer.status == 201, answer.json
    return dict(answer.json)


def order(manager: Client, *goods: int, **given: Any) -> Any:
    return manager.post(ORDERS, {"line_items": [{"product_id": id} for id in goods], **given})


def taxed(manager: Client, rate: str = "10", **given: Any) -> None:
    """Set a tax everywhere, with items rounded only at the end."""
    for group, name, value in (
        ("general", "shop_calc_taxes", "yes"), ("tax", "shop_tax_round_at_subtotal", "yes"),
        ("tax", "shop_tax_based_on", "base"),
    ):  # fmt: skip
        assert manager.put(f"/shop/v3/settings/{group}/{name}", {"value": value}).status == 200
    assert manager.post(TAXES, {"rate": rate, **given}).status == 201


def test_a_percentage_is_cut_as_binary_fractions_are(manager: Client) -> None:
    goods = [sold(manager, "a", "1234.56"), sold(manager, "b", "100")]
    coupon(manager, "bit", discount_type="percent", amount="0.99")
    lines = order(manager, *goods, coupon_lines=[{"code": "bit"}]).json["line_items"]
    # 0.99 of 100.00 would be 0.99; as a fraction it is slightly less, and the cent goes to the more expensive items.
    assert [line["total"] for line in lines] == ["1222.33", "99.02"]


def test_goods_on_sale_stand_for_no_category_of_a_coupon_that_leaves_them_out(manager: Client) -> None:
    shelf = manager.post(f"{PRODUCTS}/categories", {"name": "Shelf"}).json["id"]
    cheap = sold(manager, "cheap", "10", sale_price="8", categories=[{"id": shelf}])
    other = sold(manager, "other", "10")
    given = {"discount_type": "percent", "amount": "10", "product_ids": [other], "product_categories": [shelf]}
    coupon(manager, "both", **given)
    coupon(manager, "strict", exclude_sale_items=True, **given)
    assert order(manager, cheap, other, coupon_lines=[{"code": "both"}]).status == 201
    refused = order(manager, cheap, other, coupon_lines=[{"code": "strict"}])
    assert (refused.status, refused.code) == (400, "shop_rest_invalid_coupon")


def test_a_coupon_that_is_named_twice_is_refused(manager: Client) -> None:
    goods = sold(manager)
    coupon(manager, "one", amount="1")
    twice = [{"code": "one"}, {"code": "ONE"}]
    refused = order(manager, goods, coupon_lines=twice)
    assert (refused.status, refused.code) == (400, "shop_rest_invalid_coupon")
    made = order(manager, goods, coupon_lines=[{"code": "one"}]).json
    path = f"{ORDERS}/{made['id']}"
    assert manager.put(path, {"coupon_lines": twice}).code == "shop_rest_invalid_coupon"
    assert [line["code"] for line in manager.get(path).json["coupon_lines"]] == ["one"]


def test_addresses_that_a_coupon_is_for_are_kept_in_small_letters(manager: Client) -> None:
    body = coupon(manager, "a", amount="1", email_restrictions=["Ada@Example.COM", "*@Example.org"])
    assert body["email_restrictions"] == ["ada@example.com", "*@example.org"]
    given = {"coupon_lines": [{"code": "a"}], "billing": {"email": "BO@example.org"}}
    assert order(manager, sold(manager), **given).status == 201


def test_a_line_is_taxed_as_its_product_is_now(manager: Client) -> None:
    taxed(manager)
    goods = sold(manager, tax_status="none")
    made = order(manager, goods).json
    assert made["total_tax"] == "0.00"
    manager.put(f"{PRODUCTS}/{goods}", {"tax_status": "taxable"})
    path = f"{ORDERS}/{made['id']}"
    assert manager.put(path, {"line_items": []}).json["total_tax"] == "1.00"
    manager.put(f"{PRODUCTS}/{goods}", {"tax_status": "none"})
    assert manager.put(path, {"line_items": []}).json["total_tax"] == "0.00"
    assert manager.delete(f"{PRODUCTS}/{goods}", query={"force": "true"}).status == 200
    assert manager.put(path, {"line_items": []}).json["total_tax"] == "1.00"


def test_a_line_whose_product_is_sent_again_takes_its_name_and_class_from_it(manager: Client) -> None:
    taxed(manager)
    goods = sold(manager, "Cup")
    made = order(manager, goods).json
    path, line = f"{ORDERS}/{made['id']}", made["line_items"][0]["id"]
    manager.put(f"{PRODUCTS}/{goods}", {"name": "Mug", "tax_class": "zero-rate"})
    kept = manager.put(path, {"line_items": [{"id": line, "quantity": 2}]}).json["line_items"][0]
    assert (kept["name"], kept["tax_class"], kept["total"]) == ("Cup", "", "10.00")
    fresh = manager.put(path, {"line_items": [{"id": line, "product_id": goods}]}).json["line_items"][0]
    assert (fresh["name"], fresh["tax_class"], fresh["total"], fresh["total_tax"]) == (
        "Mug",
        "zero-rate",
        "10.00",
        "0.00",
    )


def test_less_than_no_pieces_cost_nothing(manager: Client) -> None:
    body = manager.post(ORDERS, {"line_items": [{"product_id": sold(manager), "quantity": -2}]}).json
    assert (body["line_items"][0]["quantity"], body["line_items"][0]["total"], body["total"]) == (-2, "0.00", "0.00")


@pytest.mark.parametrize("name", ["method_id", "method_title", "name"])
def test_an_item_that_loses_its_name_is_taken_away(manager: Client, name: str) -> None:
    sent = [{"method_id": "flat_rate", "method_title": "Way", "total": "5"}]
    made = order(manager, sold(manager), shipping_lines=sent).json
    given = {"shipping_lines": [{"id": made["shipping_lines"][0]["id"], name: None}]}
    changed = manager.put(f"{ORDERS}/{made['id']}", given).json
    assert (changed["shipping_lines"], changed["total"]) == ([], "10.00")


def test_coupons_go_one_after_another_as_far_as_fees_below_nothing_know(manager: Client) -> None:
    taxed(manager, "10")
    taxed(manager, "20", **{"class": "reduced-rate"})
    plain, reduced = sold(manager, "a", "60"), sold(manager, "b", "40", tax_class="reduced-rate")
    coupon(manager, "first", discount_type="percent", amount="50", product_ids=[plain])
    coupon(manager, "last", discount_type="percent", amount="50", product_ids=[reduced])
    both = [{"code": "first"}, {"code": "last"}]
    made = order(manager, plain, reduced, coupon_lines=both, fee_lines=[{"name": "less", "total": "-10"}]).json
    changed = manager.put(f"{ORDERS}/{made['id']}", {"coupon_lines": []}).json
    # Its taxes are those of 60 and 20, the cost of the items while the last coupon still applied.
    assert changed["fee_lines"][0]["total_tax"] == "-1.25"


def test_parts_of_a_cent_count_where_a_shop_has_no_cents(manager: Client) -> None:
    taxed(manager)
    for group, name, value in (("general", "shop_price_num_decimals", "0"), ("tax", "shop_prices_include_tax", "yes")):
        manager.put(f"/shop/v3/settings/{group}/{name}", {"value": value})
    goods = sold(manager, "a", "19.99999")
    coupon(manager, "piece", discount_type="fixed_product", amount="100", limit_usage_to_x_items=1)
    made = manager.post(
        ORDERS, {"line_items": [{"product_id": goods, "quantity": 3}], "coupon_lines": [{"code": "piece"}]}
    )
    line = manager.get(f"{ORDERS}/{made.json['id']}", query={"dp": "6"}).json["line_items"][0]
    # One of three items is free: two thirds remain, for the last part.
    assert (line["subtotal"], line["total"]) == ("54.545427", "36.363618")


def test_how_often_an_address_may_use_a_coupon_is_asked_at_the_checkout(site: Stand, manager: Client) -> None:
    payable(manager)
    goods = sold(manager)
    coupon(manager, "mine", amount="3", usage_limit_per_user=1)
    for tried in range(2):
        visitor = Visitor(site)
        visitor.post("/cart/update-customer", {"billing_address": billing()})
        visitor.add(goods)
        assert visitor.post("/cart/apply-coupon", {"code": "mine"}).json["totals"]["total_price"] == "700"
        placed = visitor.pay()
        assert placed.status == (409 if tried else 200), placed.json
    assert placed.code == "shop_rest_cart_coupon_errors"
    assert list(placed.json["data"]["removed_coupons"]) == ["mine"]
    assert placed.json["data"]["cart"]["coupons"] == visitor.get("/cart").json["coupons"] == []
    # An order is still possible, at the full price.
    assert visitor.pay().status == 200
    newest = manager.get(ORDERS).json[0]
    assert (newest["total"], newest["coupon_lines"]) == ("10.00", [])
    assert manager.get(COUPONS).json[0]["used_by"] == ["mara@example.org"]


def test_whose_address_a_coupon_is_for_is_asked_again_at_the_checkout(site: Stand, manager: Client) -> None:
    payable(manager)
    for code, given in (("mine", {"email_restrictions": ["mara@example.org"]}), ("ours", {})):
        coupon(manager, code, amount="3", **given)
    visitor = Visitor(site)
    visitor.post("/cart/update-customer", {"billing_address": billing()})
    visitor.add(sold(manager))
    for code in ("mine", "ours"):
        assert visitor.post("/cart/apply-coupon", {"code": code}).status == 200
    placed = visitor.pay(billing_address=billing(email="other@example.org"))
    assert (placed.status, placed.code) == (409, "shop_rest_cart_coupon_errors")
    assert list(placed.json["data"]["removed_coupons"]) == ["mine"]
    assert "other addresses" in placed.json["data"]["removed_coupons"]["mine"]
    assert [one["code"] for one in visitor.get("/cart").json["coupons"]] == ["ours"]
    assert [one["code"] for one in placed.json["data"]["cart"]["coupons"]] == ["ours"]
    assert visitor.pay(billing_address=billing(email="other@example.org")).status == 200
    assert manager.get(ORDERS).json[0]["total"] == "7.00"


def test_an_exempt_order_has_no_taxes(manager: Client) -> None:
    taxed(manager)
    goods, exempt = sold(manager), {"key": "is_vat_exempt", "value": "yes"}
    given = {
        "shipping_lines": [{"method_id": "flat_rate", "total": "5"}], "fee_lines": [{"name": "Fee", "total": "2"}],
        "coupon_lines": [{"code": coupon(manager, "off", amount="1")["code"]}],
    }  # fmt: skip
    made = order(manager, goods, meta_data=[exempt], **given).json
    assert (made["total"], made["total_tax"], made["tax_lines"]) == ("16.00", "0.00", [])
    assert (made["discount_total"], made["discount_tax"]) == ("1.00", "0.00")
    path = f"{ORDERS}/{made['id']}"
    # By itself the field changes nothing.
    assert manager.put(path, {"meta_data": [{**exempt, "value": "no"}]}).json["total"] == "16.00"
    assert manager.put(path, {"line_items": []}).json["total"] == "17.60"
    cleared = manager.put(path, {"meta_data": [exempt], "line_items": []}).json
    assert (cleared["total"], cleared["tax_lines"]) == ("16.00", [])
    assert manager.put(path, {"meta_data": [{**exempt, "value": None}], "fee_lines": []}).json["total"] == "17.60"


def test_a_fee_of_shipping_is_rounded_with_the_whole_cost(site: Stand, manager: Client) -> None:
    """Taxes are taken of the exact cost."""
    payable(manager)
    taxed(manager, "50", shipping=True)
    visitor = Visitor(site)
    visitor.post("/cart/update-customer", {"billing_address": billing()})
    visitor.add(sold(manager, "Pin", "0.15"))
    number = zone_everywhere(manager, "flat_rate")[0].partition(":")[2]
    for cost, price, tax in (
        ('3 * [fee percent="10"]', "5", "2"),  # 0.045, of which 0.0225
        ('[fee percent="10"] + 1', "102", "51"),  # 1.015, of which 0.5075
        ('[fee percent="10" min_fee="4"]', "400", "200"),
        ('[fee percent="5000" max_fee="4.5"]', "450", "225"),
        ('[fee min_fee="1"]', "100", "50"),
    ):
        settings = {"cost": cost, "tax_status": "taxable"}
        assert manager.put(f"/shop/v3/shipping/zones/0/methods/{number}", {"settings": settings}).status == 200
        totals = visitor.get("/cart").json["totals"]
        assert (totals["total_shipping"], totals["total_shipping_tax"]) == (price, tax), cost


def zone_everywhere(manager: Client, *kinds: str, **settings: dict[str, str]) -> list[str]:
    """Add shipping methods to the rest of the world, and return their ids in a cart."""
    out = []
    for kind in kinds:
        method = manager.post("/shop/v3/shipping/zones/0/methods", {"method_id": kind}).json
        path = f"/shop/v3/shipping/zones/0/methods/{method['id']}"
        assert manager.put(path, {"settings": settings.get(kind, {})}).status == 200
        out.append(f"{kind}:{method['id']}")
    return out


def chosen(cart: dict[str, Any]) -> list[str]:
    return [rate["rate_id"] for one in cart["shipping_rates"] for rate in one["shipping_rates"] if rate["selected"]]


def test_nobody_fetches_goods_who_did_not_choose_to(site: Stand, manager: Client) -> None:
    payable(manager)
    pickup, flat = zone_everywhere(manager, "local_pickup", "flat_rate", flat_rate={"cost": "5"})
    visitor = Visitor(site)
    assert chosen(visitor.add(sold(manager)).json) == [flat]
    manager.put(f"/shop/v3/shipping/zones/0/methods/{flat.partition(':')[2]}", {"enabled": False})
    body = visitor.get("/cart").json
    assert (chosen(body), body["totals"]["total_shipping"]) == ([], "0")
    assert visitor.pay().code == "shop_rest_invalid_shipping_option"
    picked = visitor.post("/cart/select-shipping-rate", {"package_id": 0, "rate_id": pickup})
    assert chosen(picked.json) == [pickup]
    assert visitor.pay().status == 200


def test_who_chose_to_fetch_goods_goes_on_when_there_are_other_ways(site: Stand, manager: Client) -> None:
    wants = {"requires": "min_amount", "min_amount": "15"}
    flat, free, pickup = zone_everywhere(
        manager, "flat_rate", "free_shipping", "local_pickup", flat_rate={"cost": "5"}, free_shipping=wants
    )
    goods, visitor, other = sold(manager), Visitor(site), Visitor(site)
    for one, rate in ((visitor, pickup), (other, flat)):
        one.add(goods)
        one.post("/cart/select-shipping-rate", {"package_id": 0, "rate_id": rate})
    assert chosen(visitor.add(goods).json) == [pickup]
    assert chosen(other.add(goods).json) == [flat]
    assert [rate["rate_id"] for rate in visitor.get("/cart").json["shipping_rates"][0]["shipping_rates"]] == [
        flat, free, pickup,
    ]  # fmt: skip


def test_a_sum_before_discounts_counts_the_tax_that_they_save(site: Stand, manager: Client) -> None:
    taxed(manager)
    manager.put("/shop/v3/settings/tax/shop_tax_display_cart", {"value": "incl"})
    wants = {"requires": "min_amount", "min_amount": "22", "ignore_discounts": "yes"}
    _, free = zone_everywhere(manager, "flat_rate", "free_shipping", flat_rate={"cost": "5"}, free_shipping=wants)
    coupon(manager, "half", discount_type="percent", amount="50")
    visitor = Visitor(site)
    visitor.add(sold(manager), 2)
    visitor.post("/cart/apply-coupon", {"code": "half"})

    def offered() -> list[str]:
        return [rate["rate_id"] for rate in visitor.get("/cart").json["shipping_rates"][0]["shipping_rates"]]

    # 22.00 with tax before the discount, 11.00 after it.
    assert free in offered()
    path = f"/shop/v3/shipping/zones/0/methods/{free.partition(':')[2]}"
    manager.put(path, {"settings": {**wants, "ignore_discounts": "no"}})
    assert free not in offered()
    manager.put(path, {"settings": {**wants, "ignore_discounts": "no", "min_amount": "11"}})
    assert free in offered()


def test_half_a_millionth_of_a_cart_goes_where_its_cents_go(site: Stand, manager: Client) -> None:
    payable(manager)
    taxed(manager, "33.3333")
    manager.put("/shop/v3/settings/tax/shop_prices_include_tax", {"value": "yes"})
    visitor = Visitor(site)
    visitor.add(sold(manager, "a", "19.99"), 2)
    placed = visitor.pay().json["order_id"]
    line = manager.get(f"{ORDERS}/{placed}", query={"dp": "6"}).json["line_items"][0]
    # 29.9850075 is 2998.50075 cents divided by a hundred.
    assert (line["subtotal"], line["subtotal_tax"]) == ("29.985008", "9.994993")
