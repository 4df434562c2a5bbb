"""Visitors who sign in or create an account: carts are merged, passwords are hashed before taking the write lock."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from argon2 import PasswordHasher

from conftest import Client, SetClock, Stand
from vetrina.access.passwords import hashing as password_hashing
from vetrina.access.users import rules as users
from vetrina.shop.cart import store as cart, tokens
from watched_calls import watch_calls

from .store import HOME, STORE, Visitor, billing, payable, sold

DAY = 24 * 3600


def kept(client: Client, ids: dict[int, int]) -> None:
    """Fill the cart of an account."""
    nonce = client.get(f"{STORE}/cart").headers["nonce"]
    for id, quantity in ids.items():
        added = client.post(f"{STORE}/cart/add-item", {"id": id, "quantity": quantity}, headers={"Nonce": nonce})
        assert added.status == 201, added.json


def pieces(cart: dict[str, list[dict[str, int]]]) -> dict[int, int]:
    return {one["id"]: one["quantity"] for one in cart["items"]}


# -- carts become one


@pytest.mark.every_database
def test_a_strangers_cart_is_poured_into_that_of_the_account(site: Stand, manager: Client, customer: Client) -> None:
    cup, pot, pan = (sold(manager, name) for name in ("Cup", "Pot", "Pan"))
    manager.post("/shop/v3/coupons", {"code": "tenth", "discount_type": "percent", "amount": "10"})
    kept(customer, {cup: 1, pot: 2})
    visitor = Visitor(site)
    visitor.add(cup, 5)
    visitor.add(pan)
    visitor.post("/cart/apply-coupon", {"code": "tenth"})
    visitor.post("/cart/update-customer", {"shipping_address": HOME})
    # The last quantity set wins where both carts have the item.
    both = customer.get(f"{STORE}/cart", headers=visitor.headers)
    assert pieces(both.json) == {cup: 5, pot: 2, pan: 1}
    assert [one["code"] for one in both.json["coupons"]] == ["tenth"]
    assert both.json["shipping_address"]["city"] == "Fresno"
    # It is the account's from now on, with the old token, the new one or none, and nobody else's.
    for headers in (visitor.headers, {"Cart-Token": both.headers["cart-token"]}, {}):
        assert pieces(customer.get(f"{STORE}/cart", headers=headers).json) == {cup: 5, pot: 2, pan: 1}
    assert visitor.get("/cart").json["items"] == []


def test_a_cart_is_poured_once(site: Stand, manager: Client, customer: Client) -> None:
    cup = sold(manager)
    visitor = Visitor(site)
    visitor.add(cup, 2)
    token = customer.get(f"{STORE}/cart", headers=visitor.headers).headers["cart-token"]
    emptied = customer.delete(f"{STORE}/cart/items", headers={"Cart-Token": token})
    assert (emptied.status, emptied.json) == (200, [])
    assert customer.get(f"{STORE}/cart", headers=visitor.headers).json["items"] == []


def test_what_may_be_there_once_is_there_once(site: Stand, manager: Client, customer: Client) -> None:
    only = sold(manager, sold_individually=True)
    manager.post("/shop/v3/coupons", {"code": "alone", "amount": "1", "individual_use": True})
    manager.post("/shop/v3/coupons", {"code": "other", "amount": "1"})
    kept(customer, {only: 1})
    token = customer.get(f"{STORE}/cart").headers["cart-token"]
    customer.post(f"{STORE}/cart/apply-coupon", {"code": "alone"}, headers={"Cart-Token": token})
    visitor = Visitor(site)
    visitor.add(only)
    visitor.post("/cart/apply-coupon", {"code": "other"})
    both = customer.get(f"{STORE}/cart", headers=visitor.headers).json
    assert pieces(both) == {only: 1}
    assert [one["code"] for one in both["coupons"]] == ["alone"]


def test_a_checkout_that_was_begun_is_gone_on_with(site: Stand, manager: Client, customer: Client) -> None:
    payable(manager)
    visitor = Visitor(site)
    visitor.add(sold(manager))
    draft = visitor.get("/checkout").json["order_id"]
    placed = customer.post(
        f"{STORE}/checkout", {"billing_address": billing(), "payment_method": "cheque"}, headers=visitor.headers
    )
    assert (placed.status, placed.json["order_id"]) == (200, draft)
    assert manager.get(f"/shop/v3/orders/{draft}").json["customer_id"] > 0


# -- orders that nobody placed


@pytest.mark.every_database
def test_drafts_that_no_cart_names_go(site: Stand, manager: Client, clock: SetClock) -> None:
    payable(manager)
    id = sold(manager)
    drafts = []
    for _ in range(2):
        visitor = Visitor(site)
        visitor.add(id)
        drafts.append(visitor.get("/checkout").json["order_id"])
    own = manager.post("/shop/v3/orders", {"status": "checkout-draft"}).json["id"]
    with site.site.work() as work:
        cart.delete_cart(work, cart.load_cart(work, tokens.decode_cart_token(work, visitor.token)))
        cart.delete_expired_carts(work)
    assert [manager.get(f"/shop/v3/orders/{id}").status for id in (*drafts, own)] == [200, 200, 200]
    clock.forward(DAY + 1)
    with site.site.work() as work:
        cart.delete_expired_carts(work)
    # The draft of a live cart stays, and so does one that the shop itself created.
    assert [manager.get(f"/shop/v3/orders/{id}").status for id in (*drafts, own)] == [200, 404, 200]


# -- accounts


@pytest.mark.in_process("it is watched")
def test_a_password_is_hashed_before_the_transaction(site: Stand, manager: Client) -> None:
    payable(manager)
    account = "/shop/v3/settings/account/shop_"
    manager.put(f"{account}enable_signup_and_login_from_checkout", {"value": "yes"})
    manager.put(f"{account}registration_generate_password", {"value": "no"})
    visitor, held = Visitor(site), list[bool]()

    def look() -> None:
        connection = site.site.database.connection()  # type: ignore[attr-defined]
        assert isinstance(connection, sqlite3.Connection)
        held.append(connection.in_transaction)

    told: dict[str, Any] = {"create_account": True, "customer_password": "seven blue cups"}
    with watch_calls(PasswordHasher.hash, then=look):
        # An empty cart cannot make the shop hash a password.
        assert visitor.pay(**told).code == "shop_rest_cart_empty"
        assert held == []
        visitor.add(sold(manager))
        placed = visitor.pay(**told)
    assert (placed.status, held) == (200, [False])
    with site.site.work(read=True) as work:
        stored = users.load_password_hash(work.tx, placed.json["customer_id"])
    assert password_hashing.is_correct_password(stored, told["customer_password"])
