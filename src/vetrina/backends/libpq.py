"""Statements over libpq itself: prepared once per connection, values and rows converted by psycopg.

The driver's own way costs three times as much per statement (95 µs of CPU against 30, docs/decisions/postgresql.md),
because it supports any event loop; here a statement blocks its thread. Connections and transactions:
backends/postgres.py.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Final

import psycopg
from psycopg.abc import AdaptContext, PyFormat
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, ExecStatus
from psycopg.pq.abc import PGconn, PGresult

from .database import CompiledStatement, Row

_MAX_PREPARED: Final = 512  # statements that a connection keeps prepared
_SUCCESS_STATUSES: Final = frozenset({ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK, ExecStatus.EMPTY_QUERY})


class PreparedConnection:
    """One connection, used statement by statement.

    context: the psycopg connection whose adapters convert values; None for the default ones.
    Each call raises psycopg's error for the server's message, OperationalError when the connection is lost.
    """

    def __init__(self, connection: PGconn, context: AdaptContext | None = None) -> None:
        self._connection, self._converter = connection, Transformer(context)
        self._prepared: OrderedDict[tuple[str, tuple[int, ...]], bytes] = OrderedDict()
        self._names = 0

    def all(self, form: CompiledStatement, values: list[Any]) -> list[Row]:
        """Return every row."""
        found = self.execute(form, values)
        self._converter.set_pgresult(found)
        return self._converter.load_rows(0, found.ntuples, tuple)

    def first(self, form: CompiledStatement, values: list[Any]) -> Row | None:
        """Return the first row, or None."""
        found = self.execute(form, values)
        if not found.ntuples:
            return None
        self._converter.set_pgresult(found)
        return self._converter.load_row(0, tuple)

    def execute(self, form: CompiledStatement, values: list[Any]) -> PGresult:
        """Execute a statement. Raises DataError for text with a NUL, before anything is sent."""
        converter, connection = self._converter, self._connection
        # Elements may be None, which the annotation of `exec_prepared` does not allow.
        written: Sequence[Any] = converter.dump_sequence(values, [PyFormat.AUTO] * len(values))
        types, formats = converter.types or (), converter.formats
        if form.is_planned_each_time:
            return self._check_result(connection.exec_params(form.text.encode(), written, types, formats))
        key = form.text, types
        name = self._prepared.get(key)
        if name is None:
            name = self._prepare(key)
        else:
            self._prepared.move_to_end(key)
        return self._check_result(connection.exec_prepared(name, written, formats))

    def command(self, sql: bytes) -> PGresult:
        """Execute commands in one round trip, and return the result of the last one."""
        return self._check_result(self._connection.exec_(sql))

    def _prepare(self, key: tuple[str, tuple[int, ...]]) -> bytes:
        self._names += 1
        name = b"v%d" % self._names
        self._check_result(self._connection.prepare(name, key[0].encode(), key[1]))
        self._prepared[key] = name
        if len(self._prepared) > _MAX_PREPARED:
            _, old = self._prepared.popitem(last=False)
            self.command(b"DEALLOCATE " + old)
        return name

    def _check_result(self, result: PGresult) -> PGresult:
        if result.status in _SUCCESS_STATUSES:
            return result
        if self._connection.status != ConnStatus.OK:
            raise psycopg.OperationalError(self._connection.get_error_message())
        raise error_from_result(result)
