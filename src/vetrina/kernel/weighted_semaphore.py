"""A semaphore whose holders have weights, served first come, first served.

A heavy holder at the head of the queue keeps lighter ones behind it, or they would pass it for ever.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager


class WeightedSemaphore:
    """Admits holders whose weights together fit its capacity; one heavier than the capacity is admitted alone."""

    def __init__(self, capacity: int) -> None:
        self._capacity = max(1, capacity)
        self._used = 0
        self._lock = threading.Lock()
        self._queue: deque[tuple[int, threading.Event]] = deque()

    @contextmanager
    def hold(self, weight: int) -> Iterator[None]:
        """Wait until there is room for a weight, and hold it for the block."""
        weight = min(max(0, weight), self._capacity)
        turn = threading.Event()
        with self._lock:
            self._queue.append((weight, turn))
            self._admit()
        try:
            turn.wait()
        except BaseException:
            # A waiter that is interrupted must not block those behind it.
            self._leave(weight, turn)
            raise
        try:
            yield
        finally:
            self._leave(weight, turn)

    def _leave(self, weight: int, turn: threading.Event) -> None:
        with self._lock:
            if turn.is_set():
                self._used -= weight
            else:
                self._queue.remove((weight, turn))
            self._admit()

    def _admit(self) -> None:
        while self._queue and self._used + self._queue[0][0] <= self._capacity:
            weight, turn = self._queue.popleft()
            self._used += weight
            turn.set()
