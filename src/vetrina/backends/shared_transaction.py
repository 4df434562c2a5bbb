"""One write transaction for several requests that wait at the same time, each with a part of its own.

Writers come one after the other, and each would wait for a sync of the server's disk before the next one begins. Here
those that an event loop has at hand share a transaction, and so its beginning, its commit and that sync. Nobody is told
of a write before the commit. Where nothing of it was kept, each is carried out again by itself, so that what fails in
one of them is the failure of no other. Who joins: backends/postgres.py; when it is committed:
http/durable_responses.py; why: docs/decisions/postgresql.md.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import psycopg

from vetrina.kernel.errors import InlineBudgetExceeded

from .group_commit import GroupCommit
from .postgres_transaction import PostgresTransaction

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
