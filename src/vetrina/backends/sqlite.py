"""The embedded database: one SQLite file in WAL mode, every thread with a connection of its own.

Not here: what both kinds share (backends/database.py).
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

from vetrina.backends.group_commit import Gathered, Log
from vetrina.kernel.errors import TakesLong

from .database import Database, Row, Statement, Turn, Tx, Unsettled, Watch

__all__ = ["SqliteDatabase"]

_DIALECT = sqlite_dialect.dialect(paramstyle="named")
_CACHE_KIB = 16_000  # of pages, a connection
_LOG_PAGES = 8000  # of the log, 32 MB, before they are written into the file: a page that changes often is written once
_BUSY_SECONDS = 30  # how long a writer waits for another one
_BRIEF_MS = 2  # how long one does that must not wait; the usual one of another process is done by then
_FETCHED = 16  # rows between two looks at the time
_STEPS = 50_000  # of SQLite's machine between two looks within a statement, about a millisecond
_WAIT_BRIEFLY = f"PRAGMA busy_timeout={_BRIEF_MS}"
_WAIT = f"PRAGMA busy_timeout={_BUSY_SECONDS * 1000}"


class _Tx(Tx):
    __slots__ = ("_connection",)

    kind = "sqlite"

    def __init__(self, connection: sqlite3.Connection, writes: bool) -> None:
        super().__init__(writes)
        self._connection = connection

    def watch_time(self, look: Callable[[], None]) -> None:
        super().watch_time(look)
        if not self.writes:
            # A write that is broken off takes its whole transaction along, with the parts that others could undo.
            self._connection.set_progress_handler(partial(_is_over, look), _STEPS)

    def _execute(self, statement: Statement, values: dict[str, Any]) -> sqlite3.Cursor:
        if self.look is not None:
            self.look()
        form = statement.forms.get("sqlite") or statement.form(_DIALECT)
        return self._connection.execute(form.text, {**form.fixed, **values} if form.fixed else values)

    def all(self, statement: Statement, /, **values: Any) -> list[Row]:
        cursor = self._execute(statement, values)
        if self.look is None:
            return cursor.fetchall()
        found: list[Row] = cursor.fetchmany(_FETCHED)
        if len(found) < _FETCHED:
            return found
        while more := cursor.fetchmany(_FETCHED):
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

    def run(self, statement: Statement, /, **values: Any) -> int:
        return self._execute(statement, values).rowcount

    def run_each(self, statement: Statement, rows: list[dict[str, Any]]) -> None:
        form = statement.forms.get("sqlite") or statement.form(_DIALECT)
        self._connection.executemany(form.text, [{**form.fixed, **row} for row in rows])

    def load(self, table: Table, rows: list[Row]) -> None:
        holes = ", ".join("?" for _ in table.c)
        names = ", ".join(f'"{column.name}"' for column in table.c)
        self._connection.executemany(f'INSERT INTO "{table.name}" ({names}) VALUES ({holes})', rows)

    def command(self, words: str) -> None:
        self._connection.execute(words)


class _Watch(Watch):
    """Asked on a connection that never writes: a connection does not see its own writes in `data_version`."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._version = -1

    @cached_property
    def _connection(self) -> sqlite3.Connection:
        # At the first look: connecting makes the file, and a site whose file is missing must be told so.
        return self._connect()

    def moved(self) -> bool:
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version == self._version:
            return False
        self._version = version
        return True

    def all(self, statement: Statement, /, **values: Any) -> list[Row]:
        return _Tx(self._connection, writes=False).all(statement, **values)


def _is_over(look: Callable[[], None]) -> bool:
    """Say whether a statement has to be broken off."""
    try:
        look()
    except TakesLong:
        return True
    return False


class _Snapshot(AbstractContextManager[Tx]):
    """A read transaction. Every request opens one, and a generator would take twice as long."""

    __slots__ = ("_connection", "_tx")

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._tx = _Tx(connection, writes=False)

    def __enter__(self) -> Tx:
        self._connection.execute("BEGIN")
        return self._tx

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: object) -> None:
        if self._tx.look is not None:
            self._connection.set_progress_handler(None, 0)
        self._connection.execute("COMMIT")
        if isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            raise TakesLong from error


class _Turn(Turn):
    """A lock on an empty SQLite file beside the database: every system that runs SQLite has it, and releases it."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)

    def taken(self) -> bool:
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

    path: the file; it is made when it is missing.
    durable: whether an acknowledged write survives a power cut; off only for throw-away sites.
    """

    kind = "sqlite"
    path: Path

    def __init__(self, path: Path, durable: bool = True) -> None:
        super().__init__(durable)
        self.path = path
        self._log = Log(Path(f"{path}-wal"))
        self._local = threading.local()
        self._every: list[sqlite3.Connection] = []
        self._lock = threading.Lock()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=512
        )
        connection.execute("PRAGMA journal_mode=WAL")
        # NORMAL leaves to backends/group_commit.py when the log is synced, and does itself what keeps the file whole.
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

    def reading(self) -> AbstractContextManager[Tx]:
        return _Snapshot(self.connection())

    @contextmanager
    def writing(self) -> Iterator[Tx]:
        connection = self.connection()
        waits = self._waits
        if not waits:
            connection.execute(_WAIT_BRIEFLY)
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                # Another writer took longer than anyone waits.
                raise (Unsettled(str(error)) if waits else TakesLong) from error
            raise
        finally:
            if not waits:
                connection.execute(_WAIT)
        changes = connection.total_changes
        try:
            yield _Tx(connection, writes=True)
            connection.execute("COMMIT")
        except BaseException:
            # Some errors (a full disk) have ended the transaction themselves.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        gathered = self._committed()
        if self.durable:
            if gathered is None:
                self._log.keep()
            elif connection.total_changes != changes:
                gathered.made = True

    def _gathered(self) -> Gathered:
        return Gathered(self._log)

    def watch(self) -> Watch:
        return _Watch(self._connect)

    def turn(self, name: str) -> Turn:
        return _Turn(Path(f"{self.path}-{name}"))

    def let_go(self) -> None:
        """Close every connection, so that another file may take the place; who asks next, in any thread, opens anew.

        For throw-away sites: nobody else may be at work.
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
