"""Which records a list shows, in which order, and how many there are.

A statement depends only on the shape of its query (which filters, which order) and is kept. Where a query says so, what
its caller may not see is neither listed nor counted. Not here: the filters (content/records/filters.py,
content/records/visibility_filters.py). Rules: facts of the interface, "Lists".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import bindparam, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.statement_cache import Among, Leading, Place, Shapes, listed
from vetrina.backends.tables.core import menu_item, record, record_term, searchable
from vetrina.content.records import totals as record_totals
from vetrina.content.records import visibility_filters
from vetrina.content.records.filters import Filters
from vetrina.content.records.model import Record, by_ids, of_row
from vetrina.content.records.query import RecordQuery
from vetrina.content.search import relevance
from vetrina.content.search.terms import SearchTerms
from vetrina.content.translations.language_shares import Share
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError

__all__ = ["InvalidPage", "listed_page"]


class InvalidPage(ApiError):
    """The page is past the last one; an empty answer would make old clients ask for ever."""

    code = "rest_post_invalid_page_number"
    message = "There is no page {page}; the last is {last}."


_DEEP = 500  # rows before a page, from which on its numbers are looked up first
_STATEMENTS = Shapes(most=1024)
_ORDERS = {
    "author": record.c.author, "date": record.c.date, "id": record.c.id, "modified": record.c.modified,
    "parent": record.c.parent, "slug": record.c.slug, "title": record.c.title_key, "menu_order": record.c.menu_order,
    "item_parent": select(menu_item.c.parent).where(menu_item.c.record == record.c.id).scalar_subquery(),
}  # fmt: skip


def listed_page(work: Work, query: RecordQuery) -> tuple[list[Record], int]:
    """Return one page of records and the number of all that match. Raises InvalidPage."""
    work.uses(*(query.types or (query.type,)))
    query = visibility_filters.narrowed(work, query)
    filters = Filters(work, query)
    start = abs(query.offset) if query.offset is not None else (query.page - 1) * query.per_page
    rows, total = (_searched if query.search else _listed)(work, query, filters, start)
    if query.offset is not None and start >= total:
        return [], 0
    last = -(-total // query.per_page)
    if query.page > last > 0:
        # An offset chooses the records instead of the page; the page must be there all the same.
        raise InvalidPage(page=query.page, last=last)
    if query.sticky_first and query.page == 1:
        rows = _with_sticky(work, query, rows)
    return rows, total


def _listed(work: Work, query: RecordQuery, filters: Filters, start: int) -> tuple[list[Record], int]:
    total, known = record_totals.found(work, query, filters)
    if start >= total:
        return [], total
    if known is not None and not filters.walked:
        return _picked(work, query, known, start), total
    if len(filters.shares) > 1:
        return _merged(work, query, filters, start), total
    # Far into a list PostgreSQL would read every record before the page, not the index alone: 111 ms, not 4, at 50,000.
    deep = start >= _DEEP or not filters.walked
    statement = _STATEMENTS.get(
        (filters.key, query.orderby, query.order, deep),
        lambda: (
            (select(record.c.id) if deep else select(record))
            .select_from(filters.source())
            .where(*filters.where(looked_up=False))
            .order_by(*_order(query, filters))
            .limit(bindparam("limit"))
            .offset(bindparam("start"))
        ),
    )
    values = {**filters.bound(filters.shares[0]), **_order_values(query), "limit": query.per_page, "start": start}
    rows = work.tx.all(statement, **values)
    return (_read(work, [row[0] for row in rows]) if deep else [of_row(row) for row in rows]), total


def _merged(work: Work, query: RecordQuery, filters: Filters, start: int) -> list[Record]:
    """Return a page of a list of several languages: the first of each, in their common order."""
    found: list[tuple[Any, int]] = []
    for share in filters.shares:
        # Where hardly anything is untranslated, that is not looked for among all the rest.
        known = record_totals.of_share(work, query, filters, share).ids if share.untranslated else None
        statement = _STATEMENTS.get(
            (filters.key if known is None else (), query.orderby, query.order, share.untranslated, "share"),
            lambda share=share, known=known: (  # type: ignore[misc]
                _of_share(query, filters, share)
                if known is None
                else select(_key(query), record.c.id).where(Among(record.c.id, "picked")).order_by(*_order(query))
            ).limit(bindparam("limit")),
        )
        values = filters.bound(share) if known is None else {"picked": listed(known)}
        rows = work.tx.all(statement, **values, limit=start + query.per_page)
        found += [(row[0], row[1]) for row in rows]
    found.sort(reverse=query.order != "asc")
    return _read(work, [number for _, number in found[start : start + query.per_page]])


def _of_share(query: RecordQuery, filters: Filters, share: Share) -> Any:
    return (
        select(_key(query, filters), record.c.id)
        .select_from(filters.source())
        .where(*filters.where(share.untranslated, looked_up=False))
        .order_by(*_order(query, filters))
    )


def _searched(work: Work, query: RecordQuery, filters: Filters, start: int) -> tuple[list[Record], int]:
    """Return a page of a search."""
    total, known = record_totals.found(work, query, filters)
    if start >= total:
        return [], total
    if known is not None:
        return _picked(work, query, known, start), total
    if query.search and query.orderby == "relevance" and not work.tx.writes:
        return _ranked(work, query, query.search, start), total
    # So many that the first ones are met soon on the way through the list; only in a write that is not known.
    narrowed = filters.narrowed and work.tx.writes
    statement = _STATEMENTS.get(
        (filters.key, query.orderby, query.order, "searched", narrowed),
        lambda: (
            select(record.c.id)
            .select_from(filters.source())
            .where(*filters.where(looked_up=narrowed))
            .order_by(*_order(query, filters))
            .limit(bindparam("limit"))
            .offset(bindparam("start"))
        ),
    )
    values = {**filters.bound(filters.shares[0]), **_order_values(query), "limit": query.per_page, "start": start}
    return _read(work, [row[0] for row in work.tx.all(statement, **values)]), total


def _ranked(work: Work, query: RecordQuery, search: SearchTerms, start: int) -> list[Record]:
    """Return a page of a search that finds much, the best first: of one rank after the other, without sorting all."""
    rows: list[Record] = []
    for rank in relevance.ranks(search):
        missing = query.per_page - len(rows)
        if not missing:
            break
        of_rank = msgspec.structs.replace(query, rank=rank, orderby="date", per_page=missing)
        found, total = _searched(work, of_rank, Filters(work, of_rank), start)
        rows += found
        start = max(0, start - total)
    return rows


def _picked(work: Work, query: RecordQuery, numbers: Sequence[int], start: int) -> list[Record]:
    """Return a page of the records with some numbers, which are those of the list."""
    wanted = len(query.search.wanted) if query.search else 0
    source = record.join(searchable, searchable.c.record == Leading(record.c.id)) if query.search else record
    statement = _STATEMENTS.get(
        ("picked", query.orderby, query.order, wanted, bool(query.search)),
        lambda: (
            select(record.c.id)
            .select_from(source)
            .where(Among(record.c.id, "picked"))
            .order_by(*_order(query))
            .limit(bindparam("limit"))
            .offset(bindparam("start"))
        ),
    )
    values = {**_order_values(query), "limit": query.per_page, "start": start}
    return _read(work, [row[0] for row in work.tx.all(statement, **values, picked=listed(numbers))])


def _read(work: Work, numbers: list[int]) -> list[Record]:
    """Return the records with some numbers, in their order."""
    records = by_ids(work.tx, numbers)
    return [records[number] for number in numbers]


def _key(query: RecordQuery, filters: Filters | None = None) -> ColumnElement[Any]:
    """Return the column that a list is sorted by."""
    if query.sorted_by is not None:
        own: ColumnElement[Any] = query.sorted_by
        return own
    if query.orderby == "date" or query.orderby not in _ORDERS:
        return record_term.c.date if filters is not None and filters.by_term else record.c.date
    return _ORDERS[query.orderby]


def _order(query: RecordQuery, filters: Filters | None = None) -> list[ColumnElement[Any]]:
    """Return what a list is sorted by; without its filters: where its records are picked by their numbers."""
    up, by_term = query.order == "asc", filters is not None and filters.by_term
    id, date = (record_term.c.record, record_term.c.date) if by_term else (record.c.id, record.c.date)
    tail = id.asc() if up else id.desc()
    match query.orderby:
        case "include":
            return [Place(record.c.id, "order_list"), tail]
        case "include_slugs" if query.slugs:
            return [Place(record.c.slug, "order_list"), tail]
        case "relevance" if query.search:
            return [relevance.rank(query.search), date.asc() if up else date.desc(), tail]
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


def _order_values(query: RecordQuery) -> dict[str, Any]:
    """Return the values that the order of a query binds."""
    match query.orderby:
        case "include":
            return {"order_list": listed(query.include)}
        case "include_slugs" if query.slugs:
            return {"order_list": listed(query.slugs)}
        case "relevance" if query.search:
            return relevance.values(query.search)
        case _:
            return {}


def _with_sticky(work: Work, query: RecordQuery, rows: list[Record]) -> list[Record]:
    """Return a first page with the sticky records in front, those that were not on it too."""
    wanted = msgspec.structs.replace(
        query, sticky=True, sticky_first=False, per_page=100, orderby="date", order="desc", statuses=("publish",)
    )
    sticky, _ = listed_page(work, wanted)
    first = {row.id for row in sticky}
    return [*sticky, *(row for row in rows if row.id not in first)]
