"""Coupons over HTTP: validation, discounts of an order, and usage."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, SetClock, Stand

COUPONS, ORDERS, PRODUCTS = "/shop/v3/coupons", "/shop/v3/orders", "/shop/v3/products"


@pytest.fixture
def goods(manager: Client) -> list[int]:
    """Three products at 40.00, 10.00 and 10.05."""
    return [
        manager.post(PRODUCTS, {"name": price, "regular_price": price}).json["id"] for price in ("40", "10", "10.05")
    ]


def coupon(client: Client, code: str, **given: Any) -> dict[str, Any]:
    answer = client.post(COUPONS, {"code": code, **given})
    assert answer.status == 201, answer.json
    return dict(answer.json)


def order(client: Client, goods: list[int], *codes: str, quantities: tuple[int, ...] = (1, 1, 1), **given: Any) -> Any:
    lines = [{"product_id": id, "quantity": count} for id, count in zip(goods, quantities, strict=False)]
    return client.post(ORDERS, {"line_items": lines, "coupon_lines": [{"code": code} for code in codes], **given})


@pytest.mark.every_database
def test_a_coupon_has_a_code_of_its_own(site: Stand, manager: Client) -> None:
    body = coupon(manager, "SuMMer", amount="10")
    assert (body["code"], body["amount"], body["discount_type"], body["status"]) == (
        "summer", "10.00", "fixed_cart", "publish",
    )  # fmt: skip
    taken = manager.post(COUPONS, {"code": "SUMMER"})
    assert (taken.status, taken.code) == (400, "shop_rest_coupon_code_already_exists")
    empty = manager.post(COUPONS, {"code": ""})
    assert (empty.status, empty.code) == (400, "shop_rest_empty_coupon_code")
    assert manager.post(COUPONS, {}).code == "rest_missing_callback_param"
    assert [one["id"] for one in manager.get(COUPONS, query={"code": "Summer"}).json] == [body["id"]]
    assert manager.get(COUPONS, query={"search": "umm"}).json[0]["id"] == body["id"]


def test_amounts_are_numbers_in_bounds(manager: Client) -> None:
    assert coupon(manager, "a", amount="abc")["amount"] == "0.00"
    for given in ({"discount_type": "percent", "amount": "101"}, {"amount": "-1"}):
        answer = manager.post(COUPONS, {"code": "b", **given})
        assert (answer.status, answer.code) == (400, "coupon_invalid_amount")
    assert coupon(manager, "c", discount_type="percent", amount="100")["amount"] == "100.00"


def test_bad_addresses_are_dropped_and_an_end_can_be_cleared(manager: Client) -> None:
    body = coupon(manager, "a", email_restrictions=["ada@example.com", "x"], date_expires="2030-05-01T00:00:00")
    assert body["email_restrictions"] == ["ada@example.com"]
    assert body["date_expires"] == "2030-05-01T00:00:00"
    path = f"{COUPONS}/{body['id']}"
    assert manager.put(path, {"date_expires": None}).json["date_expires"] == "2030-05-01T00:00:00"
    gmt = manager.put(path, {"date_expires_gmt": "2031-01-01T00:00:00"}).json
    assert gmt["date_expires"] == "2030-05-01T00:00:00"
    assert manager.put(path, {"date_expires": ""}).json["date_expires"] is None


def test_a_percentage_is_floored_a_line(manager: Client, goods: list[int]) -> None:
    coupon(manager, "ten", discount_type="percent", amount="10")
    body = order(manager, goods, "TEN").json
    assert [line["total"] for line in body["line_items"]] == ["36.00", "9.00", "9.05"]
    assert (body["discount_total"], body["coupon_lines"][0]["discount"]) == ("6.00", "6")


def test_an_amount_is_spread_over_the_pieces(manager: Client) -> None:
    goods = [manager.post(PRODUCTS, {"name": "x", "regular_price": "10"}).json["id"] for _ in range(3)]
    coupon(manager, "all", amount="10")
    body = order(manager, goods, "all", quantities=(2, 1, 3)).json
    saved = [float(line["subtotal"]) - float(line["total"]) for line in body["line_items"]]
    assert [f"{one:.2f}" for one in saved] == ["3.34", "1.67", "4.99"]


def test_an_amount_a_piece_is_for_its_products_only(manager: Client, goods: list[int]) -> None:
    coupon(manager, "one", discount_type="fixed_product", amount="2", product_ids=[goods[1]])
    body = order(manager, goods, "one", quantities=(1, 3, 1)).json
    assert [line["total"] for line in body["line_items"]] == ["40.00", "24.00", "10.05"]


def test_each_coupon_works_on_the_undiscounted_price_and_the_goods_are_the_limit(
    manager: Client, goods: list[int]
) -> None:
    coupon(manager, "half", discount_type="percent", amount="50", individual_use=True)
    coupon(manager, "more", discount_type="percent", amount="40")
    body = order(manager, goods[:1], "half", "more").json
    assert (body["discount_total"], body["total"]) == ("36.00", "4.00")
    coupon(manager, "rich", amount="900")
    body = order(manager, goods[:1], "half", "more", "rich").json
    assert (body["discount_total"], body["total"]) == ("40.00", "0.00")


def test_sale_goods_can_be_left_out_and_pieces_be_limited(manager: Client, goods: list[int]) -> None:
    manager.put(f"{PRODUCTS}/{goods[0]}", {"sale_price": "30"})
    coupon(manager, "full", discount_type="percent", amount="10", exclude_sale_items=True)
    body = order(manager, goods[:2], "full").json
    assert [line["total"] for line in body["line_items"]] == ["30.00", "9.00"]
    coupon(manager, "two", discount_type="percent", amount="100", limit_usage_to_x_items=2)
    body = order(manager, goods[1:], "two", quantities=(3, 1)).json
    assert [line["total"] for line in body["line_items"]] == ["20.00", "0.00"]


def test_free_shipping_alone_takes_nothing_off(manager: Client, goods: list[int]) -> None:
    coupon(manager, "free", free_shipping=True)
    body = order(manager, goods, "free").json
    assert body["discount_total"] == "0.00"
    assert body["coupon_lines"][0]["free_shipping"] is True


@pytest.mark.every_database
@pytest.mark.parametrize(
    "given",
    [
        {"date_expires": "2020-01-01T00:00:00"},
        {"minimum_amount": "1000"},
        {"maximum_amount": "1"},
        {"email_restrictions": ["eve@example.com"]},
        {"usage_limit": 1},
    ],
)
def test_a_coupon_that_does_not_hold_leaves_a_draft(
    site: Stand, manager: Client, goods: list[int], given: dict[str, Any]
) -> None:
    coupon(manager, "ten", discount_type="percent", amount="10", **given)
    if "usage_limit" in given:
        assert order(manager, goods, "ten").status == 201
    answer = order(manager, goods, "ten", billing={"email": "ada@example.com"})
    assert (answer.status, answer.code) == (400, "shop_rest_invalid_coupon")
    draft = manager.get(f"{ORDERS}/{answer.json['data']['new_draft_order_id']}").json
    assert (draft["status"], len(draft["line_items"])) == ("checkout-draft", 3)
    assert order(manager, goods, "nonsense").code == "shop_rest_invalid_coupon"


@pytest.mark.every_database
def test_the_list_replaces_all_coupons_of_an_order(site: Stand, manager: Client, goods: list[int]) -> None:
    one, two = (coupon(manager, code, discount_type="percent", amount="10")["id"] for code in ("one", "two"))
    body = order(manager, goods, "one", billing={"email": "ada@example.com"}).json
    path = f"{ORDERS}/{body['id']}"

    def uses() -> list[tuple[int, list[str]]]:
        shown = [manager.get(f"{COUPONS}/{id}").json for id in (one, two)]
        return [(each["usage_count"], each["used_by"]) for each in shown]

    assert uses() == [(1, ["ada@example.com"]), (0, [])]
    changed = manager.put(path, {"coupon_lines": [{"code": "two"}]}).json
    assert [line["code"] for line in changed["coupon_lines"]] == ["two"]
    assert uses() == [(0, []), (1, ["ada@example.com"])]
    readonly = manager.put(path, {"coupon_lines": [{"id": changed["coupon_lines"][0]["id"], "code": "two"}]})
    assert (readonly.status, readonly.code) == (400, "shop_rest_coupon_item_id_readonly")
    none = manager.put(path, {"coupon_lines": []}).json
    assert (none["coupon_lines"], none["discount_total"], none["total"]) == ([], "0.00", "60.05")
    assert uses() == [(0, []), (0, [])]


def test_a_limit_for_each_customer_holds(manager: Client, goods: list[int]) -> None:
    coupon(manager, "once", amount="1", usage_limit_per_user=1)
    assert order(manager, goods, "once", billing={"email": "ada@example.com"}).status == 201
    assert order(manager, goods, "once", billing={"email": "Ada@example.com"}).code == "shop_rest_invalid_coupon"
    assert order(manager, goods, "once", billing={"email": "bob@example.com"}).status == 201


def test_trash_and_lists(manager: Client, clock: SetClock) -> None:
    one = coupon(manager, "one")["id"]
    clock.forward(5)
    two = coupon(manager, "two", status="draft")["id"]
    assert [each["id"] for each in manager.get(COUPONS).json] == [one]
    assert [each["id"] for each in manager.get(COUPONS, query={"status": "any"}).json] == [two, one]
    manager.delete(f"{COUPONS}/{one}")
    again = manager.delete(f"{COUPONS}/{one}")
    assert (again.status, again.code) == (410, "shop_rest_already_trashed")
    assert coupon(manager, "one")["id"] != one
    code = "shop_rest_shop_coupon_invalid_id"
    assert [manager.get(f"{COUPONS}/999").code, manager.get(f"{COUPONS}/999").status] == [code, 404]
    assert [manager.put(f"{COUPONS}/999", {}).code, manager.put(f"{COUPONS}/999", {}).status] == [code, 400]
