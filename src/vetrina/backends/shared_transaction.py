"""One write transaction for several requests that wait at the same time, each with a part of its own.

Writers come one after the other, and each would wait for a sync of the server's disk before the next one begins. Here
those that an event loop has at hand share a transaction, and so its beginning, its commit and that sync. Nobody is told
of a write before the commit. Where nothing of it was kept, each is carried out again by itself, so that what fails in
one of them is the failure of no other. When it is committed: http/durable_responses.py; why:
docs/decisions/postgresql.md.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, ParamSpec, TypeVar

import psycopg

from vetrina.kernel.errors import InlineBudgetExceeded, OtherWriterActive

from .group_commit import GroupCommit
from .postgres_transaction import PostgresTransaction

T = TypeVar("T")
Given = ParamSpec("Given")

_MAX_MEMBERS: Final = 16  # of a transaction
_MAX_SECONDS: Final = 0.1  # for which others may join; writers elsewhere wait for their turn meanwhile


class SharedCommitLost(InlineBudgetExceeded):
    """Nothing was kept of the transaction that a block shared with others; the block is to be run again by itself."""


class CommitUnconfirmed(psycopg.OperationalError):
    """The connection was lost in a commit, and whether that was kept could not be found out."""


class SharedTransaction:
    """An open write transaction that several blocks of one thread take part in.

    commit: commits it and ends its turn; returns the seconds for which nobody is to be told of it.
    roll_back: rolls it back after an error and ends its turn. has_open_part: whether one of the blocks is writing.
    """

    def __init__(
        self, tx: PostgresTransaction, commit: Callable[[], float], roll_back: Callable[[BaseException], object]
    ) -> None:
        self.tx, self._commit, self._roll_back = tx, commit, roll_back
        self._until = time.monotonic() + _MAX_SECONDS
        self._members: list[GroupCommit] = []
        self._error: BaseException | None = None
        self.is_over = self.has_open_part = False

    @property
    def size(self) -> int:
        """How many blocks take part."""
        return len(self._members)

    @property
    def is_open(self) -> bool:
        """Whether another block may join."""
        # Not where the first has asked for nothing: it may turn out that there is another writer.
        is_new = self.size < _MAX_MEMBERS and time.monotonic() < self._until
        return is_new and not self.is_over and not self.has_open_part and self.tx.is_begun

    def add(self, member: GroupCommit) -> None:
        """Have a block that has written wait for the commit."""
        # What the others do is no more on its clock.
        self.tx.look = None
        self._members.append(member)
        member.share(self)

    @contextmanager
    def open_part(self, member: GroupCommit) -> Iterator[PostgresTransaction]:
        """Have a block write as a part, which its error undoes. Raises SharedCommitLost where all is undone."""
        self.has_open_part = True
        try:
            with self.tx.savepoint(waits=False):
                yield self.tx
        except psycopg.Error as error:
            # It may be the error of another one's write, and the server carries out nothing more after it.
            self._end(error)
            self._roll_back(error)
            raise SharedCommitLost from error
        finally:
            self.has_open_part, self.tx.look = False, None
        self.add(member)

    def end(self) -> None:
        """Commit, once for all. Raises SharedCommitLost where nothing is kept, CommitUnconfirmed where that is open."""
        if not self.is_over:
            self._end(CommitUnconfirmed("a commit was interrupted"))
            try:
                wait = self._commit()
            except Exception as error:
                self._end(error)
            else:
                self._end(None)
                for member in self._members:
                    member.committed = True
                    if wait > 0:
                        member.delay(wait)
        if isinstance(self._error, CommitUnconfirmed):
            raise CommitUnconfirmed(str(self._error)) from self._error
        if self._error is not None:
            raise SharedCommitLost from self._error

    def _end(self, error: BaseException | None) -> None:
        self.is_over, self._error = True, error


class SharedWrites:
    """The transactions that blocks share, of each thread at most one that is open.

    turn: of the writers of this process. open_transaction: not begun yet, that fails where another writer is active.
    commit, roll_back: as `SharedTransaction` calls them, given the transaction, and without the turn.
    """

    def __init__(
        self,
        turn: threading.Lock,
        open_transaction: Callable[[], PostgresTransaction],
        commit: Callable[[PostgresTransaction], float],
        roll_back: Callable[[PostgresTransaction, BaseException], Exception | None],
    ) -> None:
        self._turn, self._open_transaction = turn, open_transaction
        self._commit, self._roll_back = commit, roll_back
        self._here = threading.local()

    @property
    def open_turn(self) -> PostgresTransaction | None:
        """This thread's open transaction, where another block may join it."""
        shared: SharedTransaction | None = getattr(self._here, "shared", None)
        return shared.tx if shared is not None and shared.is_open else None

    @contextmanager
    def begin(self, member: GroupCommit) -> Iterator[PostgresTransaction]:
        """Have a block take part in this thread's open transaction, or in a new one. Raises OtherWriterActive."""
        shared: SharedTransaction | None = getattr(self._here, "shared", None)
        if shared is not None and shared.is_open:
            with shared.open_part(member) as tx:
                yield tx
            return
        self.end()
        with self._open() as shared:
            yield shared.tx
        shared.add(member)
        self._here.shared = shared

    def end(self) -> None:
        """Commit what other blocks of this thread share; they are told where that fails."""
        shared: SharedTransaction | None = getattr(self._here, "shared", None)
        if shared is not None and not shared.has_open_part:
            with suppress(SharedCommitLost, CommitUnconfirmed):
                shared.end()

    @contextmanager
    def _open(self) -> Iterator[SharedTransaction]:
        """Open a transaction for blocks to share, which the first of them rolls back by an error."""
        if not self._turn.acquire(blocking=False):
            raise OtherWriterActive
        try:
            tx = self._open_transaction()
            try:
                yield SharedTransaction(
                    tx,
                    lambda: self._end(self._commit, tx),
                    lambda error: self._end(self._roll_back, tx, error),
                )
            except BaseException as error:
                if given_up := self._roll_back(tx, error):
                    raise given_up from error
                raise
        except BaseException:
            self._turn.release()
            raise

    def _end(self, end: Callable[Given, T], *given: Given.args, **named: Given.kwargs) -> T:
        """Commit or roll back, and let other threads have their turn."""
        try:
            return end(*given, **named)
        finally:
            self._here.shared = None
            self._turn.release()
