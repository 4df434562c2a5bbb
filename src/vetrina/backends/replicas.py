"""Reading from replicas of the primary (streaming replication): which one, whether it is there, and how far it is.

A process looks at each replica by itself, in a thread: what it has replayed, and by how many seconds it is behind. Time
is that of this process: a replica is as far behind as the oldest position of the primary that it has not reached is
old. One that does not answer, or is too far behind, is left out until it is back. What decides whether a request may be
answered by one: docs/decisions/replicas.md.
"""

from __future__ import annotations

import logging
import os
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from typing import Final, NamedTuple

import psycopg
from psycopg import pq
from psycopg.pq.abc import PGconn
from psycopg_pool import ConnectionPool, PoolTimeout
from sqlalchemy import text

from vetrina.backends import change_log
from vetrina.kernel.read_consistency import PrimaryNeeded, ReadConsistency, parse_position

from .database import Database, DatabaseUnreachable, Statement, Transaction
from .pooled_connection import PooledConnection
from .postgres import PostgresDatabase
from .postgres_connections import PostgresConnections
from .transaction_retries import RetryableError

_LOG: Final = logging.getLogger("vetrina.replicas")
_LOOK_SECONDS: Final = 0.5  # between two looks at a replica
_SOON_SECONDS: Final = 0.005  # between two looks while a client waits for one
_ANSWER_SECONDS: Final = 2  # in which a replica must answer
_MAX_SAMPLES: Final = 1024  # positions of the primary that are remembered
# A server that was promoted has replayed all that it has written.
_REPLAYED: Final = (
    "SELECT CAST(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END AS"
    " text)"
)
_REPLAYED_STATEMENT: Final = Statement(text(_REPLAYED))


class ReplicaState(NamedTuple):
    """How it is with a replica. behind: seconds, 0 where it has all. reads: that this process had from it."""

    name: str
    is_used: bool
    behind: float
    reads: int
    fault: str


class _ReplicaConnections(PostgresConnections):
    """The connections to one replica: nobody waits long for one, as the primary can answer as well.

    on_lost: called when one was lost.
    """

    reach_seconds = 0.5

    def __init__(self, conninfo: str, on_lost: Callable[[], None]) -> None:
        super().__init__(conninfo, durable=True, may_wait=lambda: True)
        self._on_lost = on_lost
        self._taken: set[PooledConnection] = set()

    def abandon(self) -> None:
        """End the connections in use, so that nobody waits for a server that does not answer."""
        for connection in list(self._taken):
            with (
                suppress(OSError, psycopg.Error),
                socket.socket(fileno=os.dup(connection.pgconn.socket)) as line,
            ):
                line.shutdown(socket.SHUT_RDWR)

    def take(self) -> PooledConnection:
        try:
            connection = super().take()
        except DatabaseUnreachable as error:
            self._on_lost()
            raise RetryableError(str(error)) from error
        except RetryableError:
            self._on_lost()
            raise
        self._taken.add(connection)
        return connection

    def _wait_for_connection(self, pool: ConnectionPool[PooledConnection]) -> PooledConnection:
        try:
            return pool.getconn(self.reach_seconds)
        except PoolTimeout as error:
            raise RetryableError(str(error)) from error

    def give_back(self, connection: PooledConnection) -> None:
        self._taken.discard(connection)
        super().give_back(connection)

    def give_back_failed(self, connection: PooledConnection) -> None:
        self._taken.discard(connection)
        super().give_back_failed(connection)

    def replace(self, connection: PooledConnection, error: psycopg.Error) -> PooledConnection:
        if not connection.closed and error.sqlstate is not None and not error.sqlstate.startswith(("57P", "08")):
            raise error
        # The same is read from the primary, rather than waiting here for a server that may stay away.
        connection.close()
        self._on_lost()
        raise RetryableError(str(error)) from error


class ReplicaDatabase(PostgresDatabase):
    """One replica. on_lost: called when a connection to it was lost."""

    connections: _ReplicaConnections

    def __init__(self, url: str, on_lost: Callable[[], None]) -> None:
        self._on_lost = on_lost
        super().__init__(url, durable=True)

    def _build_connections(self, conninfo: str) -> _ReplicaConnections:
        return _ReplicaConnections(conninfo, self._on_lost)


class Replica:
    """One replica, as this process knows it. name: what it is called in the log and in the metrics."""

    def __init__(self, url: str, name: str) -> None:
        self.name, self.reads = name, 0
        self.database = ReplicaDatabase(url, self.note_loss)
        self.replayed, self.behind, self.fault = 0, 0.0, "not asked yet"
        self._line: PGconn | None = None

    def note_loss(self) -> None:
        """Leave it out until it has answered again."""
        self.fault = self.fault or "a connection was lost"

    def look(self) -> int:
        """Return the position that it has replayed. Raises OSError, psycopg.Error, DatabaseUnreachable."""
        if self._line is None or self._line.status != pq.ConnStatus.OK:
            self.close_line()
            self._line = _connect(self.database.connections.conninfo)
        return _ask_position(self._line)

    def open(self) -> None:
        """Open the first connection for reads, so that no request waits for it."""
        with self.database.begin_read() as tx:
            tx.value(_REPLAYED_STATEMENT)

    def close_line(self) -> None:
        if self._line is not None:
            self._line.finish()
        self._line = None

    def note_failure(self, fault: str) -> None:
        """Leave it out, and end what waits for it."""
        if not self.fault or self.fault == "not asked yet":
            _LOG.warning("%s is left out: %s", self.name, fault)
        self.fault = fault
        self.close_line()
        self.database.connections.abandon()


class ReplicaSet:
    """The replicas of a site.

    lag: seconds by which one may be behind. get_newest: returns the number of the newest change that this process
    knows of, None where it keeps no answers.
    """

    def __init__(
        self, primary: PostgresDatabase, urls: Sequence[str], lag: float, get_newest: Callable[[], int | None]
    ) -> None:
        self._primary, self._lag, self._get_newest = primary, lag, get_newest
        self._replicas = [Replica(url, f"replica {number}") for number, url in enumerate(urls, 1)]
        self._turns = count()
        self._samples: deque[tuple[float, int]] = deque(maxlen=_MAX_SAMPLES)
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._stop, self._wanted = threading.Event(), threading.Event()

    def start(self) -> None:
        """Look at the replicas from now on."""
        with self._lock:
            if not self._threads and not self._stop.is_set():
                for replica in self._replicas:
                    thread = threading.Thread(target=self._watch, args=(replica,), name=replica.name, daemon=True)
                    self._threads.append(thread)
                    thread.start()

    def close(self) -> None:
        """Look at them no more, and close what is open."""
        self._stop.set()
        self._wanted.set()
        for thread in self._threads:
            thread.join()
        for replica in self._replicas:
            replica.database.close()

    def list_states(self) -> list[ReplicaState]:
        """Return how it is with each."""
        return [
            ReplicaState(one.name, not self._find_fault(one), round(one.behind, 3), one.reads, self._find_fault(one))
            for one in self._replicas
        ]

    def check(self) -> list[ReplicaState]:
        """Ask each now, and return how it is with them."""
        for one in self._replicas:
            self._look(one)
        return self.list_states()

    def has_replayed(self, position: int) -> bool:
        """Return whether one in use is known to have everything up to a position; if not, they are asked soon."""
        if any(one.replayed >= position for one in self._replicas if not self._find_fault(one)):
            return True
        self._wanted.set()
        return not any(not self._find_fault(one) for one in self._replicas)

    @contextmanager
    def begin_read(self, reading: ReadConsistency, keeps: bool) -> Iterator[Transaction]:
        """Open a snapshot on a replica that may answer a request, or on the primary where none may.

        keeps: whether the answer may be kept for others.
        """
        self.start()
        replica = self._choose(reading)
        if replica is None:
            with self._primary.begin_read() as tx:
                yield tx
            return
        try:
            with replica.database.begin_read() as tx:
                tx.is_replica = True
                if keeps:
                    change_log.expect_latest_sequence(tx)
                yield tx
                if keeps:
                    newest = self._get_newest()
                    reading.is_behind |= newest is None or change_log.get_latest_sequence(tx) < newest
        except (RetryableError, PrimaryNeeded):
            reading.needs_primary = True
            raise
        replica.reads += 1

    def _choose(self, reading: ReadConsistency) -> Replica | None:
        turn, after = next(self._turns), reading.after or 0
        for number in range(len(self._replicas)):
            replica = self._replicas[(turn + number) % len(self._replicas)]
            if not self._find_fault(replica) and replica.replayed >= after and self._has(replica, after):
                return replica
        return None

    def _has(self, replica: Replica, after: int) -> bool:
        """Return whether a server has a position, asked of the very one: an address may stand for several."""
        if not after:
            return True
        try:
            with replica.database.begin_autocommit() as tx:
                return (parse_position(str(tx.value(_REPLAYED_STATEMENT))) or 0) >= after
        except RetryableError:
            return False

    def _find_fault(self, replica: Replica) -> str:
        if not replica.fault and replica.behind > self._lag:
            return f"{replica.behind:.0f} seconds behind"
        return replica.fault

    def _watch(self, replica: Replica) -> None:
        while not self._stop.is_set():
            self._look(replica)
            if self._wanted.wait(_LOOK_SECONDS) and not self._stop.wait(_SOON_SECONDS):
                self._wanted.clear()
        replica.close_line()

    def _look(self, replica: Replica) -> None:
        try:
            self._sample_primary()
            position = replica.look()
            if replica.fault:
                replica.open()
                _LOG.info("%s is in use", replica.name)
            replica.behind = self._measure(position)
            replica.replayed, replica.fault = position, ""
        except (OSError, psycopg.Error, DatabaseUnreachable, RetryableError) as error:
            replica.replayed = 0
            replica.note_failure(str(error).strip() or type(error).__name__)

    def _sample_primary(self) -> None:
        """Remember where the primary is; where it cannot be asked, what was known before goes on being true."""
        with self._lock:
            now = time.monotonic()
            if self._samples and now - self._samples[-1][0] < _LOOK_SECONDS:
                return
            with suppress(RetryableError, DatabaseUnreachable, psycopg.Error):
                position = self._primary.read_position()
                if not self._samples or position != self._samples[-1][1]:
                    self._samples.append((now, position))

    def _measure(self, position: int) -> float:
        """Return by how many seconds a replica at a position is behind."""
        with self._lock:
            missing = next((at for at, known in self._samples if known > position), None)
        return 0.0 if missing is None else time.monotonic() - missing


def open_replicas(
    primary: Database, urls: Sequence[str], lag: float, get_newest: Callable[[], int | None]
) -> ReplicaSet:
    """Return the replicas of a primary; see ReplicaSet. Raises ValueError for a URL that is not understood."""
    assert isinstance(primary, PostgresDatabase), "SQLite has no replicas"
    return ReplicaSet(primary, urls, lag, get_newest)


def _connect(conninfo: str) -> PGconn:
    line = pq.PGconn.connect(conninfo.encode())
    if line.status != pq.ConnStatus.OK:
        message = line.get_error_message()
        line.finish()
        raise psycopg.OperationalError(message)
    return line


def _ask_position(line: PGconn) -> int:
    """Return what a server has replayed. Raises psycopg.Error, TimeoutError."""
    line.send_query(_REPLAYED.encode())
    poll = select.poll()
    poll.register(line.socket, select.POLLIN)
    found = None
    while True:
        while line.is_busy():
            if not poll.poll(1000 * _ANSWER_SECONDS):
                raise TimeoutError("it does not answer")
            line.consume_input()
        result = line.get_result()
        if result is None:
            break
        if result.status != pq.ExecStatus.TUPLES_OK:
            raise psycopg.OperationalError(result.get_error_message())
        found = result.get_value(0, 0)
    return parse_position((found or b"").decode()) or 0
