"""Statements kept by shape, and every expression that the kinds of database write differently.

A collection has many filters; which of them are set and in which order rows come is the shape, the values are bound.
Shapes come from clients, so their number is bounded.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

import orjson
from sqlalchemy import BindParameter, Boolean, ColumnElement, Integer, Table, Text, bindparam
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.ext.compiler import compiles

from .database import Statement

__all__ = ["Among", "Collected", "Contains", "Leading", "Likely", "Place", "Shapes", "listed", "upsert"]


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


class Place(ColumnElement[int]):
    """Where a column's value stands in the list that `Among` binds by the same name; what is not in it comes first."""

    inherit_cache = False
    type = Integer()

    def __init__(self, column: ColumnElement[Any], name: str) -> None:
        self.column, self.values = column, bindparam(name, type_=Text())


class Collected(ColumnElement[str]):
    """The values of a column in a group, each once or as often as it is there, as a JSON list in no order."""

    inherit_cache = False
    type = Text()

    def __init__(self, column: ColumnElement[Any], *, once: bool = True) -> None:
        self.column, self.words = column, "DISTINCT " if once else ""


class Leading(ColumnElement[Any]):
    """A column by which SQLite looks nothing up: of the table that a join reads first, or of rows that come in order.

    Where that column is one of a list, SQLite's planner may take the list for the other table too, and go through all
    of it for each row: ten thousand matches were looked at a thousand million times.
    """

    inherit_cache = False

    def __init__(self, column: ColumnElement[Any]) -> None:
        self.column, self.type = column, column.type


class Contains(_Condition):
    """`column` contains a bound text, byte for byte (both folded beforehand).

    looked_up: whether an index may serve it, if the text has letters enough; PostgreSQL then plans for each text anew.
    """

    def __init__(self, column: ColumnElement[Any], name: str, looked_up: bool = False) -> None:
        self.column, self.part, self.looked_up = column, BindParameter(name, type_=Text()), looked_up


class Likely(_Condition):
    """A condition that many rows fulfil, so that the first ones are best looked for in the order that is asked.

    PostgreSQL takes every text for a rare one, and would sort all that hold it for a page of ten.
    """

    def __init__(self, condition: ColumnElement[bool]) -> None:
        self.condition = condition


@compiles(Among, "sqlite")
def _among(element: Among, compiler: Any, **options: Any) -> str:
    column, values = compiler.process(element.column, **options), compiler.process(element.values, **options)
    return f"{column} IN (SELECT value FROM json_each({values}))"


@compiles(Among, "postgresql")
def _among_array(element: Among, compiler: Any, **options: Any) -> str:
    return f"{compiler.process(element.column, **options)} = ANY({_array(element, compiler, **options)})"


@compiles(Place, "sqlite")
def _place(element: Place, compiler: Any, **options: Any) -> str:
    column, values = compiler.process(element.column, **options), compiler.process(element.values, **options)
    if isinstance(element.column.type, Integer):
        return f"instr(replace(replace({values}, '[', ','), ']', ','), ',' || {column} || ',')"
    return f"instr({values}, json_quote({column}))"


@compiles(Place, "postgresql")
def _place_in_array(element: Place, compiler: Any, **options: Any) -> str:
    array, column = _array(element, compiler, **options), compiler.process(element.column, **options)
    return f"coalesce(array_position({array}, {column}), 0)"


@compiles(Collected, "sqlite")
def _collected(element: Collected, compiler: Any, **options: Any) -> str:
    return f"json_group_array({element.words}{compiler.process(element.column, **options)})"


@compiles(Collected, "postgresql")
def _collected_array(element: Collected, compiler: Any, **options: Any) -> str:
    return f"CAST(json_agg({element.words}{compiler.process(element.column, **options)}) AS text)"


@compiles(Contains, "sqlite")
def _contains(element: Contains, compiler: Any, **options: Any) -> str:
    return f"instr({compiler.process(element.column, **options)}, {compiler.process(element.part, **options)}) > 0"


@compiles(Contains, "postgresql")
def _is_like(element: Contains, compiler: Any, **options: Any) -> str:
    # Faster than strpos, and served by a trigram index.
    if element.looked_up:
        compiler.planned_anew = True
    pattern = f"CAST({compiler.process(element.part, **options)} AS text)"
    for sign in ("\\", "%", "_"):
        pattern = f"replace({pattern}, '{sign}', '\\{sign}')"
    return f"{compiler.process(element.column, **options)} LIKE '%' || {pattern} || '%'"


@compiles(Leading, "sqlite")
def _leading(element: Leading, compiler: Any, **options: Any) -> str:
    return f"+{compiler.process(element.column, **options)}"


@compiles(Leading, "postgresql")
def _leading_plain(element: Leading, compiler: Any, **options: Any) -> str:
    return str(compiler.process(element.column, **options))


@compiles(Likely, "sqlite")
def _likely(element: Likely, compiler: Any, **options: Any) -> str:
    return f"({compiler.process(element.condition, **options)})"


@compiles(Likely, "postgresql")
def _likely_case(element: Likely, compiler: Any, **options: Any) -> str:
    # Of an expression that it does not know it expects that half of the rows fulfil it.
    return f"CASE WHEN {compiler.process(element.condition, **options)} THEN true ELSE false END"


def _array(element: Among | Place, compiler: Any, **options: Any) -> str:
    """Return a bound list as an array of PostgreSQL; that of numbers is known to the planner with its length."""
    values = compiler.process(element.values, **options)
    if isinstance(element.column.type, Integer):
        return f"CAST(translate({values}, '[]', '{{}}') AS bigint[])"
    return f"ARRAY(SELECT json_array_elements_text(CAST({values} AS json)))"


def listed(values: Any) -> str:
    """Return the bound value of a list for `Among` and `Place`."""
    items = list(values)
    text = orjson.dumps(items).decode()
    if "\\u0000" in text:
        # Neither kind of database reads a NUL out of JSON.
        items = [item.replace("\0", "\ufffd") if isinstance(item, str) else item for item in items]
        text = orjson.dumps(items).decode()
    return text


def upsert(table: Table, keys: tuple[str, ...], values: dict[str, Any], changes: dict[str, Any]) -> Insert:
    """Return the statement that inserts a row, or changes the row that has its keys."""
    # Both databases write ON CONFLICT alike, so one construct serves both.
    return insert(table).values(values).on_conflict_do_update(index_elements=list(keys), set_=changes)
