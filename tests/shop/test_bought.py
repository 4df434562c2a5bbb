"""Consequences of an order: downloads, receipts, cancellation of unpaid orders."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Answer, Client, SetClock, Stand
from vetrina.shop.orders import rules as orders

from .background import work_off

ORDERS, PRODUCTS = "/shop/v3/orders", "/shop/v3/products"
FILE = "https://files.example/book.pdf"


def at(site: Stand, address: str, method: str = "GET") -> Answer:
    """Return the anonymous response of a page of the site."""
    path = "/" + address.split("/", 3)[3]
    return site.client(root="").ask(method, path)


@pytest.fixture
def book(manager: Client) -> int:
    answer = manager.post(
        PRODUCTS,
        {
            "name": "Book", "regular_price": "5", "virtual": True, "downloadable": True, "download_limit": 2,
            "download_expiry": 10, "downloads": [{"name": "Book", "file": FILE}],
        },
    )  # fmt: skip
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


@pytest.fixture
def link(site: Stand, admin: Client, manager: Client, book: int) -> str:
    """The URL of a bought file."""
    buyer = admin.post("/shop/v3/customers", {"email": "ada@example.com"}).json["id"]
    order = {"customer_id": buyer, "set_paid": True, "line_items": [{"product_id": book, "quantity": 1}]}
    assert manager.post(ORDERS, order).status == 201
    [granted] = manager.get(f"/shop/v3/customers/{buyer}/downloads").json
    assert granted["downloads_remaining"] == "2"
    return str(granted["download_url"])


@pytest.mark.every_database
def test_a_bought_file_is_fetched_as_often_as_allowed(site: Stand, link: str) -> None:
    assert at(site, link, "HEAD").status == 302
    for _ in range(2):
        answer = at(site, link)
        assert (answer.status, answer.headers["location"]) == (302, FILE)
    assert at(site, link).status == 404


def test_a_bought_file_is_fetched_until_it_ends(site: Stand, link: str, clock: SetClock) -> None:
    clock.forward(11 * 86_400)
    assert at(site, link).status == 404


@pytest.mark.parametrize("part", ["order", "uid", "key", "download_file"])
def test_nobody_guesses_the_address_of_a_file(site: Stand, link: str, part: str) -> None:
    before, _, rest = link.partition(f"{part}=")
    value, mark, after = rest.partition("&")
    changed = "9" + value[1:] if value[0] != "9" else "8" + value[1:]
    assert at(site, f"{before}{part}={changed}{mark}{after}").status == 404
    assert at(site, link).status == 302


def test_a_file_of_the_site_itself_is_sent(site: Stand, admin: Client, manager: Client) -> None:
    media = admin.ask(
        "POST", "/cms/v2/media", body=b"Hello", headers={
            "content-type": "text/plain", "content-disposition": 'attachment; filename="hello.txt"'
        },
    )  # fmt: skip
    file = {"name": "Hello", "file": media.json["source_url"]}
    goods = {"name": "Text", "regular_price": "1", "virtual": True, "downloadable": True, "downloads": [file]}
    id = manager.post(PRODUCTS, goods).json["id"]
    buyer = admin.post("/shop/v3/customers", {"email": "ada@example.com"}).json["id"]
    manager.post(ORDERS, {"customer_id": buyer, "set_paid": True, "line_items": [{"product_id": id, "quantity": 1}]})
    [granted] = manager.get(f"/shop/v3/customers/{buyer}/downloads").json
    answer = at(site, granted["download_url"])
    assert (answer.status, answer.content) == (200, b"Hello")
    assert answer.headers["content-disposition"].startswith("attachment")


def test_a_cancelled_order_takes_its_files_away(site: Stand, manager: Client, link: str) -> None:
    [order] = manager.get(ORDERS).json
    manager.put(f"{ORDERS}/{order['id']}", {"status": "cancelled"})
    assert at(site, link).status == 404


@pytest.mark.every_database
def test_a_receipt_is_shown_until_it_ends(site: Stand, manager: Client, book: int, clock: SetClock) -> None:
    id = manager.post(ORDERS, {"set_paid": True, "line_items": [{"product_id": book, "quantity": 1}]}).json["id"]
    made = manager.post(f"{ORDERS}/{id}/receipt", {})
    shown = at(site, made.json["receipt_url"])
    assert (shown.status, shown.headers["content-type"]) == (200, "text/html; charset=UTF-8")
    assert "Book × 1" in shown.content.decode()
    assert at(site, made.json["receipt_url"] + "x").status == 404
    clock.forward(3 * 86_400)
    assert at(site, made.json["receipt_url"]).status == 404


@pytest.mark.parametrize("days", [10**6, 10**12, 10**15])
def test_a_receipt_cannot_outlive_the_calendar(manager: Client, book: int, days: int) -> None:
    id = manager.post(ORDERS, {"set_paid": True, "line_items": [{"product_id": book, "quantity": 1}]}).json["id"]
    answer = manager.post(f"{ORDERS}/{id}/receipt", {"expiration_days": days})
    assert (answer.status, answer.json["code"]) == (400, "rest_invalid_param")
    assert list(answer.json["data"]["params"]) == ["expiration_days"]


@pytest.mark.every_database
def test_a_file_may_be_fetched_for_ever_and_a_day(admin: Client, manager: Client, book: int) -> None:
    beyond = {"download_limit": 2**53 - 1, "download_expiry": 2**53 - 1}
    assert manager.put(f"{PRODUCTS}/{book}", beyond).status == 200
    buyer = admin.post("/shop/v3/customers", {"email": "ada@example.com"}).json["id"]
    order = {"customer_id": buyer, "set_paid": True, "line_items": [{"product_id": book, "quantity": 10**6}]}
    assert manager.post(ORDERS, order).status == 201
    [granted] = manager.get(f"/shop/v3/customers/{buyer}/downloads").json
    assert granted["access_expires_gmt"] == "9999-12-30T23:59:59"
    assert int(granted["downloads_remaining"]) >= beyond["download_limit"]


@pytest.mark.every_database
def test_an_order_of_the_checkout_that_nobody_pays_is_cancelled(site: Stand, manager: Client, clock: SetClock) -> None:
    def made(via: str) -> int:
        with site.site.work() as work:
            return orders.create_order(work, {}, via=via).order.id

    def status(id: int) -> Any:
        return manager.get(f"{ORDERS}/{id}").json["status"]

    left, by_hand = made("checkout"), made("rest-api")
    clock.forward(59 * 60)
    work_off(site)
    assert (status(left), status(by_hand)) == ("pending", "pending")
    clock.forward(2 * 60)
    work_off(site)
    assert (status(left), status(by_hand)) == ("cancelled", "pending")


def test_an_order_that_is_paid_meanwhile_stays(site: Stand, manager: Client, clock: SetClock) -> None:
    with site.site.work() as work:
        id = orders.create_order(work, {}, via="checkout").order.id
    clock.forward(59 * 60)
    manager.put(f"{ORDERS}/{id}", {"status": "processing"})
    clock.forward(10 * 60)
    work_off(site)
    assert manager.get(f"{ORDERS}/{id}").json["status"] == "processing"
