"""Which refunds a list shows, and in which order: those of one order, or of all.

Rules: facts, "Refunds"; the arguments that the index of the interface names for them.
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import ColumnElement, func, or_

from vetrina.backends.statement_cache import Contains
from vetrina.backends.tables.orders import shop_refund as table
from vetrina.core.unit_of_work import Work
from vetrina.shop.listing import Listing, given_lists, given_moments
from vetrina.shop.orders.listing import has_line, line_texts
from vetrina.shop.refunds.rules import Refund, of_row

__all__ = ["RefundQuery", "listed_page"]


class RefundQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What a list of refunds is asked for.

    parents: numbers of orders, empty for all. search: a part of the reason, or of the name of a line. after, before:
    seconds since 1970.
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


# A refund is never changed: it was last changed when it was made.
_LISTING: Final = Listing(table, {
    "date": table.c.created, "modified": table.c.created, "id": table.c.id,
})  # fmt: skip
_LISTS: Final = (
    ("parents", table.c.order, True), ("parents_excluded", table.c.order, False), ("include", table.c.id, True),
    ("exclude", table.c.id, False),
)  # fmt: skip
_DATES: Final = (("after", table.c.created, True), ("before", table.c.created, False))


def listed_page(work: Work, query: RefundQuery) -> tuple[list[Refund], int]:
    """Return a page of refunds, and how many there are."""
    work.uses("order")
    filters = given_lists(query, _LISTS) | given_moments(query, _DATES)
    if query.search:
        filters["search"] = _holds, line_texts(query.search.strip())
    return [of_row(row) for row in _LISTING.page(work, filters, query)], _LISTING.count(work, filters)


def _holds() -> ColumnElement[bool]:
    reason = func.lower(table.c.reason)
    return or_(Contains(reason, "small"), Contains(reason, "large"), has_line(table.c.id))
