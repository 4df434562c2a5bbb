"""A server that takes its own place without failing a request: new code, new settings, the same process number.

The parent holds a listening socket for each worker, so that no connection is lost with a worker. To renew itself it
leaves sockets and workers to the program that is executed in its place; that one starts workers of its own, and when
they answer the old ones say `Connection: close` with every answer, for long enough that clients in use turn to new
connections, and are then stopped in order. Not here: who asks for it (http/workers.py), the consumer of jobs (cli).
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import suppress
from functools import cache, partial
from typing import Any

import msgspec
from granian._granian import SocketHolder
from granian.server.mp import MPServer, WorkerProcess

from vetrina.http.shutdown import Draining

__all__ = ["DRAIN", "Handed", "Renewing", "Workers", "handed", "looking_only", "take_place"]

_LOG = logging.getLogger("vetrina.workers")

DRAIN = 30  # seconds that a request may take to finish after the stop; the worker is then killed
_NOTICE = 2.0  # seconds in which old workers tell their clients to connect anew before they are stopped
_LOOK_SECONDS = 60.0  # seconds that the look before a renewal may take
_LOOK = 0.02  # seconds between two looks whether old workers are gone
_BACKLOG = 1024  # connections that wait for a worker to take them

_HANDED = "VETRINA_HANDED"
_LOOKING = "VETRINA_LOOKING"


class Handed(msgspec.Struct, frozen=True):
    """What a server leaves to its successor: numbers of open sockets that listen, and of workers that answer."""

    sockets: tuple[int, ...]
    workers: tuple[int, ...]

    @property
    def address(self) -> tuple[str, int]:
        """The numeric host and the port that the sockets listen on."""
        with socket.socket(fileno=os.dup(self.sockets[0])) as one:
            host, port = one.getsockname()[:2]
        return host, port


@cache
def handed() -> Handed | None:
    """Return what the server whose place this one takes has left, None where it takes nobody's."""
    told = os.environ.pop(_HANDED, None)
    return msgspec.json.decode(told, type=Handed) if told else None


def looking_only() -> bool:
    """Tell whether this process is to find out whether a site could be served, and no more."""
    return _LOOKING in os.environ


def _hindrance() -> str:
    """Return why this command, begun anew, would not start; empty when it would."""
    environment = {**os.environ, _LOOKING: "1"}
    try:
        done = subprocess.run(_again(), env=environment, capture_output=True, text=True, timeout=_LOOK_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if done.returncode == 0 else done.stderr.strip() or f"status {done.returncode}"


def take_place() -> None:
    """Execute this command anew in this process; it finds in its environment what was handed over."""
    os.execv(sys.executable, _again())


def _again() -> list[str]:
    return [sys.executable, *sys.orig_argv[1:]]


class Workers(MPServer):
    """The parent of workers: it holds their sockets, and may leave all to a successor.

    left: what was handed to this server; its workers are stopped when those of this one answer.
    ready: called once, when the first worker answers.
    draining: what tells the workers of the stop; drain_wait: seconds between that and the closed port.
    renews: whether sockets and workers were left to the program that is to be executed next in this process.
    """

    def __init__(
        self,
        *words: Any,
        left: Handed | None = None,
        ready: Callable[[], None] | None = None,
        draining: Draining,
        drain_wait: int = 0,
        **named: Any,
    ) -> None:
        super().__init__(*words, **named)
        self._ready = ready
        self._draining, self._drain_wait = draining, drain_wait
        self.renews = False
        self._shd: Any = None
        self._left = left
        self._old = set(left.workers if left is not None else ())
        self._sockets: list[int] = []
        self._began, self._begins = os.pipe()

    def begun(self, worker: int) -> None:
        """Tell the parent that a worker has its application; called in the worker. worker: its place, from 0."""
        # Held here as well, the port of a worker that has stopped would take connections that nobody answers.
        for at, number in enumerate(self._sockets):
            if at != worker:
                os.close(number)
        os.write(self._begins, bytes((worker % 256,)))

    def hung_up(self, renews: bool) -> None:
        """Renew this server, or stop it."""
        if renews:
            self.reload_signal = True
            self.main_loop_interrupt.set()
        else:
            self.signal_handler_interrupt()

    def signal_handler_interrupt(self, *_: object, **__: object) -> None:
        """Stop: say so to the workers, then close the port; a second time, do not wait between the two."""
        waits = self._drain_wait and not self._draining
        self._draining.begin()
        self.interrupt_signal = True
        if waits:
            timer = threading.Timer(self._drain_wait, self.main_loop_interrupt.set)
            timer.daemon = True
            timer.start()
        else:
            self.main_loop_interrupt.set()

    def _init_shared_socket(self) -> None:
        self._ssp = self._sso = None
        kept = self._left.sockets if self._left is not None else ()
        for number in kept[: self.workers]:
            os.set_inheritable(number, False)
        for number in kept[self.workers :]:
            os.close(number)
        missing = self.workers - len(kept)
        self._sockets = [*kept[: self.workers], *(_listening(self.bind_addr, self.bind_port) for _ in range(missing))]

    def _drop_shared_socket(self) -> None:
        # Held here too, a port would take connections that nobody answers while the workers finish theirs.
        for number in self._sockets:
            os.close(number)
        self._sockets = []

    def _spawn_worker(self, idx: int, target: Any, callback_loader: Any) -> WorkerProcess:  # type: ignore[override]
        # The library's description of this class lacks its arguments.
        holder: Any = SocketHolder
        self._shd = holder(self._sockets[idx], False, _BACKLOG)
        loader = partial(callback_loader, self._sockets[idx], partial(self.begun, idx))
        return super()._spawn_worker(idx, target, loader)

    def _stop_workers(self) -> None:
        # The library's description of its workers lacks types.
        workers: list[Any] = [*self.wrks]
        for worker in workers:
            worker.terminate()
        until = time.monotonic() + DRAIN
        for worker in workers:
            # Another thread waits for the worker as well: for a moment it may seem alive to one of the two, which
            # the library takes for one that would not stop.
            while worker.is_alive() and time.monotonic() < until:
                worker.join(_LOOK)
                time.sleep(_LOOK / 4)
            if worker.is_alive():
                _LOG.warning("worker %s did not stop within %s s and is killed", worker.idx + 1, DRAIN)
                worker.kill()
                worker.join()
        self.wrks.clear()

    def _serve_loop(self, spawn_target: Any, target_loader: Any) -> None:
        threading.Thread(target=self._heard, name="begun", daemon=True).start()
        # The library has no types here.
        super()._serve_loop(spawn_target, target_loader)  # type: ignore[no-untyped-call]

    def _reload(self, spawn_target: Any, target_loader: Any) -> None:
        self.reload_signal = False
        self.main_loop_interrupt.clear()
        hindrance = _hindrance()
        if hindrance:
            _LOG.error("the server goes on as it is, because it would not start anew: %s", hindrance)
            return
        # Asked to stop from here on, this process ends at once; the workers notice, and finish what they have begun.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        for number in self._sockets:
            os.set_inheritable(number, True)
        workers = {one.inner.pid for one in self.wrks if one.inner.is_alive()} | self._old
        os.environ[_HANDED] = msgspec.json.encode(Handed(tuple(self._sockets), tuple(workers))).decode()
        self.renews = True
        raise SystemExit

    def _heard(self) -> None:
        """Hear of workers that have begun, and stop those of a predecessor when all have."""
        begun, retiring = set[int](), False
        while told := os.read(self._began, 1):
            # The library takes a worker that ends soon after another for one that cannot start, and gives up.
            self.respawned_wrks.pop(told[0], None)
            if self._ready is not None and not begun:
                self._ready()
            begun.add(told[0])
            if self._old and not retiring and len(begun) == min(self.workers, 256):
                retiring = True
                threading.Thread(target=self._retire, name="retiring", daemon=True).start()

    def _retire(self) -> None:
        """Stop the workers of a predecessor, which are children of this process; they finish what they have begun."""
        _tell(self._old, signal.SIGUSR1)
        time.sleep(_NOTICE)
        _tell(self._old, signal.SIGTERM)
        until = time.monotonic() + DRAIN
        while self._old:
            if time.monotonic() > until:
                _tell(self._old, signal.SIGKILL)
            self._old -= {number for number in self._old if _gone(number)}
            time.sleep(_LOOK)


def _listening(host: str, port: int) -> int:
    """Return the number of a socket that shares an address with others like it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    made.bind((host, port))
    made.listen(_BACKLOG)
    made.setblocking(False)
    return made.detach()


def _tell(workers: Iterable[int], what: int) -> None:
    for number in workers:
        with suppress(ProcessLookupError):
            os.kill(number, what)


def _gone(number: int) -> bool:
    try:
        return os.waitpid(number, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return True


Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Renewing:
    """An application in a worker, which can begin to send its clients away. listener: the number of its socket."""

    def __init__(self, application: Callable[[Scope, Receive, Send], Awaitable[None]], listener: int) -> None:
        self._application, self._listener, self._leaving = application, listener, False

    def leave(self, *_: object) -> None:
        """Take no new connection, and say `Connection: close` with every answer, so that clients connect anew.

        The workers that stay listen on the same socket.
        """
        self._leaving = True
        # The server has no way to stop listening that keeps its connections: it goes on with a socket that nobody
        # knows. A connection that it took at the last moment would be closed without an answer.
        with socket.socket() as unknown:
            unknown.bind(("127.0.0.1", 0))
            unknown.listen(1)
            unknown.setblocking(False)
            os.dup2(unknown.fileno(), self._listener)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        return self._application(scope, receive, _closing(send) if self._leaving else send)


def _closing(send: Send) -> Send:
    async def sent(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
        await send(message)

    return sent
