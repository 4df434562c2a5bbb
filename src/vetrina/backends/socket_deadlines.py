"""Waits that end at a deadline: a socket whose every wait does, and a wrapper for functions without a timeout."""

from __future__ import annotations

import io
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

CHUNK = 64 << 10  # bytes read at once


class TimedSocket:
    """A connection whose every wait ends at one deadline, however slowly the other side sends."""

    def __init__(self, plain: socket.socket, deadline: float) -> None:
        self._plain, self._deadline = plain, deadline

    def renew(self, deadline: float) -> None:
        """Let every further wait end at another deadline."""
        self._deadline = deadline

    def sendall(self, data: bytes) -> None:
        self._plain.settimeout(self.compute_seconds_left())
        self._plain.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_TimedReader(self._plain, self), CHUNK)

    def close(self) -> None:
        """Do nothing yet: a connection that ends with its response is closed before the body is read."""

    def end(self) -> None:
        """Close the connection."""
        self._plain.close()

    def compute_seconds_left(self) -> float:
        """Return the seconds left. Raises TimeoutError if there are none."""
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
        self._plain.settimeout(self._clock.compute_seconds_left())
        return self._plain.recv_into(buffer)


def run_with_deadline(seconds: float, run: Callable[[], Sequence[str]]) -> Sequence[str]:
    """Return what `run` returns. Raises TimeoutError if it takes longer; the system's resolver has no timeout."""
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
