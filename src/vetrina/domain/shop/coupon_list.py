"""Which coupons a list shows, and in which order.

Rules: facts, "Coupons": published ones unless another status is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, bindparam, func, or_, select

from vetrina.backends.shapes import Among, Contains, Place, Shapes, listed
from vetrina.backends.tables_orders import coupon as table
from vetrina.domain.work import Work

from .coupons import Coupon, key_of, of_row

__all__ = ["ORDERS", "CouponQuery", "listed_page"]

ORDERS: Final = ("date", "id", "include", "title", "slug", "modified")


class CouponQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What a list of coupons is asked for. Moments are seconds since 1970; status `any`: all but the trash."""

    status: str = "publish"
    code: str = ""
    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    search: str = ""
    after: int | None = None
    before: int | None = None
    modified_after: int | None = None
    modified_before: int | None = None
    orderby: str = "date"
    descending: bool = True
    limit: int = 10
    start: int = 0


_Condition = Callable[[], ColumnElement[bool]]
_STATEMENTS: Final = Shapes()
_COLUMNS: Final = {
    "date": table.c.created, "modified": table.c.modified, "id": table.c.id, "title": table.c.code_key,
    "slug": table.c.code_key,
}  # fmt: skip


def listed_page(work: Work, query: CouponQuery) -> tuple[list[Coupon], int]:
    """Return a page of coupons, and how many there are."""
    work.uses("coupon")
    filters = _filters(query)
    key = tuple(filters)
    values = {name: value for _, bound in filters.values() for name, value in bound.items()}
    conditions = [condition for condition, _ in filters.values()]
    page = _STATEMENTS.get(
        (key, query.orderby, query.descending),
        lambda: (
            select(table)
            .where(*(condition() for condition in conditions))
            .order_by(*_order(query))
            .limit(bindparam("limit"))
            .offset(bindparam("start"))
        ),
    )
    count = _STATEMENTS.get(
        (key, "count"),
        lambda: select(func.count()).select_from(table).where(*(condition() for condition in conditions)),
    )
    order_values = {"order_list": listed(query.include)} if query.orderby == "include" else {}
    rows = work.tx.all(page, **values, **order_values, limit=query.limit, start=query.start)
    return [of_row(row) for row in rows], int(work.tx.value(count, **values))


def _filters(query: CouponQuery) -> dict[str, tuple[_Condition, dict[str, Any]]]:
    out: dict[str, tuple[_Condition, dict[str, Any]]] = {}
    if query.status == "any":
        out["any"] = (lambda: table.c.status != "trash"), {}
    else:
        out["status"] = (lambda: table.c.status == bindparam("status")), {"status": query.status}
    if query.code:
        out["code"] = (lambda: table.c.code_key == bindparam("code")), {"code": key_of(query.code)}
    if query.include:
        out["include"] = (lambda: Among(table.c.id, "include")), {"include": listed(query.include)}
    if query.exclude:
        out["exclude"] = (lambda: ~Among(table.c.id, "exclude")), {"exclude": listed(query.exclude)}
    if query.search:
        out["search"] = _searched, {"search": query.search.lower()}
    for name, column, later in (
        ("after", table.c.created, True), ("before", table.c.created, False),
        ("modified_after", table.c.modified, True), ("modified_before", table.c.modified, False),
    ):  # fmt: skip
        if (moment := getattr(query, name)) is not None:
            out[name] = _compared(column, name, later), {name: moment}
    return out


def _searched() -> ColumnElement[bool]:
    return or_(Contains(table.c.code_key, "search"), Contains(func.lower(table.c.description), "search"))


def _compared(column: ColumnElement[Any], name: str, later: bool) -> _Condition:
    return (lambda: column > bindparam(name)) if later else (lambda: column < bindparam(name))


def _order(query: CouponQuery) -> list[ColumnElement[Any]]:
    if query.orderby == "include":
        place: ColumnElement[Any] = Place(table.c.id, "order_list")
        return [place.desc() if query.descending else place.asc()]
    column = _COLUMNS[query.orderby]
    return [column.desc(), table.c.id.desc()] if query.descending else [column.asc(), table.c.id.asc()]
