"""Statements cached by shape, and every expression that the two databases write differently.

Which filters of a collection are set, and in which order rows come, is the shape; the values are bound. Shapes come
from clients, so the cache is bounded.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import BigInteger, BindParameter, Boolean, ColumnElement, Insert, Integer, Table, Text, bindparam
from sqlalchemy.ext.compiler import compiles

from .database import DatabaseKind, Statement

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite


class StatementCache:
    """The statements of one kind of query by shape, the least recently used evicted first."""

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


class _BareCondition(ColumnElement[bool]):
    """A condition written without a comparison to 1, which would keep an index from being used."""

    inherit_cache = False
    type = Boolean()

    def self_group(self, against: Any = None) -> Any:
        return self


class InList(_BareCondition):
    """`column` is one of the values of a bound list (bind with `encode_list`), whatever its length."""

    def __init__(self, column: ColumnElement[Any], name: str) -> None:
        self.column, self.values = column, bindparam(name, type_=Text())


class BoundRange(_BareCondition):
    """`column` lies between two bound values, both included; PostgreSQL plans for each pair of them."""

    def __init__(self, column: ColumnElement[Any], low: str, high: str) -> None:
        self.column, self.low, self.high = (
            column,
            bindparam(low, type_=BigInteger()),
            bindparam(high, type_=BigInteger()),
        )


class ListPosition(ColumnElement[int]):
    """The position of a column's value in the list that `InList` binds by the same name; other values come first."""

    inherit_cache = False
    type = Integer()

    def __init__(self, column: ColumnElement[Any], name: str) -> None:
        self.column, self.values = column, bindparam(name, type_=Text())


class ArrayAgg(ColumnElement[str]):
    """The values of a column in a group, each once or as often as it occurs, as an unordered JSON list."""

    inherit_cache = False
    type = Text()

    def __init__(self, column: ColumnElement[Any], *, once: bool = True) -> None:
        self.column, self.words = column, "DISTINCT " if once else ""


class UnindexedColumn(ColumnElement[Any]):
    """A column that SQLite must not use for a lookup: the join's outer table, or rows read in order.

    Where the column is one of a list, SQLite's planner may apply the list to the other table too, and scan all of it
    for each row: ten thousand matches were looked at a thousand million times.
    """

    inherit_cache = False

    def __init__(self, column: ColumnElement[Any]) -> None:
        self.column, self.type = column, column.type


class ContainsText(_BareCondition):
    """`column` contains a bound text, byte for byte (both folded beforehand).

    looked_up: whether an index may serve it, if the text is long enough; PostgreSQL then plans for each text.
    """

    def __init__(self, column: ColumnElement[Any], name: str, looked_up: bool = False) -> None:
        self.column, self.part, self.looked_up = column, BindParameter(name, type_=Text()), looked_up


class PlannerHint(_BareCondition):
    """A condition that many rows fulfil, so that the first rows are best found in the requested order.

    PostgreSQL assumes every text to be rare, and would sort all rows that contain it for a page of ten.
    """

    def __init__(self, condition: ColumnElement[bool]) -> None:
        self.condition = condition


@compiles(InList, "sqlite")
def _compile_in_list_sqlite(element: InList, compiler: Any, **options: Any) -> str:
    column, values = compiler.process(element.column, **options), compiler.process(element.values, **options)
    return f"{column} IN (SELECT value FROM json_each({values}))"


@compiles(InList, "postgresql")
def _compile_in_list_postgresql(element: InList, compiler: Any, **options: Any) -> str:
    return f"{compiler.process(element.column, **options)} = ANY({_compile_array(element, compiler, **options)})"


@compiles(BoundRange)
def _compile_bound_range(element: BoundRange, compiler: Any, **options: Any) -> str:
    compiler.is_planned_each_time = True
    parts = (compiler.process(one, **options) for one in (element.column, element.low, element.high))
    return "{} BETWEEN {} AND {}".format(*parts)


@compiles(ListPosition, "sqlite")
def _compile_list_position_sqlite(element: ListPosition, compiler: Any, **options: Any) -> str:
    column, values = compiler.process(element.column, **options), compiler.process(element.values, **options)
    if isinstance(element.column.type, Integer):
        return f"instr(replace(replace({values}, '[', ','), ']', ','), ',' || {column} || ',')"
    return f"instr({values}, json_quote({column}))"


@compiles(ListPosition, "postgresql")
def _compile_list_position_postgresql(element: ListPosition, compiler: Any, **options: Any) -> str:
    array, column = _compile_array(element, compiler, **options), compiler.process(element.column, **options)
    return f"coalesce(array_position({array}, {column}), 0)"


@compiles(ArrayAgg, "sqlite")
def _compile_array_agg_sqlite(element: ArrayAgg, compiler: Any, **options: Any) -> str:
    return f"json_group_array({element.words}{compiler.process(element.column, **options)})"


@compiles(ArrayAgg, "postgresql")
def _compile_array_agg_postgresql(element: ArrayAgg, compiler: Any, **options: Any) -> str:
    return f"CAST(json_agg({element.words}{compiler.process(element.column, **options)}) AS text)"


@compiles(ContainsText, "sqlite")
def _compile_contains_sqlite(element: ContainsText, compiler: Any, **options: Any) -> str:
    return f"instr({compiler.process(element.column, **options)}, {compiler.process(element.part, **options)}) > 0"


@compiles(ContainsText, "postgresql")
def _compile_contains_postgresql(element: ContainsText, compiler: Any, **options: Any) -> str:
    # Faster than strpos, and served by a trigram index.
    if element.looked_up:
        compiler.is_planned_each_time = True
    pattern = f"CAST({compiler.process(element.part, **options)} AS text)"
    for sign in ("\\", "%", "_"):
        pattern = f"replace({pattern}, '{sign}', '\\{sign}')"
    return f"{compiler.process(element.column, **options)} LIKE '%' || {pattern} || '%'"


@compiles(UnindexedColumn, "sqlite")
def _compile_unindexed_sqlite(element: UnindexedColumn, compiler: Any, **options: Any) -> str:
    return f"+{compiler.process(element.column, **options)}"


@compiles(UnindexedColumn, "postgresql")
def _compile_unindexed_postgresql(element: UnindexedColumn, compiler: Any, **options: Any) -> str:
    return str(compiler.process(element.column, **options))


@compiles(PlannerHint, "sqlite")
def _compile_planner_hint_sqlite(element: PlannerHint, compiler: Any, **options: Any) -> str:
    return f"({compiler.process(element.condition, **options)})"


@compiles(PlannerHint, "postgresql")
def _compile_planner_hint_postgresql(element: PlannerHint, compiler: Any, **options: Any) -> str:
    # The planner assumes that half of the rows fulfil an unknown expression.
    return f"CASE WHEN {compiler.process(element.condition, **options)} THEN true ELSE false END"


def _compile_array(element: InList | ListPosition, compiler: Any, **options: Any) -> str:
    """Return a bound list as a PostgreSQL array; for integers the planner knows its length."""
    values = compiler.process(element.values, **options)
    if isinstance(element.column.type, Integer):
        return f"CAST(translate({values}, '[]', '{{}}') AS bigint[])"
    return f"ARRAY(SELECT json_array_elements_text(CAST({values} AS json)))"


def encode_list(values: Any) -> str:
    """Encode a list as the bound value of `InList` and `ListPosition`."""
    items = list(values)
    text = orjson.dumps(items).decode()
    if "\\u0000" in text:
        # Neither database reads a NUL from JSON.
        items = [item.replace("\0", "\ufffd") if isinstance(item, str) else item for item in items]
        text = orjson.dumps(items).decode()
    return text


def build_upsert(
    table: Table, keys: tuple[str, ...], values: dict[str, Any], changes: dict[str, Any]
) -> Callable[[DatabaseKind], Insert]:
    """Return the statement that inserts a row, or updates the row with the same keys, by the kind of database."""
    return lambda kind: _insert(kind, table, values).on_conflict_do_update(index_elements=list(keys), set_=changes)


def build_insert_once(
    table: Table, keys: tuple[str, ...], values: dict[str, Any]
) -> Callable[[DatabaseKind], Insert]:  # fmt: skip
    """Return the statement that inserts a row unless there is one with the same keys; it affects no row then."""
    return lambda kind: _insert(kind, table, values).on_conflict_do_nothing(index_elements=list(keys))


def _insert(kind: DatabaseKind, table: Table, values: dict[str, Any]) -> postgresql.Insert | sqlite.Insert:
    # A site has one of the two databases, and the dialect of PostgreSQL is as large as a tenth of a start.
    if kind == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table).values(values)
    from sqlalchemy.dialects import sqlite

    return sqlite.insert(table).values(values)


def build_text_pattern(text: str) -> str:
    """Return the pattern of LIKE, with the escape `!`, that finds a text among those of a stored JSON value.

    Letter case does not matter where the column is made small, as the pattern is.
    """
    small = text.lower()
    for sign in "!%_":
        small = small.replace(sign, f"!{sign}")
    return f'%"{small}"%'
