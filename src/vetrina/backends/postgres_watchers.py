"""What looks at PostgreSQL on a connection of its own: who follows the change log, and a lock for as long as one lives.

The database itself: backends/postgres.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import psycopg
from psycopg import pq
from psycopg.pq.abc import PGconn

from .answer_leases import FIND_LEASE, LeasedReading
from .database import ChangeWatcher, Lease, Row, Statement
from .libpq import PreparedConnection
from .postgres_transaction import DIALECT, bind_values
from .transaction_pool import is_pooled

if TYPE_CHECKING:
    from .postgres import PostgresDatabase

_LEASE_KEYS: Final = "(hashtext('vetrina ' || %s), hashtext(coalesce(current_schema(), '')))"
_TRY_LEASE: Final = f"SELECT pg_try_advisory_lock{_LEASE_KEYS}"
# In a transaction that stays open; without a snapshot it keeps nothing from being cleaned up.
_BEGIN_LEASE: Final = "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY"
_TRY_POOLED_LEASE: Final = f"SELECT pg_try_advisory_xact_lock{_LEASE_KEYS}"


class PostgresWatcher(ChangeWatcher):
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
        try:
            return self._ask_server(statement, values)
        except psycopg.OperationalError:
            self.close()

        # The pool waits for a restarting server, and gives up after its timeout.
        def look() -> list[Row]:
            with self._database.begin_autocommit() as tx:
                return tx.all(statement, **values)

        return self._database.with_retries(look)

    def _ask_server(self, statement: Statement, values: dict[str, Any]) -> list[Row]:
        form = statement.compiled.get("postgresql") or statement.compile_for(DIALECT)
        return self._open_connection().all(form, bind_values(form, values))

    def _open_connection(self) -> PreparedConnection:
        if self._line is None:
            self._connection = pq.PGconn.connect(self._conninfo)
            if self._connection.status != pq.ConnStatus.OK:
                raise psycopg.OperationalError(self._connection.get_error_message())
            self._line = PreparedConnection(self._connection, prepares=self._database.prepares)
        return self._line

    def close(self) -> None:
        """Close the connection; the next call opens another."""
        if self._connection is not None:
            self._connection.finish()
        self._line = self._connection = None


class ChangeLogWatcher(PostgresWatcher):
    """Reads the change log, and need not ask while a lease says that nobody can have added to it."""

    def __init__(self, database: PostgresDatabase, conninfo: str) -> None:
        super().__init__(database, conninfo)
        self._reading = LeasedReading()

    def has_changed(self) -> bool:
        return not self._reading.is_newest(self._database.lease.marks)

    def all(self, statement: Statement, /, **values: Any) -> list[Row]:
        lease, found = self._database.lease, list[Row]()
        self._reading.begin(lease.marks)
        # Before the log: a lease that is registered later knows nothing of earlier writers.
        name = lease.name
        try:
            if name:
                found = self._ask_server(FIND_LEASE, {"name": name})
            rows = self._ask_server(statement, values)
        except psycopg.OperationalError:
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
        self._connection: psycopg.Connection[Row] | None = None
        self._has = self._is_pooled = False

    def acquire(self) -> bool:
        try:
            if self._connection is None or self._connection.closed:
                self._has = False
                self._connection = psycopg.connect(self._conninfo, autocommit=True, prepare_threshold=None)
                self._is_pooled = is_pooled(self._connection)
            if self._has:
                self._connection.execute("SELECT 1")
            else:
                self._has = self._try(self._connection)
        except psycopg.OperationalError:
            self._has = False
        return self._has

    def _try(self, connection: psycopg.Connection[Row]) -> bool:
        if self._is_pooled:
            connection.execute(_BEGIN_LEASE)
        row = connection.execute(_TRY_POOLED_LEASE if self._is_pooled else _TRY_LEASE, [self._name]).fetchone()
        has = row is not None and bool(row[0])
        if self._is_pooled and not has:
            connection.execute("ROLLBACK")
        return has

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
