"""What stays of a customer whose account is deleted."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand

pytestmark = pytest.mark.every_database

ORDERS = "/shop/v3/orders"
ADDRESS = {
    "first_name": "Ada", "last_name": "Neri", "address_1": "1 Main St", "city": "Fresno", "state": "CA",
    "postcode": "93650", "country": "US", "email": "ada@example.com", "phone": "555",
}  # fmt: skip


def set_to(admin: Client, *names: str) -> None:
    for name in names:
        assert admin.put(f"/shop/v3/settings/account/{name}", {"value": "yes"}).status == 200


def bought(admin: Client, manager: Client) -> tuple[int, int, str]:
    """Return the ids of an account and of its order, and the URL of its download."""
    buyer = admin.post("/shop/v3/customers", {"email": "ada@example.com"}).json["id"]
    goods = {"name": "Text", "regular_price": "1", "virtual": True, "downloadable": True}
    file = {"name": "Text", "file": "https://files.example/text.pdf"}
    id = manager.post("/shop/v3/products", {**goods, "downloads": [file]}).json["id"]
    order = {
        "customer_id": buyer, "set_paid": True, "billing": ADDRESS, "customer_note": "Ring twice",
        "line_items": [{"product_id": id, "quantity": 2}],
    }  # fmt: skip
    made = manager.post(ORDERS, order).json["id"]
    [granted] = manager.get(f"/shop/v3/customers/{buyer}/downloads").json
    return buyer, made, granted["download_url"]


def shown(site: Stand, address: str) -> int:
    return site.client(root="").get("/" + address.split("/", 3)[3]).status


@pytest.mark.parametrize("path", ["/shop/v3/customers/{id}", "/cms/v2/users/{id}"])
def test_an_account_takes_its_personal_data_along_where_the_shop_says_so(
    site: Stand, admin: Client, manager: Client, path: str
) -> None:
    set_to(admin, "shop_erasure_request_removes_order_data", "shop_erasure_request_removes_download_data")
    buyer, made, address = bought(admin, manager)
    assert shown(site, address) == 302
    gone = admin.delete(path.format(id=buyer), query={"force": True, "reassign": 1})
    assert gone.status == 200, gone.json
    left: dict[str, Any] = manager.get(f"{ORDERS}/{made}").json
    told = str({name: value for name, value in left.items() if name != "_links"})
    assert not any(word in told for word in ("Ada", "Neri", "Main St", "93650", "ada@example.com", "Ring twice"))
    assert (left["customer_id"], left["total"], left["line_items"][0]["quantity"]) == (0, "2.00", 2)
    assert manager.get(ORDERS, query={"search": "Neri"}).json == []
    assert shown(site, address) == 404


@pytest.mark.parametrize("path", ["/shop/v3/customers/{id}", "/cms/v2/users/{id}"])
def test_orders_keep_what_they_say_otherwise(site: Stand, admin: Client, manager: Client, path: str) -> None:
    buyer, made, address = bought(admin, manager)
    assert admin.delete(path.format(id=buyer), query={"force": True, "reassign": 1}).status == 200
    left = manager.get(f"{ORDERS}/{made}").json
    assert (left["customer_id"], left["billing"]["first_name"], left["customer_note"]) == (0, "Ada", "Ring twice")
    assert shown(site, address) == 302
