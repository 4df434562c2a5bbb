"""How fast a foreign site is asked: so many requests a second, and none while it asks to wait."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class RequestPacer:
    """The pace of the requests of all threads.

    per_second: requests, 0 for any number. clock: seconds that only grow.
    """

    def __init__(
        self,
        per_second: float = 0.0,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._interval = 1 / per_second if per_second > 0 else 0.0
        self._clock, self._sleep = clock, sleep
        self._next = 0.0
        self._lock = threading.Lock()

    def wait_turn(self) -> None:
        """Wait until the next request may be sent."""
        while True:
            with self._lock:
                now = self._clock()
                if now >= self._next:
                    self._next = now + self._interval
                    return
                wait = self._next - now
            self._sleep(wait)

    def hold_back(self, seconds: float) -> None:
        """Send nothing for some seconds, whichever thread asks."""
        with self._lock:
            self._next = max(self._next, self._clock() + seconds)
