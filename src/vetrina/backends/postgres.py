"""The database at scale: PostgreSQL 14 or later over psycopg.

Reads see one snapshot (REPEATABLE READ READ ONLY). Writers of a site take one advisory lock for their transaction, so
that checks before a write still hold at the write (slugs, logins, counts), and the change log is committed in sequence
order. The cost: docs/decisions/postgresql.md. What both databases share: backends/database.py. Not here: the
statements of a transaction (backends/postgres_transaction.py), its connection (backends/postgres_connections.py).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import psycopg
from sqlalchemy import text

from vetrina.kernel.errors import OtherWriterActive
from vetrina.kernel.read_consistency import parse_position

from . import postgres_commands as commands
from .answer_leases import ForeignLeases, MachineLease
from .commit_marks import CommitMarks
from .database import ChangeWatcher, Database, Lease, Statement, Transaction
from .group_commit import GroupCommit
from .last_commits import CONFIRM_COMMIT, CommitNumber
from .postgres_addresses import read_url
from .postgres_connections import PostgresConnections
from .postgres_errors import translate_error
from .postgres_transaction import READ_POSITION, PostgresTransaction
from .postgres_watchers import ChangeLogWatcher, PostgresLease, PostgresWatcher
from .shared_transaction import CommitUnconfirmed, SharedWrites
from .transaction_retries import RetryableError, ServerUnavailable

_CONFIRM_SECONDS: Final = 60.0  # for which it is asked what became of a commit, the promotion of a standby included
_TURN_SECONDS: Final = 0.25  # for which a writer waits for others of its process before it waits at the server
_POSITION: Final = Statement(text(READ_POSITION))
_PASSED_OVER: Final = "a statement of this transaction failed and was passed over, so nothing of it was kept"


class PostgresDatabase(Database):
    """An open PostgreSQL database, one site in its first schema.

    url: as libpq reads it. durable: whether a write is on disk before it is acknowledged; off only for throw-away
    sites. direct: URL past a pool, for what keeps a connection; empty for none. Connections are opened at first use.
    """

    kind = "postgresql"

    def __init__(self, url: str, durable: bool = True, direct: str = "") -> None:
        super().__init__(durable)
        conninfo = read_url(url)
        self._direct = read_url(direct) if direct else conninfo
        self.connections = self._build_connections(conninfo)
        self._lock, self._writers = threading.Lock(), threading.Lock()
        self._shared_writes = SharedWrites(self._writers, self._open_shared, self._commit, self._roll_back)
        self._watches: list[PostgresWatcher] = []
        self._lease: MachineLease | None = None
        self._foreign_leases = ForeignLeases()

    def _build_connections(self, conninfo: str) -> PostgresConnections:
        return PostgresConnections(conninfo, self.durable, self._may_wait_for_server)

    def _may_wait_for_server(self) -> bool:
        return self._may_wait or getattr(self._here, "confirms", False)

    @contextmanager
    def begin_read(self) -> Iterator[Transaction]:
        # A block sees what it has written.
        self.end_shared_write()
        tx = self._build_transaction(False, commands.BEGIN_READ)
        try:
            yield tx
        except BaseException as error:
            if given_up := self._roll_back(tx, error):
                raise given_up from error
            raise
        try:
            tx.send_end()
        except psycopg.Error:
            # The result is complete; a snapshot has nothing to commit.
            tx.connection.close()
        self.connections.give_back(tx.connection)

    @contextmanager
    def begin_write(self) -> Iterator[Transaction]:
        self.end_shared_write()
        self._shared_writes.end()
        waits = self._may_wait
        with self._take_turn(waits):
            tx = self._build_transaction(True, commands.BEGIN_WRITE if waits else commands.BEGIN_WRITE_NOWAIT)
            tx.notes_position = self.notes_positions
            try:
                if waits:
                    # Whoever waits for others is to look at the clock afterwards.
                    tx.send_waiting()
                yield tx
            except BaseException as error:
                if given_up := self._roll_back(tx, error):
                    raise given_up from error
                raise
            wait = self._commit(tx)
        gathered = self._mark_committed()
        if wait > 0 and gathered is not None:
            gathered.delay(wait)
        elif wait > 0:
            time.sleep(wait)

    @contextmanager
    def begin_shared_write(self) -> Iterator[Transaction]:
        gathered: GroupCommit | None = getattr(self._here, "gathered", None)
        if gathered is None or gathered.made or gathered.committed or self.notes_positions or self._has_pool:
            with self.begin_write() as tx:
                yield tx
            return
        with self._shared_writes.begin(gathered) as tx:
            yield tx

    @property
    def open_turn(self) -> Transaction | None:
        return self._shared_writes.open_turn

    @property
    def _has_pool(self) -> bool:
        # It may have lent all to writers that wait for this one; what its thread reads next would wait for them.
        return self.connections.is_pooled

    def _open_shared(self) -> PostgresTransaction:
        return self._build_transaction(True, commands.BEGIN_WRITE_NOWAIT)

    def _build_transaction(self, writes: bool, opening: Sequence[str]) -> PostgresTransaction:
        """Return a transaction that has a connection. opening: the commands that begin it, none for autocommit."""
        # Only now it is known whether there is a pool.
        connection = self.connections.take()
        opening = self.connections.build_opening(opening) if opening else ()
        return PostgresTransaction(connection, writes, opening, self.connections.replace)

    @contextmanager
    def _take_turn(self, waits: bool) -> Iterator[None]:
        """Have the writers of this process come one after the other. Raises OtherWriterActive.

        The server's lock is what they must have; but where they meet there, each holds a connection, and whoever must
        not wait has made a trip for nothing. So who waits for long goes on without a turn.
        """
        has_turn = self._writers.acquire(waits, _TURN_SECONDS if waits else -1)
        if not has_turn and not waits:
            raise OtherWriterActive
        try:
            yield
        finally:
            if has_turn:
                self._writers.release()

    @contextmanager
    def begin_autocommit(self) -> Iterator[Transaction]:
        """Run single reads, each in its own transaction."""
        tx = self._build_transaction(False, ())
        try:
            yield tx
        except BaseException as error:
            if given_up := self._roll_back(tx, error):
                raise given_up from error
            raise
        self.connections.give_back(tx.connection)

    def watch(self) -> ChangeWatcher:
        watch = PostgresWatcher(self.connections, self.begin_autocommit)
        self._watches.append(watch)
        return watch

    def watch_changes(self) -> ChangeWatcher:
        if not self.leases_answers:
            return self.watch()
        watch = ChangeLogWatcher(self.connections, self.begin_autocommit, lambda: self.lease)
        self._watches.append(watch)
        return watch

    @property
    def lease(self) -> MachineLease:
        """The lease of this machine on kept answers."""
        if self._lease is None:
            identity = self.connections.identity
            with self._lock:
                if self._lease is None:
                    self._lease = MachineLease(CommitMarks(identity), self.begin_write)
        return self._lease

    def read_position(self) -> int:
        """Return the position of the server's log: everything that was acknowledged lies before it."""
        with self.begin_autocommit() as tx:
            return parse_position(str(tx.value(_POSITION))) or 0

    def facts(self) -> dict[str, int]:
        return self.connections.facts()

    def open_lease(self, name: str) -> Lease:
        return PostgresLease(self._direct, name)

    def close(self) -> None:
        if self._lease is not None:
            self._lease.wait()
        for watch in self._watches:
            watch.close()
        self.connections.close()

    # -- the end of a transaction

    def _roll_back(self, tx: PostgresTransaction, error: BaseException) -> RetryableError | None:
        """Roll back after an error; return what to raise instead if a retry may help."""
        connection = tx.connection
        if not tx.is_begun:
            self.connections.give_back(connection)
            return None
        tx.roll_back()
        # Asked only now: libpq may report that the server is gone and still take the connection for a good one.
        given_up = translate_error(error, connection.closed)
        self.connections.give_back_failed(connection)
        return given_up

    def _commit(self, tx: PostgresTransaction) -> float:
        """Commit; if the connection is lost before the server responds, find out whether it committed.

        Return the seconds for which nobody is to be told of it.
        """
        foreign, mark = list[str](), 0

        def prepare() -> None:
            nonlocal mark
            leases = tx.list_leases()
            if leases is not None:
                foreign.extend(self._foreign_leases.revoke(tx, leases, self.lease.is_own))
                mark = self.lease.marks.begin()

        def end() -> float:
            if mark:
                self.lease.marks.settle(mark)
            return self._foreign_leases.get_wait(foreign) if foreign else 0.0

        try:
            status = tx.commit(prepare)
        except BaseException as error:
            given_up = self._roll_back(tx, error)
            is_open = given_up is not None and not isinstance(given_up, ServerUnavailable)
            if is_open and tx.commit_number and self._was_committed(tx.commit_number):
                tx.position = self.read_position() if tx.notes_position else 0
                return end()
            if given_up:
                raise given_up from error
            if isinstance(error, psycopg.errors.InFailedSqlTransaction):
                raise RuntimeError(_PASSED_OVER) from error
            raise
        self.connections.give_back(tx.connection)
        if status not in (None, b"COMMIT"):
            raise RuntimeError(_PASSED_OVER)
        return end()

    def _was_committed(self, commit: CommitNumber) -> bool:
        """Return whether a commit happened that the server has not confirmed.

        Raises CommitUnconfirmed if that cannot be found out.
        """
        until = time.monotonic() + _CONFIRM_SECONDS
        # To be run again in a thread, it would have to be known that nothing was committed.
        self._here.confirms = True
        try:
            while time.monotonic() < until:
                try:
                    return self._confirm(commit)
                except RetryableError:
                    time.sleep(0.05)
        finally:
            self._here.confirms = False
        raise CommitUnconfirmed("the connection was lost while a transaction was being committed")

    def _confirm(self, commit: CommitNumber) -> bool:
        tx = self._build_transaction(True, commands.BEGIN_CONFIRMATION)
        try:
            found = tx.first(CONFIRM_COMMIT, **commit._asdict())
            tx.commit(lambda: None)
        except BaseException as error:
            if given_up := self._roll_back(tx, error):
                raise given_up from error
            raise
        self.connections.give_back(tx.connection)
        return found is not None
