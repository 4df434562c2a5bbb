"""Which orders a list shows, and in which order.

Every filter is a condition that is built once a shape, values bound. Not here: how an order is shown (namespaces).
Rules: facts, "Lists and actions".
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import ColumnElement, and_, bindparam, func, or_, select

from vetrina.backends.statement_cache import Among, Contains, listed
from vetrina.backends.tables.orders import order_item
from vetrina.backends.tables.orders import shop_order as table
from vetrina.core.unit_of_work import Work
from vetrina.shop.listing import Condition, Filters, Listing, given_lists, given_moments
from vetrina.shop.orders import statuses as order_statuses
from vetrina.shop.orders.model import LINE, Order, of_row

__all__ = ["OrderQuery", "has_line", "line_texts", "listed_page", "total"]


class OrderQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What a list of orders is asked for.

    statuses: empty for all but the trash. after, before, modified_after, modified_before: seconds since 1970.
    customer: a number, 0 for guests; None for all. words: folded; all of them are in names, addresses or the number.
    phrase: as it was sent; an order in which a line holds it is found as well.
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
    words: tuple[str, ...] = ()
    phrase: str = ""
    orderby: str = "date"
    descending: bool = True
    limit: int = 10
    start: int = 0


_LISTS: Final = (
    ("include", table.c.id, True), ("exclude", table.c.id, False), ("parents", table.c.parent, True),
    ("parents_excluded", table.c.parent, False), ("created_via", table.c.created_via, True),
)  # fmt: skip
_LONGEST_NUMBER: Final = 40  # signs of a number that is looked for; of a pattern databases take only so many
_DATES: Final = (
    ("after", table.c.created, True), ("before", table.c.created, False),
    ("modified_after", table.c.modified, True), ("modified_before", table.c.modified, False),
)  # fmt: skip
_LISTING: Final = Listing(table, {
    "date": table.c.created, "modified": table.c.modified, "id": table.c.id,
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
        out["number"] = _begins_with, {"first": query.number[:_LONGEST_NUMBER]}
    if query.words:
        bound = {f"word_{at}": word for at, word in enumerate(query.words)}
        bound |= line_texts(query.phrase)
        out["search", len(query.words)] = _holds_words(len(query.words)), bound
    return out


def line_texts(phrase: str) -> dict[str, str]:
    """Return what `has_line` binds to find a text in the name of a line, whichever its letters are.

    SQLite makes letters of ASCII small and no others, so the text is looked for in either form of these.
    """
    return {"small": phrase.lower(), "large": "".join(map(_ascii_lower, phrase.upper()))}


def has_line(number: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that an order or a refund has a line whose name holds the bound text."""
    name = func.lower(order_item.c.name)
    sold = or_(Contains(name, "small"), Contains(name, "large"))
    return number.in_(select(order_item.c.owner).where(order_item.c.kind == LINE, sold))


def _ascii_lower(letter: str) -> str:
    return letter.lower() if letter.isascii() else letter


def _holds_words(count: int) -> Condition:
    return lambda: or_(and_(*(Contains(table.c.search_key, f"word_{at}") for at in range(count))), has_line(table.c.id))


def _begins_with() -> ColumnElement[bool]:
    return func.cast(table.c.id, table.c.order_key.type).startswith(bindparam("first"), autoescape=False)


def _holds_product() -> ColumnElement[bool]:
    wanted = or_(order_item.c.product == bindparam("product"), order_item.c.variation == bindparam("product"))
    return table.c.id.in_(select(order_item.c.owner).where(wanted, order_item.c.kind == "line"))
