"""SIGHUP under load: the server replaces itself, every worker is new, and no request fails."""

from __future__ import annotations

import http.client
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from postgres_server import Postgres
from served import PATIENCE, Line, Server, founded

pytestmark = pytest.mark.every_database


class Load:
    """Clients without a pause: one that writes, one that keeps its connection, one that opens new ones."""

    def __init__(self, server: Server) -> None:
        self.server, self.answers, self.failed = server, Counter[tuple[str, int]](), list[str]()
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._run, args=(one,)) for one in (self.write, self.read, self.anew)]

    def _run(self, ask: Callable[[Line], tuple[str, int]]) -> None:
        line = Line(self.server)
        while not self._stop.is_set():
            try:
                self.answers[ask(line)] += 1
            except (OSError, http.client.HTTPException) as error:
                self.failed.append(f"{ask.__name__}: {error!r}")
                line.close()
        line.close()

    def write(self, line: Line) -> tuple[str, int]:
        return "written", line.ask("POST", "/cms/v2/posts", {"title": "One more", "status": "publish"})[0]

    def read(self, line: Line) -> tuple[str, int]:
        return "read", line.ask("GET", "/cms/v2/posts", signed=False)[0]

    def anew(self, line: Line) -> tuple[str, int]:
        new = Line(self.server)
        try:
            return "read anew", new.ask("GET", "/cms/v2/posts?per_page=3", signed=False)[0]
        finally:
            new.close()

    def __enter__(self) -> Load:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()


@pytest.fixture
def folder(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    postgres: Postgres | None = request.getfixturevalue("postgres") if kind == "postgresql" else None
    return founded(tmp_path, postgres.new() if postgres is not None else "")


def renewed(server: Server) -> None:
    """Send SIGHUP and wait until all workers are new."""
    before = server.workers()
    assert len(before) == 2
    server.process.send_signal(signal.SIGHUP)
    until = time.monotonic() + PATIENCE
    while len(now := server.workers()) != 2 or now & before:
        assert time.monotonic() < until, f"{before} became {now}"
        assert server.process.poll() is None
        time.sleep(0.05)


def test_no_request_fails_while_the_server_is_renewed_twice(folder: Path) -> None:
    with Server(folder, "--workers", "2") as server:
        first = server.process.pid
        with Load(server) as load:
            for _ in range(2):
                renewed(server)
        assert load.failed == []
        assert set(load.answers) == {("written", 201), ("read", 200), ("read anew", 200)}
        assert server.process.pid == first
        # Everything that old and new workers acknowledged is stored.
        line = server.line()
        assert line.ask("GET", "/cms/v2/posts?per_page=1")[0] == 200
        assert line.total == load.answers["written", 201]
        assert server.stop() == 0


def test_a_server_that_would_not_start_anew_goes_on_as_it_is(folder: Path, kind: str) -> None:
    if kind == "postgresql":
        pytest.skip("the same on every database")
    with Server(folder, "--workers", "2") as server:
        before = server.workers()
        settings = folder / "vetrina.toml"
        sound = settings.read_text()
        settings.write_text(sound + 'no_such_key = "x"\n')
        server.process.send_signal(signal.SIGHUP)
        for looks in (True, False):
            until = time.monotonic() + PATIENCE
            while server.looks() is not looks:
                assert time.monotonic() < until
                time.sleep(0.01)
        assert server.workers() == before
        assert server.line().ask("GET", "/cms/v2/posts", signed=False)[0] == 200
        # Once repaired, the next one succeeds, and the new settings apply.
        settings.write_text(sound + 'url = "https://renewed.example"\n')
        renewed(server)
        status, index = server.line().ask("GET", "/", signed=False)
        assert (status, index["url"]) == (200, "https://renewed.example")
