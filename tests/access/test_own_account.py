"""One's own account over the interface: names, password, mail address."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from conftest import Answer, SetClock, Stand
from vetrina.access.own_account import email_changes
from vetrina.access.users import rules as users
from vetrina.kernel.errors import ApiError

from .account_mails import get_link, get_text, read_mails
from .conftest import PASSWORD

ACCOUNT = "/access/v1/account"
EMAIL = f"{ACCOUNT}/email"
OLD, NEW = "author@example.org", "anna@example.net"


def ask_change(stand: Stand, email: str = NEW, password: str = PASSWORD, login: str = "author") -> Answer:
    return stand.client(login).post(EMAIL, {"email": email, "current_password": password})


def get_key(stand: Stand, to: str) -> str:
    return get_link(read_mails(stand, to)[-1], "confirm-email")["key"]


def answer(stand: Stand, key: str, **more: Any) -> Answer:
    return stand.client().post(f"{EMAIL}/confirm", {"key": key, **more})


def read_email(stand: Stand) -> Any:
    return stand.client("author").get(EMAIL).json


def test_everybody_reads_and_changes_their_own_names(house: Stand) -> None:
    author = house.client("author")
    assert author.get(ACCOUNT).json["email"] == OLD
    given = {"name": "Anna", "first_name": "A", "locale": "it_IT", "description": "Writes."}
    changed = author.patch(ACCOUNT, given)
    assert {name: changed.json[name] for name in given} == given
    # What has routes of its own, or needs a right, is no argument here.
    ignored = {"email": NEW, "password": "x", "roles": ["administrator"], "username": "other"}
    assert author.patch(ACCOUNT, ignored).status == 200
    told = author.get(ACCOUNT).json
    assert (told["email"], told["roles"], told["username"]) == (OLD, ["author"], "author")
    for method in ("get", "patch"):
        refused = getattr(house.client(), method)(ACCOUNT)
        assert (refused.status, refused.code) == (401, "rest_not_logged_in")


@pytest.mark.every_database
def test_an_address_changes_when_both_have_agreed(house: Stand) -> None:
    started = ask_change(house)
    assert (started.status, started.json["new_agreed"], started.json["old_agreed"]) == (202, False, False)
    assert read_email(house) == {"email": OLD, "confirmed": False, "waits": True}
    new, old = get_key(house, NEW), get_key(house, OLD)
    assert answer(house, new).json == {"changed": False, "refused": False}
    assert answer(house, new).json == {"changed": False, "refused": False}
    assert read_email(house)["email"] == OLD
    assert answer(house, old).json == {"changed": True, "refused": False}
    assert read_email(house) == {"email": NEW, "confirmed": True, "waits": False}
    assert (answer(house, old).status, answer(house, new).code) == (404, "rest_email_change_link_over")


def test_the_old_address_may_refuse(house: Stand) -> None:
    ask_change(house)
    new, old = get_key(house, NEW), get_key(house, OLD)
    assert answer(house, new).status == 200
    assert answer(house, old, refuse=True).json == {"changed": False, "refused": True}
    assert answer(house, old).status == 404
    assert read_email(house) == {"email": OLD, "confirmed": False, "waits": False}


def test_a_change_needs_the_password_and_can_be_withdrawn(house: Stand, clock: SetClock) -> None:
    refused = ask_change(house, password="wrong")
    assert (refused.status, refused.code) == (403, "rest_incorrect_password")
    assert ask_change(house, OLD.upper()).code == "rest_email_change_same"
    assert house.client().post(EMAIL, {"email": NEW, "current_password": PASSWORD}).status == 401
    ask_change(house)
    keys = get_key(house, NEW), get_key(house, OLD)
    author = house.client("author")
    assert author.delete(EMAIL).status == 204
    assert (author.delete(EMAIL).status, author.delete(EMAIL).code) == (404, "rest_no_email_change")
    assert [answer(house, key).status for key in keys] == [404, 404]
    ask_change(house)
    keys = get_key(house, NEW), get_key(house, OLD)
    clock.forward(24 * 3600 + 1)
    assert [answer(house, key).status for key in keys] == [404, 404]
    assert author.delete(EMAIL).status == 404


def test_a_newer_change_replaces_the_one_before(house: Stand) -> None:
    ask_change(house, "first@example.net")
    first = get_key(house, "first@example.net")
    ask_change(house)
    assert answer(house, first).status == 404
    assert [answer(house, get_key(house, to)).status for to in (NEW, OLD)] == [200, 200]
    assert read_email(house)["email"] == NEW


def test_the_address_of_another_account_is_answered_alike_and_its_owner_is_told(house: Stand) -> None:
    taken, free = ask_change(house, "editor@example.org"), ask_change(house)
    assert (taken.status, set(taken.json)) == (free.status, set(free.json))
    ask_change(house, "editor@example.org")
    [*_, mail] = read_mails(house, "editor@example.org")
    assert "It belongs to yours, editor" in get_text(mail)
    assert "key=" not in get_text(mail)


def test_an_address_that_was_taken_meanwhile_is_refused(house: Stand) -> None:
    ask_change(house)
    new, old = get_key(house, NEW), get_key(house, OLD)
    with house.site.work() as work:
        users.create_user(work, "anna", NEW)
    assert answer(house, new).status == 200
    assert (answer(house, old).status, answer(house, old).code) == (400, "rest_user_invalid_email")
    assert read_email(house)["email"] == OLD


def test_a_link_to_a_new_password_ends_with_the_address_that_it_went_to(house: Stand) -> None:
    house.client().post("/access/v1/passwords/lost", {"login": "author"})
    lost = get_link(read_mails(house, OLD)[-1], "new-password")
    ask_change(house)
    for to in (NEW, OLD):
        answer(house, get_key(house, to))
    given = {"account": int(lost["account"]), "key": lost["key"], "password": "a third one"}
    assert house.client().post("/access/v1/passwords/reset", given).status == 404


@pytest.mark.every_database
def test_of_two_agreements_at_once_one_changes_the_address(house: Stand) -> None:
    ask_change(house)
    keys = [get_key(house, NEW), get_key(house, OLD)] * 2
    barrier, told = threading.Barrier(4), []

    def run(key: str) -> None:
        barrier.wait()
        try:
            with house.site.work() as work:
                told.append(email_changes.is_finished(email_changes.answer_email_change(work, key)))
        except ApiError:
            told.append(False)

    threads = [threading.Thread(target=run, args=(key,)) for key in keys]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told.count(True) == 1
    assert read_email(house)["email"] == NEW


@pytest.mark.every_database
def test_a_lost_password_over_the_interface(house: Stand) -> None:
    client = house.client()
    told = {
        (one.status, one.content)
        for login in ("author", "nobody", "nobody@example.org")
        if (one := client.post("/access/v1/passwords/lost", {"login": login}))
    }
    assert told == {(202, b'{"accepted":true}')}
    [mail] = read_mails(house)
    link = get_link(mail, "new-password")
    given = {"account": int(link["account"]), "key": link["key"], "password": "another word to keep"}
    assert client.post("/access/v1/passwords/reset", {**given, "key": "wrong"}).code == "rest_password_link_over"
    assert client.post("/access/v1/passwords/reset", {**given, "password": "a\\b"}).status == 400
    assert client.post("/access/v1/passwords/reset", given).json == {"changed": True}
    assert client.post("/access/v1/passwords/reset", given).status == 404
    assert ask_change(house).status == 403
    assert ask_change(house, password="another word to keep").status == 202
    # Who chose a password by a link has proved the address, too.
    assert read_email(house)["confirmed"] is True


def test_the_own_password_changes_against_the_present_one(house: Stand) -> None:
    author, path = house.client("author"), f"{ACCOUNT}/password"
    assert author.put(path, {"current_password": "wrong", "password": "new"}).status == 403
    assert author.put(path, {"current_password": PASSWORD, "password": ""}).status == 400
    assert author.put(path, {"current_password": PASSWORD, "password": "new"}).status == 204
    assert author.put(path, {"current_password": PASSWORD, "password": "newer"}).status == 403
    assert author.put(path, {"current_password": "new", "password": "newer"}).status == 204
    assert house.client().put(path, {"current_password": "newer", "password": "x"}).status == 401


@pytest.mark.every_database
def test_guesses_at_a_current_password_wait_however_many_come(house: Stand, clock: SetClock) -> None:
    """A guess that is stopped costs nothing: the first ones are answered, all others wait."""
    author, path = house.client("author"), f"{ACCOUNT}/password"
    most = house.site.context.profile.limits.sign_in_failures
    told = [author.put(path, {"current_password": f"wrong{at}", "password": "new"}).status for at in range(most + 5)]
    assert told == [403] * most + [429] * 5
    assert author.put(path, {"current_password": PASSWORD, "password": "new"}).status == 429
    clock.forward(61)
    assert author.put(path, {"current_password": PASSWORD, "password": "new"}).status == 204
