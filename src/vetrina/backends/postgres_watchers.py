"""What looks at PostgreSQL on a connection of its own: who follows the change log, and a lock for as long as one lives.

The database itself: backends/postgres.py.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Final

import psycopg
from psycopg.pq.abc import PGconn
from sqlalchemy import text

from .answer_leases import FIND_LEASE, LeasedReading, MachineLease
from .bound_statements import bind_values
from .database import ChangeWatcher, Lease, Row, Statement, Transaction
from .libpq import PreparedConnection
from .postgres_connections import PostgresConnections
from .postgres_transaction import DIALECT
from .server_search import is_list, open_connection, require_alive
from .transaction_pool import BEGIN_LEASE, END_LEASE, FIND_PROCESS
from .transaction_retries import run_with_retries

_LOG: Final = logging.getLogger(__name__)
_LEASE_KEYS: Final = "(hashtext('vetrina ' || CAST(:name AS text)), hashtext(coalesce(current_schema(), '')))"
_ASKING_INTERVAL: Final = 0.05  # seconds
_TRY_LEASE: Final = Statement(text(f"SELECT pg_try_advisory_lock{_LEASE_KEYS}"))
_RELEASE_LEASE: Final = Statement(text(f"SELECT pg_advisory_unlock{_LEASE_KEYS}"))
_TRY_POOLED_LEASE: Final = Statement(text(f"SELECT pg_try_advisory_xact_lock{_LEASE_KEYS}"))
# No SELECT: in a transaction the last one would keep its snapshot.
_HOLD_LEASE: Final = Statement(text("SHOW transaction_read_only"))


class PostgresWatcher(ChangeWatcher):
    """Polls with a small query: NOTIFY would arrive later than the commit that it reports.

    It has its own connection and uses libpq itself, since serving a cached response costs little more than this query.
    """

    def __init__(
        self, connections: PostgresConnections, begin_autocommit: Callable[[], AbstractContextManager[Transaction]]
    ) -> None:
        self._connections, self._begin_autocommit, self._silences = connections, begin_autocommit, 0
        self._line: PreparedConnection | None = None
        self._connection: PGconn | None = None

    def has_changed(self) -> bool:
        return True

    @property
    def may_ask(self) -> bool:
        return False

    def all(self, statement: Statement, /, **values: Any) -> list[Row]:
        try:
            return self._ask_server(statement, values)
        except psycopg.DatabaseError:
            self.close()

        # The pool waits for a restarting server, and gives up after its timeout.
        def look() -> list[Row]:
            with self._begin_autocommit() as tx:
                return tx.all(statement, **values)

        return run_with_retries(look)

    def _ask_server(self, statement: Statement, values: dict[str, Any]) -> list[Row]:
        form = statement.compiled.get("postgresql") or statement.compile_for(DIALECT)
        return self._open_connection().all(form, bind_values(form, values))

    def _open_connection(self) -> PreparedConnection:
        others = self._connections
        if self._silences != others.silences:
            # Most likely it is to the server that was given up, and would be waited for as well.
            self.close()
        if self._line is None:
            if others.is_unreached:
                # The pool looks for a server already.
                raise psycopg.OperationalError("no server takes writes")
            self._silences, prepares, check = others.silences, others.prepares, others.build_silence_check()
            self._connection = open_connection(others.conninfo)
            self._line = PreparedConnection(self._connection, check=check, prepares=prepares)
        return self._line

    def close(self) -> None:
        """Close the connection; the next call opens another."""
        if self._connection is not None:
            self._connection.finish()
        self._line = self._connection = None


class ChangeLogWatcher(PostgresWatcher):
    """Reads the change log, and need not ask while a lease says that nobody can have added to it."""

    def __init__(
        self,
        connections: PostgresConnections,
        begin_autocommit: Callable[[], AbstractContextManager[Transaction]],
        get_lease: Callable[[], MachineLease],
    ) -> None:
        super().__init__(connections, begin_autocommit)
        self._get_lease = get_lease
        self._reading = LeasedReading()
        self._asks_from = 0.0

    def has_changed(self) -> bool:
        return not self._reading.is_newest(self._get_lease().marks)

    @property
    def may_ask(self) -> bool:
        # As often as a lease has to be asked for: between two writes that follow closely, a trip more is none saved.
        now = time.monotonic()
        if now < self._asks_from:
            return False
        self._asks_from = now + _ASKING_INTERVAL
        return True

    def all(self, statement: Statement, /, **values: Any) -> list[Row]:
        lease, found = self._get_lease(), list[Row]()
        self._reading.begin(lease.marks)
        # Before the log: a lease that is registered later knows nothing of earlier writers.
        name = lease.name
        try:
            if name:
                found = self._ask_server(FIND_LEASE, {"name": name})
            rows = self._ask_server(statement, values)
        except psycopg.DatabaseError:
            self.close()
            return super().all(statement, **values)
        self._reading.complete(found)
        lease.note_reading(name, bool(found))
        return rows


class PostgresLease(Lease):
    """An advisory lock on a connection of its own: the server releases it when the connection is gone.

    A pool would give the connection away after each transaction; there the lock is that of one which is kept open.
    """

    def __init__(self, conninfo: str, name: str) -> None:
        self._conninfo, self._name = conninfo, name
        self._check = partial(require_alive, conninfo=conninfo) if is_list(conninfo) else None
        self._connection: PGconn | None = None
        self._line: PreparedConnection | None = None
        self._has = self._is_pooled = False

    def acquire(self) -> bool:
        try:
            if self._line is None:
                self._connection = open_connection(self._conninfo)
                self._line = PreparedConnection(self._connection, check=self._check, prepares=False)
                self._is_pooled = self._ask(self._line, FIND_PROCESS) != self._connection.backend_pid
            if self._has:
                self._ask(self._line, _HOLD_LEASE)
            else:
                self._has = self._try(self._line)
        except psycopg.DatabaseError:
            self.close()
        return self._has

    def _try(self, line: PreparedConnection) -> bool:
        if not self._is_pooled:
            return bool(self._ask(line, _TRY_LEASE, name=self._name))
        self._run(line, BEGIN_LEASE)
        has = bool(self._ask(line, _TRY_POOLED_LEASE, name=self._name))
        self._run(line, _HOLD_LEASE if has else END_LEASE)
        return has

    def _run(self, line: PreparedConnection, statement: Statement) -> None:
        line.all(statement.compiled.get("postgresql") or statement.compile_for(DIALECT), [])

    def _ask(self, line: PreparedConnection, statement: Statement, **values: Any) -> Any:
        form = statement.compiled.get("postgresql") or statement.compile_for(DIALECT)
        return line.all(form, bind_values(form, values))[0][0]

    def close(self) -> None:
        if self._connection is not None:
            if self._has:
                self._release(self._connection)
            self._connection.finish()
        self._line = self._connection = None
        self._has = False

    def _release(self, connection: PGconn) -> None:
        """Have the lock released by the time this returns: the server notices a closed connection only later."""
        try:
            line = PreparedConnection(connection, check=_stop_waiting, prepares=False)
            if self._is_pooled:
                self._run(line, END_LEASE)
            else:
                self._ask(line, _RELEASE_LEASE, name=self._name)
        except psycopg.Error:
            # The connection is lost, and the lock with it.
            _LOG.debug("a lease was released by its connection alone", exc_info=True)


def _stop_waiting(connection: PGconn) -> None:
    raise psycopg.OperationalError("the server has not answered for a second")
