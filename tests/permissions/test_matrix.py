"""Every content route with every method, called by every role and anonymously.

The expected results are in record_rows.py, thing_rows.py and other_rows.py, with their rules; the format of a row is in
rows.py. A route without a row fails here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from foreign_host import Host, answer

from .other_rows import OTHER_ROWS
from .record_rows import RECORD_ROWS
from .rows import CALLERS, OF_SHOPS, Row
from .thing_rows import THING_ROWS
from .world import World

ROWS = (*RECORD_ROWS, *THING_ROWS, *OTHER_ROWS)
PROFILES = ("first", "second")
# The second profile has the same routes except for the types of the first: one row of each method and path covers it,
# and every one that it alone has.
ASKED = [
    *(("first", row) for row in ROWS if row.profile != "second"),
    *(("second", row) for row in {(row.method, row.path.partition("?")[0]): row for row in ROWS[::-1]}.values()
      if not row.profile),
    *(("second", row) for row in ROWS if row.profile == "second"),
]  # fmt: skip
# Revisions and autosaves are not part of a batch.
BATCHED = [row for row in RECORD_ROWS if row.method != "GET" and not row.profile and row.path.count("/") < 5]
# `Allow` is computed with the given arguments: nobody may create a comment without a post. That a revision can be
# deleted is not reported there, as on the reference, where it cannot.
READ = sorted(
    {row.path for row in ROWS if row.method == "GET" and row.profile != "second" and "?" not in row.path
     and "revision}" not in row.path}
    - {"/cms/v2/comments"}
)  # fmt: skip
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
NAMESPACES = {"", "cms/v2", "oembed/1.0", "cms-site-health/v1", "cms-block-editor/v1", "cms-abilities/v1"}


def said(status: int, body: Any) -> str:
    """Return status and, of an error, code, as a row writes them."""
    return f"{status} {body.get('code')}" if status >= 400 else str(status)


def answered_to(world: World, row: Row, callers: Iterable[str]) -> dict[str, str]:
    """Return the result of each of some callers; their changes are reverted."""
    answered = {}
    for caller in callers:
        answer = world.call(caller, row.method, row.path, row.body)
        answered[caller] = said(answer.status, answer.json)
        if answer.status < 300 and row.method != "GET":
            world.restore(files="/media" in row.path)
    return answered


@pytest.fixture(scope="session")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], World]]:
    """The world of a profile, created at first use."""
    made: dict[str, World] = {}
    with Host(lambda handler: answer(handler, b"<title>Frutta</title>", Content_Type="text/html")) as host:

        def of(profile: str) -> World:
            if profile not in made:
                made[profile] = World(tmp_path_factory.mktemp("permissions") / profile, profile, host)
            return made[profile]

        yield of
        for one in made.values():
            one.close()


@pytest.fixture
def first(worlds: Callable[[str], World]) -> World:
    return worlds("first")


@pytest.fixture(params=PROFILES)
def world(request: pytest.FixtureRequest, worlds: Callable[[str], World]) -> World:
    return worlds(request.param)


@pytest.mark.parametrize(("profile", "row"), ASKED, ids=str)
def test_who_may(worlds: Callable[[str], World], profile: str, row: Row) -> None:
    assert answered_to(worlds(profile), row, CALLERS) == {caller: row.expected(caller) for caller in CALLERS}


@pytest.mark.parametrize("row", [row for row in ROWS if row.profile != "first"], ids=str)
def test_what_those_of_a_shop_may(worlds: Callable[[str], World], row: Row) -> None:
    """Customers and shop managers, which only the second profile has."""
    assert answered_to(worlds("second"), row, OF_SHOPS) == {caller: row.expected(caller) for caller in OF_SHOPS}


@pytest.mark.parametrize("row", BATCHED, ids=str)
def test_a_batch_asks_for_the_same_rights(first: World, row: Row) -> None:
    part = {"method": row.method, "path": row.path, "body": row.body or {}}
    answered, expected = {}, {}
    for caller in CALLERS:
        asked = {**part, "path": first.path(row.path, caller), "body": first.body(part["body"], caller)}
        inner = first.clients[caller].post("/batch/v1", {"requests": [asked]}).json["responses"][0]
        answered[caller] = said(inner["status"], inner["body"])
        expected[caller] = row.expected(caller)
        if inner["status"] < 300:
            first.restore()
    assert answered == expected


@pytest.mark.parametrize("path", READ)
def test_allow_names_what_the_caller_may_do(first: World, path: str) -> None:
    """`Allow` of a read: of the methods that have a row, those that this caller may use."""
    of = {row.method: row for row in reversed(ROWS) if row.path.partition("?")[0] == path}
    answered, expected = {}, {}
    for caller in CALLERS:
        answer = first.call(caller, "GET", path)
        if answer.status == 200:
            told = answer.headers.get("allow", "").split(", ")
            answered[caller] = [method for method in METHODS if method in told and method in of]
            expected[caller] = [method for method in METHODS if method in of and of[method].lets(caller)]
    assert answered == expected


def test_no_route_is_without_a_row(world: World) -> None:
    known = set()
    for row in ROWS:
        if row.profile in ("", world.profile):
            path = world.path(row.path, "administrator").partition("?")[0]
            found = world.site.table.find(path, row.method)
            assert found is not None, row
            known.add((row.method, found[0].pattern))
    every = {
        (method, place.pattern)
        for place in world.site.table.endpoints.values()
        if place.namespace in NAMESPACES
        for method in place.methods
    }
    assert sorted(every - known) == []
