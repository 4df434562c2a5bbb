"""Filters and order of the list of redirects. Rules: docs/rules/redirects.md, 6."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, bindparam, func, or_

from vetrina.backends.statement_cache import ContainsText
from vetrina.backends.tables.redirects import redirect as table
from vetrina.content.redirects.store import REDIRECT_KIND, STORE, Redirect
from vetrina.core.listing import ConditionBuilder, ListFilters, Listing, build_list_filters
from vetrina.core.unit_of_work import UnitOfWork

ORDERS: Final = ("id", "source", "hits", "last_hit", "modified", "include")


class RedirectQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Query of a list of redirects. None: any."""

    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    search: str = ""
    origin: str | None = None
    status: int | None = None
    language: str | None = None
    active: bool | None = None
    orderby: str = "id"
    descending: bool = True
    limit: int = 10
    offset: int = 0


_LISTS: Final = (("include", table.c.id, True), ("exclude", table.c.id, False))
_LISTING: Final = Listing(STORE, {
    "id": table.c.id, "source": table.c.source, "hits": table.c.hits, "last_hit": func.coalesce(table.c.last_hit, 0),
    "modified": table.c.modified,
})  # fmt: skip
_EXACT: Final = {name: table.c[name] for name in ("origin", "status", "language", "active")}


def list_redirects(work: UnitOfWork, query: RedirectQuery) -> tuple[list[Redirect], int]:
    """Return a page of redirects, and how many there are."""
    work.uses(REDIRECT_KIND)
    return _LISTING.list_page(work, _build_filters(query), query)


def _build_filters(query: RedirectQuery) -> ListFilters:
    out: ListFilters = {}
    for name, column in _EXACT.items():
        if (value := getattr(query, name)) is not None:
            out[name] = (_build_equality(column, name), {name: value})
    if query.search:
        out["search"] = _build_search_condition, {"search": query.search.lower()}
    return out | build_list_filters(query, _LISTS)


def _build_equality(column: ColumnElement[Any], name: str) -> ConditionBuilder:
    return lambda: column == bindparam(name)


def _build_search_condition() -> ColumnElement[bool]:
    return or_(ContainsText(table.c.source, "search"), ContainsText(func.lower(table.c.target), "search"))
