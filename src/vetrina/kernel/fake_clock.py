"""The clock of a stand-in: it goes on as the machine's does, from whatever moment a test gives it, or stands still."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["StandInClock"]


class StandInClock:
    """A clock that can be set.

    machine: the seconds since 1970 that it follows.
    """

    def __init__(self, machine: Callable[[], float] = time.time) -> None:
        self._machine = machine
        self._ahead = 0.0
        self._frozen: int | None = None

    @property
    def frozen(self) -> bool:
        """Whether it stands still."""
        return self._frozen is not None

    def now(self) -> int:
        """Return the present instant in whole seconds."""
        return int(self._machine() + self._ahead) if self._frozen is None else self._frozen

    def set(self, instant: int, frozen: bool) -> None:
        """Put the clock to an instant, in seconds since 1970, from which it goes on unless it is frozen."""
        self._frozen = instant if frozen else None
        self._ahead = instant - self._machine()

    def release(self) -> None:
        """Follow the machine again."""
        self._frozen, self._ahead = None, 0.0
