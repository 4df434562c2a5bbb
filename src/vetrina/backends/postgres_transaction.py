"""A transaction of PostgreSQL: its statements run prepared; a NUL, which the server's text has not, is replaced.

Not here: how it begins, commits and rolls back (backends/postgres.py), prepared statements (backends/libpq.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar

import psycopg
from sqlalchemy import Table
from sqlalchemy.dialects.postgresql.base import PGDialect

from .database import CompiledStatement, Row, Statement, Transaction
from .libpq import PreparedConnection

T = TypeVar("T")
DIALECT: Final = PGDialect(paramstyle="numeric_dollar")  # type: ignore[no-untyped-call]  # the dialect has no annotations
_FETCH_ROWS: Final = 1000  # rows per fetch where all of them would be too many to load


class PooledConnection(psycopg.Connection[Row]):
    """A connection with its prepared statements, and a cursor for bulk transfers."""

    prepared: PreparedConnection
    raw: psycopg.RawCursor[Row]


class PostgresTransaction(Transaction):
    """The statements of a transaction; PostgresDatabase begins and ends it."""

    __slots__ = ("_line", "_raw")

    kind = "postgresql"

    def __init__(self, connection: PooledConnection, writes: bool) -> None:
        super().__init__(writes)
        self._line, self._raw = connection.prepared, connection.raw

    def _compile_statement(self, statement: Statement) -> CompiledStatement:
        if self.look is not None:
            self.look()
        return statement.compiled.get("postgresql") or statement.compile_for(DIALECT)

    def all(self, statement: Statement, /, **values: Any) -> list[Row]:
        form = self._compile_statement(statement)
        return _execute_nul_safe(self._line.all, form, bind_values(form, values))

    def column(self, statement: Statement, /, **values: Any) -> Iterator[Any]:
        form = self._compile_statement(statement)
        for row in self._raw.stream(
            form.text, [_replace_nul(one) for one in bind_values(form, values)], size=_FETCH_ROWS
        ):
            yield row[0]

    def first(self, statement: Statement, /, **values: Any) -> Row | None:
        form = self._compile_statement(statement)
        return _execute_nul_safe(self._line.first, form, bind_values(form, values))

    def value(self, statement: Statement, /, **values: Any) -> Any:
        row = self.first(statement, **values)
        return None if row is None else row[0]

    def run(self, statement: Statement, /, **values: Any) -> int:
        form = self._compile_statement(statement)
        return _execute_nul_safe(self._line.execute, form, bind_values(form, values)).command_tuples or 0

    def run_each(self, statement: Statement, rows: list[dict[str, Any]]) -> None:
        for row in rows:
            self.run(statement, **row)

    def load(self, table: Table, rows: list[Row]) -> None:
        names = ", ".join(f'"{column.name}"' for column in table.c)
        with self._raw.copy(f'COPY "{table.name}" ({names}) FROM STDIN') as copy:
            for row in rows:
                copy.write_row([_replace_nul(value) for value in row])

    def command(self, sql: str) -> None:
        self._raw.execute(sql, prepare=False)


def bind_values(form: CompiledStatement, values: dict[str, Any]) -> list[Any]:
    """Return the values of a statement in the order of its parameters."""
    if form.fixed:
        values = {**form.fixed, **values}
    return [values[name] for name in form.names]


def _execute_nul_safe(ask: Callable[[CompiledStatement, list[Any]], T], form: CompiledStatement, bound: list[Any]) -> T:
    try:
        return ask(form, bound)
    except psycopg.DataError:
        # Refused before it was sent: PostgreSQL's text has no NUL. SQLite stores it; responses hide the difference.
        if not any(isinstance(value, str) and "\0" in value for value in bound):
            raise
        return ask(form, [_replace_nul(value) for value in bound])


def _replace_nul(value: Any) -> Any:
    return value.replace("\0", "\ufffd") if isinstance(value, str) and "\0" in value else value
