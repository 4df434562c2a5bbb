"""Writes of a transaction that nothing needs before its end: sums of what is added to a number, rows of a log.

A transaction that changes many things would count each of them in the same row, whose versions all stay until its
commit and make each further change dearer, and would log each by a statement of its own. Here they gather until a
statement names their table, at the latest until the commit.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vetrina.backends.database import Statement


class DeferredWrites:
    """The writes of one transaction that wait."""

    __slots__ = ("_rows", "_sums", "_tables")

    def __init__(self) -> None:
        self._tables: set[str] = set()
        self._sums: dict[tuple[Statement, Hashable], dict[str, Any]] = {}
        self._rows: dict[Statement, list[dict[str, Any]]] = {}

    def __bool__(self) -> bool:
        return bool(self._tables)

    def add(self, table: str, statement: Statement, summand: str, values: dict[str, Any]) -> None:
        """Have a value of a statement added to that of an earlier one whose other values are the same."""
        self._tables.add(table)
        amount = values.pop(summand)
        known = self._sums.setdefault((statement, tuple(values.items())), {**values, summand: 0})
        known[summand] += amount

    def append(self, table: str, statement: Statement, values: dict[str, Any]) -> None:
        """Have a row inserted with others of the same statement, after them."""
        self._tables.add(table)
        self._rows.setdefault(statement, []).append(values)

    def concern(self, words: Iterable[str]) -> bool:
        """Return whether a statement with these words may see or change what waits."""
        return not self._tables.isdisjoint(words)

    def take(self) -> Iterator[tuple[Statement, list[dict[str, Any]]]]:
        """Yield what waits, by statement; nothing waits any more."""
        sums, rows = self._sums, self._rows
        self._tables, self._sums, self._rows = set(), {}, {}
        for (statement, _), values in sums.items():
            yield statement, [values]
        yield from rows.items()

    def copy(self) -> DeferredWrites:
        """Return the same writes, for when what comes now is undone."""
        out = DeferredWrites()
        out._tables = set(self._tables)
        out._sums = {key: dict(values) for key, values in self._sums.items()}
        out._rows = {statement: list(rows) for statement, rows in self._rows.items()}
        return out
