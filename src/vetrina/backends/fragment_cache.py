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

from vetrina.backends.change_log_follower import ChangeLogFollower
from vetrina.backends.database import Transaction

T = TypeVar("T")

_MAX_FORMS: Final = 4096


class _Entry(NamedTuple, Generic[T]):
    """position: of the change log in the snapshot that the value was made of."""

    position: int
    kinds: frozenset[str]
    value: T
    size: int


class FragmentCache(Generic[T]):
    """The values of one process. most_bytes: of all of them, 0 keeps none. log: by which they are true.

    They lie in two generations: what is used moves into the younger one, and when that has half of the bytes, the older
    one is dropped.
    """

    def __init__(self, most_bytes: int = 0, log: ChangeLogFollower | None = None) -> None:
        self._most, self.log = most_bytes, log or ChangeLogFollower()
        self._lock = threading.Lock()
        self._forms: dict[Hashable, int] = {}
        self._numbers = count()
        self._kinds: dict[frozenset[str], frozenset[str]] = {}
        self.clear()

    def __bool__(self) -> bool:
        return self._most > 0

    def clear(self) -> None:
        """Drop all values."""
        self._young: dict[tuple[int, Hashable], _Entry[T]] = {}
        self._old: dict[tuple[int, Hashable], _Entry[T]] = {}
        self._newest: dict[int, tuple[int, frozenset[str]]] = {}
        self._bytes, self._hits = 0, 0

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

    def get_all(self, form: int, ids: Sequence[Hashable], tx: Transaction) -> list[T | None]:
        """Return the values of some ids for the snapshot of a transaction, None for each that has none."""
        log = self.log
        position = log.catch_up(tx)
        if position < log.first:
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
                changed = log.find_last_change(kinds)
            is_true = changed <= entry.position and changed <= position
            found.append(entry.value if is_true else None)
            if is_true and tx.assumption is not None:
                tx.assumption.kinds |= kinds
        self._hits += len(found) - found.count(None)
        return found

    def may_have(self, form: int, id: Hashable) -> bool:
        """Return whether an id has a value that was true when the process last looked at the log."""
        entry = self._young.get((form, id)) or self._old.get((form, id))
        return entry is not None and self.log.find_last_change(entry.kinds) <= entry.position

    def is_warm(self, form: int) -> bool:
        """Return whether the newest value of a form was true when the process last looked at the log."""
        newest = self._newest.get(form)
        return newest is not None and self.log.find_last_change(newest[1]) <= newest[0]

    def put(self, form: int, id: Hashable, position: int, kinds: frozenset[str], value: T, size: int) -> None:
        """Keep a value that was made of a snapshot with this position of the log. size: in bytes.

        One of an older snapshot than the first whose position was read is not kept: nothing is known of the changes
        since. A replica may be that far behind, or a thread that began before.
        """
        if size <= self._most // 16 and position >= self.log.first:
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
