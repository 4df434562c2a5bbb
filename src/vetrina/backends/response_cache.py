"""Kept answers: bytes by key, made stale by the change log, in every process at once.

An answer names the kinds of things that it was made from; a change makes stale only the answers that name its kind.
Strictly consistent: before an answer is given the log is asked whether anything was committed since, by whatever
process. Not here: which requests may be kept and under which key (http/cached_responses.py).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Generic, TypeVar

from vetrina.backends.change_log import Follower

from .database import Database, DatabaseBusy

__all__ = ["AnswerCache"]

T = TypeVar("T")


class AnswerCache(Generic[T]):
    """The answers that one process keeps.

    most_bytes: how much the answers may hold together; the least used go first.
    """

    def __init__(self, database: Database, most_bytes: int) -> None:
        self._database = database
        self._follower = Follower(database)
        self._most = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[Hashable, tuple[int, frozenset[str], T, int]] = OrderedDict()
        self._stale: dict[str, int] = {}

    def mark(self) -> int:
        """Return how far the change log is known; take it before reading what an answer is made from.

        Negative when the log cannot be read now: then nothing kept is given, and nothing new is kept.
        """
        try:
            news = self._follower.news()
        except DatabaseBusy:
            return -1
        for sequence, kind in news:
            self._stale[kind] = sequence
        return self._follower.seen

    def get(self, key: Hashable) -> T | None:
        """Return the answer kept under a key, None when there is none or something that it was made from changed."""
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
        """Keep an answer that was made after `mark` from these kinds of things; size: its bytes."""
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

    def forget(self) -> None:
        """Keep nothing any more, and read the log of the database from its end: it may be another one now."""
        self._follower = Follower(self._database)
        self._kept.clear()
        self._stale.clear()
        self._bytes = 0

    def facts(self) -> dict[str, Any]:
        """Return how many answers are kept and their bytes."""
        return {"answers": len(self._kept), "bytes": self._bytes}
