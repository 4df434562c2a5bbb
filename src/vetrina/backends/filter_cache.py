"""What filters find, known from one request to the next: looked for once, then kept true by the change log.

The total of a search or of a rare combination of filters is known to no tally, and counting it anew with each request
would cost the more the larger a site is. So what was found is remembered with the number of the last change that it
saw; later only the items that changed since are looked at again. Nothing is ever answered from it that a transaction
could not see itself. Not here: what the filters are (content/records/filters.py).
"""

from __future__ import annotations

import threading
from array import array
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import bindparam, select

from vetrina.backends import change_log
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.core import change

from .database import Statement, Tx

__all__ = ["FEW", "Found", "Matches", "Question"]

FEW = 2000  # items that are listed one by one; more are kept as a bit each
_MOST_NEWS = 2000  # changes that are looked at one by one; after more it is cheaper to look for everything anew
_OVERHEAD = 400  # bytes of what is kept, beside its items

_NEWS = Statement(
    select(change.c.kind, change.c.item)
    .where(change.c.sequence > bindparam("seen"), Among(change.c.kind, "kinds"))
    .limit(bindparam("most"))
)


@dataclass(frozen=True)
class Question:
    """What is looked for, and how the database is asked for it.

    key: filters and values. kinds: of the change log; a row of one names the item that may match differently.
    shaking: kinds one row of which may stand for many items.
    count: how many match. ids: their numbers, at most so many, all for None. among: which of some numbers match.
    """

    key: Hashable
    kinds: frozenset[str]
    shaking: frozenset[str]
    count: Callable[[], int]
    ids: Callable[[int | None], Iterable[int]]
    among: Callable[[Sequence[int]], Iterable[int]]


class Found(NamedTuple):
    """How many match, and which, where that is known and they are few."""

    total: int
    ids: Sequence[int] | None


class _Kept:
    """What a question found. seen: the last change that it knows. Without items only the total is known.

    beside: bytes of the question itself.
    """

    __slots__ = ("_beside", "bits", "few", "seen", "total")

    def __init__(self, seen: int, total: int, beside: int) -> None:
        self.seen, self.total, self._beside = seen, total, beside
        self.few: array[int] | None = None
        self.bits: bytearray | None = None

    @property
    def size(self) -> int:
        return _OVERHEAD + self._beside + 8 * len(self.few or ()) + len(self.bits or ())

    @property
    def found(self) -> Found:
        return Found(self.total, self.few)

    def put(self, ids: Iterable[int], most_bytes: int) -> None:
        """Keep the items, where their numbers are not too high for it."""
        bits, total = bytearray(), 0
        for id in ids:
            at = id >> 3
            if at >= len(bits):
                if at >= most_bytes:
                    return
                bits.extend(bytes(at + 1 + (at >> 3) - len(bits)))
            bits[at] |= 1 << (id & 7)
            total += 1
        self.bits, self.total = bits, total

    def move(self, looked_at: set[int], matching: set[int], most_bytes: int) -> bool:
        """Change which of some items match; False when that cannot be kept."""
        if self.few is not None:
            # A new one: whoever was given the old one goes on reading it.
            self.few = array("q", sorted(set(self.few) - looked_at | matching))
            self.total = len(self.few)
            return self.total <= FEW
        bits = self.bits
        if bits is None or max(looked_at) >> 3 >= most_bytes:
            return False
        bits.extend(bytes(max(0, (max(looked_at) >> 3) + 1 - len(bits))))
        for id in looked_at:
            at, bit = id >> 3, 1 << (id & 7)
            self.total += (id in matching) - bool(bits[at] & bit)
            bits[at] = bits[at] | bit if id in matching else bits[at] & ~bit
        return True


class Matches:
    """What the questions of one process found, the least asked forgotten first.

    most_bytes: how much it may hold.
    """

    def __init__(self, most_bytes: int = 4 << 20) -> None:
        self._most = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._lock = threading.Lock()

    def found(self, tx: Tx, question: Question, dear: bool = False) -> Found:
        """Return what a question finds now, as this transaction sees it.

        dear: whether counting costs so much that the items are kept from the first time on, however many.
        """
        if tx.writes:
            # What it sees may be undone.
            return Found(question.count(), None)
        latest = change_log.latest(tx)
        with self._lock:
            kept = self._kept.get(question.key)
            if kept is not None:
                self._kept.move_to_end(question.key)
                if kept.seen == latest:
                    return kept.found
        if kept is not None and kept.seen > latest:
            # Another thread has seen more than this transaction can.
            return Found(question.count(), None)
        if kept is not None and (found := self._brought_up(tx, question, kept, latest)) is not None:
            return found
        return self._looked_for(question, latest, dear or kept is not None)

    def forget(self) -> None:
        """Forget what was found: the database holds something else now."""
        with self._lock:
            self._kept.clear()
            self._bytes = 0

    def _brought_up(self, tx: Tx, question: Question, kept: _Kept, latest: int) -> Found | None:
        """Return what is found after the changes since, None when it must be looked for anew."""
        seen = kept.seen
        kinds = listed(sorted(question.kinds | question.shaking))
        news = tx.all(_NEWS, seen=seen, kinds=kinds, most=_MOST_NEWS + 1)
        if len(news) > _MOST_NEWS or any(kind in question.shaking for kind, _ in news):
            return None
        looked_at = {int(item) for _, item in news}
        matching = set(question.among(sorted(looked_at))) if looked_at else set()
        with self._lock:
            if kept.seen != seen:
                return None
            before = kept.size
            if looked_at and not kept.move(looked_at, matching, self._most // 4):
                return None
            kept.seen = latest
            if self._kept.get(question.key) is kept:
                self._bytes += kept.size - before
            return kept.found

    def _looked_for(self, question: Question, latest: int, whole: bool) -> Found:
        first, beside = array("q", question.ids(FEW + 1)), len(repr(question.key))
        if len(first) <= FEW:
            new = _Kept(latest, len(first), beside)
            new.few = array("q", sorted(first))
        elif whole:
            new = _Kept(latest, -1, beside)
            new.put(question.ids(None), self._most // 4)
            if new.bits is None:
                new.total = question.count()
        else:
            new = _Kept(latest, question.count(), beside)
        with self._lock:
            if (old := self._kept.pop(question.key, None)) is not None:
                self._bytes -= old.size
            self._kept[question.key] = new
            self._bytes += new.size
            while self._bytes > self._most:
                _, gone = self._kept.popitem(last=False)
                self._bytes -= gone.size
            return new.found
