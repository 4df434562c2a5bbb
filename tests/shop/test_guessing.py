"""Guesses at a shop's secrets are slowed down: order keys, coupons, cart tokens, consumer keys, file URLs.

Not here: the secrets of a site without a shop (tests/permissions/test_guessing.py).
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from conftest import Answer, Client, SetClock, Stand
from vetrina.access.users import rules as users
from vetrina.shop.keys import rules as keys

from .store import STORE, Visitor, billing, payable, sold

MOST = 20  # wrong guesses at one secret from one address
WAIT = 60  # seconds
PRODUCTS = "/shop/v3/products"


class Door(NamedTuple):
    """A resource behind a secret: how it is tried, and the responses to a wrong and the right one."""

    attempt: Callable[[str], Answer]
    right: str
    refused: tuple[int, str | None]
    opened: int = 200


def placed(manager: Client, site: Stand) -> dict[str, Any]:
    """Return an order that a visitor placed and has not paid."""
    payable(manager)
    visitor = Visitor(site)
    visitor.add(sold(manager))
    answer = visitor.pay()
    assert answer.status == 200, answer.json
    order: dict[str, Any] = answer.json
    return order


def by_order_key(site: Stand, manager: Client) -> Door:
    order, anyone = placed(manager, site), site.client()
    return Door(
        lambda word: anyone.get(
            f"{STORE}/order/{order['order_id']}", query={"key": word, "billing_email": "mara@example.org"}
        ),
        order["order_key"], (401, "shop_rest_invalid_order"),
    )  # fmt: skip


def by_order_address(site: Stand, manager: Client) -> Door:
    order, anyone = placed(manager, site), site.client()
    return Door(
        lambda word: anyone.get(
            f"{STORE}/order/{order['order_id']}", query={"key": order["order_key"], "billing_email": word}
        ),
        "mara@example.org", (401, "shop_rest_invalid_billing_email"),
    )  # fmt: skip


def by_payment(site: Stand, manager: Client) -> Door:
    order, visitor = placed(manager, site), Visitor(site)
    manager.put(f"/shop/v3/orders/{order['order_id']}", {"status": "pending"})
    proof = {"billing_email": "mara@example.org", "billing_address": billing(), "payment_method": "cheque"}
    return Door(
        lambda word: visitor.post(
            f"/checkout/{order['order_id']}",
            {**proof, "key": word},
        ),
        order["order_key"], (401, "shop_rest_invalid_order"),
    )  # fmt: skip


def filled(site: Stand, manager: Client) -> Visitor:
    assert manager.post("/shop/v3/coupons", {"code": "tenth", "amount": "10"}).status == 201
    visitor = Visitor(site)
    visitor.add(sold(manager))
    return visitor


def by_coupon(site: Stand, manager: Client) -> Door:
    visitor = filled(site, manager)
    return Door(
        lambda word: visitor.post("/cart/apply-coupon", {"code": word}), "tenth", (400, "shop_rest_cart_coupon_error")
    )


def by_coupons_of_cart(site: Stand, manager: Client) -> Door:
    visitor = filled(site, manager)
    return Door(
        lambda word: visitor.post("/cart/coupons", {"code": word}), "tenth", (400, "shop_rest_cart_coupon_error"), 201
    )


def by_cart_token(site: Stand, manager: Client) -> Door:
    anyone = site.client()
    return Door(
        lambda word: anyone.get(f"{STORE}/cart", headers={"Cart-Token": word}), Visitor(site).token, (200, None)
    )


def consumer_key(site: Stand) -> tuple[str, str]:
    with site.site.work() as work:
        admin = users.find_user_by_login(work.tx, "admin")
        assert admin is not None
        _, key, secret = keys.create_consumer_key(work, admin.id, "read_write")
    return key, secret


def by_consumer_secret(site: Stand, manager: Client) -> Door:
    (key, secret), anyone = consumer_key(site), site.client()

    def attempt(word: str) -> Answer:
        pair = base64.b64encode(f"{key}:{word}".encode()).decode()
        return anyone.get(PRODUCTS, headers={"authorization": f"Basic {pair}"})

    return Door(attempt, secret, (401, "shop_rest_authentication_error"))


def by_consumer_secret_in_query(site: Stand, manager: Client) -> Door:
    (key, secret), anyone = consumer_key(site), site.client()
    return Door(
        lambda word: anyone.get(PRODUCTS, query={"consumer_key": key, "consumer_secret": word}), secret,
        (401, "shop_rest_authentication_error"),
    )  # fmt: skip


def page(site: Stand, address: str) -> Answer:
    parts = urlsplit(address)
    return site.client(root="").get(parts.path, query=parts.query)


def by_download(site: Stand, manager: Client) -> Door:
    file = {"name": "Book", "file": "https://files.example/book.pdf"}
    goods = {"name": "Book", "regular_price": "5", "virtual": True, "downloadable": True, "downloads": [file]}
    book = manager.post(PRODUCTS, goods).json["id"]
    buyer = site.client("admin").post("/shop/v3/customers", {"email": "ada@example.com"}).json["id"]
    manager.post(
        "/shop/v3/orders", {"customer_id": buyer, "set_paid": True, "line_items": [{"product_id": book, "quantity": 1}]}
    )
    [granted] = manager.get(f"/shop/v3/customers/{buyer}/downloads").json
    told = dict(parse_qsl(urlsplit(granted["download_url"]).query))
    return Door(lambda word: page(site, f"/?{urlencode({**told, 'order': word})}"), told["order"], (404, None), 302)


def by_receipt(site: Stand, manager: Client) -> Door:
    goods = sold(manager)
    order = manager.post("/shop/v3/orders", {"line_items": [{"product_id": goods, "quantity": 1}]}).json["id"]
    url = manager.post(f"/shop/v3/orders/{order}/receipt", {}).json["receipt_url"]
    before, _, key = url.rpartition("/")
    return Door(lambda word: page(site, f"{before}/{word.replace(' ', '-')}"), key, (404, None))


def by_private_link(site: Stand, manager: Client) -> Door:
    options = {"shop_coming_soon": "yes", "shop_private_link": "yes", "shop_share_key": "a" * 32}
    with site.site.work() as work:
        for name, value in options.items():
            work.set_option(name, value)
    anyone = site.client()
    return Door(
        lambda word: anyone.get(f"{STORE}/products", query={"shop-share": word}), "a" * 32,
        (401, "shop_rest_coming_soon"),
    )  # fmt: skip


DOORS = [
    by_order_key, by_order_address, by_payment, by_coupon, by_coupons_of_cart, by_cart_token, by_consumer_secret,
    by_consumer_secret_in_query, by_download, by_receipt, by_private_link,
]  # fmt: skip


@pytest.mark.parametrize("door", DOORS)
def test_what_was_guessed_at_too_often_opens_to_nobody_for_a_while(
    site: Stand, manager: Client, clock: SetClock, door: Callable[[Stand, Client], Door]
) -> None:
    one = door(site, manager)
    for number in range(MOST):
        answer = one.attempt(f"wrong {number}")
        assert (answer.status, answer.code) == one.refused, answer.json
    told = []
    for answer in (one.attempt("wrong again"), one.attempt(one.right)):
        assert answer.status == 429
        assert WAIT - 5 < int(answer.headers["retry-after"]) <= WAIT
        # The clock may tick between the two answers.
        told.append(answer.content.replace(answer.headers["retry-after"].encode(), b"WAIT"))
    assert told[0] == told[1]
    clock.forward(WAIT)
    assert one.attempt(one.right).status == one.opened


@pytest.mark.in_process("what comes from another address")
@pytest.mark.parametrize("door", [by_order_key, by_cart_token, by_consumer_secret_in_query])
def test_another_address_may_go_on(site: Stand, manager: Client, door: Any) -> None:
    one = door(site, manager)
    for number in range(MOST):
        one.attempt(f"wrong {number}")
    closure = dict(zip(one.attempt.__code__.co_freevars, one.attempt.__closure__, strict=True))
    closure["anyone"].cell_contents.remote = "192.0.2.7"
    assert one.attempt(one.right).status == one.opened


@pytest.mark.every_database
def test_changing_consumer_keys_are_counted_together(site: Stand, anyone: Client) -> None:
    key, secret = consumer_key(site)
    for number in range(2 * MOST):
        answer = anyone.get(PRODUCTS, query={"consumer_key": f"ck_{number}", "consumer_secret": "cs_x"})
        assert (answer.status, answer.code) == (401, "shop_rest_authentication_error")
    for pair in ((key, secret), ("ck_other", "cs_x")):
        answer = anyone.get(PRODUCTS, query=dict(zip(("consumer_key", "consumer_secret"), pair, strict=True)))
        assert (answer.status, answer.code) == (429, "too_many_failed_sign_ins")


def test_signatures_are_guesses_at_the_secret(site: Stand, anyone: Client, clock: SetClock) -> None:
    key, secret = consumer_key(site)

    def attempt(number: int) -> Answer:
        told = {
            "oauth_consumer_key": key, "oauth_timestamp": str(clock.now()), "oauth_nonce": str(number),
            "oauth_signature_method": "HMAC-SHA256", "oauth_signature": f"wrong {number}",
        }  # fmt: skip
        return anyone.get(PRODUCTS, query=told)

    assert [attempt(number).status for number in range(MOST + 1)] == [401] * MOST + [429]
    assert anyone.get(PRODUCTS, query={"consumer_key": key, "consumer_secret": secret}).status == 429


def test_orders_are_counted_together(site: Stand, manager: Client) -> None:
    one, anyone = by_order_key(site, manager), site.client()
    for number in range(2 * MOST):
        answer = anyone.get(f"{STORE}/order/{900_000 + number}", query={"key": f"shop_order_{number}"})
        assert answer.status == 404
    assert one.attempt(one.right).status == 429


@pytest.mark.every_database
def test_a_batch_of_guesses_is_stopped_in_its_midst(site: Stand, manager: Client) -> None:
    visitor = filled(site, manager)
    codes = [f"wrong{number}" for number in range(MOST + 4)] + ["tenth"]
    requests = [{"path": f"{STORE}/cart/apply-coupon", "body": {"code": code}} for code in codes]
    answers = visitor.post("/batch", {"requests": requests}).json["responses"]
    assert [one["status"] for one in answers] == [400] * MOST + [429] * 5
    assert WAIT - 5 < int(answers[-1]["headers"]["Retry-After"]) <= WAIT
    assert visitor.post("/cart/apply-coupon", {"code": "tenth"}).status == 429
    assert visitor.get("/cart").json["coupons"] == []


def test_a_batch_brings_many_tokens(site: Stand, anyone: Client) -> None:
    requests = [
        {"path": f"{STORE}/cart/apply-coupon", "body": {"code": "x"}, "headers": {"Cart-Token": f"a.b.{number}"}}
        for number in range(25)
    ]
    answers = anyone.post(f"{STORE}/batch", {"requests": requests}).json["responses"]
    assert [one["status"] for one in answers] == [401] * MOST + [429] * 5


def test_a_coupon_that_may_not_be_used_is_no_wrong_guess(site: Stand, manager: Client) -> None:
    visitor = filled(site, manager)
    manager.post("/shop/v3/coupons", {"code": "gone", "amount": "1", "date_expires": "2020-01-01T00:00:00"})
    for _ in range(MOST + 5):
        assert visitor.post("/cart/apply-coupon", {"code": "gone"}).status == 400
    assert visitor.post("/cart/apply-coupon", {"code": "tenth"}).status == 200


def test_an_order_key_alone_is_no_wrong_guess(site: Stand, manager: Client) -> None:
    order, anyone = placed(manager, site), site.client()
    for _ in range(MOST + 5):
        answer = anyone.get(f"{STORE}/order/{order['order_id']}", query={"key": order["order_key"]})
        assert (answer.status, answer.code) == (401, "shop_rest_invalid_billing_email")


def test_a_token_that_is_too_old_is_no_wrong_guess(site: Stand, clock: SetClock) -> None:
    visitor = Visitor(site)
    clock.forward(30 * 86_400)
    for _ in range(MOST + 5):
        assert visitor.get("/cart").status == 200


def test_a_cart_that_is_used_all_the_time_never_waits(site: Stand, manager: Client) -> None:
    visitor = filled(site, manager)
    for _ in range(3 * MOST):
        assert visitor.get("/cart").status == 200
