"""Parts of answers that a process keeps: values by key, each true as long as nothing changed that it was made from.

A value names the kinds of things it was made from and the position of the change log in its snapshot. A reader asks for
that position in its own snapshot: a value serves it if no change between the two is of one of these kinds. So a value
is as true as what the reader would make of its snapshot, whoever wrote (docs/decisions/fragments.md). What is kept in
it: content/records/fragment_responses.py.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Sequence
from itertools import count
from typing import Final, Generic, NamedTuple, TypeVar

from vetrina.backends import change_log
from vetrina.backends.database import Transaction

T = TypeVar("T")

_UNREAD: Final = -1  # a position before every other one
_MAX_FORMS: Final = 4096


class _Entry(NamedTuple, Generic[T]):
    """position: of the change log in the snapshot that the value was made of."""

    position: int
    kinds: frozenset[str]
    value: T
    size: int


class FragmentCache(Generic[T]):
    """The values of one process. most_bytes: of all of them, 0 keeps none.

    They lie in two generations: what is used moves into the younger one, and when that has half of the bytes, the older
    one is dropped.
    """

    def __init__(self, most_bytes: int = 0) -> None:
        self._most = most_bytes
        self._lock = threading.Lock()
        self._forms: dict[Hashable, int] = {}
        self._numbers = count()
        self._kinds: dict[frozenset[str], frozenset[str]] = {}
        self.clear()

    def __bool__(self) -> bool:
        return self._most > 0

    def clear(self) -> None:
        """Drop all values and read the log from its end: the database may have been replaced."""
        self._young: dict[tuple[int, Hashable], _Entry[T]] = {}
        self._old: dict[tuple[int, Hashable], _Entry[T]] = {}
        self._newest: dict[int, tuple[int, frozenset[str]]] = {}
        self._bytes, self._seen, self._first, self._hits = 0, _UNREAD, _UNREAD, 0
        self._changed: dict[str, int] = {}

    def catch_up(self, tx: Transaction) -> int:
        """Return the position of the log in the snapshot of a transaction, whose changes are known from now on."""
        if not tx.writes and tx.log_position is not None:
            return tx.log_position
        seen = self._seen
        position, news = (change_log.get_latest_sequence(tx), []) if seen == _UNREAD else change_log.read_news(tx, seen)
        tx.log_position = position
        if position <= seen:
            return position
        with self._lock:
            if self._seen >= seen:  # else everything was dropped meanwhile
                if seen == _UNREAD:
                    self._first = position
                for sequence, kind in news:
                    self._changed[kind] = max(self._changed.get(kind, 0), sequence)
                self._seen = max(self._seen, position)
        return position

    def expect_position(self, tx: Transaction) -> None:
        """Have what `catch_up` reads read with what is asked of the database next."""
        if self._seen == _UNREAD:
            change_log.expect_latest_sequence(tx)
        else:
            change_log.expect_news(tx, self._seen)

    def number_form(self, form: Hashable) -> int:
        """Return the number of a form, which keys begin with."""
        number = self._forms.get(form)
        if number is None:
            with self._lock:
                if len(self._forms) >= _MAX_FORMS:
                    # Clients choose forms. What was kept in the old ones is not found any more, and goes with its time.
                    self._forms.clear()
                    self._newest.clear()
                number = self._forms[form] = next(self._numbers)
        return number

    def get_all(self, form: int, ids: Sequence[Hashable], position: int) -> list[T | None]:
        """Return the values of some ids for a snapshot with this position of the log, None for each that has none.

        position: that `catch_up` returned.
        """
        if position < self._first:
            return [None] * len(ids)
        found: list[T | None] = []
        young, kinds, changed = self._young, None, 0
        for id in ids:
            key = form, id
            entry = young.get(key)
            if entry is None and (entry := self._old.get(key)) is not None:
                self._put(key, entry)
            if entry is None:
                found.append(None)
                continue
            if entry.kinds is not kinds:
                kinds = entry.kinds
                changed = self._find_last_change(kinds)
            found.append(entry.value if changed <= entry.position and changed <= position else None)
        self._hits += len(found) - found.count(None)
        return found

    @property
    def seen(self) -> int:
        """The highest position of the log that a reader of this process has found."""
        return self._seen

    def is_unchanged(self, kinds: frozenset[str], made: int, position: int) -> bool:
        """Return whether what was made of these kinds at one position of the log is the same at another one."""
        lower = min(made, position)
        return lower >= self._first and self._find_last_change(kinds) <= lower

    def _find_last_change(self, kinds: frozenset[str]) -> int:
        changed = self._changed
        return max([changed.get(kind, 0) for kind in kinds], default=0)

    def may_have(self, form: int, id: Hashable) -> bool:
        """Return whether an id has a value that was true when the process last looked at the log."""
        entry = self._young.get((form, id)) or self._old.get((form, id))
        return entry is not None and self._find_last_change(entry.kinds) <= entry.position

    def is_warm(self, form: int) -> bool:
        """Return whether the newest value of a form was true when the process last looked at the log."""
        newest = self._newest.get(form)
        return newest is not None and self._find_last_change(newest[1]) <= newest[0]

    def put(self, form: int, id: Hashable, position: int, kinds: frozenset[str], value: T, size: int) -> None:
        """Keep a value that was made of a snapshot with this position of the log. size: in bytes.

        One of an older snapshot than the first whose position was read is not kept: nothing is known of the changes
        since. A replica may be that far behind, or a thread that began before.
        """
        if size <= self._most // 16 and position >= self._first:
            kinds = self._kinds.setdefault(kinds, kinds)
            self._newest[form] = position, kinds
            self._put((form, id), _Entry(position, kinds, value, size))

    def _put(self, key: tuple[int, Hashable], entry: _Entry[T]) -> None:
        with self._lock:
            replaced = self._young.get(key)
            self._young[key] = entry
            self._bytes += entry.size - (replaced.size if replaced is not None else 0)
            if self._bytes > self._most // 2:
                self._old, self._young, self._bytes = self._young, {}, 0

    def facts(self) -> dict[str, int]:
        """Return the number of values, and how often one was found."""
        return {"fragments": len(self._young) + len(self._old), "hits": self._hits}
