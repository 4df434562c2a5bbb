"""A server that replaces itself without failing a request: new code, new settings, the same process id.

The parent holds a listening socket for each worker, so that no connection is lost with a worker. For a restart it
leaves sockets and workers to the program that it executes in its own place, which starts new workers; when they
answer, the old ones send `Connection: close` with every response for a while, so that active clients reconnect, and
are then stopped in order. What triggers a restart: http/workers.py; how workers are given sockets:
http/granian_sockets.py.
"""

from __future__ import annotations

import logging
import os
import queue
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

from vetrina.http.granian_sockets import BACKLOG, GranianSocketServer
from vetrina.http.shutdown import ShutdownFlag

_LOG = logging.getLogger("vetrina.workers")

DRAIN_SECONDS = 30  # seconds that running requests may take after the stop; the worker is then killed
_NOTICE = 2.0  # seconds in which old workers ask their clients to reconnect before they are stopped
_DRY_RUN_SECONDS = 60.0  # seconds that the check before a restart may take
_POLL_SECONDS = 0.02  # seconds between two checks whether old workers have exited

_HANDOVER_VARIABLE = "VETRINA_HANDED"
_DRY_RUN_VARIABLE = "VETRINA_LOOKING"


class Handover(msgspec.Struct, frozen=True):
    """What a server leaves to its successor: file descriptors of listening sockets, and process ids of workers."""

    sockets: tuple[int, ...]
    workers: tuple[int, ...]

    @property
    def address(self) -> tuple[str, int]:
        """The numeric host and the port that the sockets listen on."""
        with socket.socket(fileno=os.dup(self.sockets[0])) as one:
            host, port = one.getsockname()[:2]
        return host, port


@cache
def find_handover() -> Handover | None:
    """Return what the server that this one replaces has left, None where it replaces none."""
    received = os.environ.pop(_HANDOVER_VARIABLE, None)
    return msgspec.json.decode(received, type=Handover) if received else None


def is_dry_run() -> bool:
    """Return whether this process only checks that a site could be served."""
    return _DRY_RUN_VARIABLE in os.environ


def _find_obstacle() -> str:
    """Return why this command would not start again; empty when it would."""
    environment = {**os.environ, _DRY_RUN_VARIABLE: "1"}
    try:
        done = subprocess.run(
            _build_command(), env=environment, capture_output=True, text=True, timeout=_DRY_RUN_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if done.returncode == 0 else done.stderr.strip() or f"status {done.returncode}"


def replace_process() -> None:
    """Execute this command again in this process; the handover is in its environment."""
    os.execv(sys.executable, _build_command())


def _build_command() -> list[str]:
    return [sys.executable, *sys.orig_argv[1:]]


class WorkerParent(GranianSocketServer):
    """The parent of workers: it holds their sockets, and may leave everything to a successor.

    handover: what was left to this server; its workers are stopped when those of this one answer.
    ready: called once, when the first worker answers.
    shutdown_flag: the flag that tells the workers of the stop; drain_wait: seconds between that and the closed port.
    renews: whether sockets and workers were left to the program that is executed next in this process.
    """

    def __init__(
        self,
        *words: Any,
        handover: Handover | None = None,
        ready: Callable[[], None] | None = None,
        shutdown_flag: ShutdownFlag,
        drain_wait: int = 0,
        **named: Any,
    ) -> None:
        super().__init__(*words, **named)
        self._ready = ready
        self._draining, self._drain_wait = shutdown_flag, drain_wait
        self.renews = False
        self._left = handover
        self._old = set(handover.workers if handover is not None else ())
        self._began, self._begins = os.pipe()
        self._restarts: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._dry_run: threading.Thread | None = None
        self.on_startup(self._watch_ready_workers)

    def report_ready(self, worker: int) -> None:
        """Report to the parent, from the worker, that its application is loaded. worker: its position, from 0."""
        # If this worker held them too, the port of a stopped worker would accept connections that nobody answers.
        for at, number in enumerate(self.sockets):
            if at != worker:
                os.close(number)
        os.write(self._begins, bytes((worker % 256,)))

    def handle_hangup(self, renews: bool) -> None:
        """Restart this server, if it would start again, or stop it."""
        if not renews:
            self.signal_handler_interrupt()
            return
        # Asked for during a check, a restart is checked again: what was wrong may have been mended meanwhile.
        self._restarts.put(None)
        if self._dry_run is None:
            self._dry_run = threading.Thread(target=self._check_restarts, name="dry run", daemon=True)
            self._dry_run.start()

    def signal_handler_interrupt(self, *_: object, **__: object) -> None:
        """Stop: tell the workers, then close the port; the second time, do not wait in between."""
        waits = self._drain_wait and not self._draining
        self._draining.begin()
        self.interrupt_signal = True
        if waits:
            timer = threading.Timer(self._drain_wait, self.main_loop_interrupt.set)
            timer.daemon = True
            timer.start()
        else:
            self.main_loop_interrupt.set()

    def open_sockets(self) -> list[int]:
        """Return the sockets that a predecessor left, closed or completed to one a worker."""
        inherited = self._left.sockets if self._left is not None else ()
        for number in inherited[: self.workers]:
            os.set_inheritable(number, False)
        for number in inherited[self.workers :]:
            os.close(number)
        missing = self.workers - len(inherited)
        return [
            *inherited[: self.workers],
            *(_open_listener(self.bind_addr, self.bind_port) for _ in range(missing)),
        ]

    def build_loader(self, position: int, load: Callable[..., Any]) -> Callable[[], Any]:
        """Return the call by which a worker loads its application and reports that it has."""
        return partial(load, self.sockets[position], partial(self.report_ready, position))

    def shutdown(self, exit_code: int = 0) -> None:
        """End this server: leave sockets and workers to a successor, or close the port and stop the workers."""
        if self.renews:
            self._leave_to_successor()
            raise SystemExit
        # If the parent held them too, the port would accept connections while the workers only finish their requests.
        for number in self.sockets:
            os.close(number)
        self.sockets = []
        self._stop_all_workers()
        # The library has no types here.
        super().shutdown(exit_code)  # type: ignore[no-untyped-call]

    def _stop_all_workers(self) -> None:
        # The library's workers lack type annotations.
        workers: list[Any] = [*self.wrks]
        for worker in workers:
            worker.terminate()
        until = time.monotonic() + DRAIN_SECONDS
        for worker in workers:
            # Another thread waits for the worker too: for a short time it may seem alive to one of the two, and the
            # library would treat it as one that does not stop.
            while worker.is_alive() and time.monotonic() < until:
                worker.join(_POLL_SECONDS)
                time.sleep(_POLL_SECONDS / 4)
            if worker.is_alive():
                _LOG.warning("worker %s did not stop within %s s and is killed", worker.idx + 1, DRAIN_SECONDS)
                worker.kill()
                worker.join()
        self.wrks.clear()

    def _check_restarts(self) -> None:
        while not self.renews:
            self._restarts.get()
            while not self._restarts.empty():
                self._restarts.get()
            self._begin_restart()

    def _begin_restart(self) -> None:
        """End the library's loop, unless this command would not start again or the server was asked to stop."""
        obstacle = _find_obstacle()
        if obstacle:
            _LOG.error("the server goes on as it is, because it would not start again: %s", obstacle)
        elif not self.interrupt_signal:
            self.renews = self.interrupt_signal = True
            self.main_loop_interrupt.set()

    def _leave_to_successor(self) -> None:
        # Asked to stop from here on, this process exits at once; the workers notice, and finish their requests.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        for number in self.sockets:
            os.set_inheritable(number, True)
        workers = {one.inner.pid for one in self.wrks if one.inner.is_alive()} | self._old
        os.environ[_HANDOVER_VARIABLE] = msgspec.json.encode(Handover(tuple(self.sockets), tuple(workers))).decode()

    def _watch_ready_workers(self) -> None:
        threading.Thread(target=self._wait_for_workers, name="begun", daemon=True).start()

    def _wait_for_workers(self) -> None:
        """Receive the reports of ready workers, and stop those of a predecessor when all are ready."""
        begun, retiring = set[int](), False
        while received := os.read(self._began, 1):
            # The library treats a worker that ends soon after another as one that cannot start, and gives up.
            self.respawned_wrks.pop(received[0], None)
            if self._ready is not None and not begun:
                self._ready()
            begun.add(received[0])
            if self._old and not retiring and len(begun) == min(self.workers, 256):
                retiring = True
                threading.Thread(target=self._stop_predecessors, name="retiring", daemon=True).start()

    def _stop_predecessors(self) -> None:
        """Stop the workers of a predecessor, which are children of this process; they finish their requests."""
        _signal_workers(self._old, signal.SIGUSR1)
        time.sleep(_NOTICE)
        _signal_workers(self._old, signal.SIGTERM)
        until = time.monotonic() + DRAIN_SECONDS
        while self._old:
            if time.monotonic() > until:
                _signal_workers(self._old, signal.SIGKILL)
            self._old -= {number for number in self._old if _has_exited(number)}
            time.sleep(_POLL_SECONDS)


def _open_listener(host: str, port: int) -> int:
    """Return the file descriptor of a socket that shares its address and port with others."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    made.bind((host, port))
    made.listen(BACKLOG)
    made.setblocking(False)
    return made.detach()


def _signal_workers(workers: Iterable[int], what: int) -> None:
    for number in workers:
        with suppress(ProcessLookupError):
            os.kill(number, what)


def _has_exited(number: int) -> bool:
    try:
        return os.waitpid(number, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return True


Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class RestartableApplication:
    """A worker's application, which can ask its clients to reconnect. listener: the descriptor of its socket."""

    def __init__(self, application: Callable[[Scope, Receive, Send], Awaitable[None]], listener: int) -> None:
        self._application, self._listener, self._leaving = application, listener, False

    def begin_leaving(self, *_: object) -> None:
        """Accept no new connection, and send `Connection: close` with every response, so that clients reconnect.

        The workers that stay listen on the same socket.
        """
        self._leaving = True
        # The server cannot stop listening and keep its connections, so it goes on with a socket that nobody knows. A
        # connection accepted at the last moment would be closed without a response.
        with socket.socket() as unknown:
            unknown.bind(("127.0.0.1", 0))
            unknown.listen(1)
            unknown.setblocking(False)
            os.dup2(unknown.fileno(), self._listener)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        return self._application(scope, receive, _add_connection_close(send) if self._leaving else send)


def _add_connection_close(send: Send) -> Send:
    async def sent(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
        await send(message)

    return sent
