"""A shop in coming-soon mode: who may enter, who is refused, and access by the private link."""

from __future__ import annotations

import pytest

from conftest import Answer, Client, Stand, exchange

BEGIN = "/shop-admin/launch-your-store/initialize-coming-soon"
OPTIONS = "/shop-admin/options"


def page(site: Stand, target: str, cookie: str = "") -> Answer:
    headers = {"cookie": cookie} if cookie else {}
    status, pairs, content = exchange(site.site, "GET", target, headers=headers)
    return Answer(status, {name.lower(): value for name, value in pairs}, content)


def option(client: Client, name: str) -> str:
    return str(client.get(f"{OPTIONS}?options={name}").json[name])


@pytest.mark.every_database
def test_a_closed_shop_refuses_until_it_is_launched(site: Stand, manager: Client, anyone: Client) -> None:
    assert page(site, "/en/").status == 200
    assert anyone.get("/shop/store/v1/products").status == 200
    assert manager.post(BEGIN, {}).json is True
    closed = page(site, "/en/")
    assert (closed.status, b"opens soon" in closed.content) == (503, True)
    assert page(site, "/en/feed/").status == 503
    refused = anyone.get("/shop/store/v1/products")
    assert (refused.status, refused.code) == (401, "shop_rest_coming_soon")
    assert manager.get("/shop/store/v1/products").status == 200
    manager.post(OPTIONS, {"shop_coming_soon": "no"})
    assert page(site, "/en/").status == 200
    assert anyone.get("/shop/store/v1/products").status == 200


def test_the_private_link_opens_it(site: Stand, manager: Client, anyone: Client) -> None:
    manager.post(BEGIN, {})
    key = option(manager, "shop_share_key")
    assert len(key) == 32
    assert page(site, f"/en/?shop-share={key}").status == 503
    manager.post(OPTIONS, {"shop_private_link": "yes"})
    opened = page(site, f"/en/?shop-share={key}")
    assert opened.status == 200
    cookie = opened.headers["set-cookie"].partition(";")[0]
    assert page(site, "/en/", cookie).status == 200
    assert page(site, "/en/").status == 503
    assert page(site, "/en/?shop-share=wrong").status == 503
    assert anyone.get(f"/shop/store/v1/products?shop-share={key}").status == 200
    assert anyone.get("/shop/store/v1/products", headers={"cookie": cookie}).status == 200
    assert anyone.get("/shop/store/v1/products").status == 401


def test_the_shop_alone_may_be_closed(site: Stand, manager: Client) -> None:
    product = manager.post("/shop/v3/products", {"name": "Cap", "regular_price": "5"}).json
    manager.post(BEGIN, {})
    manager.post(OPTIONS, {"shop_store_pages_only": "yes"})
    assert page(site, "/en/").status == 200
    assert page(site, "/en/shop/").status == 503
    assert page(site, "/" + product["permalink"].split("/", 3)[3]).status == 503


def test_a_closed_shop_is_on_no_map(site: Stand, manager: Client) -> None:
    manager.post("/shop/v3/products", {"name": "Cap", "regular_price": "5"})
    piece = "/sitemap-product-en-1.xml"
    assert b"sitemap-product-en-1" in page(site, "/sitemap.xml").content
    assert b"/product/cap/" in page(site, piece).content
    manager.post(BEGIN, {})
    key = option(manager, "shop_share_key")
    manager.post(OPTIONS, {"shop_private_link": "yes", "shop_store_pages_only": "no"})
    for target in ("/sitemap.xml", piece, "/sitemap-page-en-1.xml"):
        assert page(site, target).status == 503
        assert page(site, f"{target}?shop-share={key}").status == 200
        assert page(site, target).status == 503
    # Where only the shop is closed, the sitemap has the rest.
    manager.post(OPTIONS, {"shop_store_pages_only": "yes"})
    shown = page(site, "/sitemap.xml")
    assert (shown.status, b"sitemap-page-en-1" in shown.content, b"sitemap-product" in shown.content) == (
        200, True, False,
    )  # fmt: skip
    assert page(site, piece).status == 404
    manager.post(OPTIONS, {"shop_coming_soon": "no"})
    assert b"sitemap-product-en-1" in page(site, "/sitemap.xml").content
    assert page(site, piece).status == 200


@pytest.mark.parametrize("pages_only", ["yes", "no"])
def test_a_closed_shop_shows_no_receipts(site: Stand, manager: Client, pages_only: str) -> None:
    id = manager.post("/shop/v3/orders", {"status": "completed"}).json["id"]
    address = manager.post(f"/shop/v3/orders/{id}/receipt", {}).json["receipt_url"]
    target = "/" + address.split("/", 3)[3]
    assert page(site, target).status == 200
    manager.post(BEGIN, {})
    key = option(manager, "shop_share_key")
    manager.post(OPTIONS, {"shop_private_link": "yes", "shop_store_pages_only": pages_only})
    assert page(site, target).status == 503
    assert page(site, f"{target}?shop-share={key}").status == 200


def test_beginning_again_keeps_the_key(manager: Client) -> None:
    manager.post(BEGIN, {})
    key = option(manager, "shop_share_key")
    manager.post(BEGIN, {})
    assert option(manager, "shop_share_key") == key


def test_the_survey_and_test_orders(manager: Client) -> None:
    path = "/shop-admin/launch-your-store"
    assert manager.get(f"{path}/survey-completed").json == "no"
    assert manager.post(f"{path}/update-survey-status", {"status": "yes"}).json is None
    assert manager.get(f"{path}/survey-completed").json == "yes"
    assert manager.post(f"{path}/update-survey-status", {"status": "perhaps"}).status == 400
    test = [{"key": "_shoppay_mode", "value": "test"}]
    id = manager.post("/shop/v3/orders", {"meta_data": test}).json["id"]
    manager.post("/shop/v3/orders", {})
    assert manager.get(f"{path}/shoppayments/test-orders/count").json == {"count": 1}
    assert manager.delete(f"{path}/shoppayments/test-orders").status == 204
    assert manager.get(f"{path}/shoppayments/test-orders/count").json == {"count": 0}
    assert manager.get(f"/shop/v3/orders/{id}").json["status"] == "trash"


def test_a_notice_needs_its_nonce(manager: Client, customer: Client) -> None:
    path = "/shop-admin/notice/dismiss"
    nonce = manager.get("/shop-admin/features").headers["x-cms-notice-nonce"]
    refused = manager.post(path, {"notice_id": "woo-disconnect-notice"})
    assert (refused.status, refused.code) == (401, "unauthorized")
    given = {"dismiss_notice_nonce": nonce, "notice_id": "woo-disconnect-notice"}
    assert manager.post(path, given).json == {"success": True}
    assert manager.post(path, {**given, "notice_id": "other"}).json == {"success": False}
    assert customer.post(path, given).status == 403
