"""Identity crisis: detection, safe mode, its three resolutions, and the notice in front of responses."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from conftest import Client, SetClock, Stand
from connector.conftest import SECRET, SITE_TOKEN, Service, profile
from connector.processes import PeerProcess, SiteProcess, founded
from connector.service_stand_in import ServiceStandIn
from connector.test_killed_sync import registered
from vetrina.connector import stored_values
from vetrina.connector.connection.signing import sign_url
from vetrina.connector.identity import rules as identity
from vetrina.connector.sync import queue as sync_queue
from vetrina.kernel.keys import generate_letters
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
    assert identity.normalize_address(url) == plain


def moved(site: Stand, folder: Path, url: str, remote: ServiceStandIn | None = None) -> Stand:
    """Return the same database, served under another URL."""
    settings = Settings(secret=SECRET, url=url, database=site.site.context.settings.database)
    return Stand(Site(profile(), settings, folder, durable=False, outbound=remote))


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
    # The first resolution: stay, confirmed once.
    assert there.post(f"{CRISIS}/confirm-safe-mode").json == {"code": "success"}
    assert there.post(f"{CRISIS}/confirm-safe-mode").code == "error_setting_connector_safe_mode"
    assert there.get(CONNECTION).json["isStaging"] is True
    # The second: the connection is migrated, and no change was lost.
    assert there.post(f"{CRISIS}/migrate").json == {"code": "success"}
    assert there.get(CONNECTION).json["isStaging"] is False
    with copy.site.work(read=True) as work:
        assert identity.build_address_parameters(work)["migrate_for_idc"] == "1"
        assert sync_queue.count_waiting_changes(work) > 0
    copy.site.close()


@pytest.mark.every_database
def test_a_site_that_moved_back_is_in_no_crisis(site: Stand, service: Service, admin: Client, tmp_path: Path) -> None:
    copy = moved(site, tmp_path, "https://copy.example")
    with copy.site.work(read=True) as work:
        found = identity.find_crisis(work)
    assert found is not None
    assert (found["home"], found["wpcom_home"]) == (
        "copy.example/en",
        identity.normalize_address(f"{site.site.context.origin}/en"),
    )
    assert copy.client("admin").post(f"{CRISIS}/migrate").json == {"code": "success"}
    # Now the old URL is the wrong one.
    assert admin.get(CONNECTION).json["isStaging"] is True
    assert copy.client("admin").get(CONNECTION).json["isStaging"] is False
    assert admin.post(f"{CRISIS}/migrate").json == {"code": "success"}
    assert admin.post(f"{CRISIS}/migrate").json == {"code": "success"}
    assert admin.get(CONNECTION).json["isStaging"] is False
    copy.site.close()


def test_the_third_way_out_is_another_site(
    site: Stand, service: Service, tmp_path: Path, remote: ServiceStandIn
) -> None:
    copy = moved(site, tmp_path, "https://copy.example", remote)
    there = copy.client("admin")
    there.post(f"{CRISIS}/confirm-safe-mode")
    there.post("/connector/v4/sync/settings", {"upload_max_rows": 7})
    # The service does not respond: the site is disconnected, without an owner.
    failed = there.post(f"{CRISIS}/start-fresh", {})
    assert (failed.status, failed.code) == (424, "register_http_request_failed")
    assert there.get(CONNECTION).json["isRegistered"] is False
    assert there.get(CONNECTION).json["isStaging"] is False
    assert there.get("/connector/v4/sync/settings").json["upload_max_rows"] == 500
    remote.answers["/register"] = {"connector_id": 43, "connector_secret": "NEW.SECRET", "connector_public": 1}
    address = there.post(f"{CRISIS}/start-fresh", {"redirect_uri": "admin.php?page=x"}).json
    assert "client_id=43&" in address
    # The service was never told that the old site disconnects, nor who this one was.
    assert remote.of("/deregister") == []
    assert ["persistent_blog_id" in call.json for call in remote.of("/register")][-1:] == [False]
    assert not any("persistent_blog_id" in call.json for call in remote.of("/register"))
    told = there.get(CONNECTION).json
    assert (told["isRegistered"], told["isStaging"], told["isActive"]) == (True, False, False)
    # The earlier confirmation is deleted.
    assert there.post(f"{CRISIS}/confirm-safe-mode").json == {"code": "success"}
    copy.site.close()


def test_without_a_crisis_the_service_is_told_of_the_new_beginning(
    service: Service, admin: Client, remote: ServiceStandIn
) -> None:
    remote.answers |= {"/deregister": {}, "/register": {"connector_id": 43, "connector_secret": "NEW.SECRET"}}
    assert "client_id=43&" in admin.post(f"{CRISIS}/start-fresh", {}).json
    assert len(remote.of("/deregister")) == 1


@pytest.mark.parametrize(
    "code", ["connector_url_mismatch", "connector_home_url_mismatch", "connector_site_url_mismatch"]
)
def test_the_crisis_ends_when_the_service_has_it_right(
    site: Stand, service: Service, anyone: Client, code: str
) -> None:
    told = {"error_code": code, "wpcom_home": "https://old.example", "wpcom_siteurl": "https://old.example"}
    with site.site.work() as work:
        identity.record_address_answer(work, {"idc_detected": told})
        assert identity.is_in_crisis(work)
        home = f"https://www.{identity.normalize_address(stored_values.build_home_address(work))}/"
        identity.record_address_answer(work, {"idc_detected": {**told, "wpcom_home": home, "wpcom_siteurl": home}})
        assert not identity.is_in_crisis(work)
        assert identity.build_address_parameters(work)["migrate_for_idc"] == "1"
        identity.record_address_answer(work, {"migrated_for_idc": True})
        assert "migrate_for_idc" not in identity.build_address_parameters(work)


@pytest.mark.parametrize("path", ["confirm-safe-mode", "migrate", "start-fresh"])
def test_only_administrators_decide(service: Service, editor: Client, anyone: Client, path: str) -> None:
    for caller, status in ((editor, 403), (anyone, 401)):
        answer = caller.post(f"{CRISIS}/{path}", {})
        assert (answer.status, answer.code) == (status, "invalid_user_permission_identity_crisis")


def test_a_site_whose_host_is_a_number_says_so(site: Stand, service: Service, clock: SetClock) -> None:
    path = f"{CRISIS}/idc-url-validation"
    assert "ip_requester" not in service.get(path).json

    def asked(host: str) -> object:
        url = f"http://{host}/en/cms-json{path}"
        signed = sign_url(url, SITE_TOKEN, 0, "GET", timestamp=clock.now(), nonce=generate_letters(10))
        return service.send("GET", signed.removeprefix(f"http://{host}"), host=host).json["ip_requester"]

    for at in range(7):
        found = asked(f"10.0.0.{at}")
    assert found == [f"10.0.0.{at}" for at in range(2, 7)]
    clock.forward(301)
    assert asked("[2001:db8::1]") == ["2001:db8::1"]


def test_an_offline_site_makes_no_secret(site: Stand, service: Service, tmp_path: Path) -> None:
    settings = Settings(secret=SECRET, database=site.site.context.settings.database)
    offline = Site(profile(""), settings, tmp_path, durable=False)
    told = Service(offline).get(f"{CRISIS}/idc-url-validation").json
    assert set(told) == {"home", "siteurl", "offline_mode"}
    assert told["offline_mode"] == "1"
    offline.close()


def test_a_secret_lives_five_minutes(site: Stand, anyone: Client, clock: SetClock) -> None:
    with site.site.work() as work:
        secret = identity.create_url_secret(work)
    for given, match in ((secret, True), ("", False), (secret + "x", False)):
        assert anyone.post(f"{CRISIS}/compare-url-secret", {"secret": given}).json["match"] is match
    clock.forward(301)
    assert anyone.post(f"{CRISIS}/compare-url-secret", {"secret": secret}).json["match"] is False


def test_the_service_may_tell_of_the_crisis(site: Stand, service: Service, anyone: Client) -> None:
    assert anyone.get(CONNECTION).json["isStaging"] is False
    told = {"error_code": "connector_url_mismatch", "wpcom_home": "https://old.example", "wpcom_siteurl": "x"}
    with site.site.work() as work:
        identity.record_address_answer(work, {"idc_detected": {**told, "error_code": "other"}})
        assert not identity.is_in_crisis(work)
        identity.record_address_answer(work, {"idc_detected": told})
        assert identity.is_in_crisis(work)
        # Search and replace in a database must not find it.
        assert "old.example" not in str(work.lookups)
    # Anonymous responses are cached; this one must not be cached too long.
    assert anyone.get(CONNECTION).json["isStaging"] is True
    with site.site.work() as work:
        identity.record_address_answer(work, {"migrated_for_idc": True})
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
        secret = identity.create_url_secret(work)
    compared = anyone.post(f"{CRISIS}/compare-url-secret", {"secret": secret})
    assert compared.json == {"code": "success", "match": True}
    assert anyone.post(f"{CRISIS}/compare-url-secret", {"secret": "wrong"}).json["match"] is False


def test_a_moved_site_tells_the_service_or_begins_anew(tmp_path: Path) -> None:
    folder = founded(tmp_path / "site")
    with PeerProcess(tmp_path / "peer.sqlite") as peer:
        with SiteProcess(folder, peer.url) as site:
            registered(site)
        # The same database is served as another site.
        with SiteProcess(folder, peer.url, "--set", "url=http://localhost") as site:
            assert site.rest("GET", CONNECTION)[1]["isStaging"] is True
            assert site.rest("POST", f"{CRISIS}/migrate")[0] == 200
            assert site.rest("POST", "/cms/v2/posts", {"title": "After", "status": "publish"})[0] == 201
            assert site.rest("POST", "/connector/v4/sync/now", {"queue": "sync"})[1] == {"response": True}
            (known,) = peer.post("/sites")
            assert known["home"].startswith("http://localhost")
        with SiteProcess(folder, peer.url, "--set", "url=http://copy.localhost") as site:
            assert site.rest("GET", CONNECTION)[1]["isStaging"] is True
            # Nothing listens at this copy's URL, so the service cannot verify it; the old tokens are deleted.
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
