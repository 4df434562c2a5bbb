"""An integrity rule of stored data: its name, what it states, what violates it, and how that is repaired.

All rules: system/integrity_rules.py; how findings are printed: cli/check.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, bindparam

from vetrina.backends.database import Row, Statement
from vetrina.core.unit_of_work import UnitOfWork

_PART: Final = 5000  # rows that are held at a time


@dataclass(frozen=True)
class IntegrityRule:
    """One rule.

    name: used to select it. says: the rule as a sentence. broken: yields a line for each violation.
    way: what to do about violations, as a sentence. repair: does it in a write transaction; None where a person has
    to.
    quick: whether it needs the database alone, and need not read all of it.
    """

    name: str
    says: str
    broken: Callable[[UnitOfWork], Iterator[str]]
    way: str
    repair: Callable[[UnitOfWork], object] | None = None
    quick: bool = True


def build_select_rule(
    name: str, says: str, statement: Any, line: str, way: str, repair: Callable[[UnitOfWork], object] | None = None
) -> IntegrityRule:
    """Return a rule whose statement selects violations; line: a format string for the columns of a row."""
    prepared = Statement(statement)
    return IntegrityRule(name, says, lambda work: (line.format(*row) for row in work.tx.all(prepared)), way, repair)


def build_row_iterator(statement: Select[Any], key: ColumnElement[Any]) -> Callable[[UnitOfWork], Iterator[Row]]:
    """Return a function that yields a statement's rows in the order of a numeric key, its first column, in parts."""
    part = Statement(statement.where(key > bindparam("after")).order_by(key).limit(bindparam("most")))

    def rows(work: UnitOfWork) -> Iterator[Row]:
        after = -1
        while batch := work.tx.all(part, after=after, most=_PART):
            yield from batch
            after = batch[-1][0]

    return rows
