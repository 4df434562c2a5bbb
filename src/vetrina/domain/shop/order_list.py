"""Which orders a list shows, and in which order.

Every filter is a condition that is built once a shape, values bound. Not here: how an order is shown (namespaces).
Rules: facts, "Lists and actions".
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import ColumnElement, bindparam, func, or_, select

from vetrina.backends.shapes import Among, Contains, listed
from vetrina.backends.tables_orders import order_item
from vetrina.backends.tables_orders import shop_order as table
from vetrina.domain.work import Work
from vetrina.kernel.folding import fold

from . import order_statuses
from .listing import Condition, Filters, Listing, given_lists, given_moments
from .order import Order, of_row

__all__ = ["OrderQuery", "listed_page", "total"]


class OrderQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What a list of orders is asked for.

    statuses: empty for all but the trash. after, before, modified_after, modified_before: seconds since 1970.
    customer: a number, 0 for guests; None for all. search: words that are all in names, addresses or the number.
    """

    statuses: tuple[str, ...] = ()
    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    parents: tuple[int, ...] = ()
    parents_excluded: tuple[int, ...] = ()
    customer: int | None = None
    product: int = 0
    after: int | None = None
    before: int | None = None
    modified_after: int | None = None
    modified_before: int | None = None
    created_via: tuple[str, ...] = ()
    number: str = ""
    search: str = ""
    orderby: str = "date"
    descending: bool = True
    limit: int = 10
    start: int = 0


_LISTS: Final = (
    ("include", table.c.id, True), ("exclude", table.c.id, False), ("parents", table.c.parent, True),
    ("parents_excluded", table.c.parent, False), ("created_via", table.c.created_via, True),
)  # fmt: skip
_DATES: Final = (
    ("after", table.c.created, True), ("before", table.c.created, False),
    ("modified_after", table.c.modified, True), ("modified_before", table.c.modified, False),
)  # fmt: skip
_LISTING: Final = Listing(table, {
    "date": table.c.created, "modified": table.c.modified, "id": table.c.id, "title": table.c.id, "slug": table.c.id,
})  # fmt: skip


def listed_page(work: Work, query: OrderQuery) -> tuple[list[Order], int]:
    """Return a page of orders, and how many there are."""
    work.uses("order")
    filters = _filters(query)
    return [of_row(row) for row in _LISTING.page(work, filters, query)], _LISTING.count(work, filters)


def total(work: Work, query: OrderQuery) -> int:
    """Return how many orders a query finds."""
    work.uses("order")
    return _LISTING.count(work, _filters(query))


def _filters(query: OrderQuery) -> Filters:
    """Return the conditions of a query by what names their shape, each with what it binds."""
    statuses = query.statuses or tuple(order_statuses.NAMES)
    out: Filters = {}
    if len(statuses) == 1:
        out["status"] = (lambda: table.c.status == bindparam("status")), {"status": statuses[0]}
    else:
        out["statuses"] = (lambda: Among(table.c.status, "statuses")), {"statuses": listed(statuses)}
    out |= given_lists(query, _LISTS) | given_moments(query, _DATES)
    if query.customer is not None:
        out["customer"] = (lambda: table.c.customer == bindparam("customer")), {"customer": query.customer}
    if query.product:
        out["product"] = _holds_product, {"product": query.product}
    if query.number:
        out["number"] = _begins_with, {"first": query.number}
    for at, word in enumerate(fold(query.search).split()):
        out["search", at] = _contains(f"word_{at}"), {f"word_{at}": word}
    return out


def _contains(name: str) -> Condition:
    return lambda: Contains(table.c.search_key, name)


def _begins_with() -> ColumnElement[bool]:
    return func.cast(table.c.id, table.c.order_key.type).startswith(bindparam("first"), autoescape=False)


def _holds_product() -> ColumnElement[bool]:
    wanted = or_(order_item.c.product == bindparam("product"), order_item.c.variation == bindparam("product"))
    return table.c.id.in_(select(order_item.c.owner).where(wanted, order_item.c.kind == "line"))
