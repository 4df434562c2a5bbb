"""Which refunds a list shows, and in which order: those of one order, or of all.

Rules: facts, "Refunds"; the arguments that the index of the interface names for them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, bindparam, func, select

from vetrina.backends.shapes import Among, Contains, Place, Shapes, listed
from vetrina.backends.tables_orders import shop_refund as table
from vetrina.domain.work import Work

from .refunds import Refund, of_row

__all__ = ["ORDERS", "RefundQuery", "listed_page"]

ORDERS: Final = ("date", "id", "include", "title", "slug", "modified")


class RefundQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What a list of refunds is asked for.

    parents: numbers of orders, empty for all. search: a part of the reason. after, before: seconds since 1970.
    """

    parents: tuple[int, ...] = ()
    parents_excluded: tuple[int, ...] = ()
    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    search: str = ""
    after: int | None = None
    before: int | None = None
    orderby: str = "date"
    descending: bool = True
    limit: int = 10
    start: int = 0


_Condition = Callable[[], ColumnElement[bool]]
_STATEMENTS: Final = Shapes()
# A refund is never changed and has no title: it was last changed when it was made, and is called by its number.
_COLUMNS: Final = {
    "date": table.c.created, "modified": table.c.created, "id": table.c.id, "title": table.c.id, "slug": table.c.id,
}  # fmt: skip
_CONDITIONS: Final[dict[str, _Condition]] = {
    "parents": lambda: Among(table.c.order, "parents"),
    "parents_excluded": lambda: ~Among(table.c.order, "parents_excluded"),
    "include": lambda: Among(table.c.id, "include"),
    "exclude": lambda: ~Among(table.c.id, "exclude"),
    "search": lambda: Contains(func.lower(table.c.reason), "search"),
    "after": lambda: table.c.created > bindparam("after"),
    "before": lambda: table.c.created < bindparam("before"),
}


def listed_page(work: Work, query: RefundQuery) -> tuple[list[Refund], int]:
    """Return a page of refunds, and how many there are."""
    work.uses("order")
    values = _values(query)
    page = _STATEMENTS.get(
        (*values, query.orderby, query.descending),
        lambda: (
            select(table)
            .where(*(_CONDITIONS[name]() for name in values))
            .order_by(*_order(query))
            .limit(bindparam("limit"))
            .offset(bindparam("start"))
        ),
    )
    count = _STATEMENTS.get(
        (*values, "count"),
        lambda: select(func.count()).select_from(table).where(*(_CONDITIONS[name]() for name in values)),
    )
    order_values = {"order_list": listed(query.include)} if query.orderby == "include" else {}
    rows = work.tx.all(page, **values, **order_values, limit=query.limit, start=query.start)
    return [of_row(row) for row in rows], int(work.tx.value(count, **values))


def _values(query: RefundQuery) -> dict[str, Any]:
    """Return what the conditions of a query bind, by their names."""
    values: dict[str, Any] = {
        name: listed(given)
        for name in ("parents", "parents_excluded", "include", "exclude")
        if (given := getattr(query, name))
    }
    if query.search:
        values["search"] = query.search.lower()
    return values | {name: moment for name in ("after", "before") if (moment := getattr(query, name)) is not None}


def _order(query: RefundQuery) -> list[ColumnElement[Any]]:
    if query.orderby == "include":
        place: ColumnElement[Any] = Place(table.c.id, "order_list")
        return [place.desc() if query.descending else place.asc()]
    column = _COLUMNS[query.orderby]
    return [column.desc(), table.c.id.desc()] if query.descending else [column.asc(), table.c.id.asc()]
