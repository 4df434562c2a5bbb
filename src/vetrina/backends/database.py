"""The database: statements kept as text, one write transaction a call, one snapshot a read.

Statements are written once with SQLAlchemy Core and run on the driver itself: compiling costs 140 µs and Core's own
execution 25 µs a statement, both are spent once per shape. Not here: what the tables are (tables.py), which filters
make which statement (shapes.py).
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy.dialects import sqlite as sqlite_dialect
from sqlalchemy.sql.elements import ClauseElement

__all__ = ["Database", "Row", "Statement", "Tx", "open_database"]

Row = tuple[Any, ...]

_BUSY_SECONDS = 30.0  # how long a writer waits for another process's writer
_SQLITE = sqlite_dialect.dialect(paramstyle="named")


class Statement:
    """A Core statement and its text, compiled at first use.

    Values are bound by name; literals inside the statement are bound with it.
    """

    __slots__ = ("_fixed", "_text", "core")

    def __init__(self, core: ClauseElement) -> None:
        self.core = core
        self._text: str | None = None
        self._fixed: dict[str, Any] = {}

    def text(self) -> tuple[str, dict[str, Any]]:
        """Return the statement's text and the values that belong to it."""
        if self._text is None:
            compiled = self.core.compile(dialect=_SQLITE)
            self._fixed = {name: value for name, value in compiled.params.items() if value is not None}
            self._text = str(compiled)
        return self._text, self._fixed


class Tx:
    """One transaction: reads see one snapshot, writes are all kept or none."""

    __slots__ = ("_connection", "_depth", "noted", "writes")

    def __init__(self, connection: sqlite3.Connection, writes: bool) -> None:
        self._connection, self.writes = connection, writes
        self._depth = 0
        self.noted = 0

    def _execute(self, statement: Statement, values: dict[str, Any]) -> sqlite3.Cursor:
        text, fixed = statement.text()
        return self._connection.execute(text, {**fixed, **values} if fixed else values)

    def all(self, statement: Statement, /, **values: Any) -> list[Row]:
        """Return every row."""
        return self._execute(statement, values).fetchall()

    def first(self, statement: Statement, /, **values: Any) -> Row | None:
        """Return the first row, or None."""
        row: Row | None = self._execute(statement, values).fetchone()
        return row

    def value(self, statement: Statement, /, **values: Any) -> Any:
        """Return the first column of the first row, or None."""
        row = self._execute(statement, values).fetchone()
        return None if row is None else row[0]

    def run(self, statement: Statement, /, **values: Any) -> int:
        """Carry out a write and return the number of rows that it touched."""
        return self._execute(statement, values).rowcount

    def run_each(self, statement: Statement, rows: list[dict[str, Any]]) -> None:
        """Carry out a write once for each row of values."""
        text, fixed = statement.text()
        self._connection.executemany(text, [{**fixed, **row} for row in rows])

    @contextmanager
    def part(self) -> Iterator[None]:
        """Run a part that an error undoes without undoing what came before."""
        if not self.writes:
            yield
            return
        self._depth += 1
        name = f"part_{self._depth}"
        self._connection.execute(f"SAVEPOINT {name}")
        try:
            yield
        except BaseException:
            self._connection.execute(f"ROLLBACK TO {name}")
            raise
        finally:
            self._connection.execute(f"RELEASE {name}")
            self._depth -= 1


class Database:
    """An open SQLite database; every thread has a connection of its own.

    path: the file; it is made when it is missing.
    durable: whether an acknowledged write survives a power cut; off only for throw-away sites.
    """

    def __init__(self, path: Path, durable: bool = True) -> None:
        self.path, self.durable = path, durable
        self._local = threading.local()
        self._every: list[sqlite3.Connection] = []
        self._lock = threading.Lock()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=512
        )
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA synchronous={'FULL' if self.durable else 'OFF'}")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA temp_store=MEMORY")
        connection.execute("PRAGMA cache_size=-32000")
        connection.execute("PRAGMA mmap_size=268435456")
        with self._lock:
            self._every.append(connection)
        return connection

    def connection(self) -> sqlite3.Connection:
        """Return this thread's connection."""
        found: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if found is None:
            found = self._local.connection = self._connect()
        return found

    def watching(self) -> sqlite3.Connection:
        """Return a connection of its own that never writes; it hears of everybody's commits."""
        return self._connect()

    @contextmanager
    def reading(self) -> Iterator[Tx]:
        """Open a snapshot."""
        connection = self.connection()
        connection.execute("BEGIN")
        try:
            yield Tx(connection, writes=False)
        finally:
            connection.execute("COMMIT")

    @contextmanager
    def writing(self) -> Iterator[Tx]:
        """Open the one write transaction: kept on return, undone on an error."""
        connection = self.connection()
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield Tx(connection, writes=True)
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")

    def close(self) -> None:
        """Close every connection of every thread."""
        with self._lock:
            for connection in self._every:
                connection.close()
            self._every.clear()


def open_database(url: str, durable: bool = True) -> Database:
    """Open the database that a URL names: `sqlite:///PATH` (an absolute path has a fourth stroke)."""
    scheme, _, rest = url.partition(":///")
    if scheme != "sqlite" or not rest:
        raise ValueError(f"database {url!r} is not understood: write sqlite:///PATH")
    return Database(Path(rest), durable)
