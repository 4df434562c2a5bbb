"""Which records a list shows, in which order, and how many there are.

A statement depends only on the shape of its query (which filters, which order) and is kept. What a caller may not see
is left to the routes: it is counted. Not here: the filters (record_filters.py). Rules: facts of the interface, "Lists".
"""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import and_, bindparam, case, func, or_, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.shapes import Contains, Place, Shapes, listed
from vetrina.backends.tables import record, record_term, searchable
from vetrina.domain.content.taxonomy import tally
from vetrina.domain.work import Work
from vetrina.kernel.errors import ApiError

from .record import Record, by_ids, of_row
from .record_filters import Filters
from .record_query import RecordQuery
from .search_terms import SearchTerms

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
}  # fmt: skip

# Filters whose totals the tally knows: by status, alone or with the authors.
_KNOWN = (("status",), ("statuses",), ("status", "author"), ("status", ("author", 1)))


def listed_page(work: Work, query: RecordQuery) -> tuple[list[Record], int]:
    """Return one page of records and the number of all that match. Raises InvalidPage."""
    work.uses(*(query.types or (query.type,)))
    filters = Filters(work, query)
    start = abs(query.offset) if query.offset is not None else (query.page - 1) * query.per_page
    rows, total = (_searched if query.search else _listed)(work, query, filters, start)
    if query.offset is not None:
        return (rows, total) if start < total else ([], 0)
    if start >= total > 0:
        raise InvalidPage(page=query.page, last=-(-total // query.per_page))
    if query.sticky_first and query.page == 1:
        rows = _with_sticky(work, query, rows)
    return rows, total


def _listed(work: Work, query: RecordQuery, filters: Filters, start: int) -> tuple[list[Record], int]:
    total = _total(work, query, filters)
    if start >= total:
        return [], total
    # Far into a list PostgreSQL would read every record before the page, not the index alone: 111 ms, not 4, at 50,000.
    deep = start >= _DEEP
    statement = _STATEMENTS.get(
        (filters.key, query.orderby, query.order, deep),
        lambda: (
            (select(record.c.id) if deep else select(record))
            .select_from(filters.source())
            .where(*filters.where())
            .order_by(*_order(query, filters))
            .limit(bindparam("limit"))
            .offset(bindparam("start"))
        ),
    )
    values = {**filters.values, **_order_values(query), "limit": query.per_page, "start": start}
    rows = work.tx.all(statement, **values)
    if not deep:
        return [of_row(row) for row in rows], total
    records = by_ids(work.tx, [row[0] for row in rows])
    return [records[row[0]] for row in rows], total


def _searched(work: Work, query: RecordQuery, filters: Filters, start: int) -> tuple[list[Record], int]:
    """Return a page of a search; every text is looked at once, for the page and the total together."""
    search = query.search
    statement = _STATEMENTS.get(
        (filters.key, query.orderby, query.order, len(search.wanted) if search else 0, "searched"),
        lambda: (
            select(record.c.id, func.count().over())
            .select_from(filters.source())
            .where(*filters.where())
            .order_by(*_order(query, filters))
            .limit(bindparam("limit"))
            .offset(bindparam("start"))
        ),
    )
    values = {**filters.values, **_order_values(query), "limit": query.per_page, "start": start}
    found = work.tx.all(statement, **values)
    if not found:
        return [], _total(work, query, filters) if start else 0
    records = by_ids(work.tx, [row[0] for row in found])
    return [records[row[0]] for row in found], found[0][1]


def _total(work: Work, query: RecordQuery, filters: Filters) -> int:
    if filters.key in _KNOWN:
        return tally.total(work.tx, query.type, query.statuses, work.language, query.author)
    statement = _STATEMENTS.get(
        (filters.key, "count"),
        lambda: select(func.count()).select_from(filters.source(counting=True)).where(*filters.where()),
    )
    return int(work.tx.value(statement, **filters.values))


def _order(query: RecordQuery, filters: Filters) -> list[ColumnElement[Any]]:
    up = query.order == "asc"
    id, date = (record_term.c.record, record_term.c.date) if filters.by_term else (record.c.id, record.c.date)
    tail = id.asc() if up else id.desc()
    match query.orderby:
        case "include":
            return [Place(record.c.id, "order_list"), tail]
        case "include_slugs" if query.slugs:
            return [Place(record.c.slug, "order_list"), tail]
        case "relevance" if query.search:
            return [*_relevance(query.search), date.asc() if up else date.desc(), tail]
        case "id":
            return [tail]
        case orderby:
            column = date if orderby == "date" else _ORDERS.get(orderby, date)
            return [column.asc() if up else column.desc(), tail]


def _order_values(query: RecordQuery) -> dict[str, Any]:
    """Return the values that the order of a query binds."""
    match query.orderby:
        case "include":
            return {"order_list": listed(query.include)}
        case "include_slugs" if query.slugs:
            return {"order_list": listed(query.slugs)}
        case "relevance" if query.search:
            return {"sentence": query.search.sentence}
        case _:
            return {}


def _relevance(search: SearchTerms) -> list[ColumnElement[Any]]:
    """Return the keys that put the best first: the whole text in the title, all words, some, then elsewhere."""
    titles = [Contains(searchable.c.title, f"wanted_{at}") for at in range(len(search.wanted))]
    if len(titles) == 1:
        return [case((titles[0], 0), else_=1)]
    cases: list[tuple[Any, int]] = [(Contains(searchable.c.title, "sentence"), 1)]
    if titles:
        cases += [(and_(*titles), 2), (or_(*titles), 3)]
    cases += [(Contains(searchable.c.excerpt, "sentence"), 4), (Contains(searchable.c.content, "sentence"), 5)]
    return [case(*cases, else_=6)]


def _with_sticky(work: Work, query: RecordQuery, rows: list[Record]) -> list[Record]:
    """Return a first page with the sticky records in front, those that were not on it too."""
    wanted = msgspec.structs.replace(
        query, sticky=True, sticky_first=False, per_page=100, orderby="date", order="desc", statuses=("publish",)
    )
    sticky, _ = listed_page(work, wanted)
    first = {row.id for row in sticky}
    return [*sticky, *(row for row in rows if row.id not in first)]
