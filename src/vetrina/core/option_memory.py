"""The options as this process last read them, so that a read need not ask for them again while they are true.

They were read at a position of the change log, and every change of one is logged: a snapshot whose log has none since
sees the same options (as with what is kept of answers: docs/decisions/fragments.md). On a database server a read that
can be run again begins with those that the process knows, and asks before it ends: where they have changed it is run
again. So an answer is never made of options that were not those of its snapshot. Where they are kept: core/options.py.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from vetrina.backends.change_log_follower import ChangeLogFollower
from vetrina.backends.database import Row, Transaction
from vetrina.backends.transaction_retries import RetryableError
from vetrina.core import options

_KINDS: Final = frozenset({"option"})


class KnownOptions(NamedTuple):
    """Options that were read. stored: rows of the database. position: of the change log in that snapshot."""

    stored: list[Row]
    position: int


class OptionMemory:
    """The options that a process knows. known: None before the first read of them."""

    def __init__(self) -> None:
        self.known: KnownOptions | None = None

    def read(self, tx: Transaction, log: ChangeLogFollower) -> list[Row]:
        """Return the stored options as a transaction sees them. log: what the process knows of the change log."""
        if tx.writes:
            return options.read_stored_options(tx)
        known = self.known
        if known is not None and log.is_true_for(tx, _KINDS, known.position):
            return known.stored
        return self._read_again(tx, log).stored

    def is_probably_true(self, known: KnownOptions, log: ChangeLogFollower) -> bool:
        """Return whether options were true when the process last looked at the log."""
        return log.is_unchanged(_KINDS, known.position, log.seen)

    def is_outdated(self, tx: Transaction, log: ChangeLogFollower, known: KnownOptions) -> bool:
        """Return whether a transaction is known already to see other options, as far as that costs no question."""
        return tx.log_position is not None and not log.is_unchanged(_KINDS, known.position, tx.log_position)

    def confirm(self, tx: Transaction, log: ChangeLogFollower, assumed: KnownOptions) -> None:
        """Raise RetryableError where a transaction sees other options than those that it began with."""
        if log.is_true_for(tx, _KINDS, assumed.position):
            return
        if dict(self._read_again(tx, log).stored) != dict(assumed.stored):
            raise RetryableError("the options have changed")

    def clear(self) -> None:
        """Forget them: the database may have been replaced."""
        self.known = None

    def _read_again(self, tx: Transaction, log: ChangeLogFollower) -> KnownOptions:
        found = KnownOptions(options.read_stored_options(tx), log.catch_up(tx))
        if not tx.is_replica:
            self.known = found
        return found
