"""Registration with the fake service over HTTP, both as processes: tokens, owner, reconnecting, disconnecting."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from connector.processes import PeerProcess, SiteProcess, ask, founded
from connector.test_killed_sync import registered
from vetrina.fake_service.mirror import SiteMirror
from vetrina.settings import load_profile, load_settings
from vetrina.site import Site

CONNECTION = "/connector/v4/connection"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return founded(tmp_path_factory.mktemp("registration") / "site")


@pytest.fixture(scope="module")
def peer(folder: Path) -> Iterator[PeerProcess]:
    with PeerProcess(folder.parent / "peer.sqlite") as running:
        yield running


@pytest.fixture(scope="module")
def site(folder: Path, peer: PeerProcess) -> Iterator[SiteProcess]:
    with SiteProcess(folder, peer.url) as running:
        yield running


@pytest.fixture(autouse=True)
def unregistered(site: SiteProcess) -> Iterator[None]:
    yield
    site.rest("POST", CONNECTION, {"isActive": False})


def test_a_site_registers_and_its_administrator_becomes_the_owner(site: SiteProcess) -> None:
    before = site.rest("GET", CONNECTION)[1]
    assert before["offlineMode"]["isActive"] is False
    status, told = site.rest("POST", f"{CONNECTION}/register", {"redirect_uri": "http://elsewhere.example/"})
    assert status == 200
    asked = parse_qs(urlsplit(told["authorizeUrl"]).query, keep_blank_values=True)
    assert asked["allow_site_connection"] == ["1"]
    assert "elsewhere" not in asked["redirect_uri"][0]
    assert site.rest("GET", CONNECTION)[1]["isRegistered"] is True
    assert site.rest("GET", CONNECTION)[1]["isActive"] is False
    assert b"authorized" in ask("GET", told["authorizeUrl"])[1]
    after = site.rest("GET", CONNECTION)[1]
    assert (after["isActive"], after["isUserConnected"], after["hasConnectedOwner"]) == (True, True, True)
    data = site.rest("GET", f"{CONNECTION}/data")[1]
    assert (data["currentUser"]["isMaster"], data["connectionOwner"]) == (True, "admin")
    heartbeat = site.rest("GET", "/connector/v4/heartbeat/data?prefix=v2-")[1]
    assert set(heartbeat) == {"v2-standalone-connection", "v2-connector_package_versions"}
    # While there is an owner nobody verifies a registration.
    assert site.rest("POST", "/connector/v4/verify_registration", {})[1]["code"] == "rest_no_route"
    assert ask("POST", f"{site.url}/en/cms-json/connector/v4/remote_register", {})[1]["code"] == "already_registered"


def test_an_authorisation_is_used_once(site: SiteProcess) -> None:
    told = site.rest("POST", f"{CONNECTION}/register", {})[1]
    assert ask("GET", told["authorizeUrl"])[0] == 200
    assert ask("GET", told["authorizeUrl"])[0] == 400


def test_a_forged_secret_authorises_nobody(site: SiteProcess) -> None:
    site.rest("POST", f"{CONNECTION}/register", {})
    body = {"secret": "forged", "state": "1", "redirect_uri": "x", "code": "y"}
    status, told = ask("POST", f"{site.url}/en/cms-json/connector/v4/remote_authorize", body)
    assert (status, told["code"]) == (400, 400)
    assert "[verify_secrets_m" in told["message"]
    assert site.rest("GET", CONNECTION)[1]["isActive"] is False


def test_a_broken_token_is_mended(site: SiteProcess, peer: PeerProcess) -> None:
    registered(site)
    status, told = site.rest("POST", f"{CONNECTION}/reconnect", {})
    assert (status, told["status"]) == (200, "in_progress")
    assert ask("GET", told["authorizeUrl"])[0] == 200
    # Changes that were not pulled may have been pushed; what the token signs now arrives either way.
    site.rest("POST", "/cms/v2/posts", {"title": "after the mending", "status": "publish"})
    assert peer.post("/pull/1")["items"] > 0


def test_leaving_forgets_everything_but_the_number(site: SiteProcess, folder: Path) -> None:
    registered(site)
    number = site.rest("GET", f"{CONNECTION}/data")[1]["currentUser"]["blogId"]
    assert site.rest("POST", CONNECTION, {"isActive": False}) == (200, {"code": "success"})
    assert site.rest("GET", CONNECTION)[1]["isRegistered"] is False
    assert site.rest("GET", f"{CONNECTION}/data")[1]["currentUser"]["blogId"] == number
    mirror = SiteMirror(folder.parent / "peer.sqlite")
    assert number not in mirror.sites()
    mirror.close()
    assert site.rest("POST", CONNECTION, {"isActive": False})[1]["code"] == "disconnect_failed"


def test_a_site_can_begin_anew(site: SiteProcess) -> None:
    registered(site)
    status, address = site.rest("POST", "/connector/v4/identity-crisis/start-fresh", {})
    assert (status, "/authorize/1/?" in address) == (200, True)
    told = site.rest("GET", CONNECTION)[1]
    assert (told["isRegistered"], told["isActive"]) == (True, False)


def test_a_site_can_send_by_itself(site: SiteProcess, peer: PeerProcess) -> None:
    registered(site)
    site.rest("POST", "/cms/v2/posts", {"title": "Sent", "status": "publish"})
    assert site.rest("POST", "/connector/v4/sync/now", {"queue": "sync"})[1] == {"response": True}
    assert site.rest("GET", "/connector/v4/sync/status")[1]["queue_size"] == 0


def test_a_divergence_is_found_and_mended(site: SiteProcess, peer: PeerProcess, folder: Path) -> None:
    registered(site)
    posts = [site.rest("POST", "/cms/v2/posts", {"title": str(at), "status": "publish"})[1]["id"] for at in range(40)]
    number = site.rest("GET", f"{CONNECTION}/data")[1]["currentUser"]["blogId"]
    product = site.rest("POST", "/shop/v3/products", {"name": "A", "regular_price": "1.50"})[1]["id"]
    line = {"product_id": product, "quantity": 2}
    assert site.rest("POST", "/shop/v3/orders", {"status": "processing", "line_items": [line]})[0] == 201
    peer.post(f"/pull/{number}")
    compared = peer.post(f"/compare/{number}")
    assert {"shop_product_lookup", "shop_orders", "shop_order_items", "shop_order_operational_data"} <= set(compared)
    assert set(compared.values()) == {True}
    mirror = SiteMirror(folder.parent / "peer.sqlite")
    (kept,) = (one for one in mirror.things(number, "posts") if one["ID"] == str(posts[7]))
    wrong = {**kept, "post_modified_gmt": "2000-01-01 00:00:00"}
    mirror.put(number, "posts", {str(posts[7]): wrong, str(posts[20]): None, "999999": {**wrong, "ID": "999999"}})
    mirror.close()
    assert peer.post(f"/compare/{number}")["posts"] is False
    assert sorted(peer.post(f"/mend/{number}")["posts"]) == [posts[7], posts[20], 999999]
    assert set(peer.post(f"/compare/{number}").values()) == {True}


def test_what_changes_by_the_many_is_fetched_whole(site: SiteProcess, peer: PeerProcess, folder: Path) -> None:
    registered(site)
    number = site.rest("GET", f"{CONNECTION}/data")[1]["currentUser"]["blogId"]
    peer.post(f"/pull/{number}")
    stored = Site(load_profile("second"), load_settings(folder), folder)
    with stored.work() as work:
        work.tx.command("UPDATE term SET name = 'Changed in bulk'")
        work.note("category", 0, "changed")
    stored.close()
    peer.post(f"/pull/{number}")
    mirror = SiteMirror(folder.parent / "peer.sqlite")
    assert {term["name"] for term in mirror.things(number, "terms")} == {"Changed in bulk"}
    mirror.close()
