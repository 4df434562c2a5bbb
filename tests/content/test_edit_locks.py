"""Edit locks over HTTP: who edits a record, who takes over, when it ends."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, SetClock, Stand
from vetrina.content.edit_locks.rules import HELD_SECONDS, delete_expired_locks
from vetrina.content.edit_locks.store import find_lock

LOCKS = "/cms/v2/edit-locks"


@pytest.fixture
def post(author: Client) -> int:
    found: int = author.post("/cms/v2/posts", {"title": "Porto"}).json["id"]
    return found


def acquire(client: Client, post: int, **members: Any) -> dict[str, Any]:
    answer = client.post(f"{LOCKS}/{post}", members)
    assert answer.status == 200, answer.json
    found: dict[str, Any] = answer.json
    return found


def test_the_first_to_edit_has_the_lock(author: Client, editor: Client, post: int) -> None:
    assert editor.get(f"{LOCKS}/{post}").json["editor"] == 0
    mine = acquire(author, post)
    assert mine["mine"]
    theirs = acquire(editor, post)
    assert (theirs["mine"], theirs["editor"]) == (False, mine["editor"])
    assert theirs["editor_name"]


def test_renewing_keeps_the_beginning(author: Client, post: int, clock: SetClock) -> None:
    first = acquire(author, post)
    clock.forward(20)
    again = acquire(author, post)
    assert again["since"] == first["since"]
    assert again["expires"] > first["expires"]


def test_who_takes_over_has_it(author: Client, editor: Client, post: int) -> None:
    acquire(author, post)
    assert acquire(editor, post, take_over=True)["mine"]
    assert not acquire(author, post)["mine"]


def test_a_lock_that_is_not_renewed_ends(author: Client, editor: Client, post: int, clock: SetClock) -> None:
    acquire(author, post)
    clock.forward(HELD_SECONDS)
    assert author.get(f"{LOCKS}/{post}").json["editor"] == 0
    assert acquire(editor, post)["mine"]


def test_releasing_ends_only_the_own_lock(author: Client, editor: Client, post: int) -> None:
    acquire(author, post)
    assert editor.delete(f"{LOCKS}/{post}").json["editor"] != 0
    assert author.delete(f"{LOCKS}/{post}").json == {
        "record": post, "mine": False, "editor": 0, "editor_name": "", "since": None, "expires": None,
    }  # fmt: skip


def test_only_those_who_may_edit_ask(author: Client, contributor: Client, anyone: Client, post: int) -> None:
    for client, status in ((anyone, 401), (contributor, 403)):
        for answer in (
            client.get(f"{LOCKS}/{post}"),
            client.post(f"{LOCKS}/{post}", {}),
            client.delete(f"{LOCKS}/{post}"),
        ):
            assert (answer.status, answer.code) == (status, "rest_cannot_edit")
    assert author.get(f"{LOCKS}/999999").code == "rest_post_invalid_id"


def test_expired_locks_are_swept(author: Client, post: int, clock: SetClock, site: Stand) -> None:
    acquire(author, post)
    clock.forward(HELD_SECONDS)
    with site.site.work() as work:
        assert find_lock(work.tx, post)
        delete_expired_locks(work)
        assert find_lock(work.tx, post) is None


def test_what_is_no_number_is_refused_by_name(admin: Client) -> None:
    answer = admin.get(f"{LOCKS}/1", query={"id": "x"})
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    assert "id" in answer.json["data"]["params"]
