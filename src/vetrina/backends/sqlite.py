"""The embedded database: one SQLite file in WAL mode, one connection per thread.

What both databases share: backends/database.py.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects import sqlite as sqlite_dialect

from vetrina.backends.group_commit import GroupCommit, WriteAheadLog
from vetrina.kernel.errors import InlineBudgetExceeded

from .database import ChangeWatcher, Database, Lease, Row, Statement, Transaction
from .transaction_retries import RetryableError

_DIALECT = sqlite_dialect.dialect(paramstyle="named")
_CACHE_KIB = 16_000  # KiB of page cache per connection
_LOG_PAGES = 8000  # of the log, 32 MB, before a checkpoint: a page that changes often is written once
_BUSY_SECONDS = 30  # seconds that a writer waits for another one
_BRIEF_BUSY_MS = 2  # milliseconds for a writer that must not wait; a usual write of another process is done by then
_FETCH_ROWS = 16  # rows between two checks of the time
_PROGRESS_STEPS = 50_000  # SQLite VM steps between two checks within a statement, about a millisecond
_SET_BRIEF_TIMEOUT = f"PRAGMA busy_timeout={_BRIEF_BUSY_MS}"
_SET_FULL_TIMEOUT = f"PRAGMA busy_timeout={_BUSY_SECONDS * 1000}"


class _SqliteTransaction(Transaction):
    __slots__ = ("_connection",)

    kind = "sqlite"

    def __init__(self, connection: sqlite3.Connection, writes: bool, is_begun: bool = True) -> None:
        super().__init__(writes)
        self._connection, self.is_begun = connection, is_begun

    def _begin(self) -> None:
        """Take the snapshot of a read."""
        self._connection.execute("BEGIN")
        self.is_begun = True
        if self.look is not None:
            # Not in writes: to interrupt one aborts its whole transaction, savepoints included.
            self._connection.set_progress_handler(partial(_is_time_over, self.look), _PROGRESS_STEPS)
        if self.assumption is not None:
            self.assumption.confirm(self)

    def _execute(self, statement: Statement, values: dict[str, Any]) -> sqlite3.Cursor:
        if not self.is_begun:
            self._begin()
        if self.look is not None:
            self.look()
        form = statement.compiled.get("sqlite") or statement.compile_for(_DIALECT)
        if self._deferred and self._deferred.concern(form.words):
            self.write_deferred()
        if self._kept:
            self._forget_written(form)
        return self._connection.execute(form.text, {**form.fixed, **values} if form.fixed else values)

    def all(self, statement: Statement, /, **values: Any) -> list[Row]:
        cursor = self._execute(statement, values)
        if self.look is None:
            return cursor.fetchall()
        found: list[Row] = cursor.fetchmany(_FETCH_ROWS)
        if len(found) < _FETCH_ROWS:
            return found
        while more := cursor.fetchmany(_FETCH_ROWS):
            self.look()
            found += more
        return found

    def column(self, statement: Statement, /, **values: Any) -> Iterator[Any]:
        for row in self._execute(statement, values):
            yield row[0]

    def first(self, statement: Statement, /, **values: Any) -> Row | None:
        row: Row | None = self._execute(statement, values).fetchone()
        return row

    def value(self, statement: Statement, /, **values: Any) -> Any:
        row = self._execute(statement, values).fetchone()
        return None if row is None else row[0]

    def run(self, statement: Statement, /, **values: Any) -> None:
        self._execute(statement, values)

    def send_writes(self) -> None:
        """Leave it: everything is written at once."""

    def run_and_count(self, statement: Statement, /, **values: Any) -> int:
        return self._execute(statement, values).rowcount

    def run_each(self, statement: Statement, rows: list[dict[str, Any]]) -> None:
        form = statement.compiled.get("sqlite") or statement.compile_for(_DIALECT)
        if self._deferred and self._deferred.concern(form.words):
            self.write_deferred()
        if self._kept:
            self._forget_written(form)
        self._connection.executemany(form.text, [{**form.fixed, **row} for row in rows])

    def expect(self, statement: Statement, /, **values: Any) -> None:
        """Do nothing: a statement costs no round trip here."""

    def send_expected(self) -> None:
        """Do nothing: nothing is expected."""

    def note_change(self) -> None:
        """Do nothing: SQLite itself shows every commit to every process."""

    def load(self, table: Table, rows: list[Row]) -> None:
        self.write_deferred()
        self._kept.clear()
        placeholders = ", ".join("?" for _ in table.c)
        names = ", ".join(f'"{column.name}"' for column in table.c)
        self._connection.executemany(f'INSERT INTO "{table.name}" ({names}) VALUES ({placeholders})', rows)

    def command(self, sql: str) -> None:
        self._connection.execute(sql)


class _SqliteWatcher(ChangeWatcher):
    """Uses a connection that never writes: a connection does not see its own writes in `data_version`."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._version = -1

    @cached_property
    def _connection(self) -> sqlite3.Connection:
        # At the first call: connecting creates the file, and a missing file must be reported instead.
        return self._connect()

    def has_changed(self) -> bool:
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version == self._version:
            return False
        self._version = version
        return True

    def all(self, statement: Statement, /, **values: Any) -> list[Row]:
        return _SqliteTransaction(self._connection, writes=False).all(statement, **values)


def _is_time_over(check_time: Callable[[], None]) -> bool:
    """Return whether a statement must be interrupted."""
    try:
        check_time()
    except InlineBudgetExceeded:
        return True
    return False


class _SqliteSnapshot(AbstractContextManager[Transaction]):
    """A read transaction. Every request opens one, and a generator would take twice as long."""

    __slots__ = ("_connection", "_tx")

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._tx = _SqliteTransaction(connection, writes=False, is_begun=False)

    def __enter__(self) -> Transaction:
        return self._tx

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: object) -> None:
        if not self._tx.is_begun:
            return
        if self._tx.look is not None:
            self._connection.set_progress_handler(None, 0)
        self._connection.execute("COMMIT")
        if isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            raise InlineBudgetExceeded from error


class _SqliteLease(Lease):
    """A lock on an empty SQLite file beside the database: it works on every system that runs SQLite."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)

    def acquire(self) -> bool:
        if self._connection.in_transaction:
            return True
        try:
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            return False
        return True

    def close(self) -> None:
        self._connection.close()


class SqliteDatabase(Database):
    """An open SQLite database.

    path: the file; it is created if missing.
    durable: whether an acknowledged write survives a power cut; off only for throw-away sites.
    """

    kind = "sqlite"
    path: Path

    def __init__(self, path: Path, durable: bool = True) -> None:
        super().__init__(durable)
        self.path = path
        self._log = WriteAheadLog(Path(f"{path}-wal"))
        self._local = threading.local()
        self._every: list[sqlite3.Connection] = []
        self._lock = threading.Lock()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=512
        )
        connection.execute("PRAGMA journal_mode=WAL")
        # With NORMAL, backends/group_commit.py decides when the log is synced; the file stays consistent by itself.
        connection.execute(f"PRAGMA synchronous={'NORMAL' if self.durable else 'OFF'}")
        connection.execute(f"PRAGMA wal_autocheckpoint={_LOG_PAGES}")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA temp_store=MEMORY")
        connection.execute(f"PRAGMA cache_size=-{_CACHE_KIB}")
        with self._lock:
            self._every.append(connection)
        return connection

    def connection(self) -> sqlite3.Connection:
        """Return this thread's connection."""
        found: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if found is None:
            found = self._local.connection = self._connect()
        return found

    def begin_read(self) -> AbstractContextManager[Transaction]:
        return _SqliteSnapshot(self.connection())

    @contextmanager
    def begin_write(self) -> Iterator[Transaction]:
        connection = self.connection()
        waits = self._may_wait
        if not waits:
            connection.execute(_SET_BRIEF_TIMEOUT)
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                # Another writer took longer than the busy timeout.
                raise (RetryableError(str(error)) if waits else InlineBudgetExceeded) from error
            raise
        finally:
            if not waits:
                connection.execute(_SET_FULL_TIMEOUT)
        changes = connection.total_changes
        tx = _SqliteTransaction(connection, writes=True)
        try:
            yield tx
            tx.write_deferred()
            connection.execute("COMMIT")
        except BaseException:
            # Some errors (a full disk) have already ended the transaction.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        gathered = self._mark_committed()
        if self.durable:
            if gathered is None:
                self._log.keep()
            elif connection.total_changes != changes:
                gathered.made = True

    def _build_group_commit(self) -> GroupCommit:
        return GroupCommit(self._log)

    def watch(self) -> ChangeWatcher:
        return _SqliteWatcher(self._connect)

    def open_lease(self, name: str) -> Lease:
        return _SqliteLease(Path(f"{self.path}-{name}"))

    def close_connections(self) -> None:
        """Close all connections, so that the file may be replaced; each thread reconnects at its next use.

        For throw-away sites: nothing else may be running.
        """
        self._disconnect()
        self._local = threading.local()

    def close(self) -> None:
        self._log.close()
        self._disconnect()

    def _disconnect(self) -> None:
        with self._lock:
            for connection in self._every:
                connection.close()
            self._every.clear()
