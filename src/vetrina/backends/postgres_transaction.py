"""A transaction of PostgreSQL: its statements run prepared; a NUL, which the server's text has not, is replaced.

What needs no answer waits and travels with the next statement that does: the transaction's beginning, writes, parts,
what is expected to be read. So a round trip is paid for what the code has to know, not for each statement.
Not here: how it is lent a connection (backends/postgres_connections.py), what follows from a failure
(backends/postgres.py), how statements travel (backends/libpq.py).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import lru_cache
from typing import Any, Final

import psycopg
from sqlalchemy import Table, text
from sqlalchemy.dialects.postgresql.base import PGDialect

from vetrina.kernel.errors import OtherWriterActive
from vetrina.kernel.read_consistency import parse_position

from .answer_leases import LIST_LEASES
from .bound_statements import bind_values, multiply_rows, replace_nul
from .database import CompiledStatement, Row, Statement, Transaction
from .last_commits import DELETE_OLD_WRITERS, NOTE_COMMIT, CommitNumber
from .libpq import PreparedConnection, QueuedStatement
from .pooled_connection import PooledConnection

DIALECT: Final = PGDialect(paramstyle="numeric_dollar")  # type: ignore[no-untyped-call]  # the dialect has no annotations
_FETCH_ROWS: Final = 1000  # rows per fetch where all of them would be too many to load
READ_POSITION: Final = "SELECT CAST(pg_current_wal_flush_lsn() AS text)"  # after a commit at least where that ends
_MAX_WAITING: Final = 256  # statements that wait for the next trip
_MAX_WAITING_BYTES: Final = 1 << 20  # of their values
_MAX_LOST: Final = 16  # connections that may turn out to be lost one after the other, as many as a pool has


class PostgresTransaction(Transaction):
    """The statements of a transaction; PostgresDatabase decides when it begins and ends.

    connection: it may be replaced until the server has answered. opening: the commands that begin it, sent with its
    first statement. replace: (lost connection, its error) -> another one. is_begun: whether they were sent.
    notes_position: whether the commit asks for the position of the server's log.
    commit_number: by which it can be asked for, None where it has written nothing or has not ended.
    """

    __slots__ = (
        "_expected",
        "_follows_sent",
        "_has_ended",
        "_has_writes",
        "_has_written",
        "_leases",
        "_opening",
        "_parts",
        "_replace",
        "_sent_part",
        "_size",
        "_waiting",
        "commit_number",
        "connection",
        "notes_position",
    )

    kind = "postgresql"

    def __init__(
        self,
        connection: PooledConnection,
        writes: bool,
        opening: Sequence[str],
        replace: Callable[[PooledConnection, psycopg.Error], PooledConnection],
    ) -> None:
        super().__init__(writes)
        self.connection, self.notes_position = connection, False
        self._replace = replace
        self._opening = [bind_command(one) for one in opening]
        self._waiting: list[QueuedStatement] = []
        self._size = 0
        self._has_writes = self._has_written = self._has_ended = False
        self._parts = 0  # so many were begun
        # Which of them was the latest when statements were sent whose results nobody has received, None without any.
        self._sent_part: int | None = None
        self._follows_sent = False  # whether others had been sent before them
        self.commit_number: CommitNumber | None = None
        self._expected: dict[Hashable, QueuedStatement] = {}
        self._leases: QueuedStatement | None = None

    # -- statements

    def all(self, statement: Statement, /, **values: Any) -> list[Row]:
        found = self._ask(statement, values)
        return self._line.load_rows(found)

    def column(self, statement: Statement, /, **values: Any) -> Iterator[Any]:
        form = self._compile_statement(statement)
        self.send_waiting()
        for rows in self._line.stream(self._bind(form, bind_values(form, values)), _FETCH_ROWS):
            for row in rows:
                yield row[0]

    def first(self, statement: Statement, /, **values: Any) -> Row | None:
        found = self._ask(statement, values)
        return self._line.load_first(found)

    def value(self, statement: Statement, /, **values: Any) -> Any:
        row = self.first(statement, **values)
        return None if row is None else row[0]

    def run(self, statement: Statement, /, **values: Any) -> None:
        form = self._compile_statement(statement)
        self._write(form, bind_values(form, values))

    def _write(self, form: CompiledStatement, bound: list[Any]) -> None:
        self._queue_write(self._bind(form, bound))
        if not self.writes or len(self._waiting) >= _MAX_WAITING or self._size >= _MAX_WAITING_BYTES:
            self._exchange()

    def run_and_count(self, statement: Statement, /, **values: Any) -> int:
        form = self._compile_statement(statement)
        written = self._bind(form, bind_values(form, values))
        self._queue_write(written)
        self._exchange()
        return (written.result and written.result.command_tuples) or 0

    def run_each(self, statement: Statement, rows: list[dict[str, Any]]) -> None:
        done = 0
        while len(rows) - done > 1:
            form = self._compile_statement(statement)
            several = multiply_rows(form, len(rows) - done)
            if several is None:
                break
            many, repeated = several
            values = [value for row in rows[done : done + many] for value in bind_values(form, row)]
            self._write(repeated, values)
            done += many
        for row in rows[done:]:
            self.run(statement, **row)

    def expect(self, statement: Statement, /, **values: Any) -> None:
        form = _compile(statement)
        bound = bind_values(form, values)
        key = (form, *bound)
        found = self._expected.get(key)
        if found is None:
            found = self._expected[key] = self._bind(form, bound)
            self._waiting.append(found)
        found.expected_uses += 1
        found.is_repeated = False

    def load(self, table: Table, rows: list[Row]) -> None:
        self.write_deferred()
        self.send_waiting()
        self._has_written = True
        self._expected.clear()
        self._kept.clear()
        names = ", ".join(f'"{column.name}"' for column in table.c)
        with self.connection.raw.copy(f'COPY "{table.name}" ({names}) FROM STDIN') as copy:
            for row in rows:
                copy.write_row([replace_nul(value) for value in row])

    def command(self, sql: str) -> None:
        self.write_deferred()
        self.send_waiting()
        self._has_written = True
        self._expected.clear()
        self._kept.clear()
        self.connection.raw.execute(sql, prepare=False)

    def send_writes(self) -> None:
        if self._has_writes and self.is_begun:
            self._settle()
            self._exchange(waits=False)

    def send_expected(self) -> None:
        # The trip that begins a transaction may find another writer, and is waited for.
        if self._expected and self._waiting and self.is_begun:
            self._follows_sent = self._sent_part is not None
            self._exchange(waits=False)

    @contextmanager
    def savepoint(self, waits: bool = True) -> Iterator[None]:
        if not self.writes:
            yield
            return
        if waits and (self._has_writes or self._sent_part is not None):
            # An error of theirs is none of the part.
            self._exchange()
        self._depth += 1
        self._parts += 1
        part, has_writes = self._parts, self._has_writes
        name, deferred = f"part_{self._depth}", self._deferred.copy()
        begun = bind_command(f"SAVEPOINT {name}")
        self._waiting.append(begun)
        try:
            yield
            if waits and (self._has_writes or self._sent_part is not None):
                # An error of the part is raised in it.
                self._exchange()
        except BaseException:
            self._deferred = deferred
            self._undo_part(name, part, begun, has_writes)
            raise
        else:
            self._waiting.append(bind_command(f"RELEASE SAVEPOINT {name}"))
        finally:
            self._depth -= 1

    # -- how it begins and ends

    def note_change(self) -> None:
        if self._leases is None:
            self._leases = self._compile_and_bind(LIST_LEASES, {})
            self._waiting.append(self._leases)

    def list_leases(self) -> list[Row] | None:
        """Return the leases on kept answers, as this writer finds them; None where it has logged no change."""
        if self._leases is None:
            return None
        self._receive(self._leases)
        if self._leases.result is None:
            # It waits, or was dropped with a part that failed.
            self._waiting = [one for one in self._waiting if one is not self._leases]
            self._waiting.append(self._leases)
            self._exchange()
        return self._line.load_rows(self._leases)

    def commit(self, prepare: Callable[[], object]) -> bytes | None:
        """Commit and return what the server says of it; nothing is done where nothing was asked of it.

        prepare: called before, when the transaction has begun.
        """
        self.write_deferred()
        self._waiting = [one for one in self._waiting if not one.expected_uses]
        if not self.is_begun:
            if not self._waiting:
                return None
            # Only what is begun without its end can be done again when the connection turns out lost.
            self._exchange()
        prepare()
        if self._has_written:
            self._number_commit()
        end = bind_command("COMMIT")
        self._waiting.append(end)
        self._exchange_end(end)
        return end.result.command_status if end.result else b""

    def _exchange_end(self, end: QueuedStatement) -> None:
        """Commit; where it is wanted, ask in the same trip for the log's position, which is not part of it."""
        if not self.notes_position:
            self._exchange()
            return
        asked = bind_command(READ_POSITION)
        self._waiting.append(asked)
        try:
            self._exchange()
        except psycopg.Error:
            if end.result is None:
                raise
        if asked.result is not None:
            self.position = parse_position((asked.result.get_value(0, 0) or b"").decode()) or 0

    def _number_commit(self) -> None:
        """Write down which commit this is, so that it can be found if the answer is lost with the connection."""
        writer, before = self.connection.last_commit
        self.commit_number = self.connection.last_commit = CommitNumber(writer, before + 1)
        self._waiting.append(self._compile_and_bind(NOTE_COMMIT, self.commit_number._asdict()))
        if not before:
            self._waiting.append(self._compile_and_bind(DELETE_OLD_WRITERS, {}))

    def send_end(self) -> None:
        """End a snapshot without waiting for the server."""
        self._has_ended = True
        if self.is_begun:
            self._line.send([bind_command("COMMIT")])

    def roll_back(self) -> None:
        """Roll back whatever its connection is in; close it where that is not possible."""
        try:
            self._line.settle()
            # Not by the driver itself, which would wait for a server that stands still for as long as it does.
            self._line.exchange([bind_command("ROLLBACK")])
        except psycopg.Error:
            self.connection.close()

    def send_waiting(self) -> None:
        """Have everything executed that waits for the next trip."""
        if self._waiting or not self.is_begun or self._sent_part is not None:
            self._exchange()

    # -- trips

    @property
    def _line(self) -> PreparedConnection:
        return self.connection.prepared

    def _compile_statement(self, statement: Statement) -> CompiledStatement:
        if self.look is not None:
            self.look()
        form = _compile(statement)
        if self._deferred and self._deferred.concern(form.words):
            self.write_deferred()
        return form

    def _compile_and_bind(self, statement: Statement, values: dict[str, Any]) -> QueuedStatement:
        form = _compile(statement)
        return self._bind(form, bind_values(form, values))

    def _bind(self, form: CompiledStatement, bound: list[Any]) -> QueuedStatement:
        try:
            return self._line.bind(form, bound)
        except psycopg.DataError:
            # PostgreSQL's text has no NUL. SQLite stores it; responses hide the difference.
            if not any(isinstance(value, str) and "\0" in value for value in bound):
                raise
            return self._line.bind(form, [replace_nul(value) for value in bound])

    def _ask(self, statement: Statement, values: dict[str, Any]) -> QueuedStatement:
        """Return a statement with its result."""
        form = self._compile_statement(statement)
        bound = bind_values(form, values)
        found = self._find_expected((form, *bound)) if self._expected else None
        if found is None:
            found = self._bind(form, bound)
            if form.target is not None:
                self._queue_write(found)
            else:
                self._waiting.append(found)
        self._receive(found)
        if found.result is None:
            self._exchange()
        return found

    def _find_expected(self, key: Hashable) -> QueuedStatement | None:
        """Return a statement that was expected, to be used once."""
        found = self._expected.get(key)
        if found is not None and found.expected_uses == 1:
            del self._expected[key]
        elif found is not None:
            found.expected_uses -= 1
        return found

    def _queue_write(self, written: QueuedStatement) -> None:
        self._waiting.append(written)
        self._has_writes = self._has_written = True
        self._size += written.size
        if self._kept:
            self._forget_written(written.form)
        target = written.form.target
        for key, one in list(self._expected.items()) if self._expected else ():
            if target and target not in one.form.words:
                continue
            self._receive(one)
            if one.result is None:
                # Not asked yet: it follows the write.
                self._waiting.remove(one)
                self._waiting.append(one)
            elif one.is_repeated:
                # Most likely it was expected in vain.
                del self._expected[key]
            else:
                one.result, one.is_repeated = None, True
                self._waiting.append(one)

    def _exchange(self, waits: bool = True) -> None:
        """Have what waits executed with one round trip, or sent without waiting for its results."""
        if self._has_ended:
            # Its connection is in other hands.
            raise RuntimeError("a transaction was used after its end")
        assumption = None if self.is_begun else self.assumption
        if assumption is not None:
            assumption.expect(self)
        waiting, self._waiting = self._waiting, []
        self._size, self._has_writes = 0, False
        self._sent_part, self._follows_sent = None if waits else self._parts, self._follows_sent and not waits
        try:
            if not self.is_begun:
                self._begin([*self._opening, *waiting])
            elif waits:
                self._line.exchange(waiting)
            else:
                self._line.send(waiting)
        except BaseException:
            # What was expected may never have been asked.
            self._expected.clear()
            raise
        if assumption is not None:
            assumption.confirm(self)

    def _receive(self, statement: QueuedStatement) -> None:
        """Receive the result of a statement that was sent."""
        if statement.result is None and self._sent_part is not None and statement not in self._waiting:
            self._settle()

    def _settle(self) -> None:
        """Receive the results of what was sent."""
        if self._sent_part is None:
            return
        self._sent_part, self._follows_sent = None, False
        try:
            self._line.settle()
        except BaseException:
            self._expected.clear()
            raise

    def _begin(self, statements: list[QueuedStatement]) -> None:
        """Execute the first statements; nothing of them can have been kept when their connection turns out lost."""
        self.is_begun = True
        for _ in range(_MAX_LOST):
            try:
                self._line.exchange(statements)
                return
            except psycopg.errors.DivisionByZero:
                if self.writes and self._opening[-1].result is None:
                    # Another writer has the lock, and this one must not wait.
                    raise OtherWriterActive from None
                raise
            except psycopg.Error as error:
                self.connection = self._replace(self.connection, error)
        self._line.exchange(statements)

    def _undo_part(self, name: str, part: int, begun: QueuedStatement, has_writes: bool) -> None:
        """Undo a part. has_writes: whether writes from before it waited when it began."""
        self._expected.clear()
        self._kept.clear()
        self.counters.clear()
        if self._sent_part is not None and self._sent_part >= part:
            # What the part has sent is undone, whether or not it failed; not so what was sent before it.
            follows_sent, self._sent_part, self._follows_sent = self._follows_sent, None, False
            with nullcontext() if follows_sent else suppress(psycopg.DatabaseError):
                self._line.settle()
        if begun in self._waiting:
            del self._waiting[self._waiting.index(begun) :]
            self._has_writes = has_writes
            return
        self._waiting = [bind_command(f"{way} SAVEPOINT {name}") for way in ("ROLLBACK TO", "RELEASE")]
        self._exchange()


def _compile(statement: Statement) -> CompiledStatement:
    return statement.compiled.get("postgresql") or statement.compile_for(DIALECT)


@lru_cache(maxsize=64)
def _compile_command(sql: str) -> CompiledStatement:
    return Statement(text(sql)).compile_for(DIALECT)


def bind_command(sql: str) -> QueuedStatement:
    """Return a command without values, not yet sent."""
    return QueuedStatement(_compile_command(sql), (), (), ())
