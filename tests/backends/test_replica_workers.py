"""Causal reads over several workers of one server, with a replica that is behind on purpose.

Rules: docs/decisions/replicas.md. One worker: test_replicas.py.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from served import PATIENCE, Server, founded
from streaming_replica import Pair, pair_or_skip

_BEHIND = 400  # milliseconds after which the replica replays a commit
_WORKERS = 3
_MOST_CONNECTIONS = 60  # enough to reach each of them
_TURNS = 4  # for each pair of workers


class Line:
    """A connection that stays with one worker."""

    def __init__(self, server: Server) -> None:
        self._connection = http.client.HTTPConnection(server.host, server.port, timeout=PATIENCE)
        self.read("/cms/v2/types")
        self.worker = _find_worker(server, self._connection.sock.getsockname()[1])

    def read(self, path: str, **headers: str) -> Any:
        """Return what a visitor is answered."""
        self._connection.request("GET", f"/en/cms-json{path}", headers=headers)
        answer = self._connection.getresponse()
        content = json.loads(answer.read())
        assert answer.status == 200, content
        return content

    def write(self, server: Server, path: str, **members: str) -> tuple[Any, str, str]:
        """Return what the administrator is answered, with the position of the write as a header and as a cookie."""
        signed = server.line().signed
        body = json.dumps(members)
        self._connection.request("POST", f"/en/cms-json{path}", body, {**signed, "Content-Type": "application/json"})
        answer = self._connection.getresponse()
        content = json.loads(answer.read())
        assert answer.status in (200, 201), content
        return content, answer.headers["Consistency-Token"], answer.headers["Set-Cookie"].partition(";")[0]

    def close(self) -> None:
        """End the connection."""
        self._connection.close()


def _find_worker(server: Server, port: int) -> int:
    """Return the process that has the other end of the connection from a port."""
    for row in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        words = row.split()
        if [int(words[column].rpartition(":")[2], 16) for column in (1, 2)] == [server.port, port]:
            return next(number for number in server.workers() if f"socket:[{words[9]}]" in _list_files(number))
    raise AssertionError("the connection is not there")


def _list_files(process: int) -> set[str]:
    found = set()
    for path in Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(OSError):
            found.add(str(path.readlink()))
    return found


@pytest.fixture
def pair() -> Iterator[Pair]:
    with pair_or_skip() as running:
        running.replica.ask(f"ALTER SYSTEM SET recovery_min_apply_delay = {_BEHIND}")
        running.replica.ask("SELECT pg_reload_conf()")
        yield running


@pytest.fixture
def server(pair: Pair, tmp_path: Path) -> Iterator[Server]:
    name = pair.new()
    founded(tmp_path, pair.primary.url(name))
    pair.catch_up()
    words = {
        "workers": _WORKERS, "database_replicas": json.dumps([pair.replica.url(name)]), "database_replica_lag": 60,
        "database_replica_wait": 0.05,
    }  # fmt: skip
    with Server(tmp_path, *(part for item in words.items() for part in ("--set", "{}={}".format(*item)))) as running:
        yield running


@pytest.fixture
def lines(server: Server) -> Iterator[list[Line]]:
    """A connection to each worker."""
    opened, found = list[Line](), dict[int, Line]()
    while len(found) < _WORKERS:
        assert len(opened) < _MOST_CONNECTIONS, f"{len(found)} workers of {_WORKERS} answer"
        opened.append(Line(server))
        found.setdefault(opened[-1].worker, opened[-1])
    yield list(found.values())
    for line in opened:
        line.close()


def test_who_writes_by_one_worker_sees_it_by_every_other_one(server: Server, lines: list[Line]) -> None:
    post, _, _ = lines[0].write(server, "/cms/v2/posts", title="0", status="publish")
    path, asked = f"/cms/v2/posts/{post['id']}", 0

    def read(line: Line, **headers: str) -> int:
        nonlocal asked
        asked += 1  # no two addresses are alike, so that nothing kept answers
        return int(line.read(f"{path}?n={asked}", **headers)["title"]["rendered"])

    time.sleep(2 * _BEHIND / 1000)
    number = 0
    for reader in lines:
        # From now on its visitors are answered by the replica, and so see what was written a moment ago too late.
        until = time.monotonic() + PATIENCE
        while True:
            number += 1
            lines[0].write(server, path, title=str(number))
            if read(reader) < number:
                break
            assert time.monotonic() < until, "this worker does not read from the replica"
    stale = 0
    for _ in range(_TURNS):
        for writer in lines:
            for reader in lines:
                number += 1
                _, token, cookie = writer.write(server, path, title=str(number))
                stale += read(reader) < number
                assert read(reader, **{"Consistency-Token": token}) == number
                assert read(reader, Cookie=cookie) == number
    assert stale
