"""Sessions over the interface: seen, ended, and ended by what ends them."""

from __future__ import annotations

import pytest

from conftest import Client, SetClock, Stand
from vetrina.access.sessions import browser_sessions, nonces
from vetrina.access.sessions.model import SessionClient
from vetrina.access.users import rules as users
from vetrina.site import Site

SESSIONS = "/access/v1/sessions"
AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


class Browser:
    """A browser that is signed in as an account."""

    def __init__(self, stand: Stand, login: str) -> None:
        site = stand.site
        with site.work() as work:
            found = users.find_user_by_login(work.tx, login)
            assert found is not None
            work.origin = "http://vetrina.test"
            cookie = browser_sessions.start_browser_session(work, found, SessionClient("203.0.113.9", AGENT))
        self.cookie = cookie.partition(";")[0]
        self.id, self.key = self.cookie.partition("=")[2].split(".")
        self.client = stand.client()
        self.headers = {"cookie": self.cookie, "x-cms-nonce": nonces.create_nonce(site.context, self.key)}

    def ask(self, method: str, path: str, **more: object) -> object:
        return self.client.ask(method, path, headers=self.headers, **more)


@pytest.mark.every_database
def test_the_own_sessions_are_listed_with_their_devices(site: Stand, clock: SetClock) -> None:
    first = Browser(site, "author")
    clock.forward(60)
    second = Browser(site, "author")
    Browser(site, "editor")
    listed = second.ask("GET", SESSIONS).json
    assert [(one["id"], one["current"]) for one in listed] == [(second.id, True), (first.id, False)]
    assert listed[1]["agent"] == AGENT
    assert listed[1]["address"] == "203.0.113.9"
    assert listed[1]["kind"] == "browser"
    assert listed[1]["scopes"] == []
    assert second.key not in str(listed)


def test_a_session_is_ended_and_told_no_more(site: Stand) -> None:
    first, second = Browser(site, "author"), Browser(site, "author")
    assert second.ask("DELETE", f"{SESSIONS}/{first.id}").json["deleted"] is True
    assert first.ask("GET", SESSIONS).status == 403
    answer = second.ask("GET", f"{SESSIONS}/{first.id}")
    assert (answer.status, answer.code) == (404, "rest_session_not_found")


def test_all_others_are_ended_at_once(site: Stand) -> None:
    others = [Browser(site, "author") for _ in range(3)]
    own = Browser(site, "author")
    stranger = Browser(site, "editor")
    assert own.ask("DELETE", SESSIONS).json == {"deleted": True, "count": 3}
    assert {one.ask("GET", SESSIONS).status for one in others} == {403}
    assert own.ask("GET", SESSIONS).status == stranger.ask("GET", SESSIONS).status == 200
    assert own.ask("DELETE", SESSIONS, query={"own": "true"}).json == {"deleted": True, "count": 1}
    assert own.ask("GET", SESSIONS).status == 403


def test_nobody_sees_or_ends_those_of_others(site: Stand, admin: Client, anyone: Client) -> None:
    one = Browser(site, "author")
    for method in ("GET", "DELETE"):
        assert admin.ask(method, f"{SESSIONS}/{one.id}").status == 404
        assert (anyone.ask(method, SESSIONS).status, anyone.ask(method, SESSIONS).code) == (401, "rest_not_logged_in")
    assert one.ask("GET", SESSIONS).status == 200


def test_a_new_password_ends_all_but_the_session_that_sets_it(site: Stand, admin: Client) -> None:
    own, other = Browser(site, "author"), Browser(site, "author")
    me = own.ask("GET", "/cms/v2/users/me").json["id"]
    assert own.ask("POST", "/cms/v2/users/me", json={"password": "a new one that people keep"}).status == 200
    assert other.ask("GET", SESSIONS).status == 403
    assert own.ask("GET", SESSIONS).status == 200
    assert admin.post(f"/cms/v2/users/{me}", {"password": "one that an administrator chose"}).status == 200
    assert own.ask("GET", SESSIONS).status == 403


def test_a_removed_account_has_no_session(site: Stand, admin: Client) -> None:
    one = Browser(site, "author")
    me = one.ask("GET", "/cms/v2/users/me").json["id"]
    assert admin.ask("DELETE", f"/cms/v2/users/{me}", query={"force": "true", "reassign": "1"}).status == 200
    assert one.ask("GET", SESSIONS).status == 403


def test_the_latest_use_is_kept_in_steps_of_minutes(site: Stand, clock: SetClock) -> None:
    one = Browser(site, "author")
    begun = one.ask("GET", SESSIONS).json[0]["last_used_gmt"]
    clock.forward(240)
    assert one.ask("GET", SESSIONS).json[0]["last_used_gmt"] == begun
    clock.forward(60)
    one.ask("GET", SESSIONS)
    latest = one.ask("GET", SESSIONS).json[0]
    assert latest["last_used_gmt"] > begun
    assert latest["address"] != "203.0.113.9"


@pytest.mark.every_database
def test_what_ended_is_gone_in_another_process_at_once(site: Stand) -> None:
    one = Browser(site, "author")
    other = Stand(Site(site.site.context.profile, site.site.context.settings, site.site.context.folder))
    try:
        ask = other.client().ask
        assert ask("GET", SESSIONS, headers=one.headers).status == 200
        one.ask("DELETE", SESSIONS, query={"own": "true"})
        assert ask("GET", SESSIONS, headers=one.headers).status == 403
    finally:
        other.site.close()
