"""Results of filters, reused across requests: computed once, then kept current from the change log.

No counter knows the total of a search or of a rare combination of filters, and counting on each request costs more the
larger a site is. So a result is cached with the sequence of the last change it saw; later only the items changed since
are checked again. A transaction never gets a result that it could not see itself. The filters:
content/records/filters.py.
"""

from __future__ import annotations

import threading
from array import array
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import NamedTuple

from sqlalchemy import bindparam, select

from vetrina.backends import change_log
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.change_log import change

from .database import Statement, Transaction

_OVERHEAD = 400  # bytes of a cache entry, without its items

_CHANGED_ITEMS = Statement(
    select(change.c.kind, change.c.item)
    .where(change.c.sequence > bindparam("seen"), InList(change.c.kind, "kinds"))
    .limit(bindparam("most"))
)


@dataclass(frozen=True)
class FilterQuery:
    """A filter and the queries that evaluate it.

    key: filters and values. kinds: of the change log; a row of one names an item that may match differently now.
    broad_kinds: kinds one row of which may stand for many items.
    count: returns how many match. ids: returns the matching ids up to a limit, None for all. select_matching: returns
    which of the given ids match. counted_first: whether counting takes no longer than finding the first ids.
    """

    key: Hashable
    kinds: frozenset[str]
    broad_kinds: frozenset[str]
    count: Callable[[], int]
    ids: Callable[[int | None], Iterable[int]]
    select_matching: Callable[[Sequence[int]], Iterable[int]]
    counted_first: bool = False


class FilterResult(NamedTuple):
    """How many items match, and which, if that is known and they are few."""

    total: int
    ids: Sequence[int] | None


class _CachedFilterResult:
    """The cached result of a query. seen: sequence of the last change included. Without items only the total is known.

    beside: bytes of the query itself.
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
    def result(self) -> FilterResult:
        return FilterResult(self.total, self.few)

    def put(self, ids: Iterable[int], most_bytes: int) -> None:
        """Store the items, unless their ids are too high for `most_bytes`."""
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

    def move(self, looked_at: set[int], matching: set[int], most_ids: int, most_bytes: int) -> bool:
        """Update which of some items match; False if the result cannot be stored."""
        if self.few is not None:
            # A new array: callers that were given the old one go on reading it.
            self.few = array("q", sorted(set(self.few) - looked_at | matching))
            self.total = len(self.few)
            return self.total <= most_ids
        bits = self.bits
        if bits is None or max(looked_at) >> 3 >= most_bytes:
            return False
        bits.extend(bytes(max(0, (max(looked_at) >> 3) + 1 - len(bits))))
        for id in looked_at:
            at, bit = id >> 3, 1 << (id & 7)
            self.total += (id in matching) - bool(bits[at] & bit)
            bits[at] = bits[at] | bit if id in matching else bits[at] & ~bit
        return True


class FilterCache:
    """The results of one process, the least recently used evicted first.

    most_bytes: maximum size. most_ids: items stored in a list; more are stored as a bitmap.
    most_changes: changes that are checked one by one; beyond that the whole query is cheaper.
    """

    def __init__(self, most_bytes: int = 4 << 20, *, most_ids: int = 2000, most_changes: int = 2000) -> None:
        self._most = most_bytes
        self.most_ids, self.most_changes = most_ids, most_changes
        self._bytes = 0
        self._kept: OrderedDict[Hashable, _CachedFilterResult] = OrderedDict()
        self._lock = threading.Lock()

    def find_matches(self, tx: Transaction, query: FilterQuery, expensive: bool = False) -> FilterResult:
        """Return the current result of a query, as this transaction sees it.

        expensive: whether counting is so expensive that the items are cached from the first time on, however many.
        """
        if tx.writes:
            # What a write transaction sees may be rolled back.
            return FilterResult(query.count(), None)
        latest = change_log.get_latest_sequence(tx)
        with self._lock:
            cached = self._kept.get(query.key)
            if cached is not None:
                self._kept.move_to_end(query.key)
                if cached.seen == latest:
                    return cached.result
        if cached is not None and cached.seen > latest:
            # Another thread has seen more than this transaction can.
            return FilterResult(query.count(), None)
        if cached is not None and (found := self._refresh_result(tx, query, cached, latest)) is not None:
            return found
        return self._search_again(query, latest, expensive or cached is not None)

    def clear(self) -> None:
        """Drop all results: the database was replaced."""
        with self._lock:
            self._kept.clear()
            self._bytes = 0

    def _refresh_result(
        self, tx: Transaction, query: FilterQuery, cached: _CachedFilterResult, latest: int
    ) -> FilterResult | None:
        """Return the result updated with the changes since, None if it must be computed again."""
        seen = cached.seen
        kinds = encode_list(sorted(query.kinds | query.broad_kinds))
        news = tx.all(_CHANGED_ITEMS, seen=seen, kinds=kinds, most=self.most_changes + 1)
        if len(news) > self.most_changes or any(kind in query.broad_kinds for kind, _ in news):
            return None
        looked_at = {int(item) for _, item in news}
        matching = set(query.select_matching(sorted(looked_at))) if looked_at else set()
        with self._lock:
            if cached.seen != seen:
                return None
            before = cached.size
            if looked_at and not cached.move(looked_at, matching, self.most_ids, self._most // 4):
                return None
            cached.seen = latest
            if self._kept.get(query.key) is cached:
                self._bytes += cached.size - before
            return cached.result

    def _search_again(self, query: FilterQuery, latest: int, whole: bool) -> FilterResult:
        beside = len(repr(query.key))
        if query.counted_first and not whole and (total := query.count()) > self.most_ids:
            return self._keep(query, _CachedFilterResult(latest, total, beside))
        # All of them are read on from the first ones: asking twice would search twice.
        ids = iter(query.ids(None if whole else self.most_ids + 1))
        first = array("q", islice(ids, self.most_ids + 1))
        if len(first) <= self.most_ids:
            new = _CachedFilterResult(latest, len(first), beside)
            new.few = array("q", sorted(first))
        elif whole:
            new = _CachedFilterResult(latest, -1, beside)
            new.put(chain(first, ids), self._most // 4)
            if new.bits is None:
                new.total = query.count()
        else:
            new = _CachedFilterResult(latest, query.count(), beside)
        return self._keep(query, new)

    def _keep(self, query: FilterQuery, new: _CachedFilterResult) -> FilterResult:
        with self._lock:
            if (old := self._kept.pop(query.key, None)) is not None:
                self._bytes -= old.size
            self._kept[query.key] = new
            self._bytes += new.size
            while self._bytes > self._most:
                _, gone = self._kept.popitem(last=False)
                self._bytes -= gone.size
            return new.result
