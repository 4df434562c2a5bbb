"""The database at scale: PostgreSQL 14 or later over psycopg, with a connection pool.

Reads see one snapshot (REPEATABLE READ READ ONLY). Writers of a site take one advisory lock for their transaction, so
that checks before a write still hold at the write (slugs, logins, counts), and the change log is committed in sequence
order. The cost: docs/decisions/postgresql.md. What both databases share: backends/database.py. Not here: the
statements of a transaction (backends/postgres_transaction.py).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

import psycopg
from psycopg.pq.abc import PGconn
from psycopg.types.numeric import Int8Dumper
from psycopg_pool import ConnectionPool, PoolTimeout
from sqlalchemy import text

from vetrina.kernel.errors import InlineBudgetExceeded, OtherWriterActive
from vetrina.kernel.read_consistency import parse_position

from . import postgres_commands as commands
from .answer_leases import ForeignLeases, MachineLease
from .commit_marks import CommitMarks
from .database import ChangeWatcher, Database, DatabaseUnreachable, Lease, Statement, Transaction
from .group_commit import GroupCommit
from .last_commits import CONFIRM_COMMIT, CommitNumber, name_writer
from .libpq import PreparedConnection
from .pooled_connection import PooledConnection
from .postgres_addresses import identify_database, read_url, require_supported
from .postgres_errors import is_loss, translate_error
from .postgres_transaction import READ_POSITION, PostgresTransaction, bind_command
from .postgres_watchers import ChangeLogWatcher, PostgresLease, PostgresWatcher
from .server_search import is_list, open_connection, require_alive
from .shared_transaction import CommitUnconfirmed, SharedWrites
from .transaction_pool import is_pooled, may_prepare, require_no_options
from .transaction_retries import RetryableError, ServerUnavailable

_MAX_CONNECTIONS: Final = 16  # per process; threads wait when all are in use
_REACH_SECONDS: Final = 5.0  # seconds that a request waits for a connection, a server restart included
_CONFIRM_SECONDS: Final = 60.0  # for which it is asked what became of a commit, the promotion of a standby included
_UNREACHED_SECONDS: Final = 0.2  # the same, where the last one has waited in vain
_TURN_SECONDS: Final = 0.25  # for which a writer waits for others of its process before it waits at the server
_SEARCH_INTERVAL: Final = 0.2  # seconds after which a connection is looked for again
_REST_SECONDS: Final = 600.0  # seconds after which a connection returns to the pool, which renews old ones
_POSITION: Final = Statement(text(READ_POSITION))
_PASSED_OVER: Final = "a statement of this transaction failed and was passed over, so nothing of it was kept"


class PostgresDatabase(Database):
    """An open PostgreSQL database, one site in its first schema.

    url: as libpq reads it. durable: whether a write is on disk before it is acknowledged; off only for throw-away
    sites. direct: URL past a pool, for what keeps a connection; empty for none. Connections are opened at first use.
    """

    kind = "postgresql"
    reach_seconds = _REACH_SECONDS

    def __init__(self, url: str, durable: bool = True, direct: str = "") -> None:
        super().__init__(durable)
        self._conninfo = read_url(url)
        self._direct = read_url(direct) if direct else self._conninfo
        self._is_pooled, self._prepares = False, True
        self._lock, self._writers = threading.Lock(), threading.Lock()
        self._shared_writes = SharedWrites(self._writers, self._open_shared, self._commit, self._roll_back)
        self._opened: ConnectionPool[PooledConnection] | None = None
        self._watches: list[PostgresWatcher] = []
        self._lease: MachineLease | None = None
        self._foreign_leases = ForeignLeases()
        # At most one, but for threads that meet: of the last snapshot, whose end the server may not have confirmed yet.
        self._resting: list[PooledConnection] = []
        self._seekers = 0
        self._has_others = is_list(url)
        self.silences = 0  # how often a server was found that stands still
        self.is_unreached = False  # whether the last one who waited for a connection waited in vain

    @contextmanager
    def begin_read(self) -> Iterator[Transaction]:
        # A block sees what it has written.
        self.end_shared_write()
        connection = self._take()
        tx = PostgresTransaction(connection, False, self._open(commands.BEGIN_READ), self._replace)
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
        self._give_back(tx.connection)

    @contextmanager
    def begin_write(self) -> Iterator[Transaction]:
        self.end_shared_write()
        self._shared_writes.end()
        waits = self._may_wait
        with self._take_turn(waits):
            connection = self._take()
            opening = self._open(commands.BEGIN_WRITE if waits else commands.BEGIN_WRITE_NOWAIT)
            tx = PostgresTransaction(connection, True, opening, self._replace)
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
        # A pool may have lent all to writers that wait for this one; what its thread reads next would wait for them.
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
        """Whether the server lends its connections through a pool."""
        self._opened or self._open_pool()
        return self._is_pooled

    def _open_shared(self) -> PostgresTransaction:
        return PostgresTransaction(self._take(), True, self._open(commands.BEGIN_WRITE_NOWAIT), self._replace)

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
        tx = PostgresTransaction(self._take(), False, (), self._replace)
        try:
            yield tx
        except BaseException as error:
            if given_up := self._roll_back(tx, error):
                raise given_up from error
            raise
        self._give_back(tx.connection)

    def watch(self) -> ChangeWatcher:
        watch = PostgresWatcher(self, self._conninfo)
        self._watches.append(watch)
        return watch

    def watch_changes(self) -> ChangeWatcher:
        if not self.leases_answers:
            return self.watch()
        watch = ChangeLogWatcher(self, self._conninfo)
        self._watches.append(watch)
        return watch

    @property
    def lease(self) -> MachineLease:
        """The lease of this machine on kept answers."""
        if self._lease is None:
            self._open_pool()
        assert self._lease is not None
        return self._lease

    def read_position(self) -> int:
        """Return the position of the server's log: everything that was acknowledged lies before it."""
        with self.begin_autocommit() as tx:
            return parse_position(str(tx.value(_POSITION))) or 0

    def facts(self) -> dict[str, int]:
        stats = self._opened.get_stats() if self._opened is not None else {}
        keys = {"open": "pool_size", "idle": "pool_available", "wanted": "requests_waiting"}
        counts = {name: stats.get(word, 0) for name, word in keys.items()}
        return {**counts, "idle": counts["idle"] + len(self._resting)}

    def open_lease(self, name: str) -> Lease:
        return PostgresLease(self._direct, name)

    @property
    def prepares(self) -> bool:
        """Whether statements can be prepared: not in every pool."""
        self._opened or self._open_pool()
        return self._prepares

    def close(self) -> None:
        if self._lease is not None:
            self._lease.wait()
        with self._lock:
            pool, self._opened = self._opened, None
            resting, self._resting = self._resting, []
        for watch in self._watches:
            watch.close()
        if pool is not None:
            for connection in resting:
                self._return(pool, connection)
            pool.close()

    # -- connections

    @property
    def _pool(self) -> ConnectionPool[PooledConnection]:
        return self._opened or self._open_pool()

    def _open_pool(self) -> ConnectionPool[PooledConnection]:
        with self._lock:
            if self._opened is None:
                self._require_usable()
                self._opened = ConnectionPool(
                    self._conninfo,
                    connection_class=PooledConnection,
                    configure=self._configure,
                    min_size=1,
                    max_size=_MAX_CONNECTIONS,
                    timeout=self.reach_seconds,
                    # Whoever wants a connection has it looked for again; a pool would pause for ever longer.
                    reconnect_timeout=0.0,
                    num_workers=1,
                    open=True,
                    name="vetrina",
                )
            return self._opened

    def _require_usable(self) -> None:
        """Raise DatabaseUnreachable for errors that waiting cannot fix: a pool would go on trying and never say why."""
        try:
            with psycopg.Connection(open_connection(self._conninfo)) as connection:
                require_supported(connection.info)
                self._is_pooled = is_pooled(connection)
                if self._is_pooled:
                    require_no_options(self._conninfo)
                    self._prepares = may_prepare(connection)
                if self._lease is None:
                    self._lease = MachineLease(
                        CommitMarks(identify_database(connection, self._conninfo)), self.begin_write
                    )
        except psycopg.Error as error:
            raise DatabaseUnreachable(f"the database cannot be reached: {str(error).strip()}") from error

    def _configure(self, connection: PooledConnection) -> None:
        # All integers alike: typed by size, each mixture of types would be another prepared plan.
        connection.adapters.register_dumper(int, Int8Dumper)
        connection.raw, connection.silences = psycopg.RawCursor(connection), self.silences
        connection.prepared = PreparedConnection(
            connection.pgconn, connection, self.build_silence_check(), self._prepares, self._is_pooled
        )
        if not self._is_pooled:
            setup = commands.SETUP.format(durable="on" if self.durable else "off")
            connection.prepared.exchange([bind_command(setup)])
        connection.last_commit = CommitNumber(name_writer(), 0)
        self.is_unreached = False

    def _open(self, opening: Sequence[str]) -> Sequence[str]:
        """Return the commands that begin a transaction, with its settings where a pool keeps none of the session."""
        if not self._is_pooled:
            return opening
        return opening[0], commands.SETUP_TRANSACTION.format(durable="on" if self.durable else "off"), *opening[1:]

    def _take(self) -> PooledConnection:
        """Return a connection; threads wait when all are in use. Raises RetryableError."""
        try:
            return self._resting.pop()
        except IndexError:
            pass
        pool = self._pool
        with self._lock:
            self._seekers += 1
        try:
            connection = self._wait_for_connection(pool)
        finally:
            with self._lock:
                self._seekers -= 1
        connection.taken = time.monotonic()
        return connection

    def _wait_for_connection(self, pool: ConnectionPool[PooledConnection]) -> PooledConnection:
        """Return a connection of the pool; each call to it has one looked for where there is none."""
        # Who knows that no server takes writes keeps nobody waiting for another answer.
        until = time.monotonic() + (_UNREACHED_SECONDS if self.is_unreached else _REACH_SECONDS)
        failed = pool.get_stats().get("connections_errors", 0)
        while True:
            try:
                return pool.getconn(_SEARCH_INTERVAL)
            except PoolTimeout as error:
                if not self._may_wait and not getattr(self._here, "confirms", False):
                    raise InlineBudgetExceeded from None
                if time.monotonic() >= until:
                    # Not where all connections are in use.
                    self.is_unreached |= pool.get_stats().get("connections_errors", 0) > failed
                    raise (ServerUnavailable if self.is_unreached else RetryableError)(str(error)) from error

    def build_silence_check(self) -> Callable[[PGconn], None] | None:
        """Return what looks after a connection that is opened now; None where no other server could take over."""
        return partial(self._require_alive, self.silences) if self._has_others else None

    def _require_alive(self, silences: int, connection: PGconn) -> None:
        """End a connection whose server does not answer any more, and all others, which are to the same one.

        silences: how many there had been when it was opened.
        """
        try:
            require_alive(connection, self._conninfo)
        except psycopg.OperationalError:
            # Of several who notice, one ends what the others have not opened since.
            if silences == self.silences:
                self.silences += 1
                resting, self._resting = self._resting, []
                for one in resting:
                    one.close()
                    self._pool.putconn(one)
                self._pool.drain()
            raise

    def _give_back(self, connection: PooledConnection) -> None:
        """Let a connection rest, or return it to the pool where others wait for it, or it is old."""
        if connection.silences != self.silences:
            # Most likely it is to the server that was given up, whose last answer would be waited for.
            connection.close()
        rests = not self._resting and not self._seekers and time.monotonic() - connection.taken < _REST_SECONDS
        if rests and not connection.closed and self._opened is not None:
            self._resting.append(connection)
        else:
            self._return(self._pool, connection)

    def _return(self, pool: ConnectionPool[PooledConnection], connection: PooledConnection) -> None:
        try:
            connection.prepared.settle()
        except psycopg.Error:
            connection.close()
        pool.putconn(connection)

    def _replace(self, connection: PooledConnection, error: psycopg.Error) -> PooledConnection:
        """Return a connection for one that was lost; raise the error of one that is not lost."""
        if not is_loss(error, connection.closed):
            raise error
        connection.close()
        self._pool.putconn(connection)
        return self._take()

    def _roll_back(self, tx: PostgresTransaction, error: BaseException) -> RetryableError | None:
        """Roll back after an error; return what to raise instead if a retry may help."""
        connection = tx.connection
        if not tx.is_begun:
            self._give_back(connection)
            return None
        tx.roll_back()
        # Asked only now: libpq may report that the server is gone and still take the connection for a good one.
        given_up = translate_error(error, connection.closed)
        self._pool.putconn(connection)
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
        self._give_back(tx.connection)
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
        connection = self._take()
        tx = PostgresTransaction(connection, True, self._open(commands.BEGIN_CONFIRMATION), self._replace)
        try:
            found = tx.first(CONFIRM_COMMIT, **commit._asdict())
            tx.commit(lambda: None)
        except BaseException as error:
            if given_up := self._roll_back(tx, error):
                raise given_up from error
            raise
        self._give_back(tx.connection)
        return found is not None
