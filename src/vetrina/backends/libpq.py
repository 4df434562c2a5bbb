"""Statements over libpq itself: prepared once a connection, their values and rows converted by psycopg.

The driver's own way costs three times as much for a statement (95 µs of processor against 30, docs/decisions/
postgresql.md), because it may wait in any loop; here a statement blocks its thread. Not here: connections and
transactions (backends/postgres.py).
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

from .database import Form, Row

__all__ = ["Line"]

_PREPARED: Final = 512  # statements that a connection keeps prepared
_DONE: Final = frozenset({ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK, ExecStatus.EMPTY_QUERY})


class Line:
    """One connection, asked statement by statement.

    context: the connection of psycopg whose way to convert values counts; None for the usual one.
    Each call raises the error of psycopg that says what the server said, OperationalError where the connection is lost.
    """

    def __init__(self, connection: PGconn, context: AdaptContext | None = None) -> None:
        self._connection, self._converter = connection, Transformer(context)
        self._prepared: OrderedDict[tuple[str, tuple[int, ...]], bytes] = OrderedDict()
        self._names = 0

    def all(self, form: Form, values: list[Any]) -> list[Row]:
        """Return every row."""
        found = self.asked(form, values)
        self._converter.set_pgresult(found)
        return self._converter.load_rows(0, found.ntuples, tuple)

    def first(self, form: Form, values: list[Any]) -> Row | None:
        """Return the first row, or None."""
        found = self.asked(form, values)
        if not found.ntuples:
            return None
        self._converter.set_pgresult(found)
        return self._converter.load_row(0, tuple)

    def asked(self, form: Form, values: list[Any]) -> PGresult:
        """Carry out a statement. Raises DataError for a text with a NUL, before anything is sent."""
        converter, connection = self._converter, self._connection
        # A member may be None, which the description of `exec_prepared` leaves out.
        written: Sequence[Any] = converter.dump_sequence(values, [PyFormat.AUTO] * len(values))
        types, formats = converter.types or (), converter.formats
        if form.planned_anew:
            return self._done(connection.exec_params(form.text.encode(), written, types, formats))
        key = form.text, types
        name = self._prepared.get(key)
        if name is None:
            name = self._prepare(key)
        else:
            self._prepared.move_to_end(key)
        return self._done(connection.exec_prepared(name, written, formats))

    def command(self, words: bytes) -> PGresult:
        """Carry out commands in one round trip, and return what the last of them answered."""
        return self._done(self._connection.exec_(words))

    def _prepare(self, key: tuple[str, tuple[int, ...]]) -> bytes:
        self._names += 1
        name = b"v%d" % self._names
        self._done(self._connection.prepare(name, key[0].encode(), key[1]))
        self._prepared[key] = name
        if len(self._prepared) > _PREPARED:
            _, old = self._prepared.popitem(last=False)
            self.command(b"DEALLOCATE " + old)
        return name

    def _done(self, found: PGresult) -> PGresult:
        if found.status in _DONE:
            return found
        if self._connection.status != ConnStatus.OK:
            raise psycopg.OperationalError(self._connection.get_error_message())
        raise error_from_result(found)
