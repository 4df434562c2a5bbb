"""Signing in with tokens, going on, signing out: over HTTP, as front ends do it. Rules: docs/rules/tokens.md."""

from __future__ import annotations

import shutil
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import jwt
import pytest

from conftest import Answer, Client, SetClock, Stand, exchange
from vetrina.access.sign_in.guess_limiter import GuessCounter
from vetrina.access.tokens import rules as token_rules
from vetrina.access.tokens.model import InvalidRefreshToken
from vetrina.access.users import rules as users
from vetrina.settings import Settings, load_profile
from vetrina.site import Site

from .conftest import PASSWORD, TOKENS, FrontEnd

ME, SESSIONS = "/cms/v2/users/me", "/access/v1/sessions"
DAY = 86_400


def test_who_signs_in_gets_tokens_and_is_the_account(house: Stand) -> None:
    front_end = FrontEnd(house)
    answer = front_end.sign_in(name="phone", scopes=["read", "account"])
    assert answer.status == 200
    assert {**answer.json, "access_token": "", "refresh_token": "", "session": "", "session_expires_gmt": ""} == {
        "access_token": "", "token_type": "Bearer", "expires_in": 600, "refresh_token": "", "scope": "read account",
        "session": "", "session_expires_gmt": "",
    }  # fmt: skip
    assert answer.headers["cache-control"] == "no-store"
    assert front_end.get(ME).json["slug"] == "author"
    (shown,) = front_end.get(SESSIONS).json
    assert (shown["id"], shown["kind"], shown["name"], shown["current"], shown["scopes"]) == (
        answer.json["session"], "token", "phone", True, ["read", "account"],
    )  # fmt: skip


def test_the_mail_address_signs_in_as_well(house: Stand) -> None:
    assert FrontEnd(house).sign_in("author@example.org").status == 200


@pytest.mark.parametrize(
    ("members", "status", "code"),
    [
        ({"login": "author", "password": "wrong"}, 401, "rest_wrong_credentials"),
        ({"login": "nobody", "password": "wrong"}, 401, "rest_wrong_credentials"),
        # An application password is no password of a person.
        ({"login": "author", "password": "author pass word"}, 401, "rest_wrong_credentials"),
        ({"login": "editor", "password": PASSWORD}, 401, "rest_wrong_credentials"),
        ({"login": "author"}, 400, "rest_missing_callback_param"),
        ({"password": PASSWORD}, 400, "rest_missing_callback_param"),
        ({}, 401, "rest_sign_in_needed"),
        ({"login": "author", "password": PASSWORD, "scopes": ["all"]}, 400, "rest_invalid_param"),
        ({"login": "author", "password": PASSWORD, "scopes": []}, 400, "rest_invalid_param"),
        ({"login": "author", "password": PASSWORD, "cookie": True}, 403, "rest_not_from_own_page"),
    ],
)
def test_who_is_not_let_in(house: Stand, members: dict[str, object], status: int, code: str) -> None:
    answer = house.client().post(TOKENS, members)
    assert (answer.status, answer.code) == (status, code)
    assert house.client("admin").get(SESSIONS).json == []


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (TOKENS, "password"),
        (TOKENS, "code"),
        (f"{TOKENS}/refresh", "refresh_token"),
        (f"{TOKENS}/revoke", "refresh_token"),
    ],
)
def test_no_secret_is_taken_from_an_address(house: Stand, path: str, name: str) -> None:
    sent = {"login": "author", name: "secret"}
    assert house.client().post(path, query=sent).code == "rest_secret_in_url"


def test_wrong_passwords_are_slowed_as_everywhere(house: Stand) -> None:
    client = house.client()
    for number in range(20):
        assert client.post(TOKENS, {"login": "author", "password": f"wrong {number}"}).status == 401
    refused = client.post(TOKENS, {"login": "author", "password": PASSWORD})
    assert (refused.status, refused.code) == (429, "too_many_failed_sign_ins")


@pytest.mark.in_process("times of this process")
def test_an_unknown_login_takes_as_long_as_a_known_one(house: Stand) -> None:
    """The medians differ by less than the times of one login do."""
    took: dict[str, list[float]] = {"author": [], "nobody at all": []}
    for number in range(24):
        for login, times in took.items():
            client = house.client()
            client.remote = f"10.0.{number}.1"
            began = time.perf_counter()
            assert client.post(TOKENS, {"login": login, "password": "wrong"}).status == 401
            times.append(time.perf_counter() - began)
    known, unknown = (sorted(times) for times in took.values())
    spread = max(one[18] - one[5] for one in (known, unknown))
    assert abs(statistics.median(known) - statistics.median(unknown)) < max(spread, 0.2 * statistics.median(known))


# -- access tokens and their sessions


def test_an_access_token_runs_out_and_a_refresh_goes_on(front_end: FrontEnd, clock: SetClock) -> None:
    clock.forward(540)
    assert front_end.get(ME).status == 200
    clock.forward(60)
    expired = front_end.get("/cms/v2/posts")
    assert (expired.status, expired.code) == (401, "rest_token_expired")
    assert expired.headers["www-authenticate"] == 'Bearer error="invalid_token"'
    assert front_end.refresh().status == 200
    assert front_end.get(ME).json["slug"] == "author"


@pytest.mark.every_database
@pytest.mark.parametrize(
    "end",
    [
        lambda mine, other: mine.delete(TOKENS),
        lambda mine, other: mine.client.post(f"{TOKENS}/revoke", {"refresh_token": mine.tokens["refresh_token"]}),
        lambda mine, other: mine.delete(f"{SESSIONS}/{mine.tokens['session']}"),
        lambda mine, other: mine.delete(f"{SESSIONS}?own=1"),
        lambda mine, other: other.delete(SESSIONS),
        lambda mine, other: other.post("/cms/v2/users/me", {"password": "another long password"}),
    ],
    ids=["own", "by refresh token", "named", "everywhere", "everywhere else", "new password"],
)
def test_what_ended_is_over_in_another_process_at_its_next_request(
    house: Stand, tmp_path: Path, clock: SetClock, end: Callable[[FrontEnd, FrontEnd], Answer]
) -> None:
    """Two sites on one database stand for two processes; the other one has the token in its cache."""
    here = house.site
    second = Site(load_profile("first"), here.context.settings, tmp_path, clock=clock, durable=False)
    try:
        there, mine, other = Client(second), FrontEnd(house), FrontEnd(house)
        for front_end in (mine, other):
            front_end.sign_in()
        for _ in range(2):
            assert there.get(ME, headers=mine.headers).status == 200
        assert end(mine, other).status == 200
        answer = there.get(ME, headers=mine.headers)
        assert (answer.status, answer.code) == (401, "rest_token_session_ended")
        assert there.get("/cms/v2/posts", headers=mine.headers).status == 401
        refused = mine.refresh()
        assert (refused.status, refused.code) == (401, "rest_refresh_token_invalid")
    finally:
        second.close()


def test_signing_out_everywhere_else_keeps_the_own_session(front_end: FrontEnd, house: Stand) -> None:
    others = [FrontEnd(house) for _ in range(2)]
    for one in others:
        one.sign_in()
    assert front_end.delete(SESSIONS).json == {"deleted": True, "count": 2}
    assert front_end.get(ME).status == 200
    assert {one.get(ME).status for one in others} == {401}


@pytest.mark.every_database
def test_what_an_account_may_do_follows_its_roles_at_once(front_end: FrontEnd, house: Stand) -> None:
    assert front_end.post("/cms/v2/posts", {"title": "One"}).status == 201
    id = front_end.get(ME).json["id"]
    assert house.client("admin").post(f"/cms/v2/users/{id}", {"roles": ["subscriber"]}).status == 200
    assert front_end.post("/cms/v2/posts", {"title": "Two"}).status == 403
    assert house.client("admin").delete(f"/cms/v2/users/{id}?force=1&reassign=1").status == 200
    assert front_end.get(ME).code == "rest_token_session_ended"
    assert front_end.refresh().status == 401


def test_a_session_runs_out_when_nobody_refreshes_it(front_end: FrontEnd, clock: SetClock) -> None:
    for _ in range(3):
        clock.forward(29 * DAY)
        assert front_end.refresh().status == 200
    clock.forward(30 * DAY)
    refused = front_end.refresh()
    assert (refused.status, refused.code) == (401, "rest_refresh_token_invalid")


# -- refresh tokens


def test_a_refresh_token_that_comes_twice_ends_its_family(front_end: FrontEnd, clock: SetClock) -> None:
    first = front_end.tokens["refresh_token"]
    front_end.refresh()
    clock.forward(10)
    again = front_end.refresh(first)
    assert (again.status, again.code) == (401, "rest_refresh_token_reused")
    assert front_end.get(ME).code == "rest_token_session_ended"
    assert front_end.refresh().code == "rest_refresh_token_invalid"


def test_an_older_token_of_the_family_ends_it_as_well(front_end: FrontEnd, clock: SetClock) -> None:
    given = [front_end.tokens["refresh_token"]]
    for _ in range(4):
        clock.forward(600)
        given.append(front_end.refresh().json["refresh_token"])
    assert len(set(given)) == 5
    assert front_end.refresh(given[1]).code == "rest_refresh_token_reused"
    assert front_end.refresh().status == 401


def test_a_second_tab_gets_nothing_and_does_no_harm(front_end: FrontEnd, clock: SetClock) -> None:
    first = front_end.tokens["refresh_token"]
    front_end.refresh()
    clock.forward(5)
    late = front_end.refresh(first)
    assert (late.status, late.code) == (409, "rest_refresh_token_just_used")
    assert "access_token" not in late.json
    assert front_end.get(ME).status == 200
    assert front_end.refresh().status == 200


@pytest.mark.every_database
def test_of_many_refreshes_at_once_one_wins(front_end: FrontEnd) -> None:
    token, barrier = front_end.tokens["refresh_token"], Barrier(6)

    def refresh(_: int) -> int:
        barrier.wait()
        return front_end.refresh(token).status

    with ThreadPoolExecutor(6) as pool:
        statuses = sorted(pool.map(refresh, range(6)))
    assert statuses == [200, *[409] * 5]
    assert front_end.get(ME).status == 200


def test_refresh_tokens_are_stored_as_digests_only(front_end: FrontEnd, house: Stand, tmp_path: Path) -> None:
    if house.site.database.kind != "sqlite":
        pytest.skip("reads the file of the database")
    house.site.database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    stored = (tmp_path / "site.sqlite").read_bytes()
    random, mark = front_end.tokens["refresh_token"].split(".")
    assert front_end.tokens["session"].encode() in stored
    for secret in (random, mark, front_end.tokens["access_token"], "PRIVATE KEY"):
        assert secret.encode() not in stored


def test_guesses_at_refresh_tokens_must_wait(front_end: FrontEnd, house: Stand) -> None:
    client = house.client()
    for number in range(20):
        assert client.post(f"{TOKENS}/refresh", {"refresh_token": f"guess {number}"}).status == 401
    refused = front_end.refresh()
    assert (refused.status, refused.code) == (429, "too_many_wrong_guesses")


@pytest.mark.in_process("calls the rule itself")
def test_10_000_guesses_at_refresh_tokens_open_nothing(front_end: FrontEnd, house: Stand) -> None:
    """From as many addresses, so that none has to wait."""
    key, mark = front_end.tokens["refresh_token"].split(".")
    site, opened = house.site, 0
    with site.work(read=True) as work:
        for number in range(10_000):
            work.guesses = GuessCounter(site.context, f"10.{number % 250}.{number // 250}.1")
            guess = f"{key[:-6]}{number:06}.{mark}" if number % 2 else f"{key}.{number:024x}"
            try:
                token_rules.find_refresh_session(work, guess)
                opened += 1
            except InvalidRefreshToken:
                continue
    assert opened == 0
    assert front_end.refresh().status == 200


def test_tokens_of_sessions_that_ended_lock_nobody_out(front_end: FrontEnd, house: Stand) -> None:
    """An office behind one address, whose devices were signed out, goes on sending what they have."""
    gone = FrontEnd(house)
    gone.sign_in()
    gone.delete(TOKENS)
    for _ in range(50):
        assert gone.refresh().code == "rest_refresh_token_invalid"
    assert front_end.refresh().status == 200


def test_signing_out_with_a_refresh_token_that_is_none_is_no_error(house: Stand) -> None:
    gone = FrontEnd(house)
    gone.sign_in()
    sent = {"refresh_token": gone.tokens["refresh_token"]}
    answers = [house.client().post(f"{TOKENS}/revoke", sent).json for _ in range(2)]
    assert answers == [{"deleted": True}, {"deleted": False}]


# -- the cookie of a page of the same site


@pytest.fixture
def secure(request: pytest.FixtureRequest, site: Stand, clock: SetClock, tmp_path: Path) -> Iterator[FrontEnd]:
    """A page of a site that has an address with HTTPS."""
    folder = tmp_path / "secure"
    folder.mkdir()
    site.site.database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(tmp_path / "site.sqlite", folder / "site.sqlite")
    settings = Settings(secret="secret of the tests", url="https://shop.example")
    made = Site(load_profile("first"), settings, folder, clock=clock, durable=False)
    with made.work() as work:
        user = users.find_user_by_login(work.tx, "author")
        assert user is not None
        users.update_user(work, user, password=PASSWORD)
    yield FrontEnd(Stand(made))
    made.close()


def test_a_page_may_keep_its_refresh_token_in_a_cookie(secure: FrontEnd) -> None:
    page = {"sec-fetch-site": "same-origin"}
    sent = {"login": "author", "password": PASSWORD, "cookie": True}
    answer = secure.client.post(TOKENS, sent, headers=page)
    assert answer.status == 200
    assert "refresh_token" not in answer.json
    pair, *words = answer.headers["set-cookie"].split("; ")
    assert pair.startswith("__Host-cms_refresh=")
    assert set(words) == {"Path=/", "HttpOnly", "SameSite=Strict", "Secure", f"Max-Age={30 * DAY}"}
    kept = {"cookie": pair}
    for forged in ({}, {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site", "x-requested-with": "fetch"}):
        refused = secure.client.post(f"{TOKENS}/refresh", headers={**kept, **forged})
        assert (refused.status, refused.code) == (403, "rest_not_from_own_page")
    again = secure.client.post(f"{TOKENS}/refresh", headers={**kept, "x-requested-with": "fetch"})
    assert again.status == 200
    assert "refresh_token" not in again.json
    newer = {"cookie": again.headers["set-cookie"].split("; ")[0]}
    assert newer != kept
    out = secure.client.post(f"{TOKENS}/revoke", headers={**newer, **page})
    assert out.json == {"deleted": True}
    assert "Max-Age=0" in out.headers["set-cookie"]


def test_no_page_of_another_origin_may_send_the_header(house: Stand) -> None:
    asked = {
        "origin": "https://elsewhere.example", "access-control-request-method": "POST",
        "access-control-request-headers": "authorization, content-type, x-requested-with",
    }  # fmt: skip
    _, pairs, _ = exchange(house.site, "OPTIONS", f"/en/cms-json{TOKENS}/refresh", headers=asked)
    allowed = ", ".join(value for name, value in pairs if name == "access-control-allow-headers").lower()
    assert "authorization" in allowed
    assert "x-requested-with" not in allowed


def test_a_page_of_another_origin_may_send_the_token_itself(front_end: FrontEnd) -> None:
    origin = {"origin": "https://app.example"}
    answer = front_end.get(ME, headers=origin)
    assert (answer.status, answer.headers["access-control-allow-origin"]) == (200, "https://app.example")
    asked = {**origin, "access-control-request-method": "GET", "access-control-request-headers": "authorization"}
    assert "Authorization" in front_end.client.options(ME, headers=asked).headers["access-control-allow-headers"]


# -- who else asks for tokens


def test_neither_a_token_nor_a_key_gives_tokens(front_end: FrontEnd, house: Stand) -> None:
    assert front_end.post(TOKENS, {}).code == "rest_sign_in_needed"
    assert house.client("admin").post(TOKENS, {}).code == "rest_sign_in_needed"
    assert house.client("admin").delete(TOKENS).code == "rest_no_session"


def test_claims_say_what_the_docs_say(front_end: FrontEnd, house: Stand) -> None:
    token = front_end.tokens["access_token"]
    assert {**jwt.get_unverified_header(token), "kid": ""} == {"alg": "ES256", "typ": "at+jwt", "kid": ""}
    said = jwt.decode(token, options={"verify_signature": False})
    origin = house.site.context.origin
    assert (said["iss"], said["aud"], said["sid"]) == (origin, f"{origin}/cms-json", front_end.tokens["session"])
    assert (said["sub"], said["exp"] - said["iat"]) == (str(front_end.get(ME).json["id"]), 600)
    assert said.keys() == {"iss", "aud", "sub", "sid", "scope", "iat", "exp", "jti"}


def test_the_issuer_is_the_site_and_not_the_host_that_a_client_writes(house: Stand) -> None:
    forged = Client(house.site)
    forged.headers["host"] = "evil.example"
    front_end = FrontEnd(house, forged)
    front_end.sign_in()
    said = jwt.decode(front_end.tokens["access_token"], options={"verify_signature": False})
    assert said["iss"] == house.site.context.origin
