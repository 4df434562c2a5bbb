"""Delivery of bought files by the shop's settings: to whom, by which method, inline or as attachment."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from conftest import Answer, Client, Stand
from pages.conftest import PASSWORD, Visitor
from vetrina.access.users import rules as users

PRODUCTS, ORDERS = "/shop/v3/products", "/shop/v3/orders"


def set_to(admin: Client, name: str, value: Any) -> None:
    answer = admin.put(f"/shop/v3/settings/products/{name}", {"value": value})
    assert answer.status == 200, answer.json


def at(site: Stand, address: str, method: str = "GET") -> Answer:
    """Return the anonymous response of a page of the site."""
    return site.client(root="").ask(method, "/" + address.split("/", 3)[3])


def stored(admin: Client, name: str, content: bytes, kind: str) -> str:
    answer = admin.ask(
        "POST", "/cms/v2/media", body=content,
        headers={"content-type": kind, "content-disposition": f'attachment; filename="{name}"'},
    )  # fmt: skip
    assert answer.status == 201, answer.json
    return str(answer.json["source_url"])


def bought(manager: Client, file: str, buyer: int) -> str:
    """Sell a file and return its download URL."""
    goods = {"name": "Text", "regular_price": "1", "virtual": True, "downloadable": True}
    id = manager.post(PRODUCTS, {**goods, "downloads": [{"name": "Text", "file": file}]}).json["id"]
    manager.post(ORDERS, {"customer_id": buyer, "set_paid": True, "line_items": [{"product_id": id, "quantity": 1}]})
    return str(manager.get(f"/shop/v3/customers/{buyer}/downloads").json[-1]["download_url"])


@pytest.fixture
def buyer(site: Stand, manager: Client) -> int:
    """An account that signs in with its password."""
    with site.site.work() as work:
        user = users.find_user_by_login(work.tx, "customer")
        assert user is not None
        users.update_user(work, user, password=PASSWORD)
        return user.id


@pytest.fixture
def text(admin: Client) -> str:
    return stored(admin, "hello.txt", b"Hello", "text/plain")


def test_a_file_is_for_the_account_that_bought_it_where_buyers_sign_in(
    site: Stand, admin: Client, manager: Client, text: str, buyer: int
) -> None:
    link = bought(manager, text, buyer)
    assert at(site, link).status == 200
    set_to(admin, "shop_downloads_require_login", "yes")
    for method in ("GET", "HEAD"):
        led = at(site, link, method)
        assert (led.status, led.content) == (302, b"")
        assert led.headers["location"].startswith("/admin/sign-in?redirect_to=")
    back = parse_qs(urlsplit(led.headers["location"]).query)["redirect_to"][0]
    stranger, owner = Visitor(site), Visitor(site)
    with site.site.work() as work:
        other = users.find_user_by_login(work.tx, "subscriber")
        assert other is not None
        users.update_user(work, other, password=PASSWORD)
    stranger.sign_in("subscriber", PASSWORD)
    assert stranger.get(back).status == 403
    page = owner.sign_in("customer", PASSWORD, back)
    assert owner.follow(page).content == b"Hello"


def test_a_guest_fetches_what_he_bought_all_the_same(site: Stand, admin: Client, manager: Client, text: str) -> None:
    set_to(admin, "shop_downloads_require_login", "yes")
    goods = {"name": "Text", "regular_price": "1", "virtual": True, "downloadable": True}
    id = manager.post(PRODUCTS, {**goods, "downloads": [{"name": "Text", "file": text}]}).json["id"]
    line = {"product_id": id, "quantity": 1}
    made = manager.post(ORDERS, {"set_paid": True, "billing": {"email": "g@example.org"}, "line_items": [line]}).json
    from vetrina.shop.downloads import rules as downloads

    with site.site.work() as work:
        [one] = downloads.list_order_downloads(work, made["id"])
        link = downloads.build_download_url(work, one, made["order_key"])
    assert at(site, link).content == b"Hello"


def test_a_file_of_the_site_is_led_to_where_the_shop_says_so(
    site: Stand, admin: Client, manager: Client, text: str, buyer: int
) -> None:
    link = bought(manager, text, buyer)
    set_to(admin, "shop_file_download_method", "redirect")
    led = at(site, link)
    assert (led.status, led.headers["location"]) == (302, text)
    set_to(admin, "shop_file_download_method", "force")
    assert at(site, link).content == b"Hello"


@pytest.mark.parametrize("value", ["yes", True])
def test_a_file_opens_in_the_window_where_the_shop_says_so(
    site: Stand, admin: Client, manager: Client, text: str, buyer: int, value: Any
) -> None:
    link = bought(manager, text, buyer)
    assert at(site, link).headers["content-disposition"].startswith("attachment;")
    set_to(admin, "shop_downloads_deliver_inline", value)
    answer = at(site, link)
    assert answer.headers["content-disposition"].startswith("inline;")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
