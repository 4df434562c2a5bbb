"""Cached responses: bytes by key, invalidated by the change log, in every process at once.

A response names the kinds of things it was made from; a change invalidates only responses that name its kind. Strictly
consistent: before a hit is served, the log is checked for commits by any process. Which requests are cached and under
which key: http/cached_responses.py.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Generic, TypeVar

from vetrina.backends.change_log_follower import ChangeLogFollower

from .transaction_retries import DatabaseBusy

T = TypeVar("T")


class ChangeAwareCache(Generic[T]):
    """The cached responses of one process.

    log: by which they are true. most_bytes: maximum size of all entries; the least recently used are evicted.
    """

    def __init__(self, log: ChangeLogFollower, most_bytes: int) -> None:
        self._log, self._most = log, most_bytes
        self._bytes = 0
        self._kept: OrderedDict[Hashable, tuple[int, frozenset[str], T, int]] = OrderedDict()

    def mark(self) -> int:
        """Return the position in the change log; take it before reading what a response is made from.

        Negative if the log cannot be read now: then nothing is served from the cache and nothing is stored.
        """
        try:
            return self._log.read_position()
        except DatabaseBusy:
            return -1

    @property
    def newest(self) -> int:
        """Return the number of the newest change that this process knows of."""
        return self._log.seen

    def get(self, key: Hashable) -> T | None:
        """Return the cached response for a key, None if there is none or something it was made from changed."""
        found = self._kept.get(key)
        if found is None:
            return None
        position = self.mark()
        if position < 0:
            return None
        made, kinds, value, size = found
        if made != position and not self._log.is_unchanged(kinds, made, position):
            del self._kept[key]
            self._bytes -= size
            return None
        self._kept.move_to_end(key)
        return value

    def put(self, key: Hashable, mark: int, kinds: frozenset[str], value: T, size: int) -> None:
        """Store a response made after `mark` from these kinds of things; size: in bytes."""
        if size > self._most // 16 or mark < 0:
            return
        old = self._kept.pop(key, None)
        if old is not None:
            self._bytes -= old[3]
        self._kept[key] = (mark, kinds, value, size)
        self._bytes += size
        while self._bytes > self._most:
            _, gone = self._kept.popitem(last=False)
            self._bytes -= gone[3]

    def clear(self) -> None:
        """Drop all entries."""
        self._kept.clear()
        self._bytes = 0

    def facts(self) -> dict[str, Any]:
        """Return the number of cached responses and their bytes."""
        return {"answers": len(self._kept), "bytes": self._bytes}
