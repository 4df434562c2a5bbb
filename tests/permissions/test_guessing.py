"""Guesses at secrets are slowed down on every route: what a visitor of a site without a shop can try."""

from __future__ import annotations

import base64
import json
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import func, select

from conftest import Answer, Client, SetClock, Stand
from vetrina.access.sessions import rules as sessions
from vetrina.access.sessions.model import SessionClient, SessionKind
from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.tables.accounts import failure
from vetrina.content.previews import preview_keys
from vetrina.site import Site

MOST = 20  # wrong guesses at one secret from one address
WAIT = 60  # seconds
POSTS, COMMENTS = "/cms/v2/posts", "/cms/v2/comments"
RIGHT = "apriti sesamo"


@dataclass
class Door:
    """A resource behind a secret: how it is tried, and the responses to a wrong and the right one."""

    attempt: Callable[[str], Answer]
    right: str
    refused: tuple[int, str | None]
    opened: int = 200

    def shut(self, times: int = MOST) -> None:
        """Guess wrong until further guesses are refused."""
        for number in range(times):
            answer = self.attempt(f"wrong {number}")
            assert (answer.status, answer.code) == self.refused, answer.json


@pytest.fixture
def post(editor: Client) -> int:
    """A protected post with an approved comment."""
    made = editor.post(POSTS, {"title": "Door", "content": "Treasure", "password": RIGHT, "status": "publish"}).json
    assert editor.post(COMMENTS, {"post": made["id"], "content": "A word"}).status == 201
    return int(made["id"])


def comment_of(site: Stand, post: int) -> int:
    return int(site.client("admin").get(COMMENTS, query={"post": post}).json[0]["id"])


def by_query(site: Stand, post: int) -> Door:
    anyone = site.client()
    return Door(
        lambda word: anyone.get(f"{POSTS}/{post}", query={"password": word}), RIGHT,
        (403, "rest_post_incorrect_password"),
    )  # fmt: skip


def by_body(site: Stand, post: int) -> Door:
    anyone = site.client()
    return Door(lambda word: anyone.get(f"{POSTS}/{post}", json={"password": word}), RIGHT, (200, None))


def by_list(site: Stand, post: int) -> Door:
    anyone = site.client()
    return Door(lambda word: anyone.get(POSTS, query={"include": [post], "password": word}), RIGHT, (200, None))


def by_comments(site: Stand, post: int) -> Door:
    anyone = site.client()
    return Door(
        lambda word: anyone.get(COMMENTS, query={"post": post, "password": word}), RIGHT,
        (401, "rest_cannot_read_post"),
    )  # fmt: skip


def by_one_comment(site: Stand, post: int) -> Door:
    anyone, id = site.client(), comment_of(site, post)
    return Door(lambda word: anyone.get(f"{COMMENTS}/{id}", query={"password": word}), RIGHT, (401, "rest_cannot_read"))


def by_new_comment(site: Stand, post: int) -> Door:
    reader = site.client("subscriber")
    return Door(
        lambda word: reader.post(COMMENTS, {"post": post, "content": f"Re {word}", "password": word}), RIGHT,
        (403, "rest_cannot_read_post"), 201,
    )  # fmt: skip


def by_form(site: Stand, post: int) -> Door:
    def attempt(word: str) -> Answer:
        body = f"post_password={word.replace(' ', '+')}".encode()
        headers = {"content-type": "application/x-www-form-urlencoded"}
        return site.client(root="").ask("POST", f"/?p={post}", body=body, headers=headers)

    return Door(attempt, RIGHT, (403, None), 303)


DOORS = [by_query, by_body, by_list, by_comments, by_one_comment, by_new_comment, by_form]


@pytest.mark.every_database
@pytest.mark.parametrize("door", DOORS)
def test_a_record_that_was_guessed_at_too_often_takes_no_password(
    site: Stand, post: int, clock: SetClock, door: Callable[[Stand, int], Door]
) -> None:
    one = door(site, post)
    one.shut()
    told = []
    for answer in (one.attempt("wrong again"), one.attempt(one.right)):
        assert answer.status == 429
        assert WAIT - 5 < int(answer.headers["retry-after"]) <= WAIT
        # The clock may tick between the two answers.
        told.append(answer.content.replace(answer.headers["retry-after"].encode(), b"WAIT"))
    if door is not by_form:
        assert answer.code == "too_many_wrong_guesses"
        assert told[0] == told[1]
    clock.forward(WAIT)
    assert one.attempt(one.right).status == one.opened


@pytest.mark.parametrize("first", DOORS)
@pytest.mark.parametrize("second", DOORS)
def test_all_ways_to_a_record_are_counted_together(site: Stand, post: int, first: Any, second: Any) -> None:
    other = second(site, post)
    first(site, post).shut()
    assert other.attempt(other.right).status == 429


@pytest.mark.in_process("what comes from another address")
def test_another_address_may_go_on(site: Stand, post: int) -> None:
    by_query(site, post).shut()
    elsewhere = site.client()
    elsewhere.remote = "192.0.2.7"
    assert elsewhere.get(f"{POSTS}/{post}", query={"password": RIGHT}).status == 200


@pytest.mark.in_process("what comes from another address")
def test_an_ipv6_network_is_one_address(site: Stand, post: int) -> None:
    guesser = site.client()
    for number in range(MOST):
        guesser.remote = f"2001:db8:0:1:{number:x}::1"
        assert guesser.get(f"{POSTS}/{post}", query={"password": f"{number}"}).status == 403
    guesser.remote = "2001:db8:0:1:ffff::1"
    assert guesser.get(f"{POSTS}/{post}", query={"password": RIGHT}).status == 429
    guesser.remote = "2001:db8:0:2::1"
    assert guesser.get(f"{POSTS}/{post}", query={"password": RIGHT}).status == 200


def test_other_records_are_open_until_too_many_were_guessed_at(site: Stand, editor: Client, post: int) -> None:
    others = [
        editor.post(POSTS, {"title": "Other", "password": RIGHT, "status": "publish"}).json["id"] for _ in range(MOST)
    ]
    by_query(site, post).shut()
    assert by_query(site, others[0]).attempt(RIGHT).status == 200
    for other in others:
        by_query(site, other).shut(1)
    assert by_query(site, others[0]).attempt(RIGHT).status == 429


def test_the_right_password_is_never_counted_and_forgives_nothing(site: Stand, post: int) -> None:
    one = by_query(site, post)
    for _ in range(2 * MOST):
        assert one.attempt(RIGHT).status == 200
    for number in range(MOST):
        assert one.attempt(f"wrong {number}").status == 403
        assert one.attempt(RIGHT).status == (200 if number < MOST - 1 else 429)


def test_a_secret_of_ones_own_hides_no_guesses_in_a_list(site: Stand, author: Client, post: int) -> None:
    """A list discloses whatever has the password: the guesser's own records must not make a guess right."""
    own = author.post(POSTS, {"title": "Own", "content": "Mine", "status": "publish"}).json["id"]
    anyone = site.client()

    def shown(word: str) -> dict[int, str]:
        author.post(f"{POSTS}/{own}", {"password": word})
        answer = anyone.get(POSTS, query={"include": [own, post], "password": word})
        assert answer.status == 200
        return {one["id"]: one["content"]["rendered"] for one in answer.json}

    for number in range(MOST):
        assert "Mine" in shown(f"guess {number}")[own]
    assert "Mine" in shown(RIGHT)[own]
    assert shown(RIGHT)[post] == ""
    assert by_query(site, post).attempt(RIGHT).status == 429


def test_a_list_with_the_right_password_opens_its_record_all_the_time(site: Stand, editor: Client, post: int) -> None:
    other = editor.post(POSTS, {"title": "Other", "password": "else", "status": "publish"}).json["id"]
    for _ in range(3 * MOST):
        answer = site.client().get(POSTS, query={"include": [post, other], "password": RIGHT})
        assert "Treasure" in next(one for one in answer.json if one["id"] == post)["content"]["rendered"]
    assert by_query(site, post).attempt(RIGHT).status == 200


def test_a_password_of_a_record_that_needs_none_is_no_guess(site: Stand, editor: Client) -> None:
    open_post = editor.post(POSTS, {"title": "Open", "status": "publish"}).json["id"]
    by_query(site, open_post).shut(3 * MOST)
    assert site.client().get(f"{POSTS}/{open_post}").status == 200


def test_a_record_is_read_without_a_password_all_the_time(site: Stand, post: int) -> None:
    by_query(site, post).shut()
    shown = site.client().get(f"{POSTS}/{post}")
    assert (shown.status, shown.json["content"]["rendered"]) == (200, "")


def test_wrong_guesses_that_come_slowly_never_wait(site: Stand, post: int, clock: SetClock) -> None:
    one = by_query(site, post)
    for _ in range(3):
        one.shut(MOST - 1)
        clock.forward(WAIT)
    assert one.attempt(RIGHT).status == 200


def test_what_a_password_opened_is_not_kept_for_guessers(site: Stand, post: int) -> None:
    one = by_query(site, post)
    for _ in range(3):
        assert one.attempt(RIGHT).status == 200
    one.shut()
    assert one.attempt(RIGHT).status == 429


def test_the_methods_of_a_record_do_not_tell_its_password(site: Stand, post: int) -> None:
    anyone = site.client()

    def allowed(word: str) -> str:
        return anyone.options(f"{POSTS}/{post}", query={"password": word}).headers.get("allow", "")

    assert (allowed("wrong"), allowed(RIGHT)) == ("", "GET")
    for number in range(MOST):
        allowed(f"wrong {number}")
    assert allowed(RIGHT) == allowed("wrong") == ""
    assert by_query(site, post).attempt(RIGHT).status == 429


def test_one_request_counts_a_guess_once(site: Stand, post: int) -> None:
    by_comments(site, post).shut(MOST - 1)
    assert by_comments(site, post).attempt(RIGHT).status == 200


@pytest.mark.parametrize("password", ["päß\udc80wort", "x" * 100_000, "\x00", "0", "null", "Apriti Sesamo "])
def test_any_text_may_be_guessed(site: Stand, post: int, password: str) -> None:
    body = b'{"password":' + json.dumps(password).encode() + b"}"
    headers = {"content-type": "application/json"}
    answer = site.client().ask("GET", f"{POSTS}/{post}", body=body, headers=headers)
    assert answer.status in (200, 400, 413)
    if answer.status == 200:
        assert answer.json["content"]["rendered"] == ""


# -- accounts


def basic(login: str, password: str) -> dict[str, str]:
    return {"authorization": "Basic " + base64.b64encode(f"{login}:{password}".encode()).decode()}


@pytest.mark.every_database
def test_many_logins_from_one_address_are_counted_together(site: Stand, anyone: Client, clock: SetClock) -> None:
    for number in range(2 * MOST):
        answer = anyone.get("/cms/v2/users/me", headers=basic(f"nobody{number}", "wrong"))
        assert (answer.status, answer.code) == (401, "invalid_username")
    for headers in (basic("nobody", "wrong"), basic("admin", "admin pass word")):
        answer = anyone.get("/cms/v2/users/me", headers=headers)
        assert (answer.status, answer.code) == (429, "too_many_failed_sign_ins")
    clock.forward(WAIT)
    assert site.client("admin").get("/cms/v2/users/me").status == 200


def test_credentials_that_cannot_be_read_are_guesses_too(anyone: Client) -> None:
    for _ in range(MOST):
        assert anyone.get("/", headers={"authorization": "Basic !!!!"}).status == 401
    assert anyone.get("/", headers={"authorization": "Basic !!!!"}).status == 429


def test_a_forged_session_is_guessed_at_as_often_only(site: Stand, clock: SetClock) -> None:
    anyone = site.client()
    with site.site.work() as work:
        found = users.find_user_by_login(work.tx, "editor")
        assert found is not None
        client = SessionClient("203.0.113.9", "somebody")
        id = sessions.start_session(work, found, SessionKind.BROWSER, client, seconds=1000).session.id

    def attempt(number: int) -> Answer:
        return anyone.get("/cms/v2/users/me", headers={"cookie": f"cms_session={id}.{number}", "x-cms-nonce": "x"})

    for number in range(MOST):
        answer = attempt(number)
        assert (answer.status, answer.code) == (403, "rest_cookie_invalid_nonce")
    assert (attempt(0).status, attempt(0).code) == (429, "too_many_failed_sign_ins")


def test_a_stale_session_is_shown_the_pages_of_strangers(site: Stand, clock: SetClock) -> None:
    cookie = {"cookie": f"cms_session={uuid.uuid4()}.stale"}
    for _ in range(2 * MOST):
        assert site.client(root="").get("/en/", headers=cookie).status == 200


# -- previews


def test_preview_keys_are_guessed_at_as_often_only(site: Stand, editor: Client, clock: SetClock) -> None:
    note = editor.post(POSTS, {"title": "Note", "content": "Not yet", "status": "publish"}).json["id"]
    editor.post(f"{POSTS}/{note}/autosaves", {"content": "Nearly"})
    with site.site.work() as work:
        found = users.find_user_by_login(work.tx, "editor")
        assert found is not None
        work.user = found
        key = preview_keys.create_preview_key(work, note)

    def attempt(word: str) -> Answer:
        return site.client(root="").get("/", query={"p": note, "preview": "true", "preview_nonce": word})

    door = Door(attempt, key, (301, None))
    door.shut()
    assert attempt("wrong").status == attempt(key).status == 429
    clock.forward(WAIT)
    shown = attempt(key)
    assert (shown.status, b"Nearly" in shown.content) == (200, True)


# -- what is counted


def test_what_was_counted_is_forgotten_after_the_wait(site: Stand, editor: Client, clock: SetClock) -> None:
    for _ in range(3):
        other = editor.post(POSTS, {"title": "Other", "password": RIGHT, "status": "publish"}).json["id"]
        by_query(site, other).shut(1)
    assert counted(site) == 4
    clock.forward(WAIT)
    by_query(site, other).shut(1)
    assert counted(site) == 2


def counted(site: Stand) -> int:
    with site.site.database.begin_read() as tx:
        return int(tx.value(Statement(select(func.count()).select_from(failure))))


def test_the_kinds_of_secrets_do_not_disturb_each_other(site: Stand, post: int) -> None:
    by_query(site, post).shut()
    assert site.client("editor").get(f"{POSTS}/{post}", query={"context": "edit"}).status == 200


@pytest.mark.in_process("two sites on one database, as two workers have it")
@pytest.mark.every_database
def test_workers_count_together(site: Stand, post: int, clock: SetClock) -> None:
    first = site.site
    second = Stand(Site(first.context.profile, first.context.settings, first.folder, clock=clock, durable=False))
    doors = [by_query(site, post), by_query(second, post)]

    def guess(one: Door) -> list[int]:
        return [one.attempt(f"wrong {number}").status for number in range(2 * MOST)]

    with ThreadPoolExecutor(len(doors)) as pool:
        found = [status for answers in pool.map(guess, doors) for status in answers]
    # Concurrent guesses may pass before the first of them is counted.
    assert MOST <= found.count(403) < MOST + len(doors)
    assert found.count(429) == len(found) - found.count(403)
    assert [one.attempt(RIGHT).status for one in doors] == [429, 429]
    second.site.close()
