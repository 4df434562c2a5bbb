"""Lists of records: a page of them, their order, the total.

A statement depends only on the shape of its query (filters and order) and is cached. Where the query asks for it,
records that the caller may not see are neither listed nor counted. Not here: the filters (content/records/filters.py,
content/records/visibility_filters.py). Rules: docs/rules/lists.md, 2, 3 and 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import bindparam, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.statement_cache import InList, ListPosition, StatementCache, UnindexedColumn, encode_list
from vetrina.backends.tables.core import menu_item, record, record_term, searchable
from vetrina.content.records import totals as record_totals, visibility_filters
from vetrina.content.records.filters import RecordFilters
from vetrina.content.records.model import Record, find_records, row_to_record
from vetrina.content.records.query import RecordQuery
from vetrina.content.search import relevance
from vetrina.content.search.terms import SearchTerms
from vetrina.content.translations.language_shares import LanguageShare
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError


class InvalidRecordPage(ApiError):
    """The page is past the last one; an empty response would make old clients ask forever."""

    code = "rest_post_invalid_page_number"
    message = "There is no page {page}; the last is {last}."


_DEEP_OFFSET = 500  # rows before a page, from which on its ids are looked up first
_STATEMENTS = StatementCache(most=1024)
_ORDERS = {
    "author": record.c.author, "date": record.c.date, "id": record.c.id, "modified": record.c.modified,
    "parent": record.c.parent, "slug": record.c.slug, "title": record.c.title_key, "menu_order": record.c.menu_order,
    "item_parent": select(menu_item.c.parent).where(menu_item.c.record == record.c.id).scalar_subquery(),
}  # fmt: skip


def list_records(work: UnitOfWork, query: RecordQuery) -> tuple[list[Record], int]:
    """Return one page of records and the number of all matches. Raises InvalidRecordPage."""
    work.uses(*(query.types or (query.type,)), *(one.taxonomy for one in query.terms))
    query = visibility_filters.narrow_query(work, query)
    filters = RecordFilters(work, query)
    start = abs(query.offset) if query.offset is not None else (query.page - 1) * query.per_page
    rows, total = (_search_page if query.search else _list_page)(work, query, filters, start)
    if query.offset is not None and start >= total:
        return [], 0
    last = -(-total // query.per_page)
    if query.page > last > 0:
        # An offset selects the records instead of the page, but the page must exist all the same.
        raise InvalidRecordPage(page=query.page, last=last)
    if query.sticky_first and query.page == 1:
        rows = _prepend_sticky(work, query, rows)
    return rows, total


def _list_page(work: UnitOfWork, query: RecordQuery, filters: RecordFilters, start: int) -> tuple[list[Record], int]:
    total, known = record_totals.find_list_matches(work, query, filters)
    if start >= total:
        return [], total
    if known is not None and not filters.is_walked:
        return _load_page_of_ids(work, query, known, start), total
    if len(filters.shares) > 1:
        return _merge_shares(work, query, filters, start), total
    # Deep in a list PostgreSQL would read every record before the page, not the index alone: 111 ms, not 4, at 50,000.
    deep = start >= _DEEP_OFFSET or not filters.is_walked
    statement = _STATEMENTS.get(
        (filters.key, query.orderby, query.order, deep),
        lambda: (
            (select(record.c.id) if deep else select(record))
            .select_from(filters.source())
            .where(*filters.where(looked_up=False))
            .order_by(*_build_order(query, filters))
            .limit(bindparam("limit"))
            .offset(bindparam("start"))
        ),
    )
    values = {
        **filters.bind_values(filters.shares[0]),
        **_build_order_values(query),
        "limit": query.per_page,
        "start": start,
    }
    rows = work.tx.all(statement, **values)
    return (_load_records(work, [row[0] for row in rows]) if deep else [row_to_record(row) for row in rows]), total


def _merge_shares(work: UnitOfWork, query: RecordQuery, filters: RecordFilters, start: int) -> list[Record]:
    """Return a page of a list in several languages, merged in their common order."""
    found: list[tuple[Any, int]] = []
    for share in filters.shares:
        # Where hardly anything is untranslated, those records are not searched for among all others.
        known = record_totals.find_share_matches(work, query, filters, share).ids if share.untranslated else None
        statement = _STATEMENTS.get(
            (filters.key if known is None else (), query.orderby, query.order, share.untranslated, "share"),
            partial(_select_page_of_share, query, filters, share, picked=known is not None),
        )
        values = filters.bind_values(share) if known is None else {"picked": encode_list(known)}
        rows = work.tx.all(statement, **values, limit=start + query.per_page)
        found += [(row[0], row[1]) for row in rows]
    found.sort(reverse=query.order != "asc")
    return _load_records(work, [number for _, number in found[start : start + query.per_page]])


def _select_share(query: RecordQuery, filters: RecordFilters, share: LanguageShare) -> Any:
    return (
        select(_get_sort_column(query, filters), record.c.id)
        .select_from(filters.source())
        .where(*filters.where(share.untranslated, looked_up=False))
        .order_by(*_build_order(query, filters))
    )


def _select_page_of_share(query: RecordQuery, filters: RecordFilters, share: LanguageShare, *, picked: bool) -> Any:
    """Return the statement of a language's part of a page; picked: its records are known, and given by id."""
    if not picked:
        return _select_share(query, filters, share).limit(bindparam("limit"))
    columns = select(_get_sort_column(query), record.c.id)
    return columns.where(InList(record.c.id, "picked")).order_by(*_build_order(query)).limit(bindparam("limit"))


def _search_page(work: UnitOfWork, query: RecordQuery, filters: RecordFilters, start: int) -> tuple[list[Record], int]:
    """Return a page of search results."""
    total, known = record_totals.find_list_matches(work, query, filters)
    if start >= total:
        return [], total
    if known is not None:
        return _load_page_of_ids(work, query, known, start), total
    if query.search and query.orderby == "relevance" and not work.tx.writes:
        return _list_ranked_page(work, query, query.search, start), total
    # There are so many matches that walking the list soon finds the first ones; inside a write that is not known.
    narrowed = filters.narrowed and work.tx.writes
    statement = _STATEMENTS.get(
        (filters.key, query.orderby, query.order, "searched", narrowed),
        lambda: (
            select(record.c.id)
            .select_from(filters.source())
            .where(*filters.where(looked_up=narrowed))
            .order_by(*_build_order(query, filters))
            .limit(bindparam("limit"))
            .offset(bindparam("start"))
        ),
    )
    values = {
        **filters.bind_values(filters.shares[0]),
        **_build_order_values(query),
        "limit": query.per_page,
        "start": start,
    }
    return _load_records(work, [row[0] for row in work.tx.all(statement, **values)]), total


def _list_ranked_page(work: UnitOfWork, query: RecordQuery, search: SearchTerms, start: int) -> list[Record]:
    """Return a page of a search with many matches, best first: rank by rank, without sorting them all."""
    rows: list[Record] = []
    for rank in relevance.list_ranks(search):
        missing = query.per_page - len(rows)
        if not missing:
            break
        of_rank = msgspec.structs.replace(query, rank=rank, orderby="date", per_page=missing)
        found, total = _search_page(work, of_rank, RecordFilters(work, of_rank), start)
        rows += found
        start = max(0, start - total)
    return rows


def _load_page_of_ids(work: UnitOfWork, query: RecordQuery, numbers: Sequence[int], start: int) -> list[Record]:
    """Return a page of the records with these ids, which are all matches of the list."""
    wanted = len(query.search.wanted) if query.search else 0
    source = record.join(searchable, searchable.c.record == UnindexedColumn(record.c.id)) if query.search else record
    statement = _STATEMENTS.get(
        ("picked", query.orderby, query.order, wanted, bool(query.search)),
        lambda: (
            select(record.c.id)
            .select_from(source)
            .where(InList(record.c.id, "picked"))
            .order_by(*_build_order(query))
            .limit(bindparam("limit"))
            .offset(bindparam("start"))
        ),
    )
    values = {**_build_order_values(query), "limit": query.per_page, "start": start}
    return _load_records(work, [row[0] for row in work.tx.all(statement, **values, picked=encode_list(numbers))])


def _load_records(work: UnitOfWork, numbers: list[int]) -> list[Record]:
    """Return the records with these ids, in that order."""
    records = find_records(work.tx, numbers)
    return [records[number] for number in numbers]


def _get_sort_column(query: RecordQuery, filters: RecordFilters | None = None) -> ColumnElement[Any]:
    """Return the column that a list is sorted by."""
    if query.sorted_by is not None:
        own: ColumnElement[Any] = query.sorted_by
        return own
    if query.orderby == "date" or query.orderby not in _ORDERS:
        return record_term.c.date if filters is not None and filters.by_term else record.c.date
    return _ORDERS[query.orderby]


def _build_order(query: RecordQuery, filters: RecordFilters | None = None) -> list[ColumnElement[Any]]:
    """Return the ORDER BY of a list; without filters: for records picked by id."""
    up, by_term = query.order == "asc", filters is not None and filters.by_term
    id, date = (record_term.c.record, record_term.c.date) if by_term else (record.c.id, record.c.date)
    tail = id.asc() if up else id.desc()
    match query.orderby:
        case "include":
            return [ListPosition(record.c.id, "order_list"), tail]
        case "include_slugs" if query.slugs:
            return [ListPosition(record.c.slug, "order_list"), tail]
        case "relevance" if query.search:
            return [relevance.build_rank_expression(query.search), date.asc() if up else date.desc(), tail]
        case "id":
            return [tail]
        case "author":
            ties = [date.asc(), id.asc()] if up else [date.desc(), id.desc()]
            return [record.c.author.asc() if up else record.c.author.desc(), *ties]
        case orderby:
            column = date if orderby == "date" else _ORDERS.get(orderby, date)
            if query.sorted_by is not None:
                column = query.sorted_by
            return [column.asc() if up else column.desc(), tail]


def _build_order_values(query: RecordQuery) -> dict[str, Any]:
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


def _prepend_sticky(work: UnitOfWork, query: RecordQuery, rows: list[Record]) -> list[Record]:
    """Return a first page with the sticky records in front, including those that were not on it."""
    wanted = msgspec.structs.replace(
        query, sticky=True, sticky_first=False, per_page=100, orderby="date", order="desc", statuses=("publish",)
    )
    sticky, _ = list_records(work, wanted)
    first = {row.id for row in sticky}
    return [*sticky, *(row for row in rows if row.id not in first)]
