"""A rule that stored data keeps: its name, what it says, what breaks it, and how that is mended.

Not here: the rules themselves, a module a subject; which there are (system/integrity_rules.py); how findings are shown
(cli/check.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, bindparam

from vetrina.backends.database import Row, Statement
from vetrina.core.unit_of_work import Work

__all__ = ["Rule", "by_parts", "selecting"]

_PART: Final = 5000  # rows that are held at a time


@dataclass(frozen=True)
class Rule:
    """One rule.

    name: by which it is asked for. says: the rule as a sentence. broken: what breaks it, a line each.
    way: what is to be done about that, as a sentence. repair: does it in a transaction that writes; None where a
    person has to. quick: whether it asks the database alone, and need not read all of it.
    """

    name: str
    says: str
    broken: Callable[[Work], Iterator[str]]
    way: str
    repair: Callable[[Work], object] | None = None
    quick: bool = True


def selecting(
    name: str, says: str, statement: Any, line: str, way: str, repair: Callable[[Work], object] | None = None
) -> Rule:
    """Return a rule whose statement selects what breaks it; line: how a row reads, with holes for its columns."""
    prepared = Statement(statement)
    return Rule(name, says, lambda work: (line.format(*row) for row in work.tx.all(prepared)), way, repair)


def by_parts(statement: Select[Any], key: ColumnElement[Any]) -> Callable[[Work], Iterator[Row]]:
    """Return what gives the rows of a statement in the order of a numeric key, its first column, a part at a time."""
    part = Statement(statement.where(key > bindparam("after")).order_by(key).limit(bindparam("most")))

    def rows(work: Work) -> Iterator[Row]:
        after = -1
        while found := work.tx.all(part, after=after, most=_PART):
            yield from found
            after = found[-1][0]

    return rows
