"""Reads from a real streaming replica: who writes sees it, nothing stale is kept, and a lost replica harms nobody.

Rules: docs/decisions/replicas.md.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import Client, Stand, made
from streaming_replica import Pair, pair_or_skip
from vetrina.rest.call import Request
from vetrina.settings import Settings, load_profile
from vetrina.site import Site

_PATIENCE = 60.0  # seconds for anything
_TOKEN = "consistency-token"


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    with pair_or_skip() as running:
        yield running


@pytest.fixture(scope="module")
def template(pair: Pair, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a database with a test site."""
    name = pair.new()
    made(tmp_path_factory.mktemp("prepared"), database=pair.primary.url(name), secret="secret of the tests").close()
    return name


@pytest.fixture
def copied(pair: Pair, template: str, tmp_path: Path) -> Iterator[Stand]:
    """A site with a replica that has everything so far and is in use."""
    with _copied(pair, template, tmp_path) as stand:
        yield stand


@contextlib.contextmanager
def _copied(pair: Pair, template: str, folder: Path, **settings: Any) -> Iterator[Stand]:
    if pair.replica.process.poll() is not None:
        pair.replica.start()
    name = pair.new(template)
    pair.catch_up()
    words: dict[str, Any] = {"database_replica_lag": 3600.0, "database_replica_wait": 0.05, **settings}
    site = _open(folder, pair, name, **words)
    stand = Stand(site)
    assert stand.client().get("/cms/v2/types").status == 200
    _wait_for(lambda: site.replicas.list_states()[0].is_used, "the replica is not taken into use")
    try:
        yield stand
    finally:
        with contextlib.suppress(Exception):
            pair.replica.ask("SELECT pg_wal_replay_resume()")
        site.close()


def _open(folder: Path, pair: Pair, name: str, **words: Any) -> Site:
    made_settings = Settings(
        secret="secret of the tests", database=pair.primary.url(name), database_replicas=(pair.replica.url(name),),
        **words,
    )  # fmt: skip
    return Site(load_profile("first"), made_settings, folder, durable=True)


def _wait_for(condition: Callable[[], object], what: str) -> None:
    until = time.monotonic() + _PATIENCE
    while not condition():
        assert time.monotonic() < until, what
        time.sleep(0.01)


def _hold(pair: Pair) -> None:
    """Have the replica replay nothing more."""
    pair.catch_up()
    pair.replica.ask("SELECT pg_wal_replay_pause()")
    _wait_for(lambda: pair.replica.ask("SELECT pg_get_wal_replay_pause_state()") == "paused", "replay was not paused")


def _create(stand: Stand, title: str) -> tuple[int, str]:
    """Create a post and return its id and the position that the answer tells."""
    written = stand.client("admin").post("/cms/v2/posts", {"title": title, "status": "publish"})
    assert written.status == 201
    return written.json["id"], written.headers[_TOKEN]


def _count_reads(stand: Stand) -> int:
    return sum(one.reads for one in stand.site.replicas.list_states())


def _title(client: Client, id: int, query: str = "", **headers: str) -> str | None:
    found = client.get(f"/cms/v2/posts/{id}?{query}", headers=headers)
    return found.json["title"]["rendered"] if found.status == 200 else None


def test_visitors_read_from_the_replica(copied: Stand, pair: Pair) -> None:
    id, _ = _create(copied, "Copied")
    pair.catch_up()
    before = _count_reads(copied)
    assert _title(copied.client(), id) == "Copied"
    assert copied.client().get("/cms/v2/posts").status == 200
    assert _count_reads(copied) == before + 2


def test_who_wrote_sees_it_and_others_the_state_before(copied: Stand, pair: Pair) -> None:
    id, _ = _create(copied, "Before")
    _hold(pair)
    changed = copied.client("admin").post(f"/cms/v2/posts/{id}", {"title": "After"})
    token = changed.headers[_TOKEN]
    cookie = changed.headers["set-cookie"].partition(";")[0]
    # With the header, with the cookie, and as an account that hands back nothing.
    assert _title(copied.client(), id, "a=1", **{_TOKEN: token}) == "After"
    assert _title(copied.client(), id, "a=2", cookie=cookie) == "After"
    assert _title(copied.client("admin"), id, "a=3") == "After"
    assert _title(copied.client("admin"), id, "a=4", **{_TOKEN: token}) == "After"
    assert _title(copied.client(), id, "a=5") == "Before"
    # A replica that has it answers those who bring a position, too.
    pair.replica.ask("SELECT pg_wal_replay_resume()")
    pair.catch_up()
    before = _count_reads(copied)
    _wait_for(
        lambda: (
            _title(copied.client("admin"), id, "a=6", **{_TOKEN: token}) == "After" and _count_reads(copied) > before
        ),
        "the replica answers nobody who wrote",
    )


def test_a_read_waits_for_the_replica(pair: Pair, template: str, tmp_path: Path) -> None:
    with _copied(pair, template, tmp_path, database_replica_wait=_PATIENCE) as stand:
        id, token = _create(stand, "Written")
        before = _count_reads(stand)
        assert _title(stand.client(), id, **{_TOKEN: token}) == "Written"
        assert _count_reads(stand) == before + 1


def test_nothing_stale_is_kept(copied: Stand, pair: Pair) -> None:
    id, _ = _create(copied, "Before")
    pair.catch_up()
    path = f"/cms/v2/posts/{id}"
    assert _title(copied.client(), id) == "Before"
    _hold(pair)
    token = copied.client("admin").post(path, {"title": "After"}).headers[_TOKEN]
    # Read of a replica that is behind: true when it was asked for, and never again.
    assert _title(copied.client(), id) == "Before"
    pair.replica.ask("SELECT pg_wal_replay_resume()")
    pair.catch_up()
    assert _title(copied.client(), id) == "After"
    # What the primary answers is kept, and good for all.
    _hold(pair)
    copied.client("admin").post(path, {"title": "Last"})
    token = copied.client("admin").post(path, {"title": "Very last"}).headers[_TOKEN]
    assert _title(copied.client(), id, **{_TOKEN: token}) == "Very last"
    assert _title(copied.client(), id) == "Very last"


def test_pages_are_read_from_the_replica_and_not_kept_stale(copied: Stand, pair: Pair) -> None:
    id, _ = _create(copied, "Page before")
    pair.catch_up()
    reader = Client(copied.site, root="")
    path = f"/en/?p={id}"
    link = copied.client().get(f"/cms/v2/posts/{id}").json["link"]
    path = link.partition("vetrina.test")[2]
    before = _count_reads(copied)
    assert b"Page before" in reader.get(path).content
    assert _count_reads(copied) > before
    _hold(pair)
    changed = copied.client("admin").post(f"/cms/v2/posts/{id}", {"title": "Page after"})
    cookie = changed.headers["set-cookie"].partition(";")[0]
    assert b"Page before" in reader.get(path).content
    assert b"Page after" in reader.get(path, headers={"cookie": cookie}).content
    assert b"Page after" in reader.get(path).content


def test_a_secret_is_compared_on_the_primary(copied: Stand, pair: Pair) -> None:
    admin = copied.client("admin")
    shut = admin.post("/cms/v2/posts", {"title": "Shut", "content": "inside", "password": "old", "status": "publish"})
    path = f"/cms/v2/posts/{shut.json['id']}"
    assert "inside" in copied.client().get(f"{path}?password=old").json["content"]["rendered"]
    _hold(pair)
    admin.post(path, {"password": "new"})
    assert copied.client().get(f"{path}?password=old").status == 403
    assert "inside" in copied.client().get(f"{path}?password=new").json["content"]["rendered"]


def test_rights_that_were_withdrawn_count_at_once(copied: Stand, pair: Pair) -> None:
    admin, editor = copied.client("admin"), copied.client("editor")
    id = editor.get("/cms/v2/users/me").json["id"]
    token = admin.post("/cms/v2/posts", {"title": "x", "status": "draft"}).headers[_TOKEN]
    pair.catch_up()
    assert editor.get("/cms/v2/posts?status=draft", headers={_TOKEN: token}).status == 200
    _hold(pair)
    assert admin.post(f"/cms/v2/users/{id}", {"roles": ["subscriber"]}).status == 200
    assert editor.get("/cms/v2/posts?status=draft", headers={_TOKEN: token}).status == 400


def test_a_replica_that_is_killed_is_left_out_and_taken_back(copied: Stand, pair: Pair) -> None:
    id, _ = _create(copied, "Copied")
    pair.catch_up()
    assert _title(copied.client(), id) == "Copied"
    pair.replica.end()
    for number in range(20):
        assert _title(copied.client(), id, f"n={number}") == "Copied"
    assert not copied.site.replicas.list_states()[0].is_used
    pair.replica.start()
    _wait_for(lambda: copied.site.replicas.list_states()[0].is_used, "the replica is not taken back")
    before = _count_reads(copied)
    assert _title(copied.client(), id, "n=last") == "Copied"
    assert _count_reads(copied) == before + 1


def test_a_replica_that_does_not_answer_any_more_holds_nobody_for_long(copied: Stand, pair: Pair) -> None:
    id, _ = _create(copied, "Copied")
    pair.catch_up()
    assert _title(copied.client(), id) == "Copied"
    name = copied.site.context.settings.database.partition("@/")[2].partition("?")[0]
    # The processes that serve this site's connections, as a machine that hangs would.
    stopped = [
        int(pid)
        for pid in (
            pair.replica.ask(
                f"SELECT string_agg(CAST(pid AS text), ' ') FROM pg_stat_activity WHERE datname = '{name}'"
            )
        ).split()
    ]
    for pid in stopped:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
    try:
        assert _title(copied.client(), id, "n=1") == "Copied"
        _wait_for(lambda: not copied.site.replicas.list_states()[0].is_used, "it is still in use")
    finally:
        for pid in stopped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def test_a_replica_that_is_too_far_behind_is_left_out_and_taken_back(pair: Pair, template: str, tmp_path: Path) -> None:
    with _copied(pair, template, tmp_path, database_replica_lag=1.0) as stand:
        id, _ = _create(stand, "Before")
        _hold(pair)
        stand.client("admin").post(f"/cms/v2/posts/{id}", {"title": "After"})
        _wait_for(lambda: not stand.site.replicas.list_states()[0].is_used, "it is still in use")
        assert _title(stand.client(), id) == "After"
        assert "behind" in stand.site.replicas.list_states()[0].fault
        pair.replica.ask("SELECT pg_wal_replay_resume()")
        _wait_for(lambda: stand.site.replicas.list_states()[0].is_used, "it is not taken back")


def test_options_of_two_states_are_never_mixed(copied: Stand, pair: Pair) -> None:
    admin = copied.client("admin")
    pair.catch_up()
    before = copied.client().get("/cms/v2/posts").status
    _hold(pair)
    assert admin.post("/cms/v2/settings", {"title": "Renamed"}).status == 200
    assert admin.get("/").json["name"] == "Renamed"
    # The process knows the new options now, the replica the old ones: no answer is made of both.
    assert copied.client().get("/", query={"x": 1}).json["name"] == "Renamed"
    assert copied.client().get("/cms/v2/posts", query={"x": 1}).status == before


def test_a_stream_of_changes_is_read_from_the_primary(copied: Stand) -> None:
    positions = copied.site.replicas.read_positions
    assert positions is not None
    assert not asyncio.run(positions.begin(Request("GET", "/"), "GET")).needs_primary
    for words in ({"headers": {"accept": "text/event-stream"}}, {"query": {"stream": "true"}}):
        assert asyncio.run(positions.begin(Request("GET", "/", **words), "GET")).needs_primary


def test_health_and_metrics_tell_of_the_replica(pair: Pair, template: str, tmp_path: Path) -> None:
    with _copied(pair, template, tmp_path, metrics="local") as stand:
        reader = Client(stand.site, root="")
        assert 'vetrina_replica_used{replica="replica 1"} 1' in reader.get("/metrics").content.decode()
        assert reader.get("/health/ready").json["replicas"] == {"replica 1": "ok"}
        pair.replica.end()
        _wait_for(lambda: not stand.site.replicas.list_states()[0].is_used, "it is still in use")
        ready = reader.get("/health/ready")
        # The primary can answer all.
        assert (ready.status, ready.json["replicas"]) == (200, {"replica 1": "left out"})
        assert [one.is_used for one in stand.site.replicas.check()] == [False]


def test_without_the_setting_nothing_is_told(site: Stand) -> None:
    written = site.client("admin").post("/cms/v2/posts", {"title": "Plain"})
    assert written.status == 201
    assert _TOKEN not in written.headers
    assert "set-cookie" not in written.headers
    assert site.site.replicas.list_states() == []


def test_only_postgresql_has_replicas(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="database_replicas"):
        made(tmp_path, database_replicas=("postgresql://host/name",))
