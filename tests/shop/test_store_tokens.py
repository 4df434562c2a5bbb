"""A customer's app: the storefront interface with an access token that is good for nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Answer, Client, Stand
from vetrina.access.users import rules as users

from .store import STORE, Visitor, billing, payable, sold

PASSWORD = "a long own password"


@pytest.fixture
def app(site: Stand) -> Client:
    """A client of the customer with a token for orders."""
    with site.site.work() as work:
        user = users.find_user_by_login(work.tx, "customer")
        assert user is not None
        users.update_user(work, user, password=PASSWORD)
    sent = {"login": "customer", "password": PASSWORD, "name": "App", "scopes": ["orders"]}
    given = site.client().post("/access/v1/tokens", sent)
    assert given.status == 200, given.json
    client = site.client()
    client.headers["authorization"] = f"Bearer {given.json['access_token']}"
    return client


def buy(client: Client, product: int) -> Answer:
    """Buy a product; the token proves the write, so that neither nonce nor cart token is needed."""
    added = client.post(f"{STORE}/cart/add-item", {"id": product, "quantity": 2})
    assert added.status == 201, added.json
    sent: dict[str, Any] = {"billing_address": billing("customer@example.org"), "payment_method": "cheque"}
    return client.post(f"{STORE}/checkout", sent)


@pytest.mark.every_database
def test_a_customer_buys_with_a_token_and_sees_the_order(site: Stand, manager: Client, app: Client) -> None:
    payable(manager)
    bought = buy(app, sold(manager))
    assert bought.status == 200, bought.json
    id = bought.json["order_id"]
    order = manager.get(f"/shop/v3/orders/{id}").json
    assert (order["customer_id"], order["line_items"][0]["quantity"]) == (bought.json["customer_id"], 2)
    proof = {"key": bought.json["order_key"], "billing_email": "customer@example.org"}
    assert app.get(f"{STORE}/order/{id}", query=proof).json["id"] == id
    assert app.get(f"{STORE}/cart").json["items"] == []


def test_the_cart_of_before_becomes_that_of_the_account(site: Stand, manager: Client, app: Client) -> None:
    cup, visitor = sold(manager), Visitor(site)
    visitor.add(cup, 3)
    both = app.get(f"{STORE}/cart", headers=visitor.headers).json
    assert [(one["id"], one["quantity"]) for one in both["items"]] == [(cup, 3)]
    assert [one["quantity"] for one in app.get(f"{STORE}/cart").json["items"]] == [3]


def test_orders_of_others_stay_closed(site: Stand, manager: Client, app: Client) -> None:
    payable(manager)
    visitor = Visitor(site)
    visitor.add(sold(manager))
    other = visitor.pay().json["order_id"]
    refused = app.get(f"{STORE}/order/{other}")
    assert (refused.status, refused.code) == (401, "shop_rest_invalid_order")


def test_members_of_the_shops_batch_have_the_same_scope(site: Stand, manager: Client, app: Client) -> None:
    cup = sold(manager)
    part = {"method": "POST", "path": f"{STORE}/cart/add-item", "body": {"id": cup, "quantity": 1}}
    answer = app.post(f"{STORE}/batch", {"requests": [part]})
    assert [one["status"] for one in answer.json["responses"]] == [201]
    for path in ("/cms/v2/users/me", "/shop/v3/orders"):
        stray = app.post(f"{STORE}/batch", {"requests": [part, {"method": "POST", "path": path, "body": {}}]})
        assert (stray.status, stray.code) == (400, "shop_rest_batch_invalid_path")


@pytest.mark.parametrize("path", ["/shop/v3/orders", "/shop/v3/customers", "/cms/v2/users/me", "/access/v1/sessions"])
def test_the_token_of_an_app_is_good_for_nothing_else(app: Client, path: str) -> None:
    refused = app.get(path)
    assert (refused.status, refused.code) == (403, "rest_insufficient_scope")
    assert "orders" in refused.json["message"]


def test_a_bearer_token_of_others_shuts_nobody_out(site: Stand) -> None:
    made = site.client().get(f"{STORE}/products", headers={"authorization": "Bearer of-a-proxy"})
    assert made.status == 200
