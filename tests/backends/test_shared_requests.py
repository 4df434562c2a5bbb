"""Clients whose requests are written together see no difference, whatever happens to the transaction they share."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

import orjson
import psycopg
import pytest

from conftest import Stand, send_request
from lost_commits import Cut
from recorded_trips import prepare_trips
from vetrina.backends import shared_transaction
from vetrina.core.user import NOBODY
from vetrina.http import durable_responses
from vetrina.http.offload import RequestExecutor, StartAllowance
from vetrina.rest.call import Request

pytestmark = pytest.mark.in_process("several requests are at hand in the event loop of one process")

POSTS = "/en/cms-json/cms/v2/posts"
HEADERS = {
    "authorization": "Basic " + base64.b64encode(b"admin:admin pass word").decode(),
    "content-type": "application/json",
}


@pytest.fixture
def kind() -> str:
    return "postgresql"


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has a transaction stay open for others on a machine that is busy, too."""
    monkeypatch.setattr(shared_transaction, "_MAX_SECONDS", 60.0)
    monkeypatch.setattr(durable_responses, "_BUSY_SECONDS", 60.0)


def create_all(site: Stand, bodies: list[dict[str, Any]]) -> list[tuple[int, Any]]:
    """Create posts at once; return status and body of each answer."""

    async def create(body: dict[str, Any]) -> tuple[int, Any]:
        status, _, content = await send_request(site.site, "POST", POSTS, orjson.dumps(body), HEADERS)
        return status, orjson.loads(content)

    async def gather() -> list[tuple[int, Any]]:
        return await asyncio.gather(*map(create, bodies))

    return asyncio.run(gather())


def name_posts(count: int) -> list[dict[str, Any]]:
    return [{"title": f"Post {at}", "status": "publish", "categories": [1]} for at in range(count)]


def list_titles(site: Stand) -> list[str]:
    found = site.client("admin").get("/cms/v2/posts?per_page=100&orderby=id&order=asc").json
    return [one["title"]["rendered"] for one in found]


def test_posts_that_are_created_at_once_are_committed_once(site: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    create_all(site, name_posts(1))
    with prepare_trips(monkeypatch)() as log:
        told = create_all(site, name_posts(8))
    assert [status for status, _ in told] == [201] * 8
    assert [body["slug"] for _, body in told] == [f"post-{at}" + "-2" * (not at) for at in range(8)]
    assert [trip[-1] for trip in log].count("COMMIT") == 1
    # Two of them sign in: the first, and the first that finds the transaction.
    assert len(log) <= 2 + 8 + 4


def test_a_request_that_is_refused_costs_the_others_nothing(site: Stand) -> None:
    bodies = name_posts(6)
    bodies[0] = bodies[3] = {"title": "Refused", "author": 4711}
    told = create_all(site, bodies)
    assert [status for status, _ in told] == [400, 201, 201, 400, 201, 201]
    assert list_titles(site) == ["Post 1", "Post 2", "Post 4", "Post 5"]


@pytest.mark.parametrize("after", [False, True])
def test_no_client_sees_that_the_connection_of_a_shared_commit_was_lost(
    site: Stand, monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    create_all(site, name_posts(1))

    def kill(process: int) -> None:
        with psycopg.connect(site.site.context.settings.database, autocommit=True) as connection:
            connection.execute("SELECT pg_terminate_backend(%s, 5000)", [process])

    cut = Cut(monkeypatch, kill, after)
    told = create_all(site, name_posts(8))
    assert (cut.done, [status for status, _ in told]) == (True, [201] * 8)
    assert len({body["id"] for _, body in told}) == 8
    assert sorted(list_titles(site)) == sorted(["Post 0", *(f"Post {at}" for at in range(8))])


def test_a_caller_who_was_known_in_a_lost_transaction_signs_in_again(
    site: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who lost the turn does not know what another process has written since: here that a password is withdrawn."""
    create_all(site, name_posts(1))

    def withdraw(process: int) -> None:
        with psycopg.connect(site.site.context.settings.database, autocommit=True) as connection:
            connection.execute("SELECT pg_terminate_backend(%s, 5000)", [process])
            connection.execute("DELETE FROM app_password")
            connection.execute(
                "INSERT INTO change (kind, item, action, at) VALUES ('app_password', 'all', 'removed', 0)"
            )

    cut = Cut(monkeypatch, withdraw, after=False)
    told = create_all(site, name_posts(6))
    # The first two had signed in by themselves before.
    assert (cut.done, [status for status, _ in told]) == (True, [201] * 2 + [401] * 4)


def test_what_waits_for_the_commit_is_done_after_it(site: Stand) -> None:
    executor, seen = RequestExecutor(1, 1000, site.site.database.open_group_commit), list[Any]()

    def look() -> None:
        with psycopg.connect(site.site.context.settings.database) as connection:
            seen.append(connection.execute("SELECT value FROM option WHERE name = 'title'").fetchone())

    def write(begin: StartAllowance) -> None:
        request = Request("POST", "/", "http://vetrina.test/cms-json", "http://vetrina.test")
        request.inline = begin()
        with site.site.open_work(request, NOBODY, False) as work:
            work.set_option("title", "After")
            work.run_after_commit(look)

    asyncio.run(executor.run_inline(write, writes=True))
    executor.close()
    assert ["After" in value for (value,) in seen] == [True]
