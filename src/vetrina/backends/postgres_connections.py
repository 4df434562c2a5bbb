"""The connections of a process to PostgreSQL: opened as they are needed, lent to transactions, given up with a server.

Of several servers the one that takes writes is looked for (server_search.py). A lent connection itself:
pooled_connection.py.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import psycopg
from psycopg.pq.abc import PGconn
from psycopg.types.numeric import Int8Dumper
from psycopg_pool import ConnectionPool, PoolTimeout

from vetrina.kernel.errors import InlineBudgetExceeded

from . import postgres_commands as commands
from .database import DatabaseUnreachable
from .last_commits import CommitNumber, name_writer
from .libpq import PreparedConnection
from .pooled_connection import PooledConnection
from .postgres_addresses import identify_database, require_supported
from .postgres_errors import is_loss
from .postgres_transaction import bind_command
from .server_search import is_list, open_connection, require_alive
from .transaction_pool import is_pooled, may_prepare, require_no_options
from .transaction_retries import RetryableError, ServerUnavailable

_MAX_CONNECTIONS: Final = 16  # per process; threads wait when all are in use
_REACH_SECONDS: Final = 5.0  # seconds that a request waits for a connection, a server restart included
_UNREACHED_SECONDS: Final = 0.2  # the same, where the last one has waited in vain
_SEARCH_INTERVAL: Final = 0.2  # seconds after which a connection is looked for again
_REST_SECONDS: Final = 600.0  # seconds after which a connection returns to the pool, which renews old ones


class PostgresConnections:
    """The connections of one process; opened at first use.

    conninfo: as libpq reads it. durable: whether a commit waits for the disk. may_wait: whether the running thread may
    wait for a server. silences: how often a server was found that stands still. is_unreached: whether the last one who
    waited for a connection waited in vain.
    """

    reach_seconds = _REACH_SECONDS

    def __init__(self, conninfo: str, durable: bool, may_wait: Callable[[], bool]) -> None:
        self.conninfo, self._durable, self._may_wait = conninfo, durable, may_wait
        self._is_pooled, self._prepares = False, True
        self._identity: str | None = None
        self._lock = threading.Lock()
        self._opened: ConnectionPool[PooledConnection] | None = None
        # At most one, but for threads that meet: of the last snapshot, whose end the server may not have confirmed yet.
        self._resting: list[PooledConnection] = []
        self._seekers = 0
        self._has_others = is_list(conninfo)
        self.silences, self.is_unreached = 0, False

    @property
    def is_pooled(self) -> bool:
        """Whether the server lends its connections through a pool."""
        self._opened or self._open()
        return self._is_pooled

    @property
    def prepares(self) -> bool:
        """Whether statements can be prepared: not in every pool."""
        self._opened or self._open()
        return self._prepares

    @property
    def identity(self) -> str | None:
        """What the database is called on this machine, whoever connects to it; None where that cannot be told."""
        self._opened or self._open()
        return self._identity

    @property
    def _pool(self) -> ConnectionPool[PooledConnection]:
        return self._opened or self._open()

    def _open(self) -> ConnectionPool[PooledConnection]:
        with self._lock:
            if self._opened is None:
                self._require_usable()
                self._opened = ConnectionPool(
                    self.conninfo,
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
            with psycopg.Connection(open_connection(self.conninfo)) as connection:
                require_supported(connection.info)
                self._is_pooled = is_pooled(connection)
                if self._is_pooled:
                    require_no_options(self.conninfo)
                    self._prepares = may_prepare(connection)
                self._identity = identify_database(connection, self.conninfo)
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
            setup = commands.SETUP.format(durable="on" if self._durable else "off")
            connection.prepared.exchange([bind_command(setup)])
        connection.last_commit = CommitNumber(name_writer(), 0)
        self.is_unreached = False

    def build_opening(self, opening: Sequence[str]) -> Sequence[str]:
        """Return the commands that begin a transaction, with its settings where a pool keeps none of the session."""
        if not self._is_pooled:
            return opening
        setup = commands.SETUP_TRANSACTION.format(durable="on" if self._durable else "off")
        return opening[0], setup, *opening[1:]

    def take(self) -> PooledConnection:
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
                if not self._may_wait():
                    raise InlineBudgetExceeded from None
                if time.monotonic() >= until:
                    # Not where all connections are in use.
                    self.is_unreached |= pool.get_stats().get("connections_errors", 0) > failed
                    raise (ServerUnavailable if self.is_unreached else RetryableError)(str(error)) from error

    def give_back(self, connection: PooledConnection) -> None:
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

    def give_back_failed(self, connection: PooledConnection) -> None:
        """Return a connection on which something failed to the pool, which looks whether it is good."""
        self._pool.putconn(connection)

    def replace(self, connection: PooledConnection, error: psycopg.Error) -> PooledConnection:
        """Return a connection for one that was lost; raise the error of one that is not lost."""
        if not is_loss(error, connection.closed):
            raise error
        connection.close()
        self._pool.putconn(connection)
        return self.take()

    def build_silence_check(self) -> Callable[[PGconn], None] | None:
        """Return what looks after a connection that is opened now; None where no other server could take over."""
        return partial(self._require_alive, self.silences) if self._has_others else None

    def _require_alive(self, silences: int, connection: PGconn) -> None:
        """End a connection whose server does not answer any more, and all others, which are to the same one.

        silences: how many there had been when it was opened.
        """
        try:
            require_alive(connection, self.conninfo)
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

    def facts(self) -> dict[str, int]:
        """Return how many are open and idle, and how many are wanted that are not there."""
        stats = self._opened.get_stats() if self._opened is not None else {}
        keys = {"open": "pool_size", "idle": "pool_available", "wanted": "requests_waiting"}
        counts = {name: stats.get(word, 0) for name, word in keys.items()}
        return {**counts, "idle": counts["idle"] + len(self._resting)}

    def close(self) -> None:
        """Close all; the next transaction opens others."""
        with self._lock:
            pool, self._opened = self._opened, None
            resting, self._resting = self._resting, []
        if pool is not None:
            for connection in resting:
                self._return(pool, connection)
            pool.close()
