"""The order of a list of records, and the statements that read one in order.

Indexes have a status before the sort column. So a list of several statuses is read as one list a status, merged by the
database, which stops at the end of the page instead of sorting all of them. Not here: pages and totals
(content/records/listing.py), filters (content/records/filters.py). Rules: docs/rules/lists.md, 2 and 5;
docs/rules/custom_field_lists.md, 3.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import bindparam, literal_column, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.statement_cache import ListPosition, encode_list
from vetrina.backends.tables.records import menu_item, record
from vetrina.backends.tables.terms import record_term
from vetrina.content.custom_fields.value_conditions import LEADING
from vetrina.content.records.filters import RecordFilters
from vetrina.content.records.list_languages import LanguageShare
from vetrina.content.records.query import RecordQuery
from vetrina.content.search import relevance
from vetrina.core import listing as core_listing
from vetrina.core.listing import OrderKeys

_ORDERS = {
    "author": record.c.author, "date": record.c.date, "id": record.c.id, "modified": record.c.modified,
    "parent": record.c.parent, "slug": record.c.slug, "title": record.c.title_key, "menu_order": record.c.menu_order,
    "item_parent": select(menu_item.c.parent).where(menu_item.c.record == record.c.id).scalar_subquery(),
}  # fmt: skip


def select_records(query: RecordQuery, filters: RecordFilters) -> Any:
    """Return the statement of the records of a list in one status, in order."""
    return (
        select(record)
        .select_from(filters.source(led=filters.leading_field))
        .where(*filters.where(looked_up=False, led=filters.leading_field))
        .order_by(*build_order(query, filters))
    )


def cut_page(rows: Any, size: int | None) -> Any:
    """Return the statement of a page of rows: the first `size` ones; without it both ends of the page are bound."""
    if size is not None:
        return rows.limit(literal_column(str(size)))
    return rows.limit(bindparam("limit")).offset(bindparam("start"))


def select_ids(
    query: RecordQuery,
    filters: RecordFilters,
    *,
    looked_up: bool = False,
    backwards: bool = False,
    size: int | None = None,
) -> Any:
    """Return the statement of the ids of a page in order, or in the opposite one.

    looked_up: as for `RecordFilters.where`. size: as for `cut_page`, of lists in one status.
    """
    return _select_in_order(query, filters, [record.c.id], looked_up=looked_up, backwards=backwards, size=size)


def select_share(query: RecordQuery, filters: RecordFilters, share: LanguageShare) -> Any:
    """Return the statement of a language's part of a page in order: what it is sorted by, and the ids."""
    columns = [get_sort_column(query, filters), record.c.id]
    return _select_in_order(query, filters, columns, untranslated=share.untranslated, skipping=False)


def _select_in_order(
    query: RecordQuery,
    filters: RecordFilters,
    columns: list[ColumnElement[Any]],
    *,
    untranslated: bool = False,
    looked_up: bool = False,
    backwards: bool = False,
    skipping: bool = True,
    size: int | None = None,
) -> Any:
    led = filters.leading_field
    keys = [(key, down != backwards) for key, down in _list_order_keys(query, filters)]
    if looked_up or not filters.is_divided:
        conditions = filters.where(untranslated, looked_up, led)
        plain = select(*columns).select_from(filters.source(led=led)).where(*conditions)
        ordered = plain.order_by(*core_listing.build_order(keys))
        return cut_page(ordered, size) if skipping else ordered.limit(bindparam("limit"))
    parts = [
        select(*columns, *core_listing.label_keys(keys))
        .select_from(filters.source(led=led))
        .where(*filters.where(untranslated, looked_up=False, led=led, part=at))
        for at in range(len(filters.statuses))
    ]
    return core_listing.merge_in_order(parts, keys, skipping=skipping)


def get_sort_column(query: RecordQuery, filters: RecordFilters | None = None) -> ColumnElement[Any]:
    """Return the column that a list is sorted by."""
    if query.sorted_by is not None:
        own: ColumnElement[Any] = query.sorted_by
        return own
    if query.sort_field:
        return LEADING.c.value
    if query.orderby == "date" or query.orderby not in _ORDERS:
        return _get_leading_columns(filters)[1]
    return _ORDERS[query.orderby]


def _get_leading_columns(filters: RecordFilters | None) -> tuple[ColumnElement[int], ColumnElement[int]]:
    """Return the columns of the id and the date in the rows along which a list is read; records without filters."""
    if filters is not None and filters.leading_field is not None:
        return LEADING.c.record, LEADING.c.date
    if filters is not None and filters.by_term:
        return record_term.c.record, record_term.c.date
    return record.c.id, record.c.date


def build_order(query: RecordQuery, filters: RecordFilters | None = None) -> list[ColumnElement[Any]]:
    """Return the ORDER BY of a list; without filters: for records picked by id."""
    return core_listing.build_order(_list_order_keys(query, filters))


def _list_order_keys(query: RecordQuery, filters: RecordFilters | None) -> OrderKeys:
    down = query.order != "asc"
    id, date = _get_leading_columns(filters)
    tail = (id, down)
    match query.orderby:
        case "include":
            return [(ListPosition(record.c.id, "order_list"), False), tail]
        case "include_slugs" if query.slugs:
            return [(ListPosition(record.c.slug, "order_list"), False), tail]
        case "relevance" if query.search:
            return [(relevance.build_rank_expression(query.search), False), (date, down), tail]
        case "id":
            return [tail]
        case "author":
            return [(record.c.author, down), (date, down), tail]
        case orderby:
            column = date if orderby == "date" else _ORDERS.get(orderby, date)
            if query.sorted_by is not None:
                column = query.sorted_by
            elif query.sort_field:
                column = LEADING.c.value
            return [(column, down), tail]


def build_order_values(query: RecordQuery) -> dict[str, Any]:
    """Return the bound values of the order."""
    match query.orderby:
        case "include":
            return {"order_list": encode_list(query.include)}
        case "include_slugs" if query.slugs:
            return {"order_list": encode_list(query.slugs)}
        case "relevance" if query.search:
            return relevance.build_rank_values(query.search)
        case _:
            return {}
