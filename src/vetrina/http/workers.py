"""Workers: processes that each run an application of their own, and a stop that finishes running requests.

Each worker builds the application from what the parent has read: one that takes the place of another needs no file,
which may have been changed since. Another ASGI server may replace this module.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from granian.constants import Interfaces
from granian.log import LogLevels

from vetrina.http import graceful_restart, log_lines
from vetrina.http.graceful_restart import RestartableApplication, WorkerParent
from vetrina.http.shutdown import ShutdownFlag
from vetrina.settings import Settings

RENEW = -1  # instead of an exit status: execute the command again, which replaces this server
_PARENT_LOOK = 0.5  # seconds between two checks whether the parent is alive


class CannotListen(Exception):
    """The server cannot listen on an address; the message says why and what to do."""


def claim_address(host: str, port: int) -> tuple[str, int]:
    """Return the numeric address and port to listen on, after checking that they are free.

    port: 0 for any free one. Raises CannotListen.
    """
    handover = graceful_restart.find_handover()
    if handover is not None:
        return handover.address
    # Workers share their port with any process that binds the same; without this check a second server would take half
    # of the requests of the first.
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, _, _, address = found[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            own = probe.getsockname()
    except socket.gaierror:
        raise CannotListen(f"{host} is no address of this machine; choose another with --host") from None
    except OSError as error:
        raise CannotListen(_describe_listen_error(error, host, port)) from None
    return own[0], own[1]


def format_reachable_host(host: str) -> str:
    """Return the host, as written in a URL, by which this machine reaches a numeric address."""
    near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"[{near}]" if ":" in near else near


def _describe_listen_error(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is taken by another program; stop it, or choose another with --port"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"port {port} needs more rights than you have; choose one above 1023 with --port"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine; choose another with --host"
    return f"port {port} of {host} cannot be listened on: {error.strerror}"


def serve_application(
    build: Callable[[], Any], host: str, port: int, settings: Settings, *, folder: Path, ready: Callable[[], None],
    renewable: bool = False,
) -> int:  # fmt: skip
    """Serve until SIGTERM or SIGINT, finish running requests, and return the exit status.

    On SIGHUP a renewable server returns RENEW with its workers still answering, if the command would start again; any
    other one stops, and so does one whose terminal was closed.
    build: returns the application; called in every worker.
    host, port: as `claim_address` returns them. folder: shared by the processes of this server while it runs.
    ready: called once, when the first worker answers.
    """
    handover = graceful_restart.find_handover()
    server = WorkerParent(
        "",
        address=host,
        port=port,
        interface=Interfaces.ASGI,
        workers=settings.workers,
        websockets=False,
        log_level=LogLevels.info if settings.log == "debug" else LogLevels.warning,
        log_dictconfig=log_lines.build_logging_config(settings.log, settings.log_format, settings.log_requests),
        respawn_failed_workers=True,
        workers_kill_timeout=graceful_restart.DRAIN_SECONDS,
        handover=handover,
        ready=ready if handover is None else None,
        shutdown_flag=ShutdownFlag(folder),
        drain_wait=settings.drain_wait,
    )
    terminal = _has_terminal()

    def hang_up(*_: object) -> None:
        # A closing terminal means stop.
        renews = renewable and not (terminal and not _has_terminal())
        server.handle_hangup(renews)

    server.on_startup(lambda: signal.signal(signal.SIGHUP, hang_up) and None)
    # Objects loaded by now are shared with every worker; a collector that traverses them would copy them.
    gc.collect()
    gc.freeze()
    with contextlib.suppress(SystemExit):
        server.serve(target_loader=partial(_load_application, build), wrap_loader=False)
    if server.renews:
        return RENEW
    return 0 if server.interrupt_signal else 1


def _has_terminal() -> bool:
    """Return whether this process has a terminal that could close."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True


def _load_application(build: Callable[[], Any], listener: int, report_ready: Callable[[], None]) -> Any:
    """Return the application, called in the worker that runs it.

    listener: the descriptor of the socket that the worker listens on.
    report_ready: called when the application is loaded.
    """
    # Handlers inherited from the parent would swallow a stop that arrives while the site is loaded.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _ignore_terminal_signals()
    asyncio.get_event_loop().call_soon(_ignore_terminal_signals)
    threading.Thread(target=_watch_parent, daemon=True).start()
    application = RestartableApplication(build(), listener)
    signal.signal(signal.SIGUSR1, application.begin_leaving)
    gc.collect()
    gc.freeze()
    report_ready()
    return application


def _ignore_terminal_signals() -> None:
    """Ignore what a terminal sends to all processes at once: the parent stops its workers in order."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def _watch_parent() -> None:
    """Stop this worker when the parent has died; it would hold the port for ever."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    # A parent that restarts itself keeps its process id, but none of its open files.
    while os.getppid() == parent.pid:
        time.sleep(_PARENT_LOOK)
    os.kill(os.getpid(), signal.SIGTERM)
    # Nobody is left to kill a worker that does not exit.
    time.sleep(graceful_restart.DRAIN_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)
