"""Large and unusual values of every argument of every list: never a server error, and never slow.

Routes and arguments are drawn from the tables of both profiles. A request that may delay others is limited by the
processor time of this process, whatever else the machine does.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, strategies as st
from test_requests import BUDGET, ROOT, asked, endpoints, filled, is_prescribed, many, required, unsound, words

from conftest import Client, Stand, exchange, made
from vetrina.rest.fields import Array
from vetrina.rest.route import Route
from vetrina.settings import SiteLimits, load_profile

MOST = 1.0  # seconds of processor time; far above normal, near what blocked the event loop
LIMITS = SiteLimits()
FULL = LIMITS.list_items
# At the limits: accepted, and slowest.
TAKEN: list[Any] = [
    [*range(1, FULL + 1)], [f"w{at}" for at in range(FULL)], ",".join(map(str, range(FULL))), [10**30] * FULL,
    [[1] * 900] * 20, [["1", "2"]] * FULL, ['"\\%_'] * FULL, [1e308] * FULL, [{"a": [1] * 100}] * 100,
    {"terms": [*range(1, LIMITS.filter_terms + 1)], "operator": "AND", "include_children": True},
    {"terms": [*range(1, FULL + 1)], "include_children": True},
    [{"attribute": "a", "operator": "and", "slug": [f"a{at}" for at in range(99)]}] * 20,
    [{"attribute": "a", "term": "b", "terms": ["x"] * 99}] * 20,
    "a " * 20_000, "-a " * 10_000, '" ' * 20_000, "x" * 60_000, "%_\\" * 20_000, "\u0131\ufdfa" * 10_000, "9" * 5_000,
    10**30, -(10**30), 2**63, 1e308, "1e400", "0x" + "f" * 5_000, "-" + "9" * 5_000 + ".5",
    "0001-01-01T00:00:00", "9999-12-31T23:59:59", "9999-12-31T23:59:59-14:00", "0001-01-01", "9999-12-31",
]  # fmt: skip
# Beyond them: refused by name.
REFUSED: list[Any] = [
    [*range(FULL + 1)], ["x"] * 10_000, ",".join(map(str, range(FULL + 1))), "1 " * 30_000,
]  # fmt: skip


@pytest.fixture(scope="module", params=["first", "second"])
def stand(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    site = made(tmp_path_factory.mktemp("large"), load_profile(request.param), secret="secret of the tests")
    stand = Stand(site)
    admin = stand.client("admin")
    for at in range(3):
        admin.post("/cms/v2/posts", {"title": f"w{at} 1,2", "content": "a x", "status": "publish"})
        if request.param == "second":
            admin.post("/shop/v3/products", {"name": f"w{at}", "regular_price": "5", "status": "publish"})
            admin.post("/shop/v3/orders", {"billing": {"first_name": f"w{at}"}, "status": "completed"})
    yield stand
    site.close()


def reads(stand: Stand) -> list[tuple[str, Route]]:
    return [(pattern, route) for pattern, route in endpoints(stand) if route.read and route.args]


def problem(client: Client, route: Route, path: str, members: dict[str, Any]) -> str:
    """Return what is wrong with the response to a read, or with its time; empty for nothing."""
    body = words(members)
    if len(body) > LIMITS.read_body_bytes:
        return ""
    headers = {**client.headers, "content-type": "application/json"}
    spent, tries = MOST + 1, 0
    # A second run tells what is slow from what was slow: the garbage collector may have run in the first.
    while spent > MOST and tries < 2:
        begun, tries = time.process_time(), tries + 1
        answer = exchange(client.site, route.methods[0], ROOT + path, body, headers)
        found = "" if is_prescribed(path, answer) else unsound(answer)
        spent = time.process_time() - begun
    if found or spent > MOST:
        return f"{route.methods[0]} {path} {body[:120]!r}: {found or f'{spent:.1f} s'}"
    return ""


def test_a_large_value_of_any_argument_is_answered_soon(stand: Stand) -> None:
    arguments = [(pattern, route, name) for pattern, route in reads(stand) for name in route.args]
    values, clients = itertools.cycle(TAKEN), itertools.cycle([stand.client("admin"), stand.client()])
    wrong = []
    for pattern, route, name in arguments:
        for value in itertools.islice(values, max(3, BUDGET // len(arguments))):
            members = {**required(route, name), name: value}
            wrong.append(problem(next(clients), route, filled(pattern, {}), members))
    assert not any(wrong), "\n".join(filter(None, wrong))


def test_a_list_beyond_its_maximum_is_named(stand: Stand) -> None:
    values, wrong = itertools.cycle(REFUSED), []
    for pattern, route in reads(stand):
        for name in (name for name, field in route.args.items() if isinstance(field, Array)):
            value = next(values)
            body = words({**required(route, name), name: value})
            headers = {**stand.client("admin").headers, "content-type": "application/json"}
            answer = exchange(stand.site, route.methods[0], ROOT + filled(pattern, {}), body, headers)
            # A route may look up the object in its path first.
            if answer[0] not in (400, 401, 403, 404) or (answer[0] == 400 and f'"{name}"'.encode() not in answer[2]):
                wrong.append(f"{pattern} {name} {str(value)[:40]}: {answer[0]} {answer[2][:200]!r}")
    assert not wrong, "\n".join(wrong)


@many(1.5)
@given(data=st.data())
def test_large_values_together_are_answered_soon(stand: Stand, data: st.DataObject) -> None:
    pattern, route = data.draw(st.sampled_from(reads(stand)))
    names = st.sampled_from(sorted(route.args))
    members = data.draw(st.dictionaries(names, st.sampled_from(TAKEN + REFUSED), min_size=1, max_size=4))
    asked = {name: data.draw(st.sampled_from(enum)) for name in members if (enum := _choices(route, name))}
    client = stand.client(data.draw(st.sampled_from(["", "subscriber", "contributor", "admin"])))
    assert not problem(client, route, filled(pattern, {}), {**required(route, ""), **members, **asked})


def _choices(route: Route, name: str) -> list[Any]:
    return list(getattr(route.args[name], "enum", ()) or ())


@many(0.5)
@given(data=st.data())
def test_a_number_of_any_length_in_a_path_is_answered(stand: Stand, data: st.DataObject) -> None:
    pattern, route = data.draw(st.sampled_from([one for one in endpoints(stand) if "(?P<" in one[0]]))
    length = data.draw(st.sampled_from([16, 19, 20, 309, 4_300, 4_301, 9_000]))
    digit = data.draw(st.sampled_from("19"))
    path = filled(pattern, dict.fromkeys(("id", "parent", "posts", "pages", "media", "comments"), digit * length))
    headers = {**stand.client("admin").headers, "content-type": "application/json"}
    method = data.draw(st.sampled_from(route.methods))
    target = ROOT + path + f"?page={digit * length}&offset={digit * length}&id={digit * length}"
    if len(target) < LIMITS.target_bytes:
        assert not asked(stand.client("admin"), method, target, words({"title": "x"}), headers)
