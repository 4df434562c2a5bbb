"""Signed requests: the test vectors of the interface, and rejection of changed, late and replayed requests.

Rules: docs/rules/connector_signatures.md, 4.
"""

from __future__ import annotations

import base64
import io
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from sqlalchemy import select

from conftest import ORIGIN, Client, SetClock, Stand, exchange
from connector.conftest import SECRET, SITE_TOKEN, Service, profile
from vetrina.backends.database import Statement
from vetrina.backends.tables.connector import connector_nonce
from vetrina.connector import stored_values
from vetrina.connector.connection import signing
from vetrina.connector.sync.codec import UndecodablePayload, decode_payload, encode_payload
from vetrina.kernel.checksums import compute_row_checksum, compute_table_checksum
from vetrina.kernel.keys import is_equal_secret
from vetrina.rest import query_strings
from vetrina.settings import Settings
from vetrina.site import Site
from watched_calls import watch_calls

STATUS = "/connector/v4/sync/status"
CHECK = "/connector/v4/connection/check"


def signature_of(url: str) -> str:
    return dict(parse_qsl(url.partition("?")[2]))["signature"]


def test_the_values_of_the_interface_come_out() -> None:
    made: dict[str, Any] = {"timestamp": 1700000000, "nonce": "abcdefghij"}
    base = "shop.example.org/en/cms-json/connector/v4"
    get = signing.sign_url(f"http://{base}/connection/check", SITE_TOKEN, 0, "GET", **made)
    body = b'{"status":"in_sync"}'
    post = signing.sign_url(f"https://{base}/sync/health", SITE_TOKEN, 0, "POST", body, **made)
    assert signature_of(get) == "gWabYZ16T590pziD9BtGfLfA41w="
    assert signing.hash_body(body) == "MZAINE7GVjeF7PI/eeqHfoNlMB8="
    assert signature_of(post) == "kZKS5M7y/OCNLBZEh89DuTjG7TE="
    assert 'signature="7TLHf3W8M/OGWbLnk5FJGij08I8="' in signing.build_token_proof(SITE_TOKEN, 0, **made)
    assert signing.build_role_scope(SITE_TOKEN, "administrator", 1) == "administrator:a22fed6b654557c6f1412931ab4f0b90"
    assert encode_payload([]) == "i44FAA=="
    assert compute_row_checksum(["2026-11-21 03:44:58"]) == 1576666225


@pytest.mark.parametrize("header", ["host", "x-forwarded-host", "x-forwarded-port"])
@pytest.mark.parametrize("form", ["vetrina.test{path}?", "vetrina.test{path}#", "x@vetrina.test{path}?", "80{path}?"])
@pytest.mark.parametrize("trusting", [False, True])
def test_a_signed_path_is_not_another_one_behind_the_host(
    site: Stand, service: Service, header: str, form: str, trusting: bool
) -> None:
    """The requested path is in the URL only, whatever a header makes of the host."""
    context = site.site.context
    settings = msgspec.structs.replace(context.settings, trust_proxy=trusting)
    behind = Site(context.profile, settings, site.site.folder)
    signed, _, words = service.target("GET", "/cms/v2/posts").partition("?")
    sent = {"host": "vetrina.test", header: form.format(path=signed)}
    status, _, content = exchange(behind, "GET", f"{service.root}{CHECK}?{words}", b"", sent)
    behind.close()
    assert (status, b"rest_invalid_signature" in content) == (400, True), content


def test_groups_of_parameters_are_signed_with_their_brackets() -> None:
    text = signing.build_signature_base(
        "K:1:0", "1", "n", "", "get", "http://a.example:8080/x", {"z": ["1 2"], "b": "c/d"}
    )
    assert text.splitlines()[4:] == ["GET", "a.example:8080", "8080", "/x", "b=c%2Fd", "z[0]=1%202"]


def test_what_is_packed_comes_back_and_other_text_is_refused() -> None:
    assert decode_payload(encode_payload({"è": [1, None, "/"]})) == {"è": [1, None, "/"]}
    with pytest.raises(UndecodablePayload):
        decode_payload("no such thing")
    assert compute_table_checksum([["a"], [None, "b"]]) == compute_row_checksum(["a"]) + compute_row_checksum(["b"])


def test_the_sites_own_token_opens_what_is_the_services(service: Service) -> None:
    assert service.get(CHECK).json == {"status": "success"}
    assert service.post("/connector/v4/sync/health", {"status": "in_sync"}).json == {"success": "in_sync"}
    # On the content routes the service is anonymous.
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
        stored_values.save_value(work, "time_diff", 7200)
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
        (found,) = stored_values.get_value(work, "error_log")["invalid_signature"].values()
    assert found["error_data"]["token"] == "KEYKEYKEY1:1:0"
    assert anyone.post("/connector/v4/verify_xmlrpc_error", {"nonce": found["nonce"]}).json is True
    assert anyone.post("/connector/v4/verify_xmlrpc_error", {"nonce": "abcdef"}).json is False


def test_tokens_lie_sealed_in_the_database(site: Stand, service: Service, tmp_path: Path) -> None:
    site.site.database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = (tmp_path / "site.sqlite").read_bytes()
    assert b"SECRETSECRETSECRET" not in content
    assert b"USERSECRET" not in content


@pytest.mark.in_process("it is watched")
def test_whoever_names_no_key_of_the_site_costs_the_same_and_writes_nothing(site: Stand, service: Service) -> None:
    counts: list[tuple[int, int]] = []
    wrong = (
        Service(site.site, "KEYKEYKEY1.WRONGWRONGWRONG"),
        Service(site.site, "NOBODYSKEY.SECRETSECRETSECRET"),
        Service(site.site, "USERKEY.WRONG", 1),
        Service(site.site, "USERKEY.WRONG", 9999),
    )
    targets = [one.target("GET", CHECK) for one in wrong]
    for target in targets:
        made, compared = list[int](), list[int]()
        with (
            watch_calls(signing.compute_signature, then=partial(made.append, 1)),
            watch_calls(is_equal_secret, then=partial(compared.append, 1)),
        ):
            assert service.send("GET", target).code == "rest_invalid_signature"
        counts.append((len(made), len(compared)))
    assert counts == [counts[0]] * 4
    assert counts[0] == (1, 3)
    with site.site.work(read=True) as work:
        rows = work.tx.all(Statement(select(connector_nonce.c.nonce)))
        codes = set(stored_values.get_value(work, "error_log"))
    assert len(rows) == 2  # of the two keys of the site
    assert codes == {"signature_mismatch", "no_valid_blog_token", "unknown_user"}


@pytest.mark.every_database
def test_of_many_at_once_one_is_taken(service: Service) -> None:
    target = service.target("GET", CHECK)
    with ThreadPoolExecutor(4) as pool:
        statuses = sorted(pool.map(lambda _: service.send("GET", target).status, range(4)))
    assert statuses == [200, 400, 400, 400]


def test_a_client_of_a_dialect_signs_its_own_names(site: Stand, service: Service, tmp_path: Path) -> None:
    speaking = msgspec.structs.replace(profile(), dialects=("neutral", "wordpress"))
    database = site.site.context.settings.database
    both = Site(speaking, Settings(secret=SECRET, database=database), tmp_path, durable=False)
    pairs = both.dialects[1].names.pairs  # type: ignore[union-attr]
    mark = pairs.plugins["connector"]
    path = f"/{pairs.namespaces['connector/v4']}/connection/check"
    url = signing.sign_url(
        f"{ORIGIN}/en/{pairs.url_prefix['cms-json']}{path}", SITE_TOKEN, 0, "GET",
        timestamp=int(time.time()), nonce="abcdefghij", mark=mark,
    )  # fmt: skip
    target = url.removeprefix(ORIGIN)
    assert exchange(both, "GET", target)[0] == 200
    assert exchange(both, "GET", target)[0] == 400
    both.close()


# -- files and forms


def multipart(parts: list[tuple[str, str, bytes]]) -> bytes:
    """Return a multipart body of (name, file name or nothing, content)."""
    out = b""
    for name, file, content in parts:
        told = f'; filename="{file}"' if file else ""
        out += f'--limit\r\nContent-Disposition: form-data; name="{name}"{told}\r\n\r\n'.encode() + content + b"\r\n"
    return out + b"--limit--\r\n"


FORM = "multipart/form-data; boundary=limit"
PICTURE = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")


def signed_form(site: Stand, hash_of: bytes, **fields: str) -> tuple[Service, str, list[tuple[str, str, bytes]]]:
    """Return the signer, the target and the parts of an upload; hash_of: the content claimed to be the file's."""
    own = Service(site.site, "USERKEY.USERSECRET", 1)
    told = signing.hash_file(io.BytesIO(hash_of), "USERSECRET", "salt")
    text = signing.format_form({**fields, "file": told})
    target = own.target("POST", "/cms/v2/media", text.encode())
    parts = [(name, "", value.encode()) for name, value in fields.items()]
    return own, target, [*parts, ("_connector_file_hmac_file", "", told.encode()), ("file", "a.gif", PICTURE)]


def test_a_file_is_taken_when_its_hash_is_signed(site: Stand, service: Service) -> None:
    own, target, parts = signed_form(site, PICTURE, title="A b~c", caption="ä/&=")
    answer = own.send("POST", target, multipart(parts), content_type=FORM)
    assert (answer.status, answer.json["title"]["raw"]) == (201, "A b~c")


@pytest.mark.parametrize("wrong", ["file", "field", "more", "hidden", "no hash", "no file", "whole"])
def test_a_changed_upload_is_refused(site: Stand, service: Service, wrong: str) -> None:
    own, target, parts = signed_form(site, b"another" if wrong == "file" else PICTURE, title="A", alt_text="B")
    kind = FORM
    if wrong == "field":
        parts[0] = ("title", "", b"Changed")
    elif wrong == "more":
        parts.append(("status", "", b"private"))
    elif wrong == "hidden":
        parts[1] = ("_connector_file_hmac_alt_text", "", b"B")
    elif wrong == "no hash":
        parts.append(("other", "b.gif", PICTURE))
    elif wrong == "no file":
        del parts[-1]
    body = multipart(parts)
    if wrong == "whole":
        kind, body = "image/gif", PICTURE
    before = len(own.get("/cms/v2/media").json)
    answer = own.send("POST", target, body, content_type=kind, content_disposition='attachment; filename="a.gif"')
    assert answer.code == "rest_invalid_signature"
    assert len(own.get("/cms/v2/media").json) == before


def test_a_body_that_is_a_file_is_signed_as_it_is(site: Stand, service: Service) -> None:
    own = Service(site.site, "USERKEY.USERSECRET", 1)
    named = {"content_type": "image/gif", "content_disposition": 'attachment; filename="a.gif"'}
    target = own.target("POST", "/cms/v2/media", PICTURE)
    assert own.send("POST", target, PICTURE, **named).status == 201
    empty = own.target("POST", "/cms/v2/media")
    assert own.send("POST", empty, PICTURE, **named).code == "rest_invalid_signature"


def test_forms_are_signed_by_their_fields_on_every_route(service: Service) -> None:
    text = signing.format_form({"status": "in_sync", "a": {"0": "x y"}}).encode()
    parts = [("status", "", b"in_sync"), ("a[]", "", b"x y")]
    target = service.target("POST", "/connector/v4/sync/health", text)
    assert service.send("POST", target, multipart(parts), content_type=FORM).json == {"success": "in_sync"}
    target = service.target("POST", "/connector/v4/sync/health", text)
    parts[0] = ("status", "", b"out_of_sync")
    assert service.send("POST", target, multipart(parts), content_type=FORM).code == "rest_invalid_signature"


# -- what an attacker may change of a request that he has seen

HEALTH = "/connector/v4/sync/health"
SIGNED = ("_for", "token", "timestamp", "nonce", "body-hash", "signature", "fields", "status")
WORDS = st.one_of(
    st.text(max_size=12), st.sampled_from(("0", "1", "KEYKEYKEY1:1:1", "USERKEY:1:1", "KEYKEYKEY1:1:00", "", "=", "\0"))
)
MUTATIONS = st.one_of(
    st.tuples(st.just("set"), st.sampled_from(SIGNED), WORDS),
    st.tuples(st.just("drop"), st.sampled_from(SIGNED), st.none()),
    st.tuples(st.just("again"), st.sampled_from(SIGNED), WORDS),
    st.tuples(st.just("list"), st.sampled_from(SIGNED), WORDS),
    st.tuples(st.just("add"), st.text(min_size=1, max_size=8), WORDS),
    st.tuples(st.just("flip"), st.sampled_from(("signature", "body-hash", "nonce", "timestamp")), st.integers(0, 27)),
    st.tuples(st.just("case"), st.sampled_from(SIGNED), st.none()),
    st.tuples(st.just("space"), st.sampled_from(SIGNED), st.sampled_from((" ", "\n", "\0", "\u0660"))),
    st.tuples(st.just("late"), st.sampled_from((-1, 1, -601, 301)), st.none()),
    st.tuples(st.just("path"), st.sampled_from(("/connector/v4/sync/settings", CHECK, HEALTH + "/")), st.none()),
    st.tuples(st.just("body"), st.binary(max_size=20), st.booleans()),
    st.tuples(st.just("method"), st.sampled_from(("GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")), st.none()),
    st.tuples(st.just("host"), st.sampled_from(("other.example", "vetrina.test:8080", "vetrina.test.")), st.none()),
    st.tuples(st.just("nothing"), st.none(), st.none()),
)


@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mutation=MUTATIONS, posts=st.booleans())
def test_a_changed_request_is_refused(service: Service, mutation: tuple[str, Any, Any], posts: bool) -> None:
    what, which, value = mutation
    with service.site.database.begin_write() as tx:
        # Each example is the first wrong guess.
        tx.command("DELETE FROM failure")
    path, body = (HEALTH, b'{"status":"in_sync"}') if posts else (STATUS, b"")
    method, host = ("POST" if posts else "GET"), "vetrina.test"
    target = service.target(method, path, body, query={"fields": "debug_details"})
    sent = parse_qsl(target.partition("?")[2], keep_blank_values=True)
    changed, meant = list(sent), (method, f"/en/cms-json{path}", body, host)
    asked: tuple[str, str, bytes, str] = meant
    at = next((place for place, pair in enumerate(sent) if pair[0] == which), None)
    if what == "set" and at is not None:
        changed[at] = (which, value)
    elif what == "drop" and at is not None:
        del changed[at]
    elif what == "again" or what == "add":
        changed.append((which, value))
    elif what == "list" and at is not None:
        changed[at] = (f"{which}[]", value)
    elif what == "flip" and at is not None and sent[at][1]:
        text = sent[at][1]
        value %= len(text)
        changed[at] = (which, text[:value] + ("A" if text[value] != "A" else "B") + text[value + 1 :])
    elif what == "case" and at is not None:
        changed[at] = (which, sent[at][1].swapcase())
    elif what == "space" and at is not None:
        changed[at] = (which, sent[at][1] + value)
    elif what == "late":
        at = next(place for place, pair in enumerate(sent) if pair[0] == "timestamp")
        changed[at] = ("timestamp", str(int(sent[at][1]) + which))
    elif what == "path":
        asked = (method, f"/en/cms-json{which}", body, host)
    elif what == "body":
        asked = (method, meant[1], body + which if value else which, host)
    elif what == "method":
        asked = (which, meant[1], body, host)
    elif what == "host":
        asked = (method, meant[1], body, which)
    answer = service.send(asked[0], f"{asked[1]}?{urlencode(changed)}", asked[2], host=asked[3])
    same = (
        query_strings.parse_query(urlencode(changed)) == query_strings.parse_query(urlencode(sent)) and asked == meant
    )
    if same:
        assert answer.status == 200
        again = service.send(asked[0], f"{asked[1]}?{urlencode(changed)}", asked[2], host=asked[3])
        assert again.code == "rest_invalid_signature"
        return
    assert answer.status in (400, 401, 404), (mutation, answer.status, answer.json)
    codes = {"rest_invalid_signature", "invalid_user_permission_sync", "rest_invalid_request", "rest_no_route",
             "rest_invalid_json", "rest_missing_callback_param", "rest_invalid_param"}  # fmt: skip
    assert answer.code in codes or asked[0] in ("HEAD",), (mutation, answer.json)
