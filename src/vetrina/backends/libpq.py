"""Statements over libpq itself: prepared once per connection, values and rows converted by psycopg.

The driver's own way costs three times as much per statement (95 µs of CPU against 30, docs/decisions/postgresql.md),
because it supports any event loop; here a statement blocks its thread. Several statements travel together (libpq's
pipeline mode): one round trip for all of them. Connections and transactions: backends/postgres.py.
"""

from __future__ import annotations

import select
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import psycopg
from psycopg.abc import AdaptContext, PyFormat
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, ExecStatus, PipelineStatus
from psycopg.pq.abc import PGconn, PGresult

from .database import CompiledStatement, Row

_SILENCE_MILLISECONDS: Final = 1000  # without a word, before the server is asked whether it is there
_MAX_PREPARED: Final = 512  # statements that a connection keeps prepared
_SUCCESS_STATUSES: Final = frozenset({ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK, ExecStatus.EMPTY_QUERY})


class QueuedStatement:
    """A statement with its values as they are sent, and its result once it has one.

    expected_uses: how often its result is still expected to be used where it is asked ahead (`Transaction.expect`).
    is_repeated: whether it was asked a second time since, after a write. size: of its values, in bytes.
    """

    __slots__ = ("expected_uses", "form", "formats", "is_repeated", "result", "size", "types", "values")

    def __init__(
        self, form: CompiledStatement, values: Sequence[Any], types: tuple[int, ...], formats: Sequence[Any]
    ) -> None:
        self.form, self.values, self.types, self.formats = form, values, types, formats
        self.size = sum(map(len, filter(None, values)))
        self.expected_uses, self.is_repeated = 0, False
        self.result: PGresult | None = None


_PreparedKey = tuple[str, tuple[int, ...]]  # a statement's text and the types of its values
# What the server answers, in order: that a statement is prepared, its result, that a name is free again, or (None) the
# end of a trip.
_Owed = _PreparedKey | QueuedStatement | bytes | None
_ROW_STATUSES: Final = frozenset({ExecStatus.TUPLES_OK, ExecStatus.TUPLES_CHUNK, ExecStatus.SINGLE_TUPLE})


class PreparedConnection:
    """One connection, used statement by statement or several statements at once.

    context: the psycopg connection whose adapters convert values; None for the default ones. check: called again and
    again while the server says nothing, and raises OperationalError where it will not any more. prepares: whether
    statements are prepared. is_pooled: whether a pool keeps their names (backends/transaction_pool.py). Calls raise
    psycopg's error for the server's message, OperationalError when the connection is lost.
    """

    def __init__(
        self,
        connection: PGconn,
        context: AdaptContext | None = None,
        check: Callable[[PGconn], None] | None = None,
        prepares: bool = True,
        is_pooled: bool = False,
    ) -> None:
        self._connection, self._converter = connection, Transformer(context)
        self._check = check
        self._prepares, self._is_pooled = prepares, is_pooled
        self._prepared: OrderedDict[_PreparedKey, bytes] = OrderedDict()
        self._names, self._evicted = 0, list[bytes]()
        self._owed: list[_Owed] = []
        self._streamed: QueuedStatement | None = None
        self._poll = select.poll()
        self._poll.register(connection.socket, select.POLLIN)

    def all(self, form: CompiledStatement, values: list[Any]) -> list[Row]:
        """Return every row."""
        statement = self.bind(form, values)
        self.exchange([statement])
        return self.load_rows(statement)

    def bind(self, form: CompiledStatement, values: list[Any]) -> QueuedStatement:
        """Return a statement with its values, not yet sent. Raises DataError for text with a NUL."""
        converter = self._converter
        # Elements may be None, which the annotation of `exec_prepared` does not allow.
        written = converter.dump_sequence(values, [PyFormat.AUTO] * len(values))
        return QueuedStatement(form, written, converter.types or (), converter.formats or ())

    def load_rows(self, statement: QueuedStatement) -> list[Row]:
        """Return every row of a statement that has its result."""
        found = statement.result
        if found is None or not found.ntuples:
            return []
        self._converter.set_pgresult(found)
        return self._converter.load_rows(0, found.ntuples, tuple)

    def load_first(self, statement: QueuedStatement) -> Row | None:
        """Return the first row of a statement that has its result, or None."""
        found = statement.result
        if found is None or not found.ntuples:
            return None
        self._converter.set_pgresult(found)
        return self._converter.load_row(0, tuple)

    def exchange(self, statements: Sequence[QueuedStatement]) -> None:
        """Execute statements in their order with one round trip, and set their results.

        The first one that fails keeps those after it from being executed; its error is raised.
        """
        self._stop_stream()
        # libpq's own waiting cannot be looked after.
        is_alone = len(statements) == 1 and not self._owed and self._check is None
        if is_alone and self._execute_alone(statements[0]):
            return
        self.send(statements)
        self.settle()

    def send(self, statements: Sequence[QueuedStatement]) -> None:
        """Send statements without waiting for their results; the next exchange, or `settle`, receives them."""
        self._stop_stream()
        connection, owed = self._connection, self._owed
        if connection.pipeline_status == PipelineStatus.OFF:
            connection.enter_pipeline_mode()
        for one in statements:
            form = one.form
            if form.is_planned_each_time or not self._prepares:
                connection.send_query_params(form.text.encode(), one.values, one.types, one.formats)
            else:
                key = form.text, one.types
                name = self._prepared.get(key)
                if name is None:
                    name = self._name_statement(key)
                    connection.send_prepare(name, form.text.encode(), one.types)
                    owed.append(key)
                else:
                    self._prepared.move_to_end(key)
                connection.send_query_prepared(name, one.values, one.formats)
            owed.append(one)
        # At the end: nothing may come before the beginning of a transaction.
        for name in self._evicted:
            connection.send_query_params(b"DEALLOCATE " + name, None)
        owed += self._evicted
        self._evicted = []
        connection.pipeline_sync()
        owed.append(None)
        self._flush()

    def stream(self, statement: QueuedStatement, size: int) -> Iterator[list[Row]]:
        """Yield the rows of a statement, so many at a time; what is not read yet when another one comes is lost."""
        self.settle()
        self._connection.send_query_params(
            statement.form.text.encode(), statement.values, statement.types, statement.formats
        )
        self._connection.set_chunked_rows_mode(size)
        self._flush()
        self._streamed = statement
        while self._streamed is statement and (result := self._receive_result()) is not None:
            if result.status not in _ROW_STATUSES:
                self._stop_stream()
                self._check_result(result)
            statement.result = result
            yield self.load_rows(statement)
        if self._streamed is statement:
            self._streamed = None

    def _stop_stream(self) -> None:
        if self._streamed is not None:
            self._streamed = None
            while self._receive_result() is not None:
                pass

    def settle(self) -> None:
        """Receive what the server still owes. Raises the error of the first statement that failed."""
        self._stop_stream()
        if not self._owed:
            return
        owed, self._owed = self._owed, []
        failed: PGresult | None = None
        connection = self._connection
        is_busy, get_result = connection.is_busy, connection.get_result
        for one in owed:
            while is_busy():
                self._wait()
                connection.consume_input()
            result = get_result()
            if one is None:
                continue
            # Every statement's results end with none, for which nothing has to arrive.
            get_result()
            if result is None:
                self._raise_lost()
            elif result.status in _SUCCESS_STATUSES:
                if isinstance(one, QueuedStatement):
                    one.result = result
                continue
            elif isinstance(one, bytes):
                self._evicted.append(one)
                continue
            elif failed is None:
                failed = result
            if isinstance(one, tuple):
                self._prepared.pop(one, None)
        if failed is not None:
            self._check_result(failed)
        self._connection.exit_pipeline_mode()

    def _execute_alone(self, one: QueuedStatement) -> bool:
        """Execute one statement, if it needs no preparation; return whether it was executed."""
        form, connection = one.form, self._connection
        if form.is_planned_each_time or not self._prepares:
            result = connection.exec_params(form.text.encode(), one.values, one.types, one.formats)
        else:
            key = form.text, one.types
            name = self._prepared.get(key)
            if name is None:
                return False
            self._prepared.move_to_end(key)
            result = connection.exec_prepared(name, one.values, one.formats)
        one.result = self._check_result(result)
        return True

    def _flush(self) -> None:
        connection = self._connection
        while connection.flush():
            # The server may have to be rid of results before it reads on.
            self._poll.modify(connection.socket, select.POLLIN | select.POLLOUT)
            if self._wait() & select.POLLIN:
                connection.consume_input()
            self._poll.modify(connection.socket, select.POLLIN)

    def _receive_result(self) -> PGresult | None:
        """Wait for the next result; other threads go on meanwhile."""
        connection = self._connection
        while connection.is_busy():
            self._wait()
            connection.consume_input()
        return connection.get_result()

    def _wait(self) -> int:
        """Wait for the server, and return what it is ready for."""
        if self._check is None:
            return self._poll.poll()[0][1]
        while not (found := self._poll.poll(_SILENCE_MILLISECONDS)):
            self._check(self._connection)
        return found[0][1]

    def _name_statement(self, key: _PreparedKey) -> bytes:
        """Return the name of a statement that is prepared now; the least recently used one makes room."""
        self._names += 1
        name = self._prepared[key] = b"v%d" % self._names
        if len(self._prepared) > _MAX_PREPARED:
            evicted = self._prepared.popitem(last=False)[1]
            if not self._is_pooled:
                # The server does not know it by this name otherwise.
                self._evicted.append(evicted)
        return name

    def _check_result(self, result: PGresult) -> PGresult:
        if result.status in _SUCCESS_STATUSES:
            return result
        if self._connection.status != ConnStatus.OK:
            self._raise_lost()
        if self._connection.pipeline_status != PipelineStatus.OFF:
            self._connection.exit_pipeline_mode()
        raise error_from_result(result)

    def _raise_lost(self) -> None:
        raise psycopg.OperationalError(self._connection.get_error_message())
