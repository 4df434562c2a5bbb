"""Orders, shipping zones and report descriptions as existing clients of such shops expect them."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client

ORDERS = "/shop/v3/orders"
PRODUCTS = "/shop/v3/products"
ZONES = "/shop/v3/shipping/zones"


def made(client: Client, path: str, **members: Any) -> dict[str, Any]:
    answer = client.post(path, members)
    assert answer.status in {200, 201}, answer.json
    found: dict[str, Any] = answer.json
    return found


def described(client: Client, path: str) -> dict[str, Any]:
    members: dict[str, Any] = client.options(path).json["schema"]["properties"]
    return members


def test_a_line_of_a_removed_product_names_no_product(manager: Client) -> None:
    gone = made(manager, PRODUCTS, name="Gone", regular_price="10")
    order = made(manager, ORDERS, line_items=[{"product_id": gone["id"], "quantity": 4}])
    manager.delete(f"{PRODUCTS}/{gone['id']}")
    assert manager.get(f"{ORDERS}/{order['id']}").json["line_items"][0]["product_id"] == gone["id"]
    manager.delete(f"{PRODUCTS}/{gone['id']}", query={"force": "true"})
    change = {"line_items": [{"id": order["line_items"][0]["id"], "quantity": 10}]}
    line = manager.put(f"{ORDERS}/{order['id']}", change).json["line_items"][0]
    assert (line["name"], line["product_id"], line["sku"], line["quantity"]) == ("Gone", 0, None, 10)
    assert (line["total"], line["price"]) == ("40.00", 4)


def test_a_way_of_paying_is_called_in_plain_words(site: Any) -> None:
    admin = site.client("admin")
    marked = "<h1>Pay this <script>alert(1);</script></h1>"
    order = made(admin, ORDERS, payment_method="bacs", payment_method_title=marked)
    assert order["payment_method_title"] == "Pay this"
    changed = admin.put(f"{ORDERS}/{order['id']}", {"payment_method_title": f"{marked} too"})
    assert "<" not in changed.json["payment_method_title"]


def test_an_order_is_described_with_what_only_writes_take_and_lines_with_what_people_read(manager: Client) -> None:
    members = described(manager, ORDERS)
    for name in ("set_paid", "manual_update"):
        assert (members[name]["type"], members[name]["default"], members[name]["context"]) == (
            "boolean", False, ["edit"],
        )  # fmt: skip
        assert name not in made(manager, ORDERS)
    for lines in ("line_items", "shipping_lines", "fee_lines", "coupon_lines"):
        fields = members[lines]["items"]["properties"]["meta_data"]["items"]["properties"]
        assert list(fields) == ["id", "key", "value", "display_key", "display_value"], lines


@pytest.mark.parametrize(
    ("path", "members"),
    [
        ("", ["slug", "description"]), ("/orders/totals", ["slug", "name", "total"]),
        ("/top_sellers", ["name", "product_id", "quantity"]),
        ("/sales", ["total_sales", "net_sales", "average_sales", "total_orders", "total_items", "total_tax",
                    "total_shipping", "total_refunds", "total_discount", "totals_grouped_by", "totals"]),
    ],
)  # fmt: skip
def test_each_report_is_described_by_what_it_answers(manager: Client, path: str, members: list[str]) -> None:
    assert list(described(manager, f"/shop/v3/reports{path}")) == members


def test_a_shop_that_ships_nothing_has_no_zones(manager: Client) -> None:
    zone = made(manager, ZONES, name="Near")
    setting = "/shop/v3/settings/general/shop_ship_to_countries"
    manager.put(setting, {"value": "disabled"})
    for path in ("", f"/{zone['id']}", f"/{zone['id']}/methods", f"/{zone['id']}/locations"):
        answer = manager.get(f"{ZONES}{path}")
        assert (answer.status, answer.code) == (404, "rest_no_route"), path
    assert manager.post(ZONES, {"name": "Far"}).status == 404
    assert manager.get("/shop/v3/shipping_methods").status == 200
    manager.put(setting, {"value": ""})
    assert manager.get(f"{ZONES}/{zone['id']}").json["name"] == "Near"
