"""The site of a test behind several worker processes, which `VETRINA_SCALED=1` uses instead of calls in process.

Requests of the tests then go over HTTP, each to another worker than the one before, so that a write by one is read by
the other at once. What a test does to the site itself (`site.site.work()`, jobs) goes to the same database and store
from the test's own process. Run as a program, this file is the parent of those servers: it has everything loaded, and
forks each server.
"""

from __future__ import annotations

import asyncio
import gc
import http.client
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["SCALED", "Mother", "Served"]

SCALED = os.environ.get("VETRINA_SCALED", "") not in ("", "0")
WORKERS = 2
PATIENCE = 60.0  # seconds for a server to start, or a request to be answered
_WHO = "x-worker"  # test header: the id of the process that answered
_AHEAD = "ahead"  # file in a site's folder: seconds that its clock is ahead
_MOST_CONNECTIONS = 40  # enough to reach both workers

Exchanged = tuple[int, list[tuple[str, str]], bytes]


class Mother:
    """A process that starts servers, for as long as the tests of this process run."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, **words: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """Stop it and everything that it started."""
        self._process.communicate()


class Served:
    """The workers of one site.

    ahead: how far the site's clock is moved forward, in seconds, read before each request.
    """

    def __init__(self, mother: Mother, site: Any, ahead: Callable[[], int] = lambda: 0, workers: int = WORKERS) -> None:
        import msgspec

        self._mother, self._folder, self._ahead, self._told = mother, site.folder, ahead, 0
        found = mother.ask(
            profile=json.loads(msgspec.json.encode(site.context.profile, enc_hook=dict)),
            settings=json.loads(msgspec.json.encode(site.context.settings, enc_hook=dict)),
            folder=str(site.folder),
            workers=workers,
        )
        self._process, self._port = found["process"], found["port"]
        self._lines: dict[str, http.client.HTTPConnection] = {}
        self._turn = 0
        # The order depends on which worker was reached; each computes the response of this URL itself.
        for _ in range(_MOST_CONNECTIONS):
            line = self._connected()
            line.request("GET", "/en/cms-json/cms/v2/statuses")
            answer = line.getresponse()
            answer.read()
            if self._lines.setdefault(answer.headers[_WHO], line) is not line:
                line.close()
            if len(self._lines) == workers:
                return
        raise AssertionError(f"{workers} workers were started, {len(self._lines)} answer")

    @property
    def workers(self) -> list[str]:
        """The names of the workers, in the order of their turns."""
        return list(self._lines)

    def exchange(self, method: str, target: str, body: bytes, headers: dict[str, str], worker: str = "") -> Exchanged:
        """Send one request and return status, headers and body; worker: which one responds, the next if empty."""
        if not worker:
            self._turn += 1
            worker = self.workers[self._turn % len(self._lines)]
        if self._ahead() != self._told:
            self._told = self._ahead()
            (self._folder / _AHEAD).write_text(str(self._told))
        # Concurrent requests need a connection each, and reach any worker.
        alone = threading.current_thread() is threading.main_thread()
        line = self._lines[worker] if alone else self._connected()
        line.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            line.putheader(name, value)
        line.endheaders(body or None)
        answer = line.getresponse()
        content = answer.read()
        pairs = [(name.lower(), value) for name, value in answer.getheaders()]
        met = dict(pairs).get(_WHO)
        if not alone:
            line.close()
        assert met in (worker, None) or not alone, "a worker was replaced"
        added = (_WHO, "date", "transfer-encoding", "connection")
        return answer.status, [pair for pair in pairs if pair[0] not in added], content

    def _connected(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)

    def close(self) -> None:
        """Kill the workers; nothing of theirs is needed any more."""
        for line in self._lines.values():
            line.close()
        self._mother.ask(end=self._process)


# -- the mother, and the servers


_told: dict[str, Any] = {}


def application() -> Any:
    """Return the site that this server was given, in one of its workers."""
    import msgspec

    from vetrina.kernel.times import SystemClock
    from vetrina.settings import Profile, Settings
    from vetrina.site import Site

    folder = Path(_told["folder"])
    ahead = folder / _AHEAD

    class Clock(SystemClock):
        def now(self) -> int:
            try:
                return super().now() + int(ahead.read_text())
            except (OSError, ValueError):
                return super().now()

    profile = msgspec.convert(_told["profile"], Profile)
    settings = msgspec.convert(_told["settings"], Settings)
    app = Site(profile, settings, folder, clock=Clock(), durable=False).app
    name = str(os.getpid()).encode()

    async def named(scope: Any, receive: Any, send: Any) -> None:
        async def sent(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], (_WHO.encode(), name)]}
            await send(message)

        await app(scope, receive, sent)

    return named


def _loaded() -> None:
    """Import what a site of either profile needs, so that no server has to."""
    import contextlib
    import tempfile

    from vetrina.settings import Settings, load_profile
    from vetrina.site_factory import create_stand_in_site

    for name in ("first", "second"):
        with tempfile.TemporaryDirectory() as folder:
            create_stand_in_site(load_profile(name), [], Path(folder), Settings(secret="secret of the tests")).close()
    for name in ("obstore", "psycopg", "psycopg_pool", "vetrina.backends.s3_file_store", "vetrina.backends.postgres"):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def _mother() -> None:
    from vetrina.http import workers as run
    from vetrina.http.shared_memory import RUN_VARIABLE
    from vetrina.settings import Settings

    _loaded()
    gc.collect()
    gc.freeze()
    servers: set[int] = set()
    for line in sys.stdin:
        words = json.loads(line)
        if "end" in words:
            os.killpg(words["end"], signal.SIGKILL)
            os.waitpid(words["end"], 0)
            servers.discard(words["end"])
            print("{}", flush=True)
            continue
        child = os.fork()
        if child:
            servers.add(child)
            continue
        os.setsid()
        asyncio.set_event_loop(asyncio.new_event_loop())
        _told.update(words)
        host, port = run.claim_address("127.0.0.1", 0)
        said = json.dumps({"process": os.getpid(), "port": port})
        settings = Settings(workers=words["workers"], log="warning")
        # Deleted with the test's own folder: these servers are killed.
        shared = Path(words["folder"]) / "run"
        shared.mkdir()
        os.environ[RUN_VARIABLE] = str(shared)
        run.serve_application(
            application, host, port, settings, folder=shared,
            ready=lambda said=said: print(said, flush=True),
        )  # fmt: skip
        os._exit(0)
    for server in servers:
        os.killpg(server, signal.SIGKILL)


if __name__ == "__main__":
    _mother()
