"""What a process knows of the change log: how far it goes, and which change of each kind of things was the last.

All that a process keeps of the stored data is true by it: kept answers (response_cache.py), parts of answers
(fragment_cache.py) and options (core/option_memory.py). So what one of them reads of the log, none of the others has to
ask for. A reader in the event loop needs no snapshot as long as all that it asks for is kept: that nothing was
committed since the log was looked at is known without one (docs/decisions/kept_answers.md). The log itself:
change_log.py.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence, Set as AbstractSet
from typing import Final

from vetrina.backends import change_log
from vetrina.backends.database import Assumption, ChangeWatcher, Database, Transaction
from vetrina.backends.transaction_retries import DatabaseBusy, RetryableError

_UNREAD: Final = -1  # a position before every other one


class _KnownPosition(Assumption):
    """That the log of a snapshot ends where it was known to end, or has no news of the kinds that were relied on."""

    def __init__(self, follower: ChangeLogFollower, position: int) -> None:
        self._follower, self._position, self.kinds = follower, position, set()

    def expect(self, tx: Transaction) -> None:
        self._follower.expect_news(tx)

    def confirm(self, tx: Transaction) -> None:
        tx.log_position = tx.assumption = None
        if not self._follower.is_unchanged(self.kinds, self._position, self._follower.catch_up(tx)):
            raise RetryableError("what was known has changed")


class ChangeLogFollower:
    """The changes that a process has read of the log, whoever of it did.

    first: the position at which it began; of the changes up to there nothing is known. seen: the highest position that
    was read, -1 before the first; each change between the two is known.
    """

    def __init__(self, database: Database | None = None) -> None:
        self._database = database
        self._lock = threading.Lock()
        self.clear()

    def follow(self, database: Database) -> None:
        """Look at the log of a database from now on, also outside of transactions."""
        self._database = database
        self.clear()

    def clear(self) -> None:
        """Forget all and begin at the end of the log: the database may have been replaced."""
        self.first = self.seen = _UNREAD
        self._changed: dict[str, int] = {}
        self._watch: ChangeWatcher | None = self._database.watch_changes() if self._database is not None else None
        self._looked: int | None = None

    def read_position(self) -> int:
        """Return the newest position of the log, whose changes are known from now on.

        Called in the event loop alone, as the watcher's connection is of one thread. Raises DatabaseBusy.
        """
        watch = self._watch
        assert watch is not None, "no database is followed"
        looked = self._recall_position(watch)
        return self._look(watch) if looked is None else looked

    def _recall_position(self, watch: ChangeWatcher) -> int | None:
        """Return the position of the last look, None where something may have been committed since."""
        if watch.has_changed():
            self._looked = None
        return self._looked

    def _look(self, watch: ChangeWatcher) -> int:
        self._looked, seen = None, self.seen
        position, news = change_log.read_news_outside(watch, seen if seen != _UNREAD else None)
        self._learn(seen, position, news)
        self._looked = position
        return position

    def find_position(self) -> int | None:
        """Return the same, None where that is better read in a transaction."""
        watch = self._watch
        if watch is None:
            return None
        looked = self._recall_position(watch)
        if looked is not None or self.seen == _UNREAD or not watch.may_ask:
            return looked
        try:
            return self._look(watch)
        except DatabaseBusy:
            return None

    def catch_up(self, tx: Transaction) -> int:
        """Return the position of the log in the snapshot of a reading transaction; its changes are known from now on.

        A transaction that has no snapshot yet may be taken to have the newest one: what it was told so is confirmed
        when it begins.
        """
        if not tx.writes and tx.log_position is not None:
            return tx.log_position
        if (newest := self._assume_position(tx)) is not None:
            return newest
        seen = self.seen
        position, news = (change_log.get_latest_sequence(tx), []) if seen == _UNREAD else change_log.read_news(tx, seen)
        tx.log_position = position
        self._learn(seen, position, news)
        return position

    def _assume_position(self, tx: Transaction) -> int | None:
        """Return what a transaction is taken to find as the end of the log, None where it has to read that."""
        newest = self.find_position() if tx.may_assume and not tx.is_begun else None
        if newest is not None:
            tx.log_position, tx.assumption = newest, _KnownPosition(self, newest)
        return newest

    def _learn(self, seen: int, position: int, news: Sequence[tuple[int, str]]) -> None:
        """Take over the changes after one position of the log, up to another one."""
        if position <= seen:
            return
        with self._lock:
            if self.seen >= seen:  # else everything was dropped meanwhile
                if seen == _UNREAD:
                    self.first = position
                for sequence, kind in news:
                    self._changed[kind] = max(self._changed.get(kind, 0), sequence)
                self.seen = max(self.seen, position)

    def expect_position(self, tx: Transaction) -> None:
        """Have what `catch_up` has to read, if anything, read with what is asked of the database next."""
        if self._assume_position(tx) is None:
            self.expect_news(tx)

    def expect_news(self, tx: Transaction) -> None:
        """Have the end of the log read with what is asked of the database next."""
        if self.seen == _UNREAD:
            change_log.expect_latest_sequence(tx)
        else:
            change_log.expect_news(tx, self.seen)

    def is_true_for(self, tx: Transaction, kinds: frozenset[str], made: int) -> bool:
        """Return whether what was made of these kinds at a position of the log is the same for a transaction."""
        is_true = self.is_unchanged(kinds, made, self.catch_up(tx))
        if is_true and tx.assumption is not None:
            tx.assumption.kinds |= kinds
        return is_true

    def is_unchanged(self, kinds: AbstractSet[str], made: int, position: int) -> bool:
        """Return whether what was made of these kinds at one position of the log is the same at another one."""
        lower = min(made, position)
        return lower >= self.first and self.find_last_change(kinds) <= lower

    def find_last_change(self, kinds: AbstractSet[str]) -> int:
        """Return the position of the last change of some kinds that is known, 0 for none."""
        changed = self._changed
        return max([changed.get(kind, 0) for kind in kinds], default=0)
