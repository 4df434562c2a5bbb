"""Which records a list shows, in which order, and how many there are.

A query is a value; its statement depends only on its shape (which filters, which order) and is kept. What a caller may
not see is left to the routes: it is counted. Rules: interface.md, "Common collection query"; facts, "Lists".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Select, and_, bindparam, case, func, or_, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends import search as search_index
from vetrina.backends.shapes import Among, Contains, Place, Shapes, listed
from vetrina.backends.tables import record, record_term, searchable
from vetrina.domain.work import Work
from vetrina.kernel.errors import ApiError

from . import tally, terms
from .record import Record, of_row
from .search_terms import SearchTerms

__all__ = ["InvalidPage", "RecordQuery", "TermFilter", "listed_page"]


class InvalidPage(ApiError):
    """The page is past the last one; an empty answer would make old clients ask for ever."""

    code = "rest_post_invalid_page_number"
    message = "There is no page {page}; the last is {last}."


class TermFilter(msgspec.Struct, frozen=True):
    """A filter by terms of one taxonomy. every: all terms must be there; without: none may."""

    taxonomy: str
    ids: tuple[int, ...]
    children: bool = False
    every: bool = False
    without: bool = False


class RecordQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What a list asks for. Dates are local seconds; an empty tuple or None filters nothing."""

    type: str
    statuses: tuple[str, ...]
    page: int = 1
    per_page: int = 10
    offset: int | None = None
    order: str = "desc"
    orderby: str = "date"
    search: SearchTerms | None = None
    search_columns: tuple[str, ...] = ()
    exact: bool = False
    protected: bool = True
    after: int | None = None
    before: int | None = None
    modified_after: int | None = None
    modified_before: int | None = None
    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    author: tuple[int, ...] = ()
    author_exclude: tuple[int, ...] = ()
    parent: tuple[int, ...] = ()
    parent_exclude: tuple[int, ...] = ()
    menu_order: int | None = None
    slugs: tuple[str, ...] = ()
    sticky: bool | None = None
    sticky_first: bool = False
    formats: tuple[str, ...] = ()
    terms: tuple[TermFilter, ...] = ()
    any_taxonomy: bool = False


# A condition is built only when its shape is new: building costs more than running the kept statement.
_Condition = Callable[[], ColumnElement[bool]]

_PAGES = Shapes(most=1024)
_COLUMNS = {
    "post_title": searchable.c.title,
    "post_content": searchable.c.content,
    "post_excerpt": searchable.c.excerpt,
}
_ORDERS = {
    "author": record.c.author, "date": record.c.date, "id": record.c.id, "modified": record.c.modified,
    "parent": record.c.parent, "slug": record.c.slug, "title": record.c.title_key, "menu_order": record.c.menu_order,
}  # fmt: skip


def listed_page(work: Work, query: RecordQuery) -> tuple[list[Record], int]:
    """Return one page of records and the number of all that match. Raises InvalidPage."""
    work.uses(query.type)
    values: dict[str, Any] = {"type": query.type, "language": work.language}
    conditions, shape = _conditions(work, query, values)
    total = _total(work, query, conditions, shape, values)
    start = abs(query.offset) if query.offset is not None else (query.page - 1) * query.per_page
    if query.offset is not None and start >= total:
        return [], 0
    if query.offset is None and start >= total:
        if total and query.page > 1:
            raise InvalidPage(page=query.page, last=-(-total // query.per_page))
        return [], total
    found = _PAGES.get(
        (shape, query.orderby, query.order, len(query.search.wanted) if query.search else 0),
        lambda: (
            _from(query, select(record))
            .where(*_where(conditions))
            .order_by(*_order(query))
            .limit(bindparam("limit"))
            .offset(bindparam("start"))
        ),
    )
    rows = [
        of_row(row) for row in work.tx.all(found, **values, **_order_values(query), limit=query.per_page, start=start)
    ]
    if query.sticky_first and query.page == 1:
        rows = _with_sticky(work, query, rows)
    return rows, total


def _total(
    work: Work, query: RecordQuery, conditions: list[_Condition], shape: tuple[Any, ...], values: dict[str, Any]
) -> int:
    if shape in (("status",), ("statuses",)):
        return tally.total(work.tx, query.type, query.statuses, work.language)
    return int(work.tx.value(_PAGES.get((shape, "count"), lambda: _counting(query, conditions)), **values))


def _from(query: RecordQuery, statement: Select[Any]) -> Select[Any]:
    return statement.join(searchable, searchable.c.record == record.c.id) if query.search else statement


def _where(conditions: list[_Condition]) -> list[ColumnElement[bool]]:
    return [condition() for condition in conditions]


def _counting(query: RecordQuery, conditions: list[_Condition]) -> Select[Any]:
    return _from(query, select(func.count()).select_from(record)).where(*_where(conditions))


def _conditions(work: Work, query: RecordQuery, values: dict[str, Any]) -> tuple[list[_Condition], tuple[Any, ...]]:
    """Return the conditions of a query and what of it makes their shape; bound values go into `values`."""
    shape: list[Any] = []
    out: list[_Condition] = [
        lambda: record.c.type == bindparam("type"),
        lambda: record.c.language == bindparam("language"),
    ]

    def among(name: str, column: ColumnElement[Any], items: tuple[Any, ...], negate: bool = False) -> None:
        if items:
            values[name] = listed(items)
            shape.append(name)
            out.append(lambda: ~Among(column, name) if negate else Among(column, name))

    def bound(name: str, value: Any, compare: Callable[[Any], ColumnElement[bool]]) -> None:
        if value is not None:
            values[name] = value
            shape.append(name)
            out.append(lambda: compare(bindparam(name)))

    if len(query.statuses) == 1:
        bound("status", query.statuses[0], record.c.status.__eq__)
    else:
        among("statuses", record.c.status, query.statuses)
    bound("after", query.after, record.c.date.__gt__)
    bound("before", query.before, record.c.date.__lt__)
    bound("modified_after", query.modified_after, record.c.modified.__gt__)
    bound("modified_before", query.modified_before, record.c.modified.__lt__)
    among("include", record.c.id, query.include)
    if not query.include:
        among("exclude", record.c.id, query.exclude, negate=True)
    if query.author_exclude:
        among("author_exclude", record.c.author, query.author_exclude, negate=True)
    else:
        among("author", record.c.author, query.author)
    if query.parent:
        among("parent", record.c.parent, query.parent)
    else:
        among("parent_exclude", record.c.parent, query.parent_exclude, negate=True)
    bound("menu_order", query.menu_order, record.c.menu_order.__eq__)
    among("slugs", record.c.slug, query.slugs)
    if query.sticky is not None and (query.sticky or not query.include):
        shape.append(("sticky", query.sticky))
        out.append(lambda: record.c.sticky.is_(query.sticky))
    groups = _term_conditions(work, query, values, shape)
    if query.formats:
        values["formats"] = listed(query.formats)
        shape.append("formats")
        groups.append(lambda: Among(record.c.format, "formats"))
    if groups:
        shape.append(query.any_taxonomy)
        out.append(lambda: or_(*_where(groups)) if query.any_taxonomy else and_(*_where(groups)))
    if query.search:
        out += _search_conditions(work, query, query.search, values, shape)
    return out, tuple(shape)


def _term_conditions(work: Work, query: RecordQuery, values: dict[str, Any], shape: list[Any]) -> list[_Condition]:
    out: list[_Condition] = []
    for at, one in enumerate(query.terms):
        groups = [(id,) for id in one.ids] if one.every else [one.ids]
        names = [f"terms_{at}_{number}" for number in range(len(groups))]
        for name, ids in zip(names, groups, strict=True):
            values[name] = listed(terms.descendants(work.tx, one.taxonomy, ids) | set(ids) if one.children else ids)
        shape.append((*names, one.without))
        # Terms that must all be there are one filter, whatever joins the taxonomies.
        out.append(partial(_held, tuple(names), one.without))
    return out


def _held(names: tuple[str, ...], without: bool) -> ColumnElement[bool]:
    """Return that a record has terms of every bound list, or that it has none of the one."""
    held = [
        select(1).where(record_term.c.record == record.c.id, Among(record_term.c.term, name)).exists() for name in names
    ]
    return ~or_(*held) if without else and_(*held)


def _search_conditions(
    work: Work, query: RecordQuery, search: SearchTerms, values: dict[str, Any], shape: list[Any]
) -> list[_Condition]:
    names = query.search_columns or tuple(_COLUMNS)
    wanted = [f"wanted_{at}" for at in range(len(search.wanted))]
    unwanted = [f"unwanted_{at}" for at in range(len(search.unwanted))]
    values.update(zip(wanted + unwanted, search.wanted + search.unwanted, strict=True))
    shape.append((names, query.exact, len(wanted), len(unwanted), query.protected))

    narrow = search_index.narrowed(work.tx, search.wanted)
    if narrow is not None:
        values.update(narrow)
        shape.append("narrowed")

    def anywhere(name: str) -> ColumnElement[bool]:
        columns = [_COLUMNS[column] for column in names]
        return or_(*(column == bindparam(name) if query.exact else Contains(column, name) for column in columns))

    out: list[_Condition] = [partial(anywhere, name) for name in wanted]
    if narrow is not None:
        out.append(lambda: search_index.narrowing(record.c.id))
    out += [partial(lambda name: ~anywhere(name), name) for name in unwanted]
    if not query.protected:
        out.append(lambda: record.c.password == "")
    return out


def _order(query: RecordQuery) -> list[ColumnElement[Any]]:
    up = query.order == "asc"
    tail = record.c.id.asc() if up else record.c.id.desc()
    match query.orderby:
        case "include":
            return [Place(record.c.id, "order_list"), tail]
        case "include_slugs" if query.slugs:
            return [Place(record.c.slug, "order_list"), tail]
        case "relevance" if query.search:
            return [*_relevance(query.search), record.c.date.asc() if up else record.c.date.desc(), tail]
        case _:
            column = _ORDERS.get(query.orderby, record.c.date)
            return [column.asc() if up else column.desc(), tail] if column is not record.c.id else [tail]


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
