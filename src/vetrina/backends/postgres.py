"""The database at scale: PostgreSQL 14 or later over psycopg, with a connection pool.

Reads see one snapshot (REPEATABLE READ READ ONLY). Writers of a site take one advisory lock for their transaction, so
that checks before a write still hold at the write (slugs, logins, counts), and the change log is committed in sequence
order. The cost: docs/decisions/postgresql.md. What both databases share: backends/database.py. Not here: the
statements of a transaction (backends/postgres_transaction.py).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import psycopg
from psycopg import pq
from psycopg.pq.abc import PGconn
from psycopg.types.numeric import Int8Dumper
from psycopg_pool import ConnectionPool, PoolTimeout
from sqlalchemy import text

from .database import (
    ChangeWatcher,
    Database,
    DatabaseUnreachable,
    Lease,
    RetryableError,
    Row,
    Statement,
    Transaction,
)
from .libpq import PreparedConnection
from .postgres_transaction import DIALECT, PooledConnection, PostgresTransaction, bind_values

_MIN_SERVER_VERSION: Final = 140000  # server version
_MAX_CONNECTIONS: Final = 16  # per process; threads wait when all are in use
_REACH_SECONDS: Final = 5.0  # seconds that a request waits for a connection, a server restart included
_SETUP: Final = (
    # Wait as long as SQLite's writers do; no JIT, which takes longer than these queries.
    "SET lock_timeout = '30s'; SET jit = off; SET synchronous_commit = {durable}; SET TimeZone = 'UTC'"
)
_REST_SECONDS: Final = 600.0  # seconds after which a connection returns to the pool, which renews old ones
_BEGIN_READ: Final = ("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",)
_LOCK: Final = "(hashtext('vetrina'), hashtext(coalesce(current_schema(), '')))"
# The transaction id tells its outcome if the connection is lost during the commit.
_BEGIN_WRITE: Final = (
    "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
    f"SELECT pg_advisory_xact_lock{_LOCK}, CAST(pg_current_xact_id() AS text)",
)
# For a writer that must not wait: without the lock it is an error, so that nothing is executed that travels with it.
_BEGIN_WRITE_NOWAIT: Final = (
    _BEGIN_WRITE[0],
    f"SELECT 1 / CAST(pg_try_advisory_xact_lock{_LOCK} AS integer), CAST(pg_current_xact_id() AS text)",
)
_TRY_LEASE: Final = "SELECT pg_try_advisory_lock(hashtext('vetrina ' || %s), hashtext(coalesce(current_schema(), '')))"
_TRANSACTION_OUTCOME: Final = Statement(text("SELECT pg_xact_status(CAST(CAST(:number AS text) AS xid8))"))

_SHUTDOWN_SQLSTATES: Final = frozenset({"57P01", "57P02", "57P03", "57P05"})  # also of one connection alone
# Serialisation failure, deadlock, lock not available, too many connections.
_RETRYABLE_SQLSTATES: Final = _SHUTDOWN_SQLSTATES | {"40001", "40P01", "55P03", "53300"}


class _PostgresWatcher(ChangeWatcher):
    """Polls with a small query: NOTIFY would arrive later than the commit that it reports.

    It has its own connection and uses libpq itself, since serving a cached response costs little more than this query.
    """

    def __init__(self, database: PostgresDatabase, conninfo: str) -> None:
        self._database, self._conninfo = database, conninfo.encode()
        self._line: PreparedConnection | None = None
        self._connection: PGconn | None = None

    def has_changed(self) -> bool:
        return True

    def all(self, statement: Statement, /, **values: Any) -> list[Row]:
        form = statement.compiled.get("postgresql") or statement.compile_for(DIALECT)
        try:
            return self._open_connection().all(form, bind_values(form, values))
        except psycopg.OperationalError:
            self.close()

        # The pool waits for a restarting server, and gives up after its timeout.
        def look() -> list[Row]:
            with self._database.begin_autocommit() as tx:
                return tx.all(statement, **values)

        return self._database.with_retries(look)

    def _open_connection(self) -> PreparedConnection:
        if self._line is None:
            self._connection = pq.PGconn.connect(self._conninfo)
            if self._connection.status != pq.ConnStatus.OK:
                raise psycopg.OperationalError(self._connection.get_error_message())
            self._line = PreparedConnection(self._connection)
        return self._line

    def close(self) -> None:
        """Close the connection; the next call opens another."""
        if self._connection is not None:
            self._connection.finish()
        self._line = self._connection = None


class _PostgresLease(Lease):
    """An advisory lock on a connection of its own: the server releases it when the connection is gone."""

    def __init__(self, conninfo: str, name: str) -> None:
        self._conninfo, self._name = conninfo, name
        self._connection: psycopg.Connection[Row] | None = None
        self._has = False

    def acquire(self) -> bool:
        try:
            if self._connection is None or self._connection.closed:
                self._has = False
                self._connection = psycopg.connect(self._conninfo, autocommit=True)
            row = self._connection.execute("SELECT 1" if self._has else _TRY_LEASE, [] if self._has else [self._name])
            self._has = self._has or bool((row.fetchone() or (False,))[0])
        except psycopg.OperationalError:
            self._has = False
        return self._has

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


class PostgresDatabase(Database):
    """An open PostgreSQL database, one site in its first schema.

    url: as libpq reads it. durable: whether a write is on disk before it is acknowledged; off only for throw-away
    sites. Connections are opened at first use.
    """

    kind = "postgresql"

    def __init__(self, url: str, durable: bool = True) -> None:
        super().__init__(durable)
        try:
            self._conninfo = psycopg.conninfo.make_conninfo(url, client_encoding="utf8")
        except psycopg.ProgrammingError as error:
            raise ValueError(f"the database's URL is not understood: {str(error).strip()}") from None
        self._lock = threading.Lock()
        self._opened: ConnectionPool[PooledConnection] | None = None
        self._watches: list[_PostgresWatcher] = []
        # At most one, but for threads that meet: of the last snapshot, whose end the server may not have confirmed yet.
        self._resting: list[PooledConnection] = []
        self._seekers = 0

    @contextmanager
    def begin_read(self) -> Iterator[Transaction]:
        tx = PostgresTransaction(self._take(), False, _BEGIN_READ, self._replace)
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
        waits = self._may_wait
        tx = PostgresTransaction(self._take(), True, _BEGIN_WRITE if waits else _BEGIN_WRITE_NOWAIT, self._replace)
        try:
            if waits:
                # Whoever waits for others is to look at the clock afterwards.
                tx.send_waiting()
            yield tx
        except BaseException as error:
            if given_up := self._roll_back(tx, error):
                raise given_up from error
            raise
        self._commit(tx)
        self._mark_committed()

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
        watch = _PostgresWatcher(self, self._conninfo)
        self._watches.append(watch)
        return watch

    def facts(self) -> dict[str, int]:
        stats = self._opened.get_stats() if self._opened is not None else {}
        keys = {"open": "pool_size", "idle": "pool_available", "wanted": "requests_waiting"}
        counts = {name: stats.get(word, 0) for name, word in keys.items()}
        return {**counts, "idle": counts["idle"] + len(self._resting)}

    def open_lease(self, name: str) -> Lease:
        return _PostgresLease(self._conninfo, name)

    def close(self) -> None:
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
                    # The driver loses its prepared statements after each ROLLBACK, and every other prepared one too.
                    kwargs={"autocommit": True, "prepare_threshold": None},
                    configure=self._configure,
                    min_size=1,
                    max_size=_MAX_CONNECTIONS,
                    timeout=_REACH_SECONDS,
                    num_workers=1,
                    open=True,
                    name="vetrina",
                )
            return self._opened

    def _require_usable(self) -> None:
        """Raise DatabaseUnreachable for errors that waiting cannot fix: a pool would go on trying and never say why."""
        try:
            with psycopg.connect(self._conninfo, connect_timeout=10) as connection:
                info = connection.info
                if info.server_version < _MIN_SERVER_VERSION:
                    raise DatabaseUnreachable(
                        f"the server is PostgreSQL {info.server_version // 10000}; it needs 14 or later"
                    )
                if (encoding := info.parameter_status("server_encoding")) != "UTF8":
                    raise DatabaseUnreachable(
                        f"the database's encoding is {encoding}; make it again with ENCODING 'UTF8'"
                    )
        except psycopg.Error as error:
            raise DatabaseUnreachable(f"the database cannot be reached: {str(error).strip()}") from error

    def _configure(self, connection: PooledConnection) -> None:
        # All integers alike: typed by size, each mixture of types would be another prepared plan.
        connection.adapters.register_dumper(int, Int8Dumper)
        connection.execute(_SETUP.format(durable="on" if self.durable else "off"), prepare=False)
        connection.raw = psycopg.RawCursor(connection)
        connection.prepared = PreparedConnection(connection.pgconn, connection)

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
            connection = pool.getconn()
        except PoolTimeout as error:
            raise RetryableError(str(error)) from error
        finally:
            with self._lock:
                self._seekers -= 1
        connection.taken = time.monotonic()
        return connection

    def _give_back(self, connection: PooledConnection) -> None:
        """Let a connection rest, or return it to the pool where others wait for it, or it is old."""
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
        # libpq may report that the server is gone and still take the connection for a good one.
        if not connection.closed and error.sqlstate not in _SHUTDOWN_SQLSTATES:
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
        self._end_transaction(connection)
        # Asked only now: libpq may report that the server is gone and still take the connection for a good one.
        again = isinstance(error, psycopg.Error) and (connection.closed or error.sqlstate in _RETRYABLE_SQLSTATES)
        self._pool.putconn(connection)
        return RetryableError(str(error)) if again else None

    def _end_transaction(self, connection: PooledConnection) -> None:
        """Roll back whatever a connection is in; close it where that is not possible."""
        try:
            connection.prepared.settle()
            connection.raw.execute("ROLLBACK", prepare=False)
        except psycopg.Error:
            connection.close()

    def _commit(self, tx: PostgresTransaction) -> None:
        """Commit; if the connection is lost before the server responds, find out whether it committed."""
        try:
            status = tx.commit()
        except BaseException as error:
            number, lost = tx.number, tx.connection.closed
            given_up = self._roll_back(tx, error)
            if lost and number and isinstance(error, psycopg.Error) and self._was_committed(number):
                return
            if given_up:
                raise given_up from error
            raise
        self._give_back(tx.connection)
        if status not in (None, b"COMMIT"):
            raise RuntimeError("a statement of this transaction failed and was passed over, so nothing of it was kept")

    def _was_committed(self, number: str) -> bool:
        """Return whether a transaction committed. Raises OperationalError if that cannot be found out."""
        until = time.monotonic() + 2 * _REACH_SECONDS
        while time.monotonic() < until:
            try:
                with self.begin_autocommit() as tx:
                    outcome = tx.value(_TRANSACTION_OUTCOME, number=number)
            except RetryableError:
                continue
            if outcome in ("committed", "aborted"):
                return bool(outcome == "committed")
            time.sleep(0.05)
        raise psycopg.OperationalError(f"the connection was lost while transaction {number} was being committed")
