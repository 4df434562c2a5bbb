"""Lists of records: a page of them, their order, the total.

A statement depends only on the shape of its query (filters and order) and is cached. Where the query asks for it,
records that the caller may not see are neither listed nor counted. Not here: the filters (content/records/filters.py,
content/records/visibility_filters.py). Rules: docs/rules/lists.md, 2, 3, 5 and 9.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import FromClause, and_, bindparam, select

from vetrina.backends.database import Row, Statement
from vetrina.backends.statement_cache import InList, StatementCache, UnindexedColumn, encode_list
from vetrina.backends.tables.records import record, searchable
from vetrina.content.custom_fields import reindexing
from vetrina.content.custom_fields.value_conditions import LEADING, FieldFilter
from vetrina.content.records import counters, list_order, totals as record_totals, visibility_filters
from vetrina.content.records.filters import RecordFilters
from vetrina.content.records.list_languages import LanguageShare
from vetrina.content.records.model import Record, find_records, row_to_record
from vetrina.content.records.query import RecordQuery
from vetrina.content.search import relevance
from vetrina.content.search.terms import SearchTerms
from vetrina.core.listing import PageReading, plan_reading
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError


class InvalidRecordPage(ApiError):
    """The page is past the last one; an empty response would make old clients ask forever."""

    code = "rest_post_invalid_page_number"
    message = "There is no page {page}; the last is {last}."


_DEEP_OFFSET = 500  # rows before a page, from which on its ids are looked up first
# What it costs to find a match by the text index, and to ask it at all, in records tested one by one.
_MATCH_COST, _SEARCH_COST = 2, 5000
_USUAL_SIZES = frozenset({10, 20, 25, 50, 100})  # of first pages
_STATEMENTS = StatementCache(most=1024)


class _PageRows:
    """Which records are on a page. whole: whether they are read with it, where that costs no further statement."""

    __slots__ = ("records", "whole")

    def __init__(self, whole: bool) -> None:
        self.whole = whole
        self.records: dict[int, Record] = {}

    def add(self, rows: Sequence[Row]) -> list[int]:
        """Return the ids of rows, which are kept where they are whole records."""
        if self.whole:
            self.records.update((row[0], row_to_record(row)) for row in rows)
        return [row[0] for row in rows]


def list_records(work: UnitOfWork, query: RecordQuery) -> tuple[list[Record], int]:
    """Return one page of records and the number of all matches. Raises InvalidRecordPage, FieldsBeingIndexed."""
    ids, found, total = list_record_ids(work, query, whole=True)
    found |= find_records(work.tx, [id for id in ids if id not in found])
    return [found[id] for id in ids], total


def list_record_ids(
    work: UnitOfWork, query: RecordQuery, *, whole: bool = False
) -> tuple[list[int], dict[int, Record], int]:
    """Return the ids of a page, those of its records that were read with it, by id, and the number of all matches.

    whole: whether records are read with the page where that costs no further statement.
    Raises InvalidRecordPage, FieldsBeingIndexed.
    """
    rows = _PageRows(whole)
    ids, total = _list_ids(work, query, rows)
    return ids, rows.records, total


def _list_ids(work: UnitOfWork, query: RecordQuery, rows: _PageRows) -> tuple[list[int], int]:
    work.uses(*(query.types or (query.type,)), *(one.taxonomy for one in query.terms))
    if named := {one.field for one in query.fields} | ({query.sort_field} if query.sort_field else set()):
        reindexing.require_indexed_fields(work, query.type, named)
    query = visibility_filters.narrow_query(work, query)
    if query.search and len(query.statuses) > 1 and not query.types:
        # The text index is asked once for each status.
        filled = counters.select_filled_statuses(work.tx, query.type, query.statuses)
        query = msgspec.structs.replace(query, statuses=filled or query.statuses[:1])
    start = abs(query.offset) if query.offset is not None else (query.page - 1) * query.per_page
    ids, total = (_list_by_field if query.sort_field else _list_any)(work, query, start, rows)
    if query.offset is not None and start >= total:
        return [], 0
    last = -(-total // query.per_page)
    if query.page > last > 0:
        # An offset selects the records instead of the page, but the page must exist all the same.
        raise InvalidRecordPage(page=query.page, last=last)
    if query.sticky_first and query.page == 1:
        ids = _prepend_sticky(work, query, ids, rows)
    return ids, total


def _list_any(work: UnitOfWork, query: RecordQuery, start: int, rows: _PageRows) -> tuple[list[int], int]:
    """Return a page of a list that needs no second one, and its total."""
    if query.search:
        return _search_page(work, query, RecordFilters(work, query), start)
    return _list_page(work, query, RecordFilters(work, query), start, rows)


def _list_by_field(work: UnitOfWork, query: RecordQuery, start: int, rows: _PageRows) -> tuple[list[int], int]:
    """Return a page of a list in the order of an own field: first the records that have a value, then the others."""
    field = query.sort_field
    valued = query
    if not any(one.field == field and one.is_range for one in query.fields):
        valued = msgspec.structs.replace(query, fields=(*query.fields, FieldFilter(field)))
    ids, with_value = _list_any(work, valued, start, rows)
    if any(one.field == field and not one.without for one in query.fields):
        return ids, with_value
    others = msgspec.structs.replace(
        query, fields=(*query.fields, FieldFilter(field, without=True)), sort_field="", orderby="id",
        per_page=query.per_page - len(ids),
    )  # fmt: skip
    if not others.per_page:
        return ids, with_value + record_totals.find_list_matches(work, others, RecordFilters(work, others)).total
    more, without_value = _list_any(work, others, max(0, start - with_value), rows)
    return [*ids, *more], with_value + without_value


def _list_page(
    work: UnitOfWork, query: RecordQuery, filters: RecordFilters, start: int, rows: _PageRows
) -> tuple[list[int], int]:
    page = None
    if start < _DEEP_OFFSET and len(filters.shares) == 1 and not query.fields and filters.is_walked:
        statement, values = page = _bind_shallow_page(query, filters, start, rows.whole)
        work.tx.expect(statement, **values)
    total, known = record_totals.find_list_matches(work, query, filters)
    if start >= total:
        return [], total
    if known is not None and not filters.is_walked:
        return _load_page_of_ids(work, query, known, start), total
    if len(filters.shares) > 1:
        return _merge_shares(work, query, filters, start), total
    # Deep in a list PostgreSQL would read every record before the page, not the index alone: 111 ms, not 4, at 50,000.
    if start < _DEEP_OFFSET and filters.is_walked:
        statement, values = page or _bind_shallow_page(query, filters, start, rows.whole)
        return rows.add(work.tx.all(statement, **values)), total
    return _read_page(work, query, filters, plan_reading(start, query.per_page, total)), total


def _bind_shallow_page(
    query: RecordQuery, filters: RecordFilters, start: int, whole: bool
) -> tuple[Statement, dict[str, Any]]:
    """Return the statement of a page near the beginning of a list, and its values. whole: else it has ids alone."""
    values = _bind_page(query, filters)
    # PostgreSQL keeps a plan that it knows to read few rows; with a bound size it takes every list for a tenth of the
    # table and plans each again. Other filters are left to it: a plan that suits most of their values is slow for some.
    is_plain = (filters.by_term and not filters.is_divided) or filters.key == ("status",)
    is_plain = is_plain and start == 0 and query.per_page in _USUAL_SIZES
    size = query.per_page if is_plain else None
    if size is None:
        values |= {"limit": query.per_page, "start": start}
    if not whole:
        return _get_page_of_ids(query, filters, size=size), values
    statement = _STATEMENTS.get(
        (filters.key, filters.leading_field, query.orderby, query.order, size),
        lambda: list_order.cut_page(list_order.select_records(query, filters), size),
    )
    return statement, values


def _read_page(
    work: UnitOfWork, query: RecordQuery, filters: RecordFilters, page: PageReading, *, looked_up: bool = False
) -> list[int]:
    """Return a page whose ids are read in order; looked_up: as for `RecordFilters.where`."""
    statement = _get_page_of_ids(query, filters, looked_up=looked_up, backwards=page.backwards)
    rows = work.tx.all(statement, **_bind_page(query, filters), limit=page.taken, start=page.skipped)
    return [row[0] for row in (reversed(rows) if page.backwards else rows)]


def _get_page_of_ids(
    query: RecordQuery,
    filters: RecordFilters,
    *,
    looked_up: bool = False,
    backwards: bool = False,
    size: int | None = None,
) -> Statement:
    return _STATEMENTS.get(
        (
            filters.key, filters.leading_field, query.orderby, query.order, "ids", looked_up, backwards,
            len(filters.statuses), size,
        ),
        lambda: list_order.select_ids(query, filters, looked_up=looked_up, backwards=backwards, size=size),
    )  # fmt: skip


def _bind_page(query: RecordQuery, filters: RecordFilters) -> dict[str, Any]:
    return {**filters.bind_values(filters.shares[0]), **list_order.build_order_values(query)}


def _merge_shares(work: UnitOfWork, query: RecordQuery, filters: RecordFilters, start: int) -> list[int]:
    """Return a page of a list in several languages, merged in their common order."""
    found: list[tuple[Any, int]] = []
    for share in filters.shares:
        # Where hardly anything is untranslated, or has such fields, those records are not looked for among all others.
        sought = share.untranslated or (query.fields and not filters.is_walked)
        known = record_totals.find_share_matches(work, query, filters, share).ids if sought else None
        statement = _STATEMENTS.get(
            (
                (filters.key, filters.leading_field) if known is None else (),
                query.orderby,
                query.order,
                share.untranslated,
                "share",
                len(filters.statuses),
            ),
            partial(_select_page_of_share, query, filters, share, picked=known is not None),
        )
        values = (
            filters.bind_values(share)
            if known is None
            else {"picked": encode_list(known), **_build_picked_values(query)}
        )
        rows = work.tx.all(statement, **values, limit=start + query.per_page)
        found += [(row[0], row[1]) for row in rows]
    found.sort(reverse=query.order != "asc")
    return [number for _, number in found[start : start + query.per_page]]


def _select_page_of_share(query: RecordQuery, filters: RecordFilters, share: LanguageShare, *, picked: bool) -> Any:
    """Return the statement of a language's part of a page; picked: its records are known, and given by id."""
    if not picked:
        return list_order.select_share(query, filters, share)
    columns = select(list_order.get_sort_column(query), record.c.id).select_from(_build_picked_source(query))
    return (
        columns.where(InList(record.c.id, "picked")).order_by(*list_order.build_order(query)).limit(bindparam("limit"))
    )


def _search_page(work: UnitOfWork, query: RecordQuery, filters: RecordFilters, start: int) -> tuple[list[int], int]:
    """Return a page of search results."""
    total, known = record_totals.find_list_matches(work, query, filters)
    if start >= total:
        return [], total
    if known is not None:
        return _load_page_of_ids(work, query, known, start), total
    if query.search and query.orderby == "relevance" and not work.tx.writes:
        return _list_ranked_page(work, query, query.search, start), total
    # There are so many matches that walking the list soon finds the first ones; inside a write that is not known.
    page = plan_reading(start, query.per_page, total)
    narrowed = filters.narrowed and (work.tx.writes or _is_far(work, query, filters, page, total))
    return _read_page(work, query, filters, page, looked_up=narrowed), total


def _is_far(work: UnitOfWork, query: RecordQuery, filters: RecordFilters, page: PageReading, total: int) -> bool:
    """Return whether testing the records on the way to a page of a search costs more than finding all matches."""
    if query.types or len(filters.shares) > 1:
        return False
    whole = counters.sum_counters(work.tx, query.type, query.statuses, filters.shares[0].language)
    return (page.skipped + page.taken) * whole > (_MATCH_COST * total + _SEARCH_COST) * total


def _list_ranked_page(work: UnitOfWork, query: RecordQuery, search: SearchTerms, start: int) -> list[int]:
    """Return a page of a search with many matches, best first: rank by rank, without sorting them all."""
    ids: list[int] = []
    for rank in relevance.list_ranks(search):
        missing = query.per_page - len(ids)
        if not missing:
            break
        of_rank = msgspec.structs.replace(query, rank=rank, orderby="date", per_page=missing)
        found, total = _search_page(work, of_rank, RecordFilters(work, of_rank), start)
        ids += found
        start = max(0, start - total)
    return ids


def _load_page_of_ids(work: UnitOfWork, query: RecordQuery, numbers: Sequence[int], start: int) -> list[int]:
    """Return a page of the records with these ids, which are all matches of the list."""
    wanted = len(query.search.wanted) if query.search else 0
    source = _build_picked_source(query)
    if query.search:
        source = source.join(searchable, searchable.c.record == UnindexedColumn(record.c.id))
    statement = _STATEMENTS.get(
        ("picked", query.orderby, query.order, wanted, bool(query.search)),
        lambda: (
            select(record.c.id)
            .select_from(source)
            .where(InList(record.c.id, "picked"))
            .order_by(*list_order.build_order(query))
            .limit(bindparam("limit"))
            .offset(bindparam("start"))
        ),
    )
    values = {
        **list_order.build_order_values(query), **_build_picked_values(query), "limit": query.per_page, "start": start
    }  # fmt: skip
    return [row[0] for row in work.tx.all(statement, **values, picked=encode_list(numbers))]


def _build_picked_source(query: RecordQuery) -> FromClause:
    """Return the FROM clause for records that are given by id: with the rows of the field that sorts them."""
    if not query.sort_field:
        return record
    of_record = and_(LEADING.c.record == UnindexedColumn(record.c.id), LEADING.c.field == bindparam("sort_field"))
    return record.join(LEADING, of_record)


def _build_picked_values(query: RecordQuery) -> dict[str, Any]:
    return {"sort_field": query.sort_field} if query.sort_field else {}


def _prepend_sticky(work: UnitOfWork, query: RecordQuery, ids: list[int], rows: _PageRows) -> list[int]:
    """Return a first page with the sticky records in front, including those that were not on it."""
    wanted = msgspec.structs.replace(
        query, sticky=True, sticky_first=False, per_page=100, orderby="date", sort_field="", order="desc",
        statuses=("publish",),
    )  # fmt: skip
    sticky, _ = _list_ids(work, wanted, rows)
    return [*sticky, *(id for id in ids if id not in sticky)]
