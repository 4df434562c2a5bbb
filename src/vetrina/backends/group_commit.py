"""When what was committed to an embedded database goes to the disk: at once, or many commits with one sync.

A sync costs milliseconds whatever it brings to the disk, so a server that waited for one after the other would take a
few hundred writes a second and answer nothing meanwhile. Here a commit writes to the log alone; nobody is told that it
is kept before the log was synced after it, and one sync serves all who wait by then. What a power cut may take is what
nobody was told of. Decided in docs/decisions/durability.md. Not here: transactions (backends/sqlite.py), answers
(edge).
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

__all__ = ["Gathered", "Kept", "Log"]

_QUICK = 0.0003  # seconds; a disk that syncs in less is waited for on the spot
_sync = getattr(os, "fdatasync", os.fsync)

Kept = Callable[[OSError | None], None]  # told that a commit is kept, or why that is not sure


class Log:
    """The write-ahead log of a database, brought to the disk.

    path: of the log; it is there while a connection is open.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = -1
        self._opening = threading.Lock()
        self._cost = 0.0
        self._waiting: list[Kept] = []
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    @property
    def quick(self) -> bool:
        """Whether the disk takes so little time that gathering would take more."""
        return self._cost < _QUICK

    def keep(self) -> None:
        """Bring to the disk what was committed so far. Raises OSError, and then it is not sure to be there."""
        start = time.perf_counter()
        _sync(self._open())
        # The slower of both counts longer: a disk that paused once will pause again.
        self._cost = max(time.perf_counter() - start, self._cost * 0.9)

    def keep_soon(self, then: Kept) -> None:
        """Bring to the disk what was committed so far with the next sync, and call `then` from another thread."""
        with self._changed:
            self._waiting.append(then)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="log", daemon=True)
                self._thread.start()
            self._changed.notify()

    def close(self) -> None:
        """Bring the rest to the disk and end."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                waiting, self._waiting = self._waiting, []
            if not waiting:
                return
            fault = None
            try:
                self.keep()
            except OSError as error:
                fault = error
            for then in waiting:
                then(fault)

    def _open(self) -> int:
        with self._opening:
            # A log that the last connection took with it is another file when it comes back.
            if self._descriptor < 0 or os.fstat(self._descriptor).st_nlink == 0:
                if self._descriptor >= 0:
                    os.close(self._descriptor)
                self._descriptor = os.open(self._path, os.O_RDWR)
            return self._descriptor


class Gathered:
    """What was committed in a block and waits to be kept.

    made: whether there is anything. log: None where commits are kept by themselves. committed: whether any transaction
    of the block was, which cannot be done again then.
    """

    __slots__ = ("_log", "committed", "made")

    def __init__(self, log: Log | None = None) -> None:
        self._log = log
        self.made = self.committed = False

    @property
    def quick(self) -> bool:
        """Whether `keep` is better than `keep_soon`."""
        return self._log is None or self._log.quick

    def keep(self) -> None:
        """Bring it to the disk. Raises OSError."""
        if self._log is not None:
            self._log.keep()

    def keep_soon(self, then: Kept) -> None:
        """Bring it to the disk with the next sync, and call `then` from another thread."""
        if self._log is not None:
            self._log.keep_soon(then)
        else:
            then(None)
