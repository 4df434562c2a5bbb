"""Waits that end at a deadline: a connection whose every wait does, and a function that knows no deadline of its own.

Not here: which connection is made and what is asked over it (backends/http_client.py).
"""

from __future__ import annotations

import io
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["CHUNK", "TimedSocket", "within"]

CHUNK = 64 << 10  # bytes read at once


class TimedSocket:
    """A connection whose every wait ends at one deadline, however slowly the other side drips."""

    def __init__(self, plain: socket.socket, deadline: float) -> None:
        self._plain, self._deadline = plain, deadline

    def sendall(self, data: bytes) -> None:
        self._plain.settimeout(self.left())
        self._plain.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_TimedReader(self._plain, self), CHUNK)

    def close(self) -> None:
        """Do nothing yet: a connection that ends with its answer is closed before the answer's body is read."""

    def end(self) -> None:
        """Close the connection."""
        self._plain.close()

    def left(self) -> float:
        """Return the seconds that are left. Raises TimeoutError when there are none."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


class _TimedReader(io.RawIOBase):
    def __init__(self, plain: socket.socket, clock: TimedSocket) -> None:
        self._plain, self._clock = plain, clock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._plain.settimeout(self._clock.left())
        return self._plain.recv_into(buffer)


def within(seconds: float, run: Callable[[], Sequence[str]]) -> Sequence[str]:
    """Return what `run` returns. Raises TimeoutError when it takes longer; the system's resolver knows no deadline."""
    found: list[Sequence[str]] = []
    failure: list[BaseException] = []

    def work() -> None:
        try:
            found.append(run())
        except Exception as error:
            failure.append(error)

    thread = threading.Thread(target=work, name="resolve", daemon=True)
    thread.start()
    thread.join(max(0.0, seconds))
    if failure:
        raise failure[0]
    if not found:
        raise TimeoutError
    return found[0]
