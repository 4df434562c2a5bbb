"""How often a request waits for a database server: a few times, however many statements that takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from conftest import Client, Stand
from recorded_trips import Trips, prepare_trips
from vetrina.backends.libpq import PreparedConnection
from vetrina.rest.serializer import Serializer

POSTS = "/cms/v2/posts"

pytestmark = pytest.mark.in_process("it counts what that process sends")


@pytest.fixture
def kind() -> str:
    return "postgresql"


@pytest.fixture
def trips(monkeypatch: pytest.MonkeyPatch) -> Trips:
    return prepare_trips(monkeypatch)


def body(number: int) -> dict[str, Any]:
    content = "<!-- wp:paragraph -->\n<p>Text</p>\n<!-- /wp:paragraph -->"
    return {"title": f"Post {number}", "content": content, "status": "publish", "categories": [1]}


def batch(first: int) -> dict[str, Any]:
    return {"requests": [{"path": POSTS, "body": body(first + at)} for at in range(25)]}


@pytest.fixture
def posts(admin: Client) -> list[int]:
    return [admin.post(POSTS, body(number)).json["id"] for number in range(12)]


def is_log_read(trip: list[str]) -> bool:
    return len(trip) == 1 and trip[0].startswith("SELECT change.sequence, change.kind")


def count_reads(trips: Trips, client: Client, target: str) -> int:
    """Return the trips of an anonymous read without those that look at the change log for what is kept."""
    client.get(f"{target}again=1")
    with trips() as log:
        assert client.get(f"{target}again=2").status == 200
    return len([trip for trip in log if not is_log_read(trip)])


def test_a_list_waits_twice(trips: Trips, posts: list[int], anyone: Client) -> None:
    assert count_reads(trips, anyone, f"{POSTS}?") <= 2


def test_a_page_that_was_found_before_waits_for_the_log_alone(trips: Trips, posts: list[int], anyone: Client) -> None:
    anyone.get(f"{POSTS}?categories=1")
    with trips() as log:
        # The same arguments in another address, of which no answer is kept.
        assert len(anyone.get(f"{POSTS}?categories=1&").json) == 10
    assert [trip for trip in log if not is_log_read(trip)] == []


def test_a_page_of_a_category_waits_twice(trips: Trips, posts: list[int], anyone: Client) -> None:
    assert count_reads(trips, anyone, f"{POSTS}?categories=1&per_page=5&page=2&") <= 3


def test_a_single_record_waits_once(trips: Trips, posts: list[int], anyone: Client) -> None:
    anyone.get(f"{POSTS}/{posts[2]}")
    with trips() as log:
        assert anyone.get(f"{POSTS}/{posts[3]}").status == 200
    assert len([trip for trip in log if not is_log_read(trip)]) == 1


def test_a_record_that_was_shown_before_waits_for_the_log_alone(trips: Trips, posts: list[int], anyone: Client) -> None:
    assert count_reads(trips, anyone, f"{POSTS}/{posts[3]}?") == 0


def test_a_kept_answer_waits_once(trips: Trips, posts: list[int], anyone: Client) -> None:
    anyone.get(POSTS)
    with trips() as log:
        assert len(anyone.get(POSTS).json) == 10
    assert [is_log_read(trip) for trip in log] == [True]


def test_a_creation_waits_four_times(trips: Trips, posts: list[int], admin: Client) -> None:
    with trips() as log:
        assert admin.post(POSTS, body(100)).status == 201
    # Signing in, what it needs to know, the writes and what its answer shows, the commit.
    assert len(log) == 4
    assert sum(map(len, log)) <= 20


def test_a_batch_of_creations_waits_little_more_than_once_for_each(
    trips: Trips, posts: list[int], admin: Client
) -> None:
    admin.post("/batch/v1", batch(200))
    with trips() as log:
        answers = admin.post("/batch/v1", batch(300)).json["responses"]
    assert [answer["status"] for answer in answers] == [201] * 25
    assert len(log) <= 30
    assert sum(map(len, log)) <= 175


def test_the_server_writes_a_record_while_its_answer_is_made(
    monkeypatch: pytest.MonkeyPatch, posts: list[int], admin: Client
) -> None:
    seen: list[str] = []

    def note(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def noting(*given: Any) -> Any:
            seen.append(name)
            return real(*given)

        return noting

    monkeypatch.setattr(PreparedConnection, "send", note("send", PreparedConnection.send))
    monkeypatch.setattr(PreparedConnection, "settle", note("settle", PreparedConnection.settle))
    monkeypatch.setattr(Serializer, "serialize", note("serialize", Serializer.serialize))
    assert admin.post(POSTS, body(100)).status == 201
    assert seen[seen.index("serialize") - 1] == "send"
    del seen[:]
    admin.post("/batch/v1", batch(300))
    shown = [at for at, name in enumerate(seen) if name == "serialize"]
    assert [seen[at - 1] for at in shown] == ["send"] * 25


def test_a_member_of_a_batch_that_is_refused_costs_the_others_no_answer(admin: Client, posts: list[int]) -> None:
    """What was read ahead is not taken for true after a member was rolled back, or has taken what it found free."""
    named = {**body(1), "slug": "one-name"}
    members = [named, {**named, "author": 999_999}, named, {"title": "", "content": ""}, named]
    requests = [{"path": POSTS, "body": one} for one in members]
    answers = admin.post("/batch/v1", {"requests": requests}).json["responses"]
    assert [answer["status"] for answer in answers] == [201, 400, 201, 400, 201]
    made = [answer["body"] for answer in answers if answer["status"] == 201]
    assert [one["slug"] for one in made] == ["one-name", "one-name-2", "one-name-3"]
    assert [one["id"] - made[0]["id"] for one in made] == [0, 1, 2]


def test_options_that_another_process_changed_are_never_those_of_an_answer(
    trips: Trips, site: Stand, posts: list[int], anyone: Client
) -> None:
    """A read begins with the options that the process knows, unless it finds out in time that they have changed."""
    target, known = f"{POSTS}/{posts[0]}?again=", site.site.context.option_memory
    assert anyone.get(f"{target}1").json["lang"] == "en"
    for number, mode, lang in ((2, 0, ""), (3, 1, "en")):
        before = known.known
        with site.site.work() as work:
            work.set_option("translation_modes", {"post_post": mode})
        assert known.known == before
        with trips() as log:
            assert anyone.get(f"{target}{number}").json["lang"] == lang
        # Looking at the log tells that something has changed, before any option was used.
        told = [trip for trip in log if not is_log_read(trip)]
        assert (len(told), told.count(["ROLLBACK"])) == (1, 0)
        assert known.known != before


def test_a_refusal_is_not_made_of_options_that_have_changed(site: Stand, posts: list[int]) -> None:
    italian = site.client(root="/it/cms-json")
    assert site.client("admin", root="/it/cms-json").post(POSTS, body(1)).status == 201
    assert italian.get(f"{POSTS}?page=2&again=1").code == "rest_post_invalid_page_number"
    with site.site.work() as work:
        work.set_option("translation_modes", {"post_post": 0})
    assert len(italian.get(f"{POSTS}?page=2&again=2").json) == 3
