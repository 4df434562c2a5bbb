"""Order items in reports: their decimals, taxes and shares of shipping, and which of them count."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from conftest import Client

BASE = "/shop-analytics/reports"
SPAN = {"after": "2020-01-01T00:00:00", "before": "2035-01-01T00:00:00"}


def _set(manager: Client, group: str, name: str, value: str) -> None:
    assert manager.put(f"/shop/v3/settings/{group}/{name}", {"value": value}).status == 200


def _sell(manager: Client, price: str, quantity: int = 1, **members: Any) -> int:
    id = int(manager.post("/shop/v3/products", {"name": "Rope", "regular_price": price}).json["id"])
    body = {"status": "completed", "line_items": [{"product_id": id, "quantity": quantity}], **members}
    answer = manager.post("/shop/v3/orders", body)
    assert answer.status == 201, answer.json
    return id


def _segment(manager: Client, product: int) -> dict[str, Any]:
    body = manager.get(f"{BASE}/orders/stats", query={**SPAN, "segmentby": "product"}).json
    found: dict[str, Any] = next(one for one in body["totals"]["segments"] if one["segment_id"] == product)
    return found["subtotals"]


@pytest.mark.parametrize(
    ("decimals", "price", "net"), [("0", "9.60", 10), ("3", "1.2345", 1.235), ("2", "1.2345", 1.23)]
)
def test_lines_count_with_the_decimals_of_the_shop(manager: Client, decimals: str, price: str, net: float) -> None:
    _set(manager, "general", "shop_price_num_decimals", decimals)
    product = _sell(manager, price)
    assert [one["net_revenue"] for one in manager.get(f"{BASE}/products", query=SPAN).json] == [net]
    assert manager.get(f"{BASE}/products/stats", query=SPAN).json["totals"]["net_revenue"] == net
    assert _segment(manager, product)["net_revenue"] == net


@pytest.mark.parametrize(("at_subtotal", "line_tax", "taxes"), [("no", "0.260000", 0.25), ("yes", "0.250000", 0.25)])
def test_the_tax_of_a_line_is_rounded_once_for_all_its_rates(
    manager: Client, at_subtotal: str, line_tax: str, taxes: float
) -> None:
    _set(manager, "general", "shop_calc_taxes", "yes")
    _set(manager, "tax", "shop_tax_round_at_subtotal", at_subtotal)
    for priority in (1, 2):
        assert manager.post("/shop/v3/taxes", {"rate": "5", "name": "T", "priority": priority}).status == 201
    product = _sell(manager, "2.50")
    order = manager.get("/shop/v3/orders", query={"dp": 6}).json[0]
    assert order["line_items"][0]["total_tax"] == line_tax
    assert _segment(manager, product)["taxes"] == taxes


def test_the_tax_of_a_line_has_the_decimals_of_the_shop(manager: Client) -> None:
    _set(manager, "general", "shop_calc_taxes", "yes")
    _set(manager, "tax", "shop_tax_round_at_subtotal", "yes")
    assert manager.post("/shop/v3/taxes", {"rate": "5", "name": "T"}).status == 201
    kept = _sell(manager, "2.55")
    _set(manager, "tax", "shop_tax_round_at_subtotal", "no")
    rounded = _sell(manager, "2.55")
    assert _segment(manager, kept)["taxes"] == 0.1275
    assert _segment(manager, rounded)["taxes"] == 0.13


def test_shares_of_shipping_are_added_up_before_they_are_rounded(manager: Client) -> None:
    """A third of 10 and a third of 1 with the sales are 103.666667, not 103.333333 and 0.333333 together."""
    _set(manager, "general", "shop_calc_taxes", "yes")
    assert manager.post("/shop/v3/taxes", {"rate": "10", "name": "T", "shipping": True}).status == 201
    product = _sell(
        manager, "100", 1, shipping_lines=[{"method_id": "flat_rate", "method_title": "Flat", "total": "10"}]
    )
    assert _segment(manager, product)["total_sales"] == 121
    other = int(manager.post("/shop/v3/products", {"name": "Cup", "regular_price": "1"}).json["id"])
    lines = [{"product_id": product, "quantity": 1}, {"product_id": other, "quantity": 2}]
    shipping = [{"method_id": "flat_rate", "method_title": "Flat", "total": "10"}]
    manager.post("/shop/v3/orders", {"status": "completed", "line_items": lines, "shipping_lines": shipping})
    assert Decimal(str(_segment(manager, product)["total_sales"])) == Decimal("234.666667")  # 121 + 110 + 11 ÷ 3
    assert Decimal(str(_segment(manager, other)["total_sales"])) == Decimal("9.533333")  # 2.20 + 22 ÷ 3


def test_a_refund_of_nothing_but_tax_says_nothing_of_goods(manager: Client) -> None:
    _set(manager, "general", "shop_calc_taxes", "yes")
    assert manager.post("/shop/v3/taxes", {"rate": "10", "name": "T"}).status == 201
    product = _sell(manager, "100")
    order = manager.get("/shop/v3/orders").json[0]
    line = order["line_items"][0]
    back = {"id": line["id"], "refund_total": 0, "refund_tax": [{"id": line["taxes"][0]["id"], "refund_total": 4}]}
    answer = manager.post(f"/shop/v3/orders/{order['id']}/refunds", {"api_refund": False, "line_items": [back]})
    assert answer.status == 201, answer.json
    of_product = manager.get(f"{BASE}/orders", query={**SPAN, "product_includes": product}).json
    assert [one["order_id"] for one in of_product] == [order["id"]]
    assert _segment(manager, product)["taxes"] == 10
    assert manager.get(f"{BASE}/orders/stats", query=SPAN).json["totals"]["taxes"] == 6


@pytest.mark.parametrize(("decimals", "shipping"), [("2", -2.56), ("0", -3), ("3", -2.556)])
def test_the_shipping_of_a_refund_is_rounded_as_that_of_an_order(
    manager: Client, decimals: str, shipping: float
) -> None:
    _set(manager, "general", "shop_price_num_decimals", decimals)
    way = {"method_id": "flat_rate", "method_title": "Flat", "total": "5"}
    _sell(manager, "10", shipping_lines=[way])
    order = manager.get("/shop/v3/orders").json[0]
    back = {"id": order["shipping_lines"][0]["id"], "quantity": 1, "refund_total": 2.556}
    answer = manager.post(f"/shop/v3/orders/{order['id']}/refunds", {"api_refund": False, "line_items": [back]})
    assert answer.status == 201, answer.json
    asked = {**SPAN, "refunds": "all"}
    totals = manager.get(f"{BASE}/orders/stats", query=asked).json["totals"]
    assert totals["shipping"] == shipping
    assert totals["net_revenue"] == pytest.approx(totals["total_sales"] - shipping)
