"""Filters and order of the order list. Rules: docs/rules/orders.md, 6.

Orders of a product or with searched words are looked for once and kept up to date by the change log
(backends/filter_cache.py); an index narrows what is looked at (backends/order_search_index.py).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import cache
from itertools import islice
from typing import Final

import msgspec
from sqlalchemy import ColumnElement, bindparam, func, literal_column, select

from vetrina.backends.database import Statement
from vetrina.backends.filter_cache import FilterQuery, FilterResult
from vetrina.backends.order_line_names import LINE_NAMES
from vetrina.backends.order_search_index import BOUND_NAMES
from vetrina.backends.statement_cache import InList, UnindexedColumn, encode_list
from vetrina.backends.tables.orders import shop_order as table
from vetrina.core.listing import (
    ConditionBuilder,
    ListFilters,
    Listing,
    build_list_filters,
    build_moment_filters,
    collect_values,
    plan_reading,
)  # fmt: skip
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.orders import search as order_search, statuses as order_statuses, tallies
from vetrina.shop.orders.model import STORE, Order
from vetrina.shop.orders.search import OrderSearch, Way


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
# Orders read in their order that take as long as what it takes to look up one that is found, and to sort it.
_READ_ALONG_SHARE: Final = 1 / 16
_SIEVED_SHARE: Final = 4
_status = select(func.min(table.c.status).label("status")).cte("held", recursive=True)
_next = select(func.min(table.c.status)).where(table.c.status > _status.c.status).scalar_subquery()
_held = _status.union_all(select(_next).where(_status.c.status.is_not(None)))
# The statuses that orders have, each of which the index is asked for, instead of all orders.
_HELD_STATUSES: Final = Statement(select(_held.c.status).where(_held.c.status.is_not(None)))
_FOUND_IDS: Final = "found"
_UNTOLD: Final = BOUND_NAMES | {LINE_NAMES}  # bound values that follow from others
_HIGHEST_ID: Final = Statement(select(func.max(table.c.id)))
_LISTING: Final = Listing(STORE, {
    "date": table.c.created, "modified": table.c.modified, "id": table.c.id,
})  # fmt: skip


def list_orders(work: UnitOfWork, query: OrderQuery) -> tuple[list[Order], int]:
    """Return a page of orders, and how many there are."""
    work.uses("order")
    if query.words or query.product:
        return _list_found_orders(work, query)
    filters = _build_filters(query)
    if "statuses" not in filters or len(query.statuses or order_statuses.STATUS_NAMES) < _MANY_STATUSES:
        total = _count(work, query, filters)
        return _LISTING.list_items(work, filters, query, total), total
    # Nearly all orders have one of these: read in their order, a page takes 11 ms at the 19,000th of 20,000 orders;
    # found by their statuses, all of them are sorted, which takes 160.
    total = _count(work, query, filters)
    return _LISTING.list_items(work, _read_statuses_along(filters), query, total), total


def count_orders(work: UnitOfWork, query: OrderQuery) -> int:
    """Return how many orders match a query without words and product."""
    work.uses("order")
    return _count(work, query, _build_filters(query))


def _count(work: UnitOfWork, query: OrderQuery, filters: ListFilters) -> int:
    if filters.keys() <= {"status", "statuses"}:
        return tallies.sum_tallies(work.tx, query.statuses or order_statuses.STATUS_NAMES)
    return _LISTING.count(work, filters)


def _list_found_orders(work: UnitOfWork, query: OrderQuery) -> tuple[list[Order], int]:
    """Return a page of the orders with searched words or of a product, and how many there are."""
    search = order_search.build_search(work, query.words, query.phrase)
    found = _find_matches(work, query, search)
    if query.offset >= found.total:
        return [], found.total
    filters = _read_statuses_along(_build_filters(query))
    if found.ids is not None:
        filters = _build_id_filters(found.ids)
    else:
        way = _choose_way(work, query, found.total)
        filters |= _build_found_filters(query, search, way, way)
    return _LISTING.list_items(work, filters, query, found.total), found.total


def _build_found_filters(query: OrderQuery, search: OrderSearch | None, way: Way, product_way: Way) -> ListFilters:
    out = {} if search is None else order_search.build_search_filters(search, way)
    return out | order_search.build_product_filters(query.product, product_way) if query.product else out


def _choose_way(work: UnitOfWork, query: OrderQuery, total: int) -> Way:
    """Return how the page of a query that finds so many orders is read; their sorting is what takes long."""
    page = plan_reading(query.offset, query.limit, total)
    # Where every third order is found, a page is among three times as many.
    read = (page.skipped + page.taken) * int(work.tx.value(_HIGHEST_ID) or 0) / total
    if read < total * _READ_ALONG_SHARE and work.tx.kind == "postgresql":
        return Way.READ_ALONG
    return Way.SIEVED if read < total * _SIEVED_SHARE else Way.LOOKED_UP


def _find_matches(work: UnitOfWork, query: OrderQuery, search: OrderSearch | None) -> FilterResult:
    """Return how many orders a query finds and, where they are few, which."""
    others, along = _build_filters(query), _read_statuses_along(_build_filters(query))
    statuses = query.statuses or tuple(order_statuses.STATUS_NAMES)
    most_statuses = len(statuses) >= _MANY_STATUSES
    frequent = search is not None and search.is_frequent
    way = Way.SIEVED if frequent else Way.LOOKED_UP
    product_way = Way.LOOKED_UP
    if query.product and ((search is not None and not frequent) or order_search.has_many_orders(work, query.product)):
        product_way = Way.SIEVED
    sieved = way is Way.SIEVED if search is not None else product_way is Way.SIEVED

    @cache
    def build_filters() -> ListFilters:
        if frequent and (few := _list_few_found(work, search)) is not None:
            return along | _build_id_filters(few) | _build_found_filters(query, None, Way.SIEVED, Way.SIEVED)
        return (others if sieved else along) | _build_found_filters(query, search, way, product_way)

    def count() -> int:
        filters = build_filters()
        told_by_one = search is None or not query.product
        if sieved and told_by_one and _FOUND_IDS not in filters and set(others) == {"statuses"} and most_statuses:
            return _count_less_others(work, query, search, statuses)
        if search is not None and search.named and told_by_one and _FOUND_IDS not in filters:
            # Apart, each is a join of what indexes tell; as alternatives, all that is found is sorted first.
            parts = (order_search.build_line_filters(search), order_search.build_lineless_filters(search))
            return sum(_LISTING.count(work, others | part) for part in parts)
        return _LISTING.count(work, filters)

    # The change log does not tell order by order which ones become those of guests when an account is deleted.
    if query.customer is not None:
        return FilterResult(count(), None)

    def ids(most: int | None) -> Iterable[int]:
        return islice(_LISTING.iterate_ids(work, build_filters()), most)

    named = along | _build_found_filters(query, search, Way.READ_ALONG, Way.READ_ALONG)

    def select_matching(changed: Sequence[int]) -> Iterable[int]:
        return _LISTING.iterate_ids(work, _build_id_filters(changed) | named)

    told = tuple((name, value) for name, value in collect_values(named).items() if name not in _UNTOLD)
    matches = FilterQuery(
        ("orders", tuple(named), told), frozenset({"order"}), frozenset(), count, ids, select_matching,
        counted_first=sieved,
    )  # fmt: skip
    return work.site.filter_cache.find_matches(work.tx, matches, expensive=not sieved)


def _list_few_found(work: UnitOfWork, search: OrderSearch | None) -> list[int] | None:
    """Return the orders that an indexed search finds, None if they are many."""
    if search is None or search.indexed is None:
        return None
    few = work.site.filter_cache.most_ids
    found = order_search.list_first_found(work, search, search.indexed, few + 1)
    return found if len(found) <= few else None


def _build_id_filters(ids: Sequence[int]) -> ListFilters:
    return {_FOUND_IDS: ((lambda: InList(table.c.id, _FOUND_IDS)), {_FOUND_IDS: encode_list(ids)})}


def _count_less_others(work: UnitOfWork, query: OrderQuery, search: OrderSearch | None, statuses: Sequence[str]) -> int:
    """Return how many orders of most statuses a query finds: all that it finds, less those of the others."""
    rest = [one for one in work.tx.column(_HELD_STATUSES) if one not in statuses]
    others: ListFilters = {"statuses": (lambda: InList(table.c.status, "statuses"), {"statuses": encode_list(rest)})}
    way = Way.SIEVED if search is None or search.named is None else Way.READ_ALONG
    less = _LISTING.count(work, others | _build_found_filters(query, search, way, Way.SIEVED)) if rest else 0
    if search is not None:
        return order_search.count_found_orders(work, search) - less
    return order_search.count_product_orders(work, query.product) - less


def _read_statuses_along(filters: ListFilters) -> ListFilters:
    """Return filters that find no rows by their statuses, which are looked at when rows are read for another reason."""
    read: dict[Hashable, tuple[Hashable, ConditionBuilder]] = {
        "status": ("status read along", lambda: UnindexedColumn(table.c.status) == bindparam("status")),
        "statuses": ("statuses read along", lambda: InList(UnindexedColumn(table.c.status), "statuses")),
    }
    return {
        (read[shape][0] if shape in read else shape): (read[shape][1] if shape in read else condition, bound)
        for shape, (condition, bound) in filters.items()
    }


def _build_filters(query: OrderQuery) -> ListFilters:
    """Return the conditions of a query by their shape, each with its bound values; not those of words and products."""
    statuses = query.statuses or tuple(order_statuses.STATUS_NAMES)
    out: ListFilters = {}
    if len(statuses) == 1:
        out["status"] = (lambda: table.c.status == bindparam("status")), {"status": statuses[0]}
    else:
        out["statuses"] = (lambda: InList(table.c.status, "statuses")), {"statuses": encode_list(statuses)}
    out |= build_list_filters(query, _LISTS) | build_moment_filters(query, _DATES)
    if query.customer is not None:
        out["customer"] = (lambda: table.c.customer == bindparam("customer")), {"customer": query.customer}
    if query.number:
        out["number"] = _build_number_condition, {"first": query.number[:_MAX_NUMBER_LENGTH].lower()}
    return out


def _build_number_condition() -> ColumnElement[bool]:
    shown = func.coalesce(func.nullif(table.c.number, ""), func.cast(table.c.id, table.c.order_key.type))
    first = bindparam("first", type_=table.c.number.type)
    return func.substr(func.lower(shown), literal_column("1"), func.length(first)) == first
