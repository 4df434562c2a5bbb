"""Signing in and out by a form, and the rights of a session."""

from __future__ import annotations

import msgspec
import pytest
from sqlalchemy import select

from conftest import exchange
from vetrina.access.sessions import rules as sessions
from vetrina.backends.database import Statement
from vetrina.backends.tables.sessions import session
from vetrina.site import Site

from .conftest import Visitor


def test_the_right_password_begins_a_session_and_leads_back(visitor):
    answer = visitor.sign_in(back="/en/?p=1")
    assert (answer.status, answer.location) == (303, "/en/?p=1")
    cookie = next(value for name, value in answer.pairs if name == "set-cookie" and "cms_session" in value)
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie
    assert "Signed in as author" in visitor.get("/en/").text


def test_nobody_is_led_to_registering_where_nobody_may(visitor):
    assert "/admin/register" not in visitor.get("/admin/sign-in").text


@pytest.mark.parametrize("login, password", [("author", "wrong"), ("nobody", "wrong"), ("author", ""), ("admin", "")])
def test_wrong_ones_are_told_alike(visitor, login, password):
    answer = visitor.sign_in(login, password)
    assert answer.status == 403
    assert "The user name or the password is wrong." in answer.text
    assert "cms_session" not in visitor.cookies


def test_an_application_password_begins_no_session(visitor):
    assert visitor.sign_in("author", "author pass word").status == 403


@pytest.mark.every_database
def test_wrong_passwords_are_slowed(visitor, house, clock):
    most = house.site.context.profile.limits.sign_in_failures
    for _ in range(most):
        assert visitor.sign_in("nobody", "wrong").status == 403
    answer = visitor.sign_in("nobody", "wrong")
    assert answer.status == 429
    assert 50 < int(answer.headers["retry-after"]) <= 60
    clock.forward(61)
    assert visitor.sign_in("nobody", "wrong").status == 403


def test_a_form_of_another_site_is_refused(visitor):
    forged = {"login": "author", "password": "a word that people keep", "redirect_to": "/", "_cmsnonce": "0" * 20}
    assert visitor.post("/admin/sign-in", forged).status == 403
    visitor.get("/admin/sign-in")
    assert visitor.post("/admin/sign-in", forged).status == 403
    assert "cms_session" not in visitor.cookies


@pytest.mark.parametrize(
    "back", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "/x\ny", "x"]
)
def test_nobody_is_led_to_another_site(visitor, back):
    assert visitor.sign_in(back=back).location == "/"


def test_signing_out_ends_the_session_wherever_its_cookie_is(visitor, house, clock):
    other = Visitor(house)
    other.sign_in()
    visitor.sign_in()
    kept = dict(visitor.cookies)
    nonce = visitor.get("/admin/nonce").text
    form = visitor.get("/admin/sign-out").form
    assert visitor.post("/admin/sign-out", {"_cmsnonce": "wrong"}).status == 403
    assert visitor.post("/admin/sign-out", form).status == 303
    assert not visitor.cookies
    visitor.cookies = kept
    assert visitor.get("/admin/nonce").status == 401
    assert visitor.get("/en/cms-json/cms/v2/users/me", **{"x-cms-nonce": nonce}).status == 403
    assert other.get("/admin/nonce").status == 200


def test_sessions_that_ran_out_are_deleted(visitor, house, clock):
    visitor.sign_in()
    clock.forward(2 * 24 * 3600 + 1)
    Visitor(house).sign_in()
    with house.site.work() as work:
        sessions.delete_expired_sessions(work)
    with house.site.database.begin_read() as tx:
        assert len(tx.all(Statement(select(session)))) == 1


def test_a_session_ends_with_its_time_or_its_password(visitor, house, clock):
    visitor.sign_in()
    number = house.client("author").get("/cms/v2/users/me").json["id"]
    assert house.client("admin").post(f"/cms/v2/users/{number}", {"password": "another one"}).status == 200
    assert visitor.get("/admin/nonce").status == 401
    visitor.cookies.clear()
    visitor.sign_in(password="another one")
    assert visitor.get("/admin/nonce").status == 200
    clock.forward(2 * 24 * 3600 + 1)
    assert visitor.get("/admin/nonce").status == 401


@pytest.mark.parametrize("value", ["", "x", "1.2.3.4", "1.99999999999.abc.def", "²." * 3, "1." * 200])
def test_a_made_up_cookie_is_nobodys(visitor, value):
    visitor.cookies["cms_session"] = value
    assert visitor.get("/admin/nonce").status == 401


def test_a_changed_cookie_is_nobodys(visitor):
    visitor.sign_in()
    own = visitor.cookies["cms_session"]
    id, key = own.split(".")
    for forged in (f"{id[:-1]}{'0' if id[-1] != '0' else '1'}.{key}", f"{id}.{key[::-1]}", own[:-1], id, f"{id}."):
        visitor.cookies["cms_session"] = forged
        assert visitor.get("/admin/nonce").status == 401


def test_a_session_calls_the_interface_with_its_nonce_alone(visitor, house):
    visitor.sign_in()
    me = "/en/cms-json/cms/v2/users/me"
    assert visitor.get(me).status == 401
    nonce = visitor.get("/admin/nonce").text
    answer = visitor.get(me, **{"x-cms-nonce": nonce})
    assert answer.status == 200
    assert '"slug":"author"' in answer.text
    assert visitor.get(f"{me}?_cmsnonce={nonce}").status == 200
    assert visitor.get(me, **{"x-cms-nonce": "wrong"}).status == 403
    assert house.client("author").get("/cms/v2/users/me", headers={"x-cms-nonce": "passed over"}).status == 200
    visitor.cookies.clear()
    assert visitor.get(f"{me}?_cmsnonce={nonce}").status == 403
    visitor.sign_in("editor")
    assert visitor.get(me, **{"x-cms-nonce": nonce}).status == 403


def test_what_a_session_reads_is_kept_for_nobody(visitor, write):
    draft = write(status="draft", title="A secret plan")
    visitor.sign_in("editor")
    nonce = visitor.get("/admin/nonce").text
    target = f"/en/cms-json/cms/v2/posts/{draft['id']}?_cmsnonce={nonce}"
    assert visitor.get(target).status == 200
    assert "A secret plan" in visitor.get(f"/en/?p={draft['id']}").text
    visitor.cookies.clear()
    assert visitor.get(target).status == 403
    assert visitor.get(f"/en/?p={draft['id']}").status == 404


def test_over_https_the_cookie_is_for_this_host_alone(house):
    settings = msgspec.structs.replace(house.site.context.settings, url="https://vetrina.test")
    site = Site(house.site.context.profile, settings, house.site.folder)
    try:
        _, pairs, _ = exchange(site, "GET", "/admin/sign-in")
    finally:
        site.close()
    cookie = dict(pairs)["set-cookie"]
    assert cookie.startswith("__Host-cms_form=")
    assert "; Secure" in cookie
    assert "Domain" not in cookie


def test_the_pages_speak_the_readers_language(visitor):
    answer = visitor.get("/admin/sign-in", **{"accept-language": "fr;q=1, it-CH, en"})
    assert '<html lang="it">' in answer.text
    assert "Accedi" in answer.text


def test_own_pages_are_framed_and_kept_by_nobody(visitor):
    headers = visitor.get("/admin/sign-in").headers
    assert headers["cache-control"] == "no-store"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["content-security-policy"].startswith("default-src 'none'; ")
    assert "script-src" not in headers["content-security-policy"]
    assert (headers["x-frame-options"], headers["referrer-policy"]) == ("DENY", "no-referrer")
    assert "access-control-allow-origin" not in headers
