"""The database at scale: PostgreSQL 14 or later over psycopg, connections lent out by a pool.

Reads see one snapshot (REPEATABLE READ READ ONLY). Writers of a site take one advisory lock for their transaction: so
the rules that a write checks before it writes hold (slugs, logins, counts), and the change log is committed in the
order of its numbers. What that costs: docs/decisions/postgresql.md. Not here: what both kinds share
(backends/database.py).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import psycopg
from psycopg import pq
from psycopg.pq.abc import PGconn, PGresult
from psycopg.types.numeric import Int8Dumper
from psycopg_pool import ConnectionPool, PoolTimeout
from sqlalchemy import Table, text
from sqlalchemy.dialects.postgresql.base import PGDialect

from vetrina.kernel.errors import TakesLong

from .database import Database, Form, Row, Statement, Turn, Tx, Unreachable, Unsettled, Watch
from .libpq import Line

__all__ = ["PostgresDatabase"]

T = TypeVar("T")
_DIALECT: Final = PGDialect(paramstyle="numeric_dollar")  # type: ignore[no-untyped-call]

_OLDEST: Final = 140000  # server version
_MOST_CONNECTIONS: Final = 16  # of one process; threads that find all of them in use wait
_REACH_SECONDS: Final = 5.0  # how long a request waits for a connection, a server that starts again included
_CHUNK: Final = 1000  # rows that are fetched at once where all of them would be too many to hold
_SETUP: Final = (
    # Waiting as long as SQLite's writers do; no compiled plans, whose making takes longer than these queries.
    "SET lock_timeout = '30s'; SET jit = off; SET synchronous_commit = {durable}; SET TimeZone = 'UTC'"
)
_READ: Final = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_NOTHING: Final = b""
# One round trip. The number of the transaction tells what became of it if the connection is lost while it is committed.
_WRITE: Final = (
    b"BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; "
    b"SELECT pg_advisory_xact_lock(hashtext('vetrina'), hashtext(coalesce(current_schema(), ''))), "
    b"pg_current_xact_id()::text"
)
# For a writer that must not wait: whether it got the lock is its first value.
_WRITE_AT_ONCE: Final = _WRITE.replace(b"pg_advisory_xact_lock", b"pg_try_advisory_xact_lock")
_TURN: Final = "SELECT pg_try_advisory_lock(hashtext('vetrina ' || %s), hashtext(coalesce(current_schema(), '')))"
_OUTCOME: Final = Statement(text("SELECT pg_xact_status(CAST(CAST(:number AS text) AS xid8))"))

# Serialisation failure, deadlock, lock not available, the server's end and start, too many connections.
_GIVEN_UP: Final = frozenset({"40001", "40P01", "55P03", "57P01", "57P02", "57P03", "57P05", "53300"})


class _Connection(psycopg.Connection[Row]):
    """A connection with the line that its statements use, and a cursor for what comes and goes in bulk."""

    line: Line
    raw: psycopg.RawCursor[Row]


class _Tx(Tx):
    __slots__ = ("_line", "_raw")

    kind = "postgresql"

    def __init__(self, connection: _Connection, writes: bool) -> None:
        super().__init__(writes)
        self._line, self._raw = connection.line, connection.raw

    def _form(self, statement: Statement) -> Form:
        if self.look is not None:
            self.look()
        return statement.forms.get("postgresql") or statement.form(_DIALECT)

    def all(self, statement: Statement, /, **values: Any) -> list[Row]:
        form = self._form(statement)
        return _kept(self._line.all, form, _bound(form, values))

    def column(self, statement: Statement, /, **values: Any) -> Iterator[Any]:
        form = self._form(statement)
        for row in self._raw.stream(form.text, [_without_nul(one) for one in _bound(form, values)], size=_CHUNK):
            yield row[0]

    def first(self, statement: Statement, /, **values: Any) -> Row | None:
        form = self._form(statement)
        return _kept(self._line.first, form, _bound(form, values))

    def value(self, statement: Statement, /, **values: Any) -> Any:
        row = self.first(statement, **values)
        return None if row is None else row[0]

    def run(self, statement: Statement, /, **values: Any) -> int:
        form = self._form(statement)
        return _kept(self._line.asked, form, _bound(form, values)).command_tuples or 0

    def run_each(self, statement: Statement, rows: list[dict[str, Any]]) -> None:
        for row in rows:
            self.run(statement, **row)

    def load(self, table: Table, rows: list[Row]) -> None:
        names = ", ".join(f'"{column.name}"' for column in table.c)
        with self._raw.copy(f'COPY "{table.name}" ({names}) FROM STDIN') as copy:
            for row in rows:
                copy.write_row([_without_nul(value) for value in row])

    def command(self, words: str) -> None:
        self._raw.execute(words, prepare=False)


def _bound(form: Form, values: dict[str, Any]) -> list[Any]:
    if form.fixed:
        values = {**form.fixed, **values}
    return [values[name] for name in form.names]


def _kept(ask: Callable[[Form, list[Any]], T], form: Form, bound: list[Any]) -> T:
    try:
        return ask(form, bound)
    except psycopg.DataError:
        # Refused before it was sent: text has no NUL here. SQLite keeps it; no answer can tell them apart usefully.
        if not any(isinstance(value, str) and "\0" in value for value in bound):
            raise
        return ask(form, [_without_nul(value) for value in bound])


def _without_nul(value: Any) -> Any:
    return value.replace("\0", "\ufffd") if isinstance(value, str) and "\0" in value else value


class _Watch(Watch):
    """Every look is a small query: NOTIFY would come later than the commit that it tells of.

    It has a connection of its own and asks libpq itself: a kept answer costs little more than its look.
    """

    def __init__(self, database: PostgresDatabase, conninfo: str) -> None:
        self._database, self._conninfo = database, conninfo.encode()
        self._line: Line | None = None
        self._connection: PGconn | None = None

    def moved(self) -> bool:
        return True

    def all(self, statement: Statement, /, **values: Any) -> list[Row]:
        form = statement.forms.get("postgresql") or statement.form(_DIALECT)
        try:
            return self._opened().all(form, _bound(form, values))
        except psycopg.OperationalError:
            self.close()

        # The pool waits for a server that starts again, and says when it has waited long enough.
        def look() -> list[Row]:
            with self._database.looking() as tx:
                return tx.all(statement, **values)

        return self._database.settled(look)

    def _opened(self) -> Line:
        if self._line is None:
            self._connection = pq.PGconn.connect(self._conninfo)
            if self._connection.status != pq.ConnStatus.OK:
                raise psycopg.OperationalError(self._connection.get_error_message())
            self._line = Line(self._connection)
        return self._line

    def close(self) -> None:
        """Let go of the connection; the next look opens one anew."""
        if self._connection is not None:
            self._connection.finish()
        self._line = self._connection = None


class _Turn(Turn):
    """An advisory lock of a connection of its own: the server releases it when the connection is gone."""

    def __init__(self, conninfo: str, name: str) -> None:
        self._conninfo, self._name = conninfo, name
        self._connection: psycopg.Connection[Row] | None = None
        self._has = False

    def taken(self) -> bool:
        try:
            if self._connection is None or self._connection.closed:
                self._has = False
                self._connection = psycopg.connect(self._conninfo, autocommit=True)
            row = self._connection.execute("SELECT 1" if self._has else _TURN, [] if self._has else [self._name])
            self._has = self._has or bool((row.fetchone() or (False,))[0])
        except psycopg.OperationalError:
            self._has = False
        return self._has

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


class PostgresDatabase(Database):
    """An open PostgreSQL database, one site in its first schema.

    url: as libpq reads it. durable: whether a write is on the disk before it is acknowledged; off only for throw-away
    sites. Connections are made when they are first used.
    """

    kind = "postgresql"

    def __init__(self, url: str, durable: bool = True) -> None:
        super().__init__(durable)
        try:
            self._conninfo = psycopg.conninfo.make_conninfo(url, client_encoding="utf8")
        except psycopg.ProgrammingError as error:
            raise ValueError(f"the database's URL is not understood: {str(error).strip()}") from None
        self._lock = threading.Lock()
        self._opened: ConnectionPool[_Connection] | None = None
        self._watches: list[_Watch] = []

    @contextmanager
    def reading(self) -> Iterator[Tx]:
        connection, _ = self._begin(_READ)
        try:
            yield _Tx(connection, writes=False)
        except BaseException as error:
            if given_up := self._undone(connection, error):
                raise given_up from error
            raise
        try:
            connection.line.command(b"COMMIT")
        except psycopg.Error:
            # The answer is made; a snapshot has nothing to keep.
            connection.close()
        self._pool.putconn(connection)

    @contextmanager
    def writing(self) -> Iterator[Tx]:
        waits = self._waits
        connection, begun = self._begin(_WRITE if waits else _WRITE_AT_ONCE)
        number = (begun.get_value(0, 1) or b"").decode()
        try:
            if not waits and begun.get_value(0, 0) == b"f":
                raise TakesLong
            yield _Tx(connection, writes=True)
        except BaseException as error:
            if given_up := self._undone(connection, error):
                raise given_up from error
            raise
        self._commit(connection, number)
        self._committed()

    @contextmanager
    def looking(self) -> Iterator[Tx]:
        """Run single statements, each a transaction of its own."""
        connection, _ = self._begin(_NOTHING)
        try:
            yield _Tx(connection, writes=False)
        except BaseException as error:
            if given_up := self._undone(connection, error):
                raise given_up from error
            raise
        self._pool.putconn(connection)

    def watch(self) -> Watch:
        watch = _Watch(self, self._conninfo)
        self._watches.append(watch)
        return watch

    def facts(self) -> dict[str, int]:
        told = self._opened.get_stats() if self._opened is not None else {}
        words = {"open": "pool_size", "idle": "pool_available", "wanted": "requests_waiting"}
        return {name: told.get(word, 0) for name, word in words.items()}

    def turn(self, name: str) -> Turn:
        return _Turn(self._conninfo, name)

    def close(self) -> None:
        with self._lock:
            pool, self._opened = self._opened, None
        for watch in self._watches:
            watch.close()
        if pool is not None:
            pool.close()

    # -- connections

    @property
    def _pool(self) -> ConnectionPool[_Connection]:
        return self._opened or self._open()

    def _open(self) -> ConnectionPool[_Connection]:
        with self._lock:
            if self._opened is None:
                self._require_usable()
                self._opened = ConnectionPool(
                    self._conninfo,
                    connection_class=_Connection,
                    # What the driver prepares it forgets after each ROLLBACK, and everything else that is prepared too.
                    kwargs={"autocommit": True, "prepare_threshold": None},
                    configure=self._configure,
                    min_size=1,
                    max_size=_MOST_CONNECTIONS,
                    timeout=_REACH_SECONDS,
                    num_workers=1,
                    open=True,
                    name="vetrina",
                )
            return self._opened

    def _require_usable(self) -> None:
        """Raise Unreachable for what no waiting mends: a pool would go on trying and never say why."""
        try:
            with psycopg.connect(self._conninfo, connect_timeout=10) as connection:
                info = connection.info
                if info.server_version < _OLDEST:
                    raise Unreachable(f"the server is PostgreSQL {info.server_version // 10000}; it needs 14 or later")
                if (encoding := info.parameter_status("server_encoding")) != "UTF8":
                    raise Unreachable(f"the database's encoding is {encoding}; make it anew with ENCODING 'UTF8'")
        except psycopg.Error as error:
            raise Unreachable(f"the database cannot be reached: {str(error).strip()}") from error

    def _configure(self, connection: _Connection) -> None:
        # Every integer alike: by its size it would be another type, and each mixture of types another prepared plan.
        connection.adapters.register_dumper(int, Int8Dumper)
        connection.execute(_SETUP.format(durable="on" if self.durable else "off"), prepare=False)
        connection.raw = psycopg.RawCursor(connection)
        connection.line = Line(connection.pgconn, connection)

    def _begin(self, commands: bytes) -> tuple[_Connection, PGresult]:
        """Return a connection that has carried out some commands, and what the last of them answered.

        Connections that were lost meanwhile are replaced.
        """
        for _ in range(_MOST_CONNECTIONS + 1):
            try:
                connection = self._pool.getconn()
            except PoolTimeout as error:
                raise Unsettled(str(error)) from error
            try:
                return connection, connection.line.command(commands)
            except BaseException as error:
                lost = connection.closed
                given_up = self._undone(connection, error)
                if not lost:
                    if given_up:
                        raise given_up from error
                    raise
        raise Unsettled("each connection that was lent out turned out to be lost")

    def _undone(self, connection: _Connection, error: BaseException) -> Unsettled | None:
        """Undo a transaction that an error ended; return what to raise instead where doing it again may help."""
        again = isinstance(error, psycopg.Error) and (connection.closed or error.sqlstate in _GIVEN_UP)
        try:
            connection.raw.execute("ROLLBACK", prepare=False)
        except psycopg.Error:
            connection.close()
        self._pool.putconn(connection)
        return Unsettled(str(error)) if again else None

    def _commit(self, connection: _Connection, number: str) -> None:
        """Commit; where the connection is lost before the server has answered, ask what became of it."""
        try:
            said = connection.line.command(b"COMMIT").command_status
        except psycopg.Error as error:
            lost = connection.closed
            given_up = self._undone(connection, error)
            if lost and self._was_kept(number):
                return
            if given_up:
                raise given_up from error
            raise
        self._pool.putconn(connection)
        if said != b"COMMIT":
            raise RuntimeError("a statement of this transaction failed and was passed over, so nothing of it was kept")

    def _was_kept(self, number: str) -> bool:
        """Say whether a transaction was committed. Raises OperationalError when nobody can tell."""
        until = time.monotonic() + 2 * _REACH_SECONDS
        while time.monotonic() < until:
            try:
                with self.looking() as tx:
                    outcome = tx.value(_OUTCOME, number=number)
            except Unsettled:
                continue
            if outcome in ("committed", "aborted"):
                return bool(outcome == "committed")
            time.sleep(0.05)
        raise psycopg.OperationalError(f"the connection was lost while transaction {number} was being committed")
