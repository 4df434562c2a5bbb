"""Workers: processes that each answer with an application of their own, and a stop that finishes what was begun.

Not here: what the application is; each worker makes it by calling the function of that name. Another ASGI server may
take this room's place, for instance `uvicorn --factory` with the same name.
"""

from __future__ import annotations

import asyncio
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
from typing import Any

from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server.mp import MPServer

from . import logs

__all__ = ["CannotListen", "claim", "reachable", "serve"]

_DRAIN = 30  # seconds that a request may take to finish after the stop; the worker is then killed
_LOOK = 0.02  # seconds between two looks whether the workers answer


class CannotListen(Exception):
    """The server cannot listen on an address; the message says why and what to do."""


def claim(host: str, port: int) -> tuple[str, int]:
    """Return the numeric address and port to listen on, after a look whether they are free.

    port: 0 for any free one. Raises CannotListen.
    """
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


def serve(target: str, host: str, port: int, *, workers: int, log: str, ready: Callable[[], None]) -> int:
    """Answer until SIGTERM, SIGINT or SIGHUP, finish the requests at hand, and return the exit status.

    target: `module:function`, which returns the application; called in every worker.
    host, port: as `claim` returns them. log: one of logs.LEVELS. ready: called once, when the first worker answers.
    """
    server = MPServer(
        target,
        address=host,
        port=port,
        interface=Interfaces.ASGI,
        workers=workers,
        websockets=False,
        log_level=LogLevels.info if log == "debug" else LogLevels.warning,
        log_dictconfig=logs.configuration(log),
        respawn_failed_workers=True,
        workers_kill_timeout=_DRAIN,
    )
    # A terminal that closes means the stop here; the library would start its workers anew.
    server.on_startup(lambda: signal.signal(signal.SIGHUP, server.signal_handler_interrupt) and None)
    stopped = threading.Event()
    threading.Thread(target=_announce, args=(host, port, stopped, ready), daemon=True).start()
    # What is loaded by now is shared with every worker; a collector that walks over it would copy it.
    gc.collect()
    gc.freeze()
    try:
        server.serve(target_loader=_load)
    except SystemExit:
        pass
    finally:
        stopped.set()
    return 0 if server.interrupt_signal else 1


def _announce(host: str, port: int, stopped: threading.Event, ready: Callable[[], None]) -> None:
    """Call `ready` as soon as somebody answers."""
    near = reachable(host).strip("[]")
    while not stopped.is_set():
        try:
            socket.create_connection((near, port), timeout=1).close()
        except OSError:
            time.sleep(_LOOK)
        else:
            ready()
            return


def _load(target: str) -> Any:
    """Return the application, in the worker that is to answer with it."""
    # The handlers of the process that this one is a copy of would swallow a stop that comes while the site is read.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _leave_to_parent()
    asyncio.get_event_loop().call_soon(_leave_to_parent)
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    module, _, name = target.partition(":")
    application = getattr(importlib.import_module(module), name)()
    gc.collect()
    gc.freeze()
    return application


def _leave_to_parent() -> None:
    """Pass over what a terminal sends to all processes at once: the parent stops its workers in order."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def _stop_with_parent() -> None:
    """Stop this worker when the parent is gone without a word; it would else hold the port for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
