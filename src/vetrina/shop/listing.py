"""Lists of the shop's own rows: conditions that have names, an order, a page of them and how many there are.

A condition is built once a shape, its values are bound. Not here: which conditions a list knows
(shop/orders/listing.py, shop/coupons/listing.py, shop/refunds/listing.py).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Final, Protocol

from sqlalchemy import ColumnElement, Table, bindparam, func, select

from vetrina.backends.database import Row
from vetrina.backends.statement_cache import Among, Place, Shapes, listed
from vetrina.core.unit_of_work import Work

__all__ = ["ORDERS", "Condition", "Filters", "Listing", "given_lists", "given_moments"]

Condition = Callable[[], ColumnElement[bool]]
Filters = dict[Hashable, tuple[Condition, dict[str, Any]]]  # by what names their shape: the condition, what it binds

ORDERS: Final = ("date", "id", "include", "title", "slug", "modified")


class Ordered(Protocol):
    """What every list is asked for. include: numbers, in whose order rows may come."""

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


class Listing:
    """The lists of one table. columns: what rows are ordered by, for those of ORDERS that it has."""

    def __init__(self, table: Table, columns: Mapping[str, ColumnElement[Any]]) -> None:
        self._table, self._columns, self._statements = table, columns, Shapes()

    def page(self, work: Work, filters: Filters, query: Ordered) -> list[Row]:
        """Return the rows of a page."""
        statement = self._statements.get(
            ("page", tuple(filters), query.orderby, bool(query.include), query.descending),
            lambda: (
                select(self._table)
                .where(*_conditions(filters))
                .order_by(*self._order(query))
                .limit(bindparam("limit"))
                .offset(bindparam("start"))
            ),
        )
        places = {"places": listed(query.include)} if query.orderby == "include" and query.include else {}
        return work.tx.all(statement, **_values(filters), **places, limit=query.limit, start=query.start)

    def count(self, work: Work, filters: Filters) -> int:
        """Return how many rows there are."""
        statement = self._statements.get(
            ("count", tuple(filters)),
            lambda: select(func.count()).select_from(self._table).where(*_conditions(filters)),
        )
        return int(work.tx.value(statement, **_values(filters)))

    def _order(self, query: Ordered) -> list[ColumnElement[Any]]:
        number = self._table.c.id
        if query.orderby == "include" and query.include:
            return [Place(number, "places").asc()]
        # What a table has no column for says nothing, neither by which order nor in which direction.
        if query.orderby not in self._columns:
            return [number.asc()]
        keys = [self._columns[query.orderby], number]
        return [key.desc() if query.descending else key.asc() for key in keys]


def _conditions(filters: Filters) -> Iterable[ColumnElement[bool]]:
    return (condition() for condition, _ in filters.values())


def _values(filters: Filters) -> dict[str, Any]:
    return {name: value for _, bound in filters.values() for name, value in bound.items()}


def given_lists(query: object, columns: Iterable[tuple[str, ColumnElement[Any], bool]]) -> Filters:
    """Return the conditions of the lists that a query gives. columns: member of the query, column, whether among it."""
    return {
        name: (_among(column, name, inside), {name: listed(given)})
        for name, column, inside in columns
        if (given := getattr(query, name))
    }


def given_moments(query: object, columns: Iterable[tuple[str, ColumnElement[Any], bool]]) -> Filters:
    """Return the conditions of the moments that a query gives. columns: member, column, whether later than it."""
    return {
        name: (_compared(column, name, later), {name: moment})
        for name, column, later in columns
        if (moment := getattr(query, name)) is not None
    }


def _among(column: ColumnElement[Any], name: str, inside: bool) -> Condition:
    return (lambda: Among(column, name)) if inside else (lambda: ~Among(column, name))


def _compared(column: ColumnElement[Any], name: str, later: bool) -> Condition:
    return (lambda: column > bindparam(name)) if later else (lambda: column < bindparam(name))
