"""When commits to an embedded database are synced to disk: at once, or many with one sync.

A sync costs milliseconds whatever it writes, so a server that waited for one after the other would do a few hundred
writes a second and answer nothing meanwhile. Here a commit only appends to the log, no write is acknowledged before a
later sync of the log, and one sync serves all waiting commits. A power cut can only lose writes that nobody was told
of. Decided in docs/decisions/durability.md.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

_FAST_SYNC_SECONDS = 0.0003  # seconds; a disk that syncs faster is waited for inline

SyncCallback = Callable[[OSError | None], None]  # called when a commit is synced, or with the error


class WriteAheadLog:
    """The write-ahead log of a database, synced to disk.

    path: of the log; the file exists while a connection is open.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = -1
        self._opening = threading.Lock()
        self._cost = 0.0
        self._waiting: list[SyncCallback] = []
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    @property
    def quick(self) -> bool:
        """Whether the disk is so fast that grouping would cost more."""
        return self._cost < _FAST_SYNC_SECONDS

    def keep(self) -> None:
        """Sync everything committed so far. Raises OSError, and then it may not be on disk."""
        start = time.perf_counter()
        _sync_file(self._open_log())
        # Slow syncs weigh longer: a disk that paused once will pause again.
        self._cost = max(time.perf_counter() - start, self._cost * 0.9)

    def keep_soon(self, then: SyncCallback) -> None:
        """Sync everything committed so far with the next group, and call `then` from another thread."""
        with self._changed:
            self._waiting.append(then)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="log", daemon=True)
                self._thread.start()
            self._changed.notify()

    def close(self) -> None:
        """Sync what is left and stop."""
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

    def _open_log(self) -> int:
        with self._opening:
            # The last connection deletes the log when it closes; the next log is another file.
            if self._descriptor < 0 or os.fstat(self._descriptor).st_nlink == 0:
                if self._descriptor >= 0:
                    os.close(self._descriptor)
                self._descriptor = os.open(self._path, os.O_RDWR)
            return self._descriptor


class SharedCommit(Protocol):
    """The commit of a transaction that several blocks take part in (backends/shared_transaction.py)."""

    is_over: bool

    @property
    def size(self) -> int: ...

    def end(self) -> None: ...


class GroupCommit:
    """The commits of a block that wait to be synced, or to be made together with those of other blocks.

    made: whether there are any. log: None where commits are durable by themselves. committed: whether any transaction
    of the block has committed, so that the block cannot be run again.
    """

    __slots__ = ("_log", "_shared", "_until", "committed", "made")

    def __init__(self, log: WriteAheadLog | None = None) -> None:
        self._log, self._until = log, 0.0
        self._shared: SharedCommit | None = None
        self.made = self.committed = False

    @property
    def sharers(self) -> int:
        """How many blocks wait for the same commit, which is not made yet; 0 where there is none."""
        return self._shared.size if self._shared is not None and not self._shared.is_over else 0

    def share(self, commit: SharedCommit) -> None:
        """Have the block wait for a commit that it shares."""
        self._shared, self.made = commit, True

    def end_shared(self) -> None:
        """Make the commit that the block shares, unless that was done. Raises what `SharedTransaction.end` does."""
        if self._shared is not None:
            shared, self._shared = self._shared, None
            shared.end()

    def delay(self, seconds: float) -> None:
        """Have the block wait until others may know of its commits; only where they are durable by themselves."""
        self._until, self.made = max(self._until, time.monotonic() + seconds), True

    @property
    def quick(self) -> bool:
        """Whether `keep` is better than `keep_soon`."""
        return self._log.quick if self._log is not None else not self._until

    def keep(self) -> None:
        """Sync to disk. Raises OSError."""
        if self._log is not None:
            self._log.keep()
        elif self._until:
            time.sleep(max(0.0, self._until - time.monotonic()))

    def keep_soon(self, then: SyncCallback) -> None:
        """Sync with the next group, and call `then` from another thread."""
        if self._log is not None:
            self._log.keep_soon(then)
        else:
            timer = threading.Timer(max(0.0, self._until - time.monotonic()), then, (None,))
            timer.daemon = True
            timer.start()


def _sync_file(descriptor: int) -> None:
    """Wait until a file is on the disk, without its times where the system can leave them out."""
    getattr(os, "fdatasync", os.fsync)(descriptor)
