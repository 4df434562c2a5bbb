"""Signed requests: the test values of the interface, and that no changed, late or repeated one is taken."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import Client, SetClock, Stand
from connector.conftest import SITE_TOKEN, Service
from vetrina.domain.connector import state
from vetrina.kernel import signing
from vetrina.kernel.checksums import row_sum, total
from vetrina.kernel.packing import Unreadable, packed, unpacked

STATUS = "/connector/v4/sync/status"
CHECK = "/connector/v4/connection/check"


def signature_of(url: str) -> str:
    return dict(parse_qsl(url.partition("?")[2]))["signature"]


def test_the_values_of_the_interface_come_out() -> None:
    made: dict[str, Any] = {"timestamp": 1700000000, "nonce": "abcdefghij"}
    base = "shop.example.org/en/cms-json/connector/v4"
    get = signing.signed_url(f"http://{base}/connection/check", SITE_TOKEN, 0, "GET", **made)
    body = b'{"status":"in_sync"}'
    post = signing.signed_url(f"https://{base}/sync/health", SITE_TOKEN, 0, "POST", body, **made)
    assert signature_of(get) == "gWabYZ16T590pziD9BtGfLfA41w="
    assert signing.body_hash(body) == "MZAINE7GVjeF7PI/eeqHfoNlMB8="
    assert signature_of(post) == "kZKS5M7y/OCNLBZEh89DuTjG7TE="
    assert 'signature="7TLHf3W8M/OGWbLnk5FJGij08I8="' in signing.proof(SITE_TOKEN, 0, **made)
    assert signing.role_scope(SITE_TOKEN, "administrator", 1) == "administrator:a22fed6b654557c6f1412931ab4f0b90"
    assert packed([]) == "i44FAA=="
    assert row_sum(["2026-11-21 03:44:58"]) == 1576666225


def test_groups_of_parameters_are_signed_with_their_brackets() -> None:
    text = signing.normalised("K:1:0", "1", "n", "", "get", "http://a.example:8080/x", {"z": ["1 2"], "b": "c/d"})
    assert text.splitlines()[4:] == ["GET", "a.example:8080", "8080", "/x", "b=c%2Fd", "z[0]=1%202"]


def test_what_is_packed_comes_back_and_other_text_is_refused() -> None:
    assert unpacked(packed({"è": [1, None, "/"]})) == {"è": [1, None, "/"]}
    with pytest.raises(Unreadable):
        unpacked("no such thing")
    assert total([["a"], [None, "b"]]) == row_sum(["a"]) + row_sum(["b"])


def test_the_sites_own_token_opens_what_is_the_services(service: Service) -> None:
    assert service.get(CHECK).json == {"status": "success"}
    assert service.post("/connector/v4/sync/health", {"status": "in_sync"}).json == {"success": "in_sync"}
    # To the routes of content the service is nobody.
    assert service.get("/cms/v2/users/me").code == "rest_not_logged_in"
    assert service.get("/cms/v2/posts").status == 200


def test_an_accounts_token_signs_that_account_in(site: Stand, service: Service) -> None:
    own = Service(site.site, "USERKEY.USERSECRET", 1)
    assert own.get("/cms/v2/users/me").json["slug"] == "admin"
    assert own.post("/connector/v4/user-token", {"user_token": "a.b.1"}).code == "invalid_permission_update_user_token"


@pytest.mark.parametrize("path", [CHECK, "/connector/v4/connection", "/cms/v2/posts"])
def test_a_request_is_taken_once(service: Service, path: str) -> None:
    target = service.target("GET", path)
    assert service.send("GET", target).status == 200
    again = service.send("GET", target)
    assert (again.status, again.code) == (400, "rest_invalid_signature")


@pytest.mark.every_database
def test_a_nonce_is_used_up_even_by_a_wrong_signature(service: Service) -> None:
    target = service.target("GET", CHECK, nonce="abcdefghij")
    assert service.send("GET", target[:-8] + "AAAAAA%3D").code == "rest_invalid_signature"
    assert service.send("GET", target).code == "rest_invalid_signature"


@pytest.mark.parametrize(("moved", "taken"), [(-590, True), (-610, False), (290, True), (320, False)])
def test_a_signature_holds_for_a_while(service: Service, moved: int, taken: bool) -> None:
    answer = service.get(CHECK, timestamp=int(time.time()) + moved)
    assert (answer.status == 200) is taken


def test_clocks_that_differ_are_set_off(site: Stand, service: Service, clock: SetClock) -> None:
    with site.site.work() as work:
        state.put(work, "time_diff", 7200)
    assert service.get(CHECK).code == "rest_invalid_signature"
    assert service.get(CHECK, timestamp=int(time.time()) + 7200).status == 200


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_other_methods_cannot_be_signed(service: Service, method: str) -> None:
    target = service.target(method, "/connector/v4/sync/locks")
    assert service.send(method, target).code == "rest_invalid_request"


def test_a_get_with_a_body_cannot_be_signed(service: Service) -> None:
    target = service.target("GET", CHECK, b"{}")
    assert service.send("GET", target, b"{}").code == "rest_invalid_request"


def test_without_its_mark_a_signature_is_nothing(service: Service) -> None:
    target = service.target("GET", CHECK).replace("_for=connector", "_for=other")
    assert service.send("GET", target).code == "invalid_permission_connection_check"


def test_what_went_wrong_can_be_asked_for_once_it_is_known(site: Stand, service: Service, anyone: Client) -> None:
    service.send("GET", service.target("GET", CHECK, timestamp=1))
    with site.site.work(read=True) as work:
        (found,) = state.get(work, "error_log")["invalid_signature"].values()
    assert found["error_data"]["token"] == "KEYKEYKEY1:1:0"
    assert anyone.post("/connector/v4/verify_xmlrpc_error", {"nonce": found["nonce"]}).json is True
    assert anyone.post("/connector/v4/verify_xmlrpc_error", {"nonce": "abcdef"}).json is False


def test_tokens_lie_sealed_in_the_database(site: Stand, service: Service, tmp_path: Path) -> None:
    site.site.database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = (tmp_path / "site.sqlite").read_bytes()
    assert b"SECRETSECRETSECRET" not in content
    assert b"USERSECRET" not in content


# What of a request an attacker may change: a member of its query, its method, its path, its body.
MUTATIONS = st.one_of(
    st.tuples(
        st.sampled_from(("token", "timestamp", "nonce", "body-hash", "signature", "fields")), st.text(max_size=12)
    ),
    st.tuples(st.just("drop"), st.sampled_from(("token", "timestamp", "nonce", "body-hash", "signature"))),
    st.tuples(st.just("add"), st.text(min_size=1, max_size=8)),
    st.tuples(st.just("flip"), st.integers(0, 27)),
    st.tuples(st.just("path"), st.sampled_from(("/connector/v4/sync/settings", CHECK))),
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mutation=MUTATIONS)
def test_a_changed_request_is_refused(service: Service, mutation: tuple[str, Any]) -> None:
    target = service.target("GET", STATUS, query={"fields": "debug_details"})
    path, _, query = target.partition("?")
    sent = dict(parse_qsl(query, keep_blank_values=True))
    changed, (what, value) = dict(sent), mutation
    if what == "drop":
        del changed[value]
    elif what == "add":
        changed[value] = changed.get(value, "") + "x"
    elif what == "flip":
        letter = changed["signature"][value]
        changed["signature"] = (
            changed["signature"][:value] + ("A" if letter != "A" else "B") + sent["signature"][value + 1 :]
        )
    elif what == "path":
        path = f"/en/cms-json{value}"
    else:
        changed[what] = value
    answer = service.send("GET", f"{path}?{urlencode(changed)}")
    if changed == sent and what != "path":
        assert answer.status == 200
    else:
        assert answer.code in {"rest_invalid_signature", "invalid_user_permission_sync", "rest_invalid_request"}
        assert answer.status in (400, 401)
