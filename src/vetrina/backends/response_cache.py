"""Cached responses: bytes by key, invalidated by the change log, in every process at once.

A response names the kinds of things it was made from; a change invalidates only responses that name its kind. Strictly
consistent: before a hit is served, the log is checked for commits by any process. Which requests are cached and under
which key: http/cached_responses.py.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Generic, TypeVar

from vetrina.backends.change_log import ChangeLogFollower

from .database import Database
from .transaction_retries import DatabaseBusy

T = TypeVar("T")


class ChangeAwareCache(Generic[T]):
    """The cached responses of one process.

    most_bytes: maximum size of all entries; the least recently used are evicted.
    """

    def __init__(self, database: Database, most_bytes: int) -> None:
        self._database = database
        self._follower = ChangeLogFollower(database)
        self._most = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[Hashable, tuple[int, frozenset[str], T, int]] = OrderedDict()
        self._stale: dict[str, int] = {}

    def mark(self) -> int:
        """Return the position in the change log; take it before reading what a response is made from.

        Negative if the log cannot be read now: then nothing is served from the cache and nothing is stored.
        """
        try:
            news = self._follower.list_new_changes()
        except DatabaseBusy:
            return -1
        for sequence, kind in news:
            self._stale[kind] = sequence
        return self._follower.seen

    @property
    def newest(self) -> int:
        """Return the number of the newest change that this process knows of."""
        return self._follower.seen

    def get(self, key: Hashable) -> T | None:
        """Return the cached response for a key, None if there is none or something it was made from changed."""
        found = self._kept.get(key)
        if found is None:
            return None
        if self.mark() < 0:
            return None
        sequence, kinds, value, size = found
        stale = self._stale
        if any(stale.get(kind, 0) > sequence for kind in kinds):
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
        """Drop all entries and read the log from its end: the database may have been replaced."""
        self._follower = ChangeLogFollower(self._database)
        self._kept.clear()
        self._stale.clear()
        self._bytes = 0

    def facts(self) -> dict[str, Any]:
        """Return the number of cached responses and their bytes."""
        return {"answers": len(self._kept), "bytes": self._bytes}
