"""Numbers with more digits than Python or a database takes, wherever a client may send one: never a server error."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand, exchange
from pictures import picture
from vetrina.access.sessions import cookies as session_cookies

HUGE = (
    "9" * 5000,
    "9" * 40,
    "9223372036854775808",
    "-" + "9" * 5000,
    "1" + "0" * 18,
    "\u0661" * 20,
    "1e999",
    "0" * 5000,
)
HEADERS = (
    "authorization", "content-length", "x-cms-nonce", "cart-token", "nonce", "range", "if-match", "if-none-match",
    "if-modified-since", "if-unmodified-since", "if-range", "x-forwarded-for", "x-forwarded-port", "x-forwarded-proto",
    "x-request-id", "accept-language", "user-agent", "origin", "x-http-method-override", "content-disposition",
)  # fmt: skip
DATES = (
    "Mon, 1 Jan 99999999999999999999 00:00:00 GMT", "Mon, 1 Jan 2020 99999999999:00:00 GMT",
    "Mon, 1 Jan 2020 00:00:00 +99999999999999999999", f"Mon, 1 Jan {'9' * 5000} 00:00:00 GMT",
)  # fmt: skip


def ascii_only(texts: tuple[str, ...]) -> list[str]:
    return [text for text in texts if text.isascii()]


@pytest.mark.parametrize("name", HEADERS)
def test_a_header_with_a_huge_number_is_no_fault(site: Stand, admin: Client, name: str) -> None:
    id = admin.post("/cms/v2/posts", {"title": "x", "status": "publish"}).json["id"]
    named = {"content-type": "image/png", "content-disposition": 'attachment; filename="x.png"'}
    file = admin.ask("POST", "/cms/v2/media", body=picture(40, 30, "PNG"), headers=named).json["source_url"]
    targets = [
        ("GET", "/en/cms-json/cms/v2/posts"), ("POST", f"/en/cms-json/cms/v2/posts/{id}"), ("GET", "/en/"),
        ("POST", "/en/cms-json/shop/store/v1/cart/add-item"), ("GET", file.removeprefix("http://vetrina.test")),
    ]  # fmt: skip
    for value in (*ascii_only(HUGE), *DATES, "OAuth oauth_timestamp=" + "9" * 5000, "bytes=0-" + "9" * 5000):
        for method, target in targets:
            headers = {**(admin.headers if "posts/" in target else {}), name: value}
            status, _, content = exchange(site.site, method, target, b"", headers)
            assert status < 500, (name, value[:60], method, target, content)


@pytest.mark.parametrize("at", [0, 1])
def test_a_cookie_with_a_huge_number_names_nobody(site: Stand, anyone: Client, at: int) -> None:
    for value in ascii_only(HUGE):
        for longest in (len(value), 200):
            parts = ["00000000-0000-4000-8000-000000000000", "key"]
            parts[at] = value[:longest]
            cookie = {"cookie": f"{session_cookies.SESSION_COOKIE}={'.'.join(parts)}", "x-cms-nonce": "x"}
            answer = anyone.get("/cms/v2/posts", headers=cookie)
            assert (answer.status, answer.code) == (403, "rest_cookie_invalid_nonce")


def test_settings_of_the_shop_with_huge_numbers_stay_without_effect(manager: Client, anyone: Client) -> None:
    names = {
        "general": ("shop_price_num_decimals",),
        "products": (
            "shop_hold_stock_minutes", "shop_notify_low_stock_amount", "shop_notify_no_stock_amount",
            "shop_file_download_method",
        ),
    }  # fmt: skip
    id = manager.post("/shop/v3/products", {"name": "Lamp", "regular_price": "5", "manage_stock": True,
                                            "stock_quantity": 3}).json["id"]  # fmt: skip
    for value in HUGE:
        for group, settings in names.items():
            for name in settings:
                assert manager.put(f"/shop/v3/settings/{group}/{name}", {"value": value}).status < 500
        for client, path in (
            (anyone, "/shop/store/v1/products"), (anyone, f"/shop/store/v1/products/{id}"),
            (anyone, "/shop/store/v1/cart"),
            (manager, "/shop/v3/products"), (manager, "/shop/v3/orders"), (manager, "/shop-analytics/reports/stock"),
            (manager, "/shop-analytics/reports/stock/stats"), (manager, "/shop-analytics/products/low-in-stock"),
            (manager, "/shop-analytics/reports/revenue/stats"), (manager, "/shop-analytics/reports/taxes"),
        ):  # fmt: skip
            answer = client.get(path)
            assert answer.status < 500, (value[:30], path, answer.content)
        order = {"line_items": [{"product_id": id, "quantity": 1}], "set_paid": True}
        assert manager.post("/shop/v3/orders", order).status == 201


@pytest.mark.parametrize("value", HUGE)
def test_an_order_with_huge_numbers_is_taken_or_refused(manager: Client, value: str) -> None:
    metas = [{"key": key, "value": value} for key in ("_date_paid", "_date_completed", "_x")]
    id = manager.post("/shop/v3/products", {"name": "Lamp", "regular_price": "5"}).json["id"]
    lines = [{"product_id": id, "quantity": 1, "meta_data": [{"key": "_reduced_stock", "value": value}]}]
    place = {"country": "IT", "postcode": value, "city": value}
    rate = {"country": "IT", "rate": "22", "postcodes": [f"{value}...{value}", "1...9"]}
    assert manager.post("/shop/v3/taxes", rate).status < 500
    made = manager.post(
        "/shop/v3/orders", {"meta_data": metas, "line_items": lines, "billing": place, "shipping": place}
    )
    assert made.status < 500, made.content
    if made.status == 201:
        path = f"/shop/v3/orders/{made.json['id']}"
        for status in ("completed", "cancelled", "processing"):
            assert manager.put(path, {"status": status}).status < 500
        line = made.json["line_items"][0]["id"]
        refund = {
            "amount": "1",
            "line_items": [{"id": line, "refund_total": 1, "quantity": value}],
            "api_refund": False,
        }
        assert manager.post(f"{path}/refunds", refund).status < 500


@pytest.mark.parametrize("value", HUGE)
def test_the_connector_takes_no_huge_number(admin: Client, anyone: Client, value: str) -> None:
    asked: list[tuple[Client, str, str, Any]] = [
        (anyone, "POST", "/connector/v4/verify_registration", {"secret_1": "x", "state": value}),
        (admin, "POST", "/connector/v4/user-token", {"user_token": f"a.b.{value}"}),
        (admin, "POST", "/connector/v4/user-token", {"user_token": f"a.b.{'0' * 16}{value}"}),
        (anyone, "POST", "/connector/v4/remote_authorize", {"secret": "x", "state": value, "redirect_uri": "x"}),
        (anyone, "GET", f"/connector/v4/sync/status?_for=connector&token=K:1:{value}&timestamp={value}"
                        f"&nonce=x&body-hash=&signature=x", None),
        (anyone, "GET", f"/connector/v4/sync/status?_for=connector&token=K:{value}:0&timestamp=1&signature=x", None),
        (anyone, "GET", f"/connector/v4/connection/plugins?signature=x&timestamp={value}&url=x&rest_route=x", None),
    ]  # fmt: skip
    for client, method, path, body in asked:
        answer = client.ask(method, path, json=body)
        assert answer.status < 500 or answer.status == 501, (path, answer.content)
