"""Parts of answers that a process keeps: values by key, each true as long as nothing changed that it was made from.

A value names the kinds of things it was made from and the position of the change log in its snapshot. A reader asks for
that position in its own snapshot: a value serves it if no change between the two is of one of these kinds. So a value
is as true as what the reader would make of its snapshot, whoever wrote (docs/decisions/fragments.md). What is kept in
it: content/records/fragment_responses.py.

A reader in the event loop needs no snapshot as long as all that it asks for is kept: that nothing was committed since
the log was looked at is known without one, as for kept answers.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Sequence, Set as AbstractSet
from itertools import count
from typing import Any, Final, Generic, NamedTuple, TypeVar

from vetrina.backends import change_log
from vetrina.backends.database import Assumption, ChangeWatcher, Database, Transaction
from vetrina.backends.transaction_retries import DatabaseBusy, RetryableError

T = TypeVar("T")

_UNREAD: Final = -1  # a position before every other one
_MAX_FORMS: Final = 4096


class _Entry(NamedTuple, Generic[T]):
    """position: of the change log in the snapshot that the value was made of."""

    position: int
    kinds: frozenset[str]
    value: T
    size: int


class _KnownPosition(Assumption):
    """That the log of a snapshot ends where it was known to end, or has no news of the kinds that were relied on."""

    def __init__(self, log: FragmentCache[Any], position: int) -> None:
        self._log, self._position, self.kinds = log, position, set()

    def expect(self, tx: Transaction) -> None:
        self._log.expect_news(tx)

    def confirm(self, tx: Transaction) -> None:
        tx.log_position = tx.assumption = None
        if not self._log.is_unchanged(self.kinds, self._position, self._log.catch_up(tx)):
            raise RetryableError("what was known has changed")


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
        self._database: Database | None = None
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
        self._watch: ChangeWatcher | None = self._database.watch_changes() if self._database is not None else None
        self._looked: int | None = None

    def follow(self, database: Database) -> None:
        """Look at the log of a database, for readers who need nothing else of it."""
        self._database, self._watch = database, database.watch_changes()

    def catch_up(self, tx: Transaction) -> int:
        """Return the position of the log in the snapshot of a transaction, whose changes are known from now on.

        A transaction that has no snapshot yet may be taken to have the newest one: what it was told so is confirmed
        when it begins.
        """
        if not tx.writes and tx.log_position is not None:
            return tx.log_position
        if (newest := self._assume_position(tx)) is not None:
            return newest
        seen = self._seen
        position, news = (change_log.get_latest_sequence(tx), []) if seen == _UNREAD else change_log.read_news(tx, seen)
        tx.log_position = position
        self._learn(seen, position, news)
        return position

    def _assume_position(self, tx: Transaction) -> int | None:
        """Return what a transaction is taken to find as the end of the log, None where it has to read that."""
        newest = self._look() if tx.may_assume and not tx.is_begun else None
        if newest is not None:
            tx.log_position, tx.assumption = newest, _KnownPosition(self, newest)
        return newest

    def _look(self) -> int | None:
        """Return the newest position of the log, None where that has to be asked in a transaction.

        Called in the event loop alone: the watcher is of one thread.
        """
        watch = self._watch
        if watch is None:
            return None
        if not watch.has_changed() and self._looked is not None:
            return self._looked
        self._looked, seen = None, self._seen
        if seen == _UNREAD or not watch.may_ask:
            return None
        try:
            position, news = change_log.read_news_outside(watch, seen)
        except DatabaseBusy:
            return None
        self._learn(seen, position, news)
        self._looked = position
        return position

    def _learn(self, seen: int, position: int, news: Sequence[tuple[int, str]]) -> None:
        """Take over the changes after one position of the log, up to another one."""
        if position <= seen:
            return
        with self._lock:
            if self._seen >= seen:  # else everything was dropped meanwhile
                if seen == _UNREAD:
                    self._first = position
                for sequence, kind in news:
                    self._changed[kind] = max(self._changed.get(kind, 0), sequence)
                self._seen = max(self._seen, position)

    def expect_position(self, tx: Transaction) -> None:
        """Have what `catch_up` has to read, if anything, read with what is asked of the database next."""
        if self._assume_position(tx) is None:
            self.expect_news(tx)

    def expect_news(self, tx: Transaction) -> None:
        """Have the end of the log read with what is asked of the database next."""
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

    def get_all(self, form: int, ids: Sequence[Hashable], tx: Transaction) -> list[T | None]:
        """Return the values of some ids for the snapshot of a transaction, None for each that has none."""
        position = self.catch_up(tx)
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
            is_true = changed <= entry.position and changed <= position
            found.append(entry.value if is_true else None)
            if is_true and tx.assumption is not None:
                tx.assumption.kinds |= kinds
        self._hits += len(found) - found.count(None)
        return found

    @property
    def seen(self) -> int:
        """The highest position of the log that a reader of this process has found."""
        return self._seen

    def is_true_for(self, tx: Transaction, kinds: frozenset[str], made: int) -> bool:
        """Return whether what was made of these kinds at a position of the log is the same for a transaction."""
        is_true = self.is_unchanged(kinds, made, self.catch_up(tx))
        if is_true and tx.assumption is not None:
            tx.assumption.kinds |= kinds
        return is_true

    def is_unchanged(self, kinds: AbstractSet[str], made: int, position: int) -> bool:
        """Return whether what was made of these kinds at one position of the log is the same at another one."""
        lower = min(made, position)
        return lower >= self._first and self._find_last_change(kinds) <= lower

    def _find_last_change(self, kinds: AbstractSet[str]) -> int:
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
