"""A shop with products to sell, and a visitor, for the tests of the storefront interface."""

from __future__ import annotations

from typing import Any

from conftest import Answer, Client, Stand

STORE = "/shop/store/v1"
HOME = {
    "first_name": "Mara", "last_name": "Neri", "company": "", "address_1": "1 Main St", "address_2": "",
    "city": "Fresno", "state": "CA", "postcode": "93650", "country": "US", "phone": "555",
}  # fmt: skip


def billing(email: str = "mara@example.org") -> dict[str, str]:
    return {**HOME, "email": email}


class Visitor:
    """A client without an account, which keeps the cart token of the first response."""

    def __init__(self, site: Stand) -> None:
        self.client: Client = site.client()
        self.token = self.client.get(f"{STORE}/cart").headers["cart-token"]

    @property
    def headers(self) -> dict[str, str]:
        return {"Cart-Token": self.token}

    def get(self, path: str, **words: Any) -> Answer:
        return self.client.get(STORE + path, headers=self.headers, **words)

    def post(self, path: str, json: Any = None) -> Answer:
        return self.client.post(STORE + path, json=json or {}, headers=self.headers)

    def put(self, path: str, json: Any = None) -> Answer:
        return self.client.put(STORE + path, json=json or {}, headers=self.headers)

    def delete(self, path: str) -> Answer:
        return self.client.delete(STORE + path, headers=self.headers)

    def add(self, id: int, quantity: int = 1, **more: Any) -> Answer:
        return self.post("/cart/add-item", {"id": id, "quantity": quantity, **more})

    def pay(self, method: str = "cheque", **more: Any) -> Answer:
        return self.post("/checkout", {"billing_address": billing(), "payment_method": method, **more})


def sold(manager: Client, name: str = "Cup", price: str = "10", **more: Any) -> int:
    """Return the id of a new product."""
    answer = manager.post("/shop/v3/products", {"name": name, "regular_price": price, **more})
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def payable(manager: Client, *methods: str) -> None:
    """Enable these payment methods."""
    for method in methods or ("cheque",):
        assert manager.put(f"/shop/v3/payment_gateways/{method}", {"enabled": True}).status == 200


def stock(manager: Client, id: int) -> int:
    return int(manager.get(f"/shop/v3/products/{id}").json["stock_quantity"])
