"""Statements kept by shape, and the two expressions that the databases write differently.

A collection has many filters; which of them are set and in which order rows come is the shape, the values are bound.
Shapes come from clients, so their number is bounded.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

import orjson
from sqlalchemy import BindParameter, Boolean, ColumnElement, Table, Text, bindparam
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.ext.compiler import compiles

from .database import Statement

__all__ = ["Among", "Contains", "Shapes", "listed", "upsert"]


class Shapes:
    """The statements of one kind of query by their shape, the least used forgotten first."""

    def __init__(self, most: int = 512) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Statement] = OrderedDict()

    def get(self, shape: Hashable, build: Callable[[], Any]) -> Statement:
        """Return the statement of a shape, built at first use."""
        found = self._kept.get(shape)
        if found is None:
            found = self._kept[shape] = Statement(build())
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(shape)
        return found


class _Condition(ColumnElement[bool]):
    """A condition that is written as it stands; comparing its truth with 1 would keep an index from being used."""

    inherit_cache = False
    type = Boolean()

    def self_group(self, against: Any = None) -> Any:
        return self


class Among(_Condition):
    """`column` is one of the values of a bound list (bind with `listed`), whatever its length."""

    def __init__(self, column: ColumnElement[Any], name: str) -> None:
        self.column, self.values = column, bindparam(name, type_=Text())


class Contains(_Condition):
    """`column` contains a bound text, byte for byte (both folded beforehand)."""

    def __init__(self, column: ColumnElement[Any], name: str) -> None:
        self.column, self.part = column, BindParameter(name, type_=Text())


@compiles(Among, "sqlite")
def _among(element: Among, compiler: Any, **options: Any) -> str:
    column, values = compiler.process(element.column, **options), compiler.process(element.values, **options)
    return f"{column} IN (SELECT value FROM json_each({values}))"


@compiles(Contains, "sqlite")
def _contains(element: Contains, compiler: Any, **options: Any) -> str:
    return f"instr({compiler.process(element.column, **options)}, {compiler.process(element.part, **options)}) > 0"


def listed(values: Any) -> str:
    """Return the bound value of a list for `Among`."""
    return orjson.dumps(list(values)).decode()


def upsert(table: Table, keys: tuple[str, ...], values: dict[str, Any], changes: dict[str, Any]) -> Insert:
    """Return the statement that inserts a row, or changes the row that has its keys."""
    # Both databases write ON CONFLICT alike, so one construct serves both.
    return insert(table).values(values).on_conflict_do_update(index_elements=list(keys), set_=changes)
