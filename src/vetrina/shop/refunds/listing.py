"""Filters and order of the refund lists: of one order, or of all.

Rules: docs/rules/refunds.md, 4.
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import ColumnElement, func, or_

from vetrina.backends.statement_cache import ContainsText
from vetrina.backends.tables.orders import shop_refund as table
from vetrina.core.listing import Listing, build_list_filters, build_moment_filters
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.orders.search import build_line_condition, build_line_search_texts
from vetrina.shop.refunds.rules import STORE, Refund


class RefundQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Query of a refund list.

    parents: ids of orders, empty for all. search: part of the reason, or of a line's name. after, before: seconds since
    1970.
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
    offset: int = 0


# A refund is never changed: its last change is its creation.
_LISTING: Final = Listing(STORE, {
    "date": table.c.created, "modified": table.c.created, "id": table.c.id,
})  # fmt: skip
_ID_FILTERS: Final = (
    ("parents", table.c.order, True), ("parents_excluded", table.c.order, False), ("include", table.c.id, True),
    ("exclude", table.c.id, False),
)  # fmt: skip
_DATE_FILTERS: Final = (("after", table.c.created, True), ("before", table.c.created, False))


def list_refunds(work: UnitOfWork, query: RefundQuery) -> tuple[list[Refund], int]:
    """Return a page of refunds, and how many there are."""
    work.uses("order")
    filters = build_list_filters(query, _ID_FILTERS) | build_moment_filters(query, _DATE_FILTERS)
    if query.search:
        filters["search"] = _build_search_condition, build_line_search_texts(query.search.strip())
    return _LISTING.list_page(work, filters, query)


def _build_search_condition() -> ColumnElement[bool]:
    reason = func.lower(table.c.reason)
    return or_(ContainsText(reason, "small"), ContainsText(reason, "large"), build_line_condition(table.c.id))
