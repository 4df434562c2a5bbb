"""Connections to other servers that stay open between requests, for clients that send many to the same one.

A connection is given to one request at a time, and only to requests to the server that it was opened to.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from typing import Final

from vetrina.backends.http_client_urls import OutboundTarget
from vetrina.backends.socket_deadlines import TimedSocket

_IDLE_SECONDS: Final = 15.0  # servers close after a while what nobody uses

_Server = tuple[str, str, int]  # scheme, host, port


class KeptConnections:
    """The connections of a client that nothing is sent over at the moment. clock: seconds that only grow."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._idle: dict[_Server, list[tuple[float, TimedSocket]]] = {}
        weakref.finalize(self, _end_all, self._idle)

    def take(self, target: OutboundTarget) -> TimedSocket | None:
        """Return an open connection to the server of a target, the one used last; None where there is none."""
        with self._lock:
            idle = self._idle.get(_name_server(target), [])
            while idle:
                since, connection = idle.pop()
                if self._clock() - since < _IDLE_SECONDS:
                    return connection
                connection.end()
        return None

    def give(self, target: OutboundTarget, connection: TimedSocket) -> None:
        """Keep a connection whose last response was read to its end."""
        with self._lock:
            self._idle.setdefault(_name_server(target), []).append((self._clock(), connection))


def _name_server(target: OutboundTarget) -> _Server:
    return target.scheme, target.host, target.port


def _end_all(idle: dict[_Server, list[tuple[float, TimedSocket]]]) -> None:
    for connections in idle.values():
        for _, connection in connections:
            connection.end()
