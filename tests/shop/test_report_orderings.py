"""Order of report rows with equal or missing values."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client

BASE = "/shop-analytics/reports"
SPAN = {"after": "2020-01-01T00:00:00", "before": "2035-01-01T00:00:00"}


def _made(manager: Client, what: str, **members: Any) -> int:
    answer = manager.post(f"/shop/v3/{what}", members)
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def _sold(manager: Client, product: int, **members: Any) -> int:
    lines = [{"product_id": product, "quantity": 1}]
    return _made(manager, "orders", **{"status": "completed", "line_items": lines, **members})


@pytest.mark.parametrize("measure", ["items_sold", "net_revenue", "orders_count"])
def test_what_was_not_sold_stands_below_nothing(manager: Client, measure: str) -> None:
    unsold, gift, rope = (_made(manager, "products", name=name, regular_price="0") for name in ("A", "B", "C"))
    _sold(manager, gift)
    order = _sold(manager, rope)
    line = manager.get(f"/shop/v3/orders/{order}").json["line_items"][0]["id"]
    back = {"api_refund": False, "line_items": [{"id": line, "quantity": 1, "refund_total": 0}]}
    assert manager.post(f"/shop/v3/orders/{order}/refunds", back).status == 201
    asked = {**SPAN, "products": [unsold, gift, rope], "orderby": measure}

    def listed(order: str) -> list[int]:
        return [one["product_id"] for one in manager.get(f"{BASE}/products", query={**asked, "order": order}).json]

    assert listed("asc")[0] == unsold
    assert listed("desc")[-1] == unsold


def test_coupons_and_categories_without_use_stand_below_those_of_nothing(manager: Client) -> None:
    shelves = [_made(manager, "products/categories", name=name) for name in ("A", "B")]
    gift = _made(manager, "products", name="Gift", regular_price="0", categories=[{"id": shelves[1]}])
    codes = [_made(manager, "coupons", code=code, amount="5") for code in ("a", "b")]
    _sold(manager, gift, coupon_lines=[{"code": "b"}])
    for path, ids, by, key in (("coupons", codes, "amount", "coupon_id"),
                               ("categories", shelves, "net_revenue", "category_id")):  # fmt: skip
        for order, wanted in (("asc", ids), ("desc", ids[::-1])):
            rows = manager.get(f"{BASE}/{path}", query={**SPAN, path: ids, "orderby": by, "order": order}).json
            assert [one[key] for one in rows] == wanted, (path, order)


@pytest.mark.parametrize("measure", ["orders_count", "total_spend", "avg_order_value"])
def test_equal_customers_stand_by_number(manager: Client, measure: str) -> None:
    product = _made(manager, "products", name="Rope", regular_price="7")
    for name in ("zoe", "ada", "bea"):
        _sold(manager, product, billing={"email": f"{name}@example.org"})
    for order in ("asc", "desc"):
        rows = manager.get(f"{BASE}/customers", query={"orderby": measure, "order": order}).json
        found = [one["email"] for one in rows if one["orders_count"]]
        assert found == ["zoe@example.org", "ada@example.org", "bea@example.org"], order


@pytest.mark.every_database
def test_who_bought_nothing_stands_below_who_spent_nothing(manager: Client) -> None:
    gift = _made(manager, "products", name="Gift", regular_price="0")
    _made(manager, "customers", email="idle@example.org", username="idle")
    _sold(manager, gift, billing={"email": "ada@example.org"})
    for measure in ("total_spend", "avg_order_value"):
        for order, wanted in (("asc", ["idle", "ada"]), ("desc", ["ada", "idle"])):
            asked = {"orderby": measure, "order": order, "per_page": 100}
            rows = manager.get(f"{BASE}/customers", query=asked).json
            found = [one["email"].split("@")[0] for one in rows]
            assert [one for one in found if one in ("ada", "idle")] == wanted, (measure, order)


def test_places_go_by_state_then_country(manager: Client) -> None:
    product = _made(manager, "products", name="Rope", regular_price="7")
    places = {"ada": ("IT", "MI"), "bea": ("US", "CA"), "cid": ("DE", "MI")}
    for name, (country, state) in places.items():
        _sold(manager, product, billing={"email": f"{name}@example.org", "country": country, "state": state})
    for order, wanted in (("asc", ["bea", "cid", "ada"]), ("desc", ["ada", "cid", "bea"])):
        rows = manager.get("/shop-analytics/customers", query={"orderby": "location", "order": order}).json
        found = [one["email"].split("@")[0] for one in rows]
        assert [one for one in found if one in places] == wanted
