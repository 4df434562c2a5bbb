"""The connection: accounts at the service, its debugger, token locks, the heartbeat."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from conftest import ORIGIN, Answer, Client, SetClock, Stand, exchange
from connector.conftest import SECRET, SERVICE_URL, SITE_TOKEN, Service, profile
from connector.processes import founded
from connector.service_stand_in import ServiceStandIn
from vetrina.cli import connector_lock
from vetrina.connector import stored_values
from vetrina.connector.connection import heartbeat, signing, state as connection_state, token_lock
from vetrina.service_settings import ConnectorService
from vetrina.settings import Settings, load_profile, load_settings
from vetrina.site import Site
from vetrina.system import job_runner

CONNECTION = "/connector/v4/connection"
TOLD = {"ID": 77, "login": "far", "email": "far@example.org", "display_name": "Far", "secret": "never kept"}


# -- accounts of the service


def test_the_account_of_the_service_is_asked_for_once_a_day(
    service: Service, admin: Client, remote: ServiceStandIn, clock: SetClock
) -> None:
    remote.answers["/user"] = TOLD
    for _ in range(2):
        found = admin.get(f"{CONNECTION}/data").json["currentUser"]["wpcomUser"]
    assert {name: found[name] for name in ("ID", "login", "email", "display_name")} == {
        "ID": 77, "login": "far", "email": "far@example.org", "display_name": "Far",
    }  # fmt: skip
    assert "s=64" in found["avatar"]
    assert "secret" not in found
    assert len(remote.of("/user")) == 1
    clock.forward(86_401)
    remote.answers["/user"] = {**TOLD, "display_name": "New"}
    assert admin.get(f"{CONNECTION}/data").json["currentUser"]["wpcomUser"]["display_name"] == "New"


def test_a_service_that_is_silent_is_not_asked_each_time(
    service: Service, admin: Client, editor: Client, remote: ServiceStandIn
) -> None:
    for _ in range(2):
        assert admin.get(f"{CONNECTION}/data").json["currentUser"]["wpcomUser"] == {"avatar": False}
    assert len(remote.of("/user")) == 1
    # An account that is not connected is unknown there.
    assert editor.get(f"{CONNECTION}/data").json["currentUser"]["wpcomUser"] == {"avatar": False}
    assert len(remote.of("/user")) == 1


@pytest.mark.parametrize(("email", "mismatched"), [("editor", True), ("admin", False), ("nobody", False)])
def test_an_account_whose_other_side_is_somebody_else_here_is_told(
    service: Service, admin: Client, remote: ServiceStandIn, email: str, mismatched: bool
) -> None:
    known = {one["slug"]: one["email"] for one in admin.get("/cms/v2/users", query={"context": "edit"}).json}
    remote.answers["/user"] = {**TOLD, "email": known.get(email, "nobody@example.org")}
    found = admin.get(f"{CONNECTION}/data").json["currentUser"]["possibleAccountErrors"]
    if not mismatched:
        assert found == []
        return
    assert found["mismatch"]["type"] == "mismatch"
    assert found["mismatch"]["details"] == {"site_email": known["admin"], "wpcom_email": known["editor"]}


def test_what_is_known_of_an_account_goes_with_its_token(
    site: Stand, service: Service, admin: Client, remote: ServiceStandIn
) -> None:
    remote.answers |= {"/user": TOLD, "/deregister": {}}
    admin.get(f"{CONNECTION}/data")
    assert admin.post(CONNECTION, {"isActive": False}).json == {"code": "success"}
    with site.site.work(read=True) as work:
        left = stored_values.load_values(work)
    assert not [name for name in left if name.startswith("account_")]
    assert left["unique_connection"]["disconnected"] == 1
    assert "sync_settings" not in left
    assert left["id"] == 42


# -- calls to the service


def test_calls_are_signed_twice_and_say_scalars_as_text(
    service: Service, admin: Client, remote: ServiceStandIn
) -> None:
    remote.answers["/switch-owner"] = {"ok": True}
    other = admin.post(
        "/cms/v2/users",
        {"username": "two", "email": "two@example.org", "password": "very long", "roles": ["administrator"]},
    ).json["id"]
    assert service.post("/connector/v4/user-token", {"user_token": f"A.B.{other}"}).json == {"success": True}
    assert admin.post(f"{CONNECTION}/owner", {"owner": other}).json == {"code": "success"}
    (call,) = remote.of("/switch-owner")
    assert call.json == {"new_owner": str(other)}
    said = call.headers["Authorization"]
    assert said.startswith('X_CONNECTOR token="USERKEY:1:1" timestamp="')
    assert f'signature="{call.query["signature"]}" version="' in said
    assert call.query["body-hash"] == signing.hash_body(call.body)
    assert call.query["idc"] == "1"


@pytest.mark.parametrize(
    "number", ["0", "x", "9007199254740992", "1" + "0" * 30], ids=["none", "a word", "2^53", "huge"]
)
def test_a_token_names_an_account_that_can_be(service: Service, number: str) -> None:
    answer = service.post("/connector/v4/user-token", {"user_token": f"A.B.{number}"})
    assert answer.status in (400, 404), answer.json


REGISTERED = {"connector_id": 42, "connector_secret": "NEWKEY.NEWSECRET"}


@pytest.mark.parametrize(
    ("site_good", "own_good", "status", "asked"),
    [
        (True, True, "in_progress", "/register"), (False, False, "in_progress", "/register"),
        (False, True, "completed", "/refresh-blog-token"), (True, False, "in_progress", ""),
    ],
)  # fmt: skip
def test_a_connection_is_mended_where_it_is_broken(
    site: Stand, service: Service, admin: Client, remote: ServiceStandIn,
    site_good: bool, own_good: bool, status: str, asked: str,
) -> None:  # fmt: skip
    health = {"blog_token": {"is_healthy": site_good}, "user_token": {"is_healthy": own_good}}
    remote.answers |= {"/token-health": health, "/register": REGISTERED, "/deregister": {},
                       "/refresh-blog-token": {"connector_secret": "NEWKEY.NEWSECRET"}}  # fmt: skip
    told = admin.post(f"{CONNECTION}/reconnect", {}).json
    assert told["status"] == status
    assert ("authorizeUrl" in told) is (status == "in_progress")
    proof = remote.of("/token-health")[0].json["blog_token"]
    assert proof.startswith('token="KEYKEYKEY1:1:0" timestamp="')
    assert bool(remote.of(asked)) is bool(asked)
    with site.site.work(read=True) as work:
        assert connection_state.get_site_token(work) == ("NEWKEY.NEWSECRET" if asked else SITE_TOKEN)
        assert bool(connection_state.get_user_token(work, 1)) is (own_good and not site_good)


def test_a_site_without_accounts_registers_anew(
    site: Stand, service: Service, admin: Client, remote: ServiceStandIn
) -> None:
    with site.site.work() as work:
        stored_values.delete_values(work, "user_tokens", "master_user")
    remote.answers |= {"/register": REGISTERED, "/deregister": {}}
    assert admin.post(f"{CONNECTION}/reconnect", {}).json == {"status": "completed"}
    assert remote.of("/token-health") == []
    (call,) = remote.of("/register")
    assert call.json["site_created"]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (None, "register_http_request_failed"), ((502, {}, {}), "wpcom_5??"), ((408, {}, {}), "wpcom_408"),
        ((403, {"error": "not_you", "error_description": "No."}, {}), "not_you"), ((302, {}, {}), "wpcom_bad_response"),
        ({"connector_id": "x", "connector_secret": "A.B"}, "connector_id"), ({"connector_id": 5}, "connector_secret"),
        ({"connector_id": [5], "connector_secret": "A.B"}, "connector_id"),
        ({"connector_id": 5, "connector_secret": "A.B.C"}, "connector_secret"),
    ],
)  # fmt: skip
def test_a_registration_that_fails_says_why(
    site: Stand, admin: Client, remote: ServiceStandIn, answer: Any, code: str
) -> None:
    remote.answers["/register"] = answer
    told = admin.post(f"{CONNECTION}/register", {})
    assert (told.status, told.code) == (424, code)
    assert admin.get(CONNECTION).json["isRegistered"] is False


# -- the debugger

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PEM = KEY.public_key().public_bytes(
    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
).decode()  # fmt: skip
PLUGINS = "/connector/v4/connection/plugins"


def debugged(site: Site, changed: dict[str, str] | None = None, digest: Any = None, at: int = 0) -> Answer:
    """Request the plugins as the debugger; changed: query members changed after signing."""
    sent = {"rest_route": PLUGINS, "timestamp": int(time.time()) + at, "url": f"{ORIGIN}/en"}
    text = json.dumps(sent, separators=(",", ":")).replace("/", "\\/").encode()
    signature = base64.b64encode(KEY.sign(text, padding.PKCS1v15(), digest or hashes.SHA1())).decode()
    query = {**{name: str(value) for name, value in sent.items()}, "signature": signature, **(changed or {})}
    path = (changed or {}).get("path", PLUGINS)
    status, pairs, content = exchange(site, "GET", f"/en/cms-json{path}?{urlencode(query)}")
    return Answer(status, {name.lower(): value for name, value in pairs}, content)


@pytest.fixture
def debugged_site(site: Stand, service: Service, tmp_path: Any, clock: SetClock) -> Any:
    told = msgspec.structs.replace(profile(), connector=ConnectorService(SERVICE_URL, debugger_key=PEM))
    database = site.site.context.settings.database
    made = Site(told, Settings(secret=SECRET, database=database, url=ORIGIN), tmp_path, clock=clock, durable=False)
    yield made
    made.close()


def test_the_debugger_sees_the_plugins(debugged_site: Site, site: Stand) -> None:
    assert debugged(debugged_site).json[0]["slug"] == "shop-payments"
    assert debugged(debugged_site, digest=hashes.SHA256()).status == 200
    # Without a key in the profile there is no debugger.
    assert debugged(site.site).code == "invalid_user_permission_activate_plugins"


@pytest.mark.parametrize(
    "changed",
    [
        {"signature": "AAAA"}, {"signature": "no base64"}, {"timestamp": "0"}, {"timestamp": "\u0661"},
        {"url": "https://other.example"}, {"rest_route": "/connector/v4/connection"}, {"url": "http://[broken"},
    ],
)  # fmt: skip
def test_what_was_changed_is_not_the_debuggers(debugged_site: Site, changed: dict[str, str]) -> None:
    answer = debugged(debugged_site, changed)
    assert (answer.status, answer.code) == (401, "invalid_user_permission_activate_plugins")


@pytest.mark.parametrize(("at", "status"), [(-290, 200), (-310, 401), (290, 200), (320, 401)])
def test_the_debuggers_time_is_short(debugged_site: Site, at: int, status: int) -> None:
    assert debugged(debugged_site, at=at).status == status


def test_the_debugger_is_nobody_elsewhere(debugged_site: Site) -> None:
    assert debugged(debugged_site, {"path": "/connector/v4/heartbeat/data"}).status == 401


# -- a lock on tokens


@pytest.mark.every_database
def test_a_copied_database_has_no_tokens(site: Stand, service: Service, tmp_path: Any, clock: SetClock) -> None:
    with site.site.work() as work:
        token_lock.lock_tokens(work, 3600)
        assert connection_state.get_site_token(work)
    assert service.get(f"{CONNECTION}/check").status == 200
    settings = Settings(secret=SECRET, url="https://copy.example", database=site.site.context.settings.database)
    copy = Site(profile(), settings, tmp_path, clock=clock, durable=False)
    with copy.work(read=True) as work:
        assert not connection_state.is_registered(work)
        assert connection_state.load_user_tokens(work) == {}
    with copy.work() as work:
        assert not connection_state.is_registered(work)
    copy.close()
    # Reading them there removed them for good.
    with site.site.work(read=True) as work:
        assert not connection_state.is_registered(work)
        assert stored_values.get_value(work, "blog_token") is None


def test_a_lock_at_home_shuts_nothing_and_goes_by_itself(site: Stand, service: Service, clock: SetClock) -> None:
    with site.site.work() as work:
        token_lock.lock_tokens(work, 60)
    clock.forward(61)
    with site.site.work() as work:
        assert connection_state.is_registered(work)
        assert stored_values.get_value(work, "token_lock") is None


# -- the heartbeat


def beaten(site: Stand) -> None:
    consumer = job_runner.build_consumer(site.site.context, site.site.database)
    consumer.run_due_jobs()


@pytest.mark.every_database
def test_a_heartbeat_is_sent_once_a_day(
    site: Stand, service: Service, admin: Client, remote: ServiceStandIn, clock: SetClock
) -> None:
    remote.answers["/heartbeat"] = {"ok": True}
    beaten(site)
    beaten(site)
    (call,) = remote.of("/heartbeat")
    assert set(call.json) == {"v2-standalone-connection", "v2-connector_package_versions"}
    assert call.query["token"] == "KEYKEYKEY1:1:0"
    clock.forward(22 * 3600)
    beaten(site)
    assert len(remote.of("/heartbeat")) == 1
    clock.forward(2 * 3600)
    del remote.answers["/heartbeat"]  # a failed one counts too
    beaten(site)
    beaten(site)
    assert len(remote.of("/heartbeat")) == 2
    with site.site.work(read=True) as work:
        assert 0 <= work.now - stored_values.get_value(work, heartbeat.LAST) < 60


def test_a_site_that_is_not_registered_has_no_heartbeat(site: Stand, remote: ServiceStandIn, admin: Client) -> None:
    beaten(site)
    assert remote.asked == []
    assert admin.get("/connector/v4/heartbeat/data").json == []


# -- what everybody sees


def test_the_site_says_whether_search_engines_may_list_it(site: Stand, anyone: Client) -> None:
    assert anyone.get(CONNECTION).json["isPublic"] is True
    with site.site.work() as work:
        work.set_option("blog_public", False)
    assert anyone.get(CONNECTION).json["isPublic"] is False
    status, _, content = exchange(site.site, "GET", "/robots.txt")
    assert (status, content) == (200, b"User-agent: *\nDisallow: /\n")


def test_the_lock_is_a_command(tmp_path: Path) -> None:
    folder = founded(tmp_path / "site")
    run = CliRunner()
    assert "24 hours" in run.invoke(connector_lock.command, ["--site", str(folder)]).output
    stored = Site(load_profile("second"), load_settings(folder), folder)
    with stored.work(read=True) as work:
        assert "|||" in stored_values.get_value(work, "token_lock")
    assert "not locked" in run.invoke(connector_lock.command, ["--site", str(folder), "--hours", "0"]).output
    with stored.work(read=True) as work:
        assert stored_values.get_value(work, "token_lock") is None
    stored.close()
