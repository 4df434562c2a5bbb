"""Workers: processes that each answer with an application of their own, and a stop that finishes what was begun.

Not here: what the application is; each worker makes it by calling the function of that name. Another ASGI server may
take this room's place, for instance `uvicorn --factory` with the same name.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import importlib
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
from vetrina.http.graceful_restart import Renewing, Workers
from vetrina.http.shutdown import Draining
from vetrina.settings import Settings

__all__ = ["RENEW", "CannotListen", "claim", "reachable", "serve"]

RENEW = -1  # in place of an exit status: execute the command anew, which takes this server's place
_PARENT_LOOK = 0.5  # seconds between two looks whether the parent is there


class CannotListen(Exception):
    """The server cannot listen on an address; the message says why and what to do."""


def claim(host: str, port: int) -> tuple[str, int]:
    """Return the numeric address and port to listen on, after a look whether they are free.

    port: 0 for any free one. Raises CannotListen.
    """
    left = graceful_restart.handed()
    if left is not None:
        return left.address
    # Workers share their port with whoever asks for the same; without this look a second server would take half of
    # the requests of the first.
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
        raise CannotListen(_reason(error, host, port)) from None
    return own[0], own[1]


def reachable(host: str) -> str:
    """Return the host, as an address has it, by which this machine reaches what listens on a numeric address."""
    near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"[{near}]" if ":" in near else near


def _reason(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is taken by another program; stop it, or choose another with --port"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"port {port} needs more rights than you have; choose one above 1023 with --port"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine; choose another with --host"
    return f"port {port} of {host} cannot be listened on: {error.strerror}"


def serve(
    target: str, host: str, port: int, settings: Settings, *, folder: Path, ready: Callable[[], None],
    renewable: bool = False,
) -> int:  # fmt: skip
    """Answer until SIGTERM or SIGINT, finish the requests at hand, and return the exit status.

    On SIGHUP a renewable server returns RENEW with its workers still answering, if the command would start anew; any
    other one stops, and so does one whose terminal has gone.
    target: `module:function`, which returns the application; called in every worker.
    host, port: as `claim` returns them. folder: shared by the processes of this server while it runs.
    ready: called once, when the first worker answers.
    """
    left = graceful_restart.handed()
    server = Workers(
        target,
        address=host,
        port=port,
        interface=Interfaces.ASGI,
        workers=settings.workers,
        websockets=False,
        log_level=LogLevels.info if settings.log == "debug" else LogLevels.warning,
        log_dictconfig=log_lines.configuration(settings.log, settings.log_format, settings.log_requests),
        respawn_failed_workers=True,
        workers_kill_timeout=graceful_restart.DRAIN,
        left=left,
        ready=ready if left is None else None,
        draining=Draining(folder),
        drain_wait=settings.drain_wait,
    )
    terminal = _terminal()

    def hang_up(*_: object) -> None:
        # A terminal that closes means the stop.
        renews = renewable and not (terminal and not _terminal())
        server.hung_up(renews)

    server.on_startup(lambda: signal.signal(signal.SIGHUP, hang_up) and None)
    # What is loaded by now is shared with every worker; a collector that walks over it would copy it.
    gc.collect()
    gc.freeze()
    with contextlib.suppress(SystemExit):
        server.serve(target_loader=partial(_load, target), wrap_loader=False)
    if server.renews:
        return RENEW
    return 0 if server.interrupt_signal else 1


def _terminal() -> bool:
    """Tell whether this process has a terminal that could close."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True


def _load(target: str, listener: int, begun: Callable[[], None]) -> Any:
    """Return the application, in the worker that is to answer with it.

    listener: the number of the socket that the worker listens on. begun: called when the application is there.
    """
    # The handlers of the process that this one is a copy of would swallow a stop that comes while the site is read.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _leave_to_parent()
    asyncio.get_event_loop().call_soon(_leave_to_parent)
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    module, _, name = target.partition(":")
    application = Renewing(getattr(importlib.import_module(module), name)(), listener)
    signal.signal(signal.SIGUSR1, application.leave)
    gc.collect()
    gc.freeze()
    begun()
    return application


def _leave_to_parent() -> None:
    """Pass over what a terminal sends to all processes at once: the parent stops its workers in order."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def _stop_with_parent() -> None:
    """Stop this worker when the parent is gone without a word; it would else hold the port for ever."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    # A parent that renews itself has the same number, though nothing that it had open.
    while os.getppid() == parent.pid:
        time.sleep(_PARENT_LOOK)
    os.kill(os.getpid(), signal.SIGTERM)
    # Nobody is left who would kill a worker that does not come to its end.
    time.sleep(graceful_restart.DRAIN)
    os.kill(os.getpid(), signal.SIGKILL)
