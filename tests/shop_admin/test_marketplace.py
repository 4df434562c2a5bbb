"""The marketplace: none, a local catalog, or a service; texts that are generated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import msgspec
import orjson
import pytest

from conftest import Client, Stand
from foreign_host import Host
from vetrina.service_settings import ShopServices
from vetrina.settings import load_profile
from vetrina.shop.marketplace import rules as marketplace
from vetrina.site import Site
from vetrina.site_factory import create_stand_in_site

PATH = "/shop/v3/marketplace"
KEYS = f"{PATH}/subscriptions"
CATALOGUE = """
[[featured]]
id = 7
title = "Gift cards"

[[subscription]]
product_key = "4711"
slug = "shop"
package_url = "https://example.org/gifts.zip"

[[product]]
id = 7
url = "https://example.org/pay"
"""


@pytest.fixture
def served(site: Stand, tmp_path: Path) -> Iterator[Stand]:
    """The shop with its own catalog."""
    file = tmp_path / "catalogue.toml"
    file.write_text(CATALOGUE, encoding="utf-8")
    services = ShopServices(marketplace_catalogue=str(file))
    profile = msgspec.structs.replace(load_profile("second"), shop_services=services)
    other = Site(profile, site.site.context.settings, tmp_path, durable=False)
    yield Stand(other)
    other.close()


def test_a_site_without_a_marketplace_is_offered_nothing(admin: Client) -> None:
    assert admin.get(f"{PATH}/featured").json["success"] is False
    assert admin.get(KEYS).json == []
    for path in ("connect", "disconnect", "activate", "activate-plugin"):
        answer = admin.post(f"{KEYS}/{path}", {"product_key": "4711"})
        assert (answer.status, answer.json["success"]) == (400, False)
    assert admin.post(f"{PATH}/create-order", {"product_id": 7}).json is None


def test_a_catalogue_is_a_marketplace(served: Stand) -> None:
    admin = served.client("admin")
    assert admin.get(f"{PATH}/featured").json == [{"id": 7, "title": "Gift cards"}]
    assert [one["active"] for one in admin.get(KEYS).json] == [False]
    assert admin.post(f"{KEYS}/connect", {"product_key": "4711"}).json["success"] is True
    assert [one["active"] for one in admin.post(f"{PATH}/refresh", {}).json] == [True]
    url = admin.get(f"{KEYS}/install-url?product_key=4711").json["data"]["url"]
    assert url == "https://example.org/gifts.zip"
    assert admin.post(f"{KEYS}/activate", {"product_key": "4711"}).json["success"] is True
    assert admin.post(f"{KEYS}/disconnect", {"product_key": "4711"}).json["success"] is True
    assert admin.post(f"{KEYS}/disconnect", {"product_key": "4711"}).status == 400
    assert admin.post(f"{PATH}/create-order", {"product_id": "7"}).json["product_id"] == 7
    manager = served.client("shop_manager").post(f"{PATH}/create-order", {"product_id": 7})
    assert (manager.status, list(manager.json)) == (403, ["message"])


def test_a_service_is_asked_with_the_key_of_the_site(site: Stand) -> None:
    def answered(handler: BaseHTTPRequestHandler) -> None:
        body = orjson.dumps([{"product_key": "1", "slug": "x"}] if "/sub" in handler.path else {"broken": True})
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    host = Host(answered)
    try:
        services = ShopServices(marketplace_url=f"http://127.0.0.1:{host.port}/api", marketplace_key="our key")
        profile = msgspec.structs.replace(site.site.context.profile, shop_services=services)
        service = marketplace.open_marketplace(replace(site.site.context, profile=profile))
        assert service.list_subscriptions() == [{"product_key": "1", "slug": "x"}]
        assert service.list_featured() is None
        asked: Any = host.asked
        assert {name.lower(): text for name, text in asked[0][2].items()}["authorization"] == "Bearer our key"
    finally:
        host.close()


def test_an_order_that_is_refused_never_reaches_the_marketplace(site: Stand, tmp_path: Path) -> None:
    def answered(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "2")
        handler.end_headers()
        handler.wfile.write(b"{}")

    host = Host(answered)
    services = ShopServices(marketplace_url=f"http://127.0.0.1:{host.port}/api", marketplace_key="our key")
    profile = msgspec.structs.replace(load_profile("second"), shop_services=services)
    other = Site(profile, site.site.context.settings, tmp_path, durable=False)
    try:
        refused = Stand(other).client("shop_manager").post(f"{PATH}/create-order", {"product_id": 7})
        assert (refused.status, host.asked) == (403, [])
        assert Stand(other).client("admin").post(f"{PATH}/create-order", {"product_id": 7}).status == 200
        assert len(host.asked) == 1
    finally:
        other.close()
        host.close()


def test_an_account_is_kept_and_used(site: Stand, admin: Client, tmp_path: Path) -> None:
    """The owner is sent to the marketplace's page; the code that it returns is exchanged for a token of the site."""

    def answered(handler: BaseHTTPRequestHandler) -> None:
        said: Any = []
        if "/oauth/" in handler.path:
            told = orjson.loads(host.asked[-1][3])
            secrets.append(told["secret"])
            said = {"access_token": "ours", "site_id": 7} if told["request_token"] == "good" else {"error": "?"}
        body = orjson.dumps(said)
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    begin, finish = "/shop-admin/plugins/request-shopcom-connect", "/shop-admin/plugins/finish-shopcom-connect"
    assert (admin.post(begin, {}).code, admin.post(finish, {}).code) == ("shop_rest_helper_connect",) * 2
    secrets: list[str] = []
    host = Host(answered)
    services = ShopServices(
        marketplace_url=f"http://127.0.0.1:{host.port}/api", account_url="https://market.example/connect"
    )
    profile = msgspec.structs.replace(load_profile("second"), shop_services=services)
    other = Site(profile, site.site.context.settings, tmp_path, durable=False)
    admin = Stand(other).client("admin")
    try:
        early = admin.post(finish, {"request_token": "good"})
        assert (early.status, early.code, secrets) == (400, "shop_rest_helper_connect", [])
        page = admin.post(begin, {"redirect_url": "https://shop.example/back"}).json["connectAction"]
        assert page.startswith("https://market.example/connect?")
        assert admin.post(finish, {}).status == 400
        assert admin.post(finish, {"request_token": "bad"}).status == 400
        assert admin.get("/shop-admin/onboarding/profile").json["shopcom_connected"] is False
        assert admin.post(finish, {"request_token": "good"}).json == {"success": True}
        assert secrets
        assert all(f"secret={secret}" in page for secret in secrets)
        # A token is exchanged once.
        assert admin.post(finish, {"request_token": "good"}).status == 400
        assert admin.get("/shop-admin/onboarding/profile").json["shopcom_connected"] is True
        assert admin.get("/shopcom-site/v3/connection/status").json == {
            "connection_data_found": True, "connection_valid": True,
        }  # fmt: skip
        admin.get(KEYS)
        asked: Any = host.asked
        assert {name.lower(): text for name, text in asked[-1][2].items()}["authorization"] == "Bearer ours"
    finally:
        other.close()
        host.close()


def test_nothing_is_made_up_before_the_owner_allows_it(admin: Client, manager: Client, anyone: Client) -> None:
    path = "/shop-admin/ai/store-title"
    assert anyone.post(path, {}).status == 401
    assert (manager.post(path, {}).status, manager.post(path, {}).code) == (403, "shop_rest_invalid_user")
    assert admin.post(path, {}).code == "ai_connection_not_allowed"
    admin.post("/shop-admin/options", {"shop_blocks_allow_ai_connection": "yes"})
    assert admin.post("/shop-admin/ai/business-description", {}).code == "invalid_business_description"
    about = {"business_description": "We sell hats made of straw"}
    assert admin.post("/shop-admin/ai/business-description", about).json == {"ai_content_generated": True}
    assert admin.post(path, {}).json == {"ai_content_generated": True}
    assert admin.get("/cms/v2/settings").json["title"] == "Hats Made Straw"
    assert admin.post("/shop-admin/ai/images", {}).json == {"ai_content_generated": False, "images": []}
    assert admin.get("/shop-admin/ai/store-info").json == {"is_ai_generated": False}
    assert admin.post("/shop-admin/ai/patterns", {}).json == {"ai_content_generated": True}
    assert admin.get("/shop-admin/ai/store-info").json == {"is_ai_generated": True}
    assert admin.delete("/shop-admin/ai/patterns").json == {"removed": True}
    id = admin.post("/shop/v3/products", {"name": "Hat"}).json["id"]
    told = {"products_information": {"id": id, "title": "Hat", "description": "Broad."}}
    assert admin.post("/shop-admin/ai/product", told).json == {"ai_content_generated": True}
    assert "Broad" in admin.get(f"/shop/v3/products/{id}").json["description"]


def test_a_provider_that_is_not_there_stops_the_start(tmp_path: Path) -> None:
    profile = msgspec.structs.replace(load_profile("second"), shop_services=ShopServices(texts="nowhere:Nobody"))
    with pytest.raises(ValueError, match="nowhere"):
        create_stand_in_site(profile, [], tmp_path)
