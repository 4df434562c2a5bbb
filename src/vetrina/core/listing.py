"""Lists of tables: filters, order, paging and counting.

A statement is built once for each combination of filters and order; values are bound. The filters of a list are in its
subject, as in shop/coupons/listing.py.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

import msgspec
from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    CompoundSelect,
    Select,
    bindparam,
    cast,
    func,
    literal_column,
    select,
    union_all,
)

from vetrina.backends.database import DatabaseKind
from vetrina.backends.statement_cache import InList, ListPosition, StatementCache, encode_list
from vetrina.backends.store import Store
from vetrina.core.unit_of_work import UnitOfWork

# Rows before a page that PostgreSQL would rather read than skip along the index; SQLite skips them by itself.
_MANY_SKIPPED: Final = 1_000
T = TypeVar("T", bound=msgspec.Struct)
ConditionBuilder = Callable[[], ColumnElement[bool]]
# Shape of the condition → the condition, its bound values.
ListFilters = dict[Hashable, tuple[ConditionBuilder, dict[str, Any]]]


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
    def offset(self) -> int: ...


class PageReading(NamedTuple):
    """How a page is read. backwards: in the opposite order, from the end. skipped: rows before it. taken: its own."""

    backwards: bool
    skipped: int
    taken: int


def plan_reading(start: int, limit: int, total: int) -> PageReading:
    """Return how a page of an ordered list is read, which is from its nearer end. start: its first row, from 0."""
    taken = min(limit, total - start)
    rest = total - start - taken
    return PageReading(True, rest, taken) if rest < start else PageReading(False, start, taken)


# What a list is sorted by: columns, each with whether it descends.
OrderKeys = Sequence[tuple[ColumnElement[Any], bool]]


def build_order(keys: OrderKeys) -> list[ColumnElement[Any]]:
    """Return the ORDER BY of a list."""
    return [key.desc() if down else key.asc() for key, down in keys]


def label_keys(keys: OrderKeys) -> list[ColumnElement[Any]]:
    """Return the columns that each of the lists selects which `merge_in_order` merges."""
    return [key.label(f"key_{at}") for at, (key, _) in enumerate(keys)]


def merge_in_order(
    parts: Sequence[Select[Any]], keys: OrderKeys, *, skipping: bool = True
) -> Callable[[DatabaseKind], CompoundSelect[Any]]:
    """Return the statement of a page, `start` (where `skipping`) and `limit`, of lists in their common order.

    The lists have no common row, and an index has each of them in order: then the database stops reading at the end of
    the page. SQLite does so by itself, PostgreSQL where each list is ordered and limited.
    """
    limit, start = bindparam("limit", type_=BigInteger), bindparam("start", type_=BigInteger)
    merged: OrderKeys = [(literal_column(f"key_{at}"), down) for at, (_, down) in enumerate(keys)]

    def build(kind: DatabaseKind) -> CompoundSelect[Any]:
        lists = parts
        if kind == "postgresql":
            most = cast(limit, BigInteger) + cast(start, BigInteger) if skipping else limit
            lists = [part.order_by(*build_order(keys)).limit(most) for part in parts]
        page = union_all(*lists).order_by(*build_order(merged)).limit(limit)
        return page.offset(start) if skipping else page

    return build


class Listing(Generic[T]):
    """Lists of a store. orders: the sort columns by the words of `orderby`; the id decides among equals.

    `include` sorts by the ids that the query includes; without a sort column the direction is ignored too.
    """

    def __init__(self, store: Store[T], orders: Mapping[str, ColumnElement[Any]]) -> None:
        self._store, self._orders, self._statements = store, orders, StatementCache()

    def list_page(self, work: UnitOfWork, filters: ListFilters, query: ListQuery) -> tuple[list[T], int]:
        """Return a page, and how many rows match."""
        total = self.count(work, filters)
        return self.list_items(work, filters, query, total), total

    def list_items(self, work: UnitOfWork, filters: ListFilters, query: ListQuery, total: int | None = None) -> list[T]:
        """Return a page. total: how many rows match, where it is known: then a late page is read from the end."""
        if total is not None and query.offset >= total:
            return []
        page = PageReading(False, query.offset, query.limit)
        if total is not None and query.orderby in self._orders:
            page = plan_reading(query.offset, query.limit, total)
        is_late = work.tx.kind == "postgresql" and page.skipped >= _MANY_SKIPPED
        statement = self._statements.get(
            ("page", tuple(filters), query.orderby, bool(query.include), query.descending, page.backwards, is_late),
            lambda: self._build_page(filters, query, page.backwards, is_late),
        )
        places = {"places": encode_list(query.include)} if query.orderby == "include" and query.include else {}
        values = {**collect_values(filters), **places, "limit": page.taken, "offset": page.skipped}
        rows = work.tx.all(statement, **values)
        return self._store.of_rows(rows[::-1] if page.backwards else rows)

    def _build_page(self, filters: ListFilters, query: ListQuery, backwards: bool, is_late: bool) -> Select[Any]:
        """Return the statement of a page. is_late: whether its rows are read once the index has told which they are."""
        page, order = select(*self._store.columns), self._build_order(query, backwards)
        limit: BindParameter[int] = bindparam("limit")
        offset: BindParameter[int] = bindparam("offset")
        if not is_late:
            return page.where(*_build_conditions(filters)).order_by(*order).limit(limit).offset(offset)
        number = self._store.table.c.id
        ids = select(number).where(*_build_conditions(filters)).order_by(*order).limit(limit).offset(offset)
        # As an array: of a subquery the planner believes that it has many rows, and reads all of the table.
        return page.where(number == func.any(func.array(ids.scalar_subquery()))).order_by(*order)

    def count(self, work: UnitOfWork, filters: ListFilters) -> int:
        """Return how many rows match."""
        statement = self._statements.get(
            ("count", tuple(filters)),
            lambda: select(func.count()).select_from(self._store.table).where(*_build_conditions(filters)),
        )
        return int(work.tx.value(statement, **collect_values(filters)))

    def iterate_ids(self, work: UnitOfWork, filters: ListFilters) -> Iterator[int]:
        """Yield the ids of the rows that match, in no order; exhaust it before the next statement."""
        statement = self._statements.get(
            ("ids", tuple(filters)), lambda: select(self._store.table.c.id).where(*_build_conditions(filters))
        )
        return work.tx.column(statement, **collect_values(filters))

    def _build_order(self, query: ListQuery, backwards: bool) -> list[ColumnElement[Any]]:
        number = self._store.table.c.id
        if query.orderby == "include" and query.include:
            return [ListPosition(number, "places").asc()]
        if query.orderby not in self._orders:
            return [number.asc()]
        keys = [self._orders[query.orderby], number]
        return [key.desc() if query.descending != backwards else key.asc() for key in keys]


def _build_conditions(filters: ListFilters) -> Iterable[ColumnElement[bool]]:
    return (condition() for condition, _ in filters.values())


def collect_values(filters: ListFilters) -> dict[str, Any]:
    """Return the bound values of all conditions of a list."""
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
