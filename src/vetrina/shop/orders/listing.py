"""Filters and order of the order list. Rules: docs/rules/orders.md, 6."""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import ColumnElement, and_, bindparam, func, literal_column, or_, select

from vetrina.backends.statement_cache import ContainsText, InList, UnindexedColumn, encode_list
from vetrina.backends.tables.orders import order_item, shop_order as table
from vetrina.core.listing import ConditionBuilder, ListFilters, Listing, build_list_filters, build_moment_filters
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.orders import statuses as order_statuses
from vetrina.shop.orders.model import LINE, STORE, Order


class OrderQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Query of an order list.

    statuses: empty for all but the trash. after, before, modified_after, modified_before: seconds since 1970. customer:
    account id, 0 for guests; None for all. words: folded; all must occur in names, addresses or the order number.
    phrase: as it was sent; orders with a line whose name contains it match as well.
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
    offset: int = 0


_LISTS: Final = (
    ("include", table.c.id, True), ("exclude", table.c.id, False), ("parents", table.c.parent, True),
    ("parents_excluded", table.c.parent, False), ("created_via", table.c.created_via, True),
)  # fmt: skip
_MAX_NUMBER_LENGTH: Final = 40  # characters of a searched order number
_DATES: Final = (
    ("after", table.c.created, True), ("before", table.c.created, False),
    ("modified_after", table.c.modified, True), ("modified_before", table.c.modified, False),
)  # fmt: skip
_MANY_STATUSES: Final = 5  # of the seven that orders usually have
_LISTING: Final = Listing(STORE, {
    "date": table.c.created, "modified": table.c.modified, "id": table.c.id,
})  # fmt: skip


def list_orders(work: UnitOfWork, query: OrderQuery) -> tuple[list[Order], int]:
    """Return a page of orders, and how many there are."""
    work.uses("order")
    filters = _build_filters(query)
    statuses = filters.get("statuses")
    if statuses is None or len(query.statuses or order_statuses.STATUS_NAMES) < _MANY_STATUSES:
        return _LISTING.list_page(work, filters, query)
    # Nearly all orders have one of these: read in their order, a page takes 11 ms at the 19,000th of 20,000 orders;
    # found by their statuses, all of them are sorted, which takes 160.
    paged: ListFilters = {"many statuses": (_build_unindexed_condition, statuses[1])}
    paged |= {shape: one for shape, one in filters.items() if shape != "statuses"}
    total = _LISTING.count(work, filters)
    return _LISTING.list_items(work, paged, query, total), total


def _build_unindexed_condition() -> ColumnElement[bool]:
    return InList(UnindexedColumn(table.c.status), "statuses")


def count_orders(work: UnitOfWork, query: OrderQuery) -> int:
    """Return how many orders match a query."""
    work.uses("order")
    return _LISTING.count(work, _build_filters(query))


def _build_filters(query: OrderQuery) -> ListFilters:
    """Return the conditions of a query by their shape, each with its bound values."""
    statuses = query.statuses or tuple(order_statuses.STATUS_NAMES)
    out: ListFilters = {}
    if len(statuses) == 1:
        out["status"] = (lambda: table.c.status == bindparam("status")), {"status": statuses[0]}
    else:
        out["statuses"] = (lambda: InList(table.c.status, "statuses")), {"statuses": encode_list(statuses)}
    out |= build_list_filters(query, _LISTS) | build_moment_filters(query, _DATES)
    if query.customer is not None:
        out["customer"] = (lambda: table.c.customer == bindparam("customer")), {"customer": query.customer}
    if query.product:
        out["product"] = _build_product_condition, {"product": query.product}
    if query.number:
        out["number"] = _build_number_condition, {"first": query.number[:_MAX_NUMBER_LENGTH].lower()}
    if query.words:
        bound = {f"word_{at}": word for at, word in enumerate(query.words)}
        bound |= build_line_search_texts(query.phrase)
        out["search", len(query.words)] = _build_words_condition(len(query.words)), bound
    return out


def build_line_search_texts(phrase: str) -> dict[str, str]:
    """Return the bound values of `build_line_condition` that find a text in a line's name, ignoring case.

    SQLite lowercases ASCII letters only, so both cases of all others are searched.
    """
    return {"small": phrase.lower(), "large": "".join(map(_lowercase_ascii, phrase.upper()))}


def build_line_condition(number: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that an order or a refund has a line whose name contains the bound text."""
    name = func.lower(order_item.c.name)
    sold = or_(ContainsText(name, "small"), ContainsText(name, "large"))
    return number.in_(select(order_item.c.owner).where(order_item.c.kind == LINE, sold))


def _lowercase_ascii(letter: str) -> str:
    return letter.lower() if letter.isascii() else letter


def _build_words_condition(count: int) -> ConditionBuilder:
    return lambda: or_(
        and_(*(ContainsText(table.c.search_key, f"word_{at}") for at in range(count))), build_line_condition(table.c.id)
    )


def _build_number_condition() -> ColumnElement[bool]:
    shown = func.coalesce(func.nullif(table.c.number, ""), func.cast(table.c.id, table.c.order_key.type))
    first = bindparam("first", type_=table.c.number.type)
    return func.substr(func.lower(shown), literal_column("1"), func.length(first)) == first


def _build_product_condition() -> ColumnElement[bool]:
    wanted = or_(order_item.c.product == bindparam("product"), order_item.c.variation == bindparam("product"))
    return table.c.id.in_(select(order_item.c.owner).where(wanted, order_item.c.kind == "line"))
