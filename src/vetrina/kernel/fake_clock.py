"""The clock of a test server: it follows the machine's clock from any time that a test sets, or stands still."""

from __future__ import annotations

import time
from collections.abc import Callable


class AdjustableClock:
    """A clock that can be set.

    machine: returns the seconds since 1970 that it follows.
    """

    def __init__(self, machine: Callable[[], float] = time.time) -> None:
        self._machine = machine
        self._ahead = 0.0
        self._frozen: int | None = None

    @property
    def frozen(self) -> bool:
        """Whether the clock stands still."""
        return self._frozen is not None

    def now(self) -> int:
        """Return the current time in whole seconds."""
        return int(self._machine() + self._ahead) if self._frozen is None else self._frozen

    def set(self, instant: int, frozen: bool) -> None:
        """Set the clock, in seconds since 1970; it runs on from there unless it is frozen."""
        self._frozen = instant if frozen else None
        self._ahead = instant - self._machine()

    def release(self) -> None:
        """Follow the machine's clock again."""
        self._frozen, self._ahead = None, 0.0
