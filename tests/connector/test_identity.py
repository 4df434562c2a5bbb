"""The identity crisis: how it is noticed, safe mode, its three ways out; and the notice in front of answers."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from conftest import Client, Stand
from connector.conftest import SECRET, Service, profile
from connector.processes import PeerProcess, SiteProcess, founded
from connector.test_killed_sync import registered
from vetrina.domain.connector import identity, queue
from vetrina.settings import Settings
from vetrina.site import Site

CRISIS = "/connector/v4/identity-crisis"
CONNECTION = "/connector/v4/connection"


@pytest.mark.parametrize(
    ("url", "plain"),
    [
        ("https://www.shop.example/en/", "shop.example/en"),
        ("http://shop.example:8080", "shop.example"),
        ("shop.example/it", "shop.example/it"),
    ],
)
def test_addresses_are_compared_without_what_may_differ(url: str, plain: str) -> None:
    assert identity.plain(url) == plain


def moved(site: Stand, folder: Path, url: str) -> Stand:
    """Return the same database, served under another address."""
    settings = Settings(secret=SECRET, url=url, database=site.site.frame.settings.database)
    return Stand(Site(profile(), settings, folder, durable=False))


@pytest.mark.every_database
def test_a_moved_site_goes_into_safe_mode_and_hands_nothing_out(
    site: Stand, service: Service, admin: Client, tmp_path: Path
) -> None:
    admin.post("/cms/v2/posts", {"title": "Before", "status": "publish"})
    copy = moved(site, tmp_path, "https://copy.example")
    there = copy.client("admin")
    assert there.get(CONNECTION).json["isStaging"] is True
    assert admin.get(CONNECTION).json["isStaging"] is False
    assert there.get("/connector/v4/sync/status").json["queue_size"] == 0
    assert there.post("/connector/v4/sync/checkout", {"queue": "sync", "number_of_items": 5}).code == "queue_size"
    details = there.get("/connector/v4/sync/status", query={"fields": "debug_details"}).json["debug_details"]
    assert details["in_safe_mode"] is True
    # The first way out: it stays, and says so once.
    assert there.post(f"{CRISIS}/confirm-safe-mode").json == {"code": "success"}
    assert there.post(f"{CRISIS}/confirm-safe-mode").code == "error_setting_connector_safe_mode"
    assert there.get(CONNECTION).json["isStaging"] is True
    # The second: the connection moves along, and no change was lost.
    assert there.post(f"{CRISIS}/migrate").json == {"code": "success"}
    assert there.get(CONNECTION).json["isStaging"] is False
    with copy.site.work(read=True) as work:
        assert identity.told(work)["migrate_for_idc"] == "1"
        assert queue.queue_size(work) > 0
    copy.site.close()


def test_the_service_may_tell_of_the_crisis(site: Stand, service: Service, anyone: Client) -> None:
    assert anyone.get(CONNECTION).json["isStaging"] is False
    told = {"error_code": "connector_url_mismatch", "wpcom_home": "https://old.example", "wpcom_siteurl": "x"}
    with site.site.work() as work:
        identity.heard(work, {"idc_detected": {**told, "error_code": "other"}})
        assert not identity.in_crisis(work)
        identity.heard(work, {"idc_detected": told})
        assert identity.in_crisis(work)
        # Search and replace over a database must not find it.
        assert "old.example" not in str(work.memo)
    # Answers to strangers are kept; this one must not be kept too long.
    assert anyone.get(CONNECTION).json["isStaging"] is True
    with site.site.work() as work:
        identity.heard(work, {"migrated_for_idc": True})
    assert anyone.get(CONNECTION).json["isStaging"] is False


def test_the_secret_of_an_address(site: Stand, service: Service, anyone: Client) -> None:
    assert service.get(f"{CRISIS}/url-secret").code == "missing_url_secret"
    secret = service.get(f"{CRISIS}/idc-url-validation").json["url_secret"]
    kept = service.get(f"{CRISIS}/url-secret").json["data"]
    assert kept["secret"] == secret
    assert kept["expires_at"].isdecimal()
    assert anyone.post(f"{CRISIS}/compare-url-secret", {"secret": secret}).code == "invalid_connection_status"


def test_a_secret_is_compared_while_the_site_is_not_registered(site: Stand, anyone: Client) -> None:
    with site.site.work() as work:
        secret = identity.new_secret(work)
    compared = anyone.post(f"{CRISIS}/compare-url-secret", {"secret": secret})
    assert compared.json == {"code": "success", "match": True}
    assert anyone.post(f"{CRISIS}/compare-url-secret", {"secret": "wrong"}).json["match"] is False


def test_a_moved_site_tells_the_service_or_begins_anew(tmp_path: Path) -> None:
    folder = founded(tmp_path / "site")
    with PeerProcess(tmp_path / "peer.sqlite") as peer:
        with SiteProcess(folder, peer.url) as site:
            registered(site)
        # The same database answers as another site.
        with SiteProcess(folder, peer.url, "--set", "url=http://localhost") as site:
            assert site.rest("GET", CONNECTION)[1]["isStaging"] is True
            assert site.rest("POST", f"{CRISIS}/migrate")[0] == 200
            assert site.rest("POST", "/cms/v2/posts", {"title": "After", "status": "publish"})[0] == 201
            assert site.rest("POST", "/connector/v4/sync/now", {"queue": "sync"})[1] == {"response": True}
            (known,) = peer.post("/sites")
            assert known["home"].startswith("http://localhost")
        with SiteProcess(folder, peer.url, "--set", "url=http://copy.localhost") as site:
            assert site.rest("GET", CONNECTION)[1]["isStaging"] is True
            # Nothing listens where this copy says it is, so the service cannot verify it; the old tokens are gone.
            status, told = site.rest("POST", f"{CRISIS}/start-fresh", {})
            assert (status, told["code"]) == (424, "verification_failed")
            assert site.rest("GET", CONNECTION)[1]["isStaging"] is False
            assert site.rest("GET", CONNECTION)[1]["isRegistered"] is False


def test_a_notice_stands_in_front_of_every_answer(tmp_path: Path, site: Stand) -> None:
    told = msgspec.structs.replace(profile(), notice_prefix="<br />\n<b>Notice</b>")
    noisy = Site(told, Settings(secret=SECRET), tmp_path, durable=False)
    answer = Stand(noisy).client("admin").get(CONNECTION)
    noisy.close()
    assert answer.content.startswith(b"<br />\n<b>Notice</b>{")
    assert answer.headers["content-length"] == str(len(answer.content))
    assert answer.headers["content-type"] == "application/json; charset=UTF-8"
