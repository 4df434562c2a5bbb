"""Counts of what is asked for too often to be written each time; they are written in batches, by a thread of their own.

What a process has counted since its last batch is lost when it is killed; a process that stops in order writes it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import NamedTuple

_LOG = logging.getLogger("vetrina.hits")
_WAIT_SECONDS = 20.0  # between the first hit of a batch and its writing


class Hits(NamedTuple):
    """How often something was asked for. last: when last, in seconds since 1970."""

    number: int
    last: int


def _write_nothing(batch: Mapping[int, Hits]) -> None:
    """Drop a batch: nothing is written for a context that belongs to no site."""


class HitCounter:
    """Counts hits by the id of what was hit; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock, self._writing = threading.Lock(), threading.Lock()
        self._batch: dict[int, Hits] = {}
        self._timer: threading.Timer | None = None
        self._write: Callable[[Mapping[int, Hits]], None] = _write_nothing

    def connect(self, write: Callable[[Mapping[int, Hits]], None]) -> None:
        """Set what writes a batch."""
        self._write = write

    def count(self, id: int, now: int) -> None:
        """Count one hit; now: seconds since 1970."""
        with self._lock:
            self._batch[id] = Hits(self._batch.get(id, Hits(0, 0)).number + 1, now)
            if self._timer is None:
                self._timer = threading.Timer(_WAIT_SECONDS, self.flush)
                self._timer.daemon = True
                self._timer.start()

    def flush(self) -> None:
        """Write what was counted, after a batch that is being written; what cannot be is left for the next batch."""
        with self._writing:
            self._write_batch()

    def _write_batch(self) -> None:
        with self._lock:
            batch, self._batch = self._batch, {}
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        if not batch:
            return
        try:
            self._write(batch)
        except Exception:
            _LOG.exception("hits could not be written and are kept for the next batch")
            with self._lock:
                for id, hits in batch.items():
                    later = self._batch.get(id, Hits(0, hits.last))
                    self._batch[id] = Hits(later.number + hits.number, max(later.last, hits.last))
