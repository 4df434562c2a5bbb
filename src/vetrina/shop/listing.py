"""Lists of the shop's own tables: named filter conditions, order, paging and counting.

A statement is built once for each combination of conditions; values are bound. The conditions of a list are in
its subject, as in shop/orders/listing.py.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Final, Protocol

from sqlalchemy import ColumnElement, Table, bindparam, func, select

from vetrina.backends.database import Row
from vetrina.backends.statement_cache import InList, ListPosition, StatementCache, encode_list
from vetrina.core.unit_of_work import UnitOfWork

__all__ = ["ORDERS", "ConditionBuilder", "ListFilters", "TableListing", "build_list_filters", "build_moment_filters"]

ConditionBuilder = Callable[[], ColumnElement[bool]]
ListFilters = dict[
    Hashable, tuple[ConditionBuilder, dict[str, Any]]
]  # shape of the condition → the condition, its bound values

ORDERS: Final = ("date", "id", "include", "title", "slug", "modified")


class ListQuery(Protocol):
    """The members that every list query has. include: ids, whose order rows may be returned in."""

    @property
    def include(self) -> tuple[int, ...]: ...
    @property
    def orderby(self) -> str: ...
    @property
    def descending(self) -> bool: ...
    @property
    def limit(self) -> int: ...
    @property
    def start(self) -> int: ...


class TableListing:
    """Lists of one table. columns: the sort column for each member of ORDERS that the table supports."""

    def __init__(self, table: Table, columns: Mapping[str, ColumnElement[Any]]) -> None:
        self._table, self._columns, self._statements = table, columns, StatementCache()

    def list_rows(self, work: UnitOfWork, filters: ListFilters, query: ListQuery) -> list[Row]:
        """Return the rows of a page."""
        statement = self._statements.get(
            ("page", tuple(filters), query.orderby, bool(query.include), query.descending),
            lambda: (
                select(self._table)
                .where(*_build_conditions(filters))
                .order_by(*self._build_order(query))
                .limit(bindparam("limit"))
                .offset(bindparam("start"))
            ),
        )
        places = {"places": encode_list(query.include)} if query.orderby == "include" and query.include else {}
        return work.tx.all(statement, **_collect_values(filters), **places, limit=query.limit, start=query.start)

    def count_rows(self, work: UnitOfWork, filters: ListFilters) -> int:
        """Return how many rows match."""
        statement = self._statements.get(
            ("count", tuple(filters)),
            lambda: select(func.count()).select_from(self._table).where(*_build_conditions(filters)),
        )
        return int(work.tx.value(statement, **_collect_values(filters)))

    def _build_order(self, query: ListQuery) -> list[ColumnElement[Any]]:
        number = self._table.c.id
        if query.orderby == "include" and query.include:
            return [ListPosition(number, "places").asc()]
        # Without a sort column the direction is ignored too.
        if query.orderby not in self._columns:
            return [number.asc()]
        keys = [self._columns[query.orderby], number]
        return [key.desc() if query.descending else key.asc() for key in keys]


def _build_conditions(filters: ListFilters) -> Iterable[ColumnElement[bool]]:
    return (condition() for condition, _ in filters.values())


def _collect_values(filters: ListFilters) -> dict[str, Any]:
    return {name: value for _, bound in filters.values() for name, value in bound.items()}


def build_list_filters(query: object, columns: Iterable[tuple[str, ColumnElement[Any], bool]]) -> ListFilters:
    """Return the list conditions of a query. columns: member of the query, column, whether to include or exclude."""
    return {
        name: (_build_list_condition(column, name, inside), {name: encode_list(given)})
        for name, column, inside in columns
        if (given := getattr(query, name))
    }


def build_moment_filters(query: object, columns: Iterable[tuple[str, ColumnElement[Any], bool]]) -> ListFilters:
    """Return the date conditions of a query. columns: member of the query, column, whether after or before."""
    return {
        name: (_build_moment_condition(column, name, later), {name: moment})
        for name, column, later in columns
        if (moment := getattr(query, name)) is not None
    }


def _build_list_condition(column: ColumnElement[Any], name: str, inside: bool) -> ConditionBuilder:
    return (lambda: InList(column, name)) if inside else (lambda: ~InList(column, name))


def _build_moment_condition(column: ColumnElement[Any], name: str, later: bool) -> ConditionBuilder:
    return (lambda: column > bindparam(name)) if later else (lambda: column < bindparam(name))
