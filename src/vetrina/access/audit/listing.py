"""Filters and order of the audit trail. Rules: docs/rules/audit.md, 5."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, bindparam, func, or_

from vetrina.access.audit import store
from vetrina.access.audit.model import AuditEntry
from vetrina.backends.statement_cache import ContainsText
from vetrina.backends.tables.audit import audit_entry as table
from vetrina.core.listing import ConditionBuilder, ListFilters, Listing, build_list_filters, build_moment_filters
from vetrina.core.unit_of_work import UnitOfWork

ORDERS: Final = ("date", "id")
_PAGE: Final = 500
_SEARCHED: Final = ("login", "address", "item", "title")


class AuditQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Query of the audit trail. after, before: seconds since 1970. None, and an empty tuple: any."""

    include: tuple[int, ...] = ()
    account: tuple[int, ...] = ()
    action: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    item: str | None = None
    address: str | None = None
    after: int | None = None
    before: int | None = None
    search: str = ""
    orderby: str = "date"
    descending: bool = True
    limit: int = 10
    offset: int = 0


# Entries are written in the order of time, one writer after the other: their numbers say it, without a further index.
_LISTING: Final = Listing(store.STORE, {"date": table.c.id, "id": table.c.id})
_LISTS: Final = tuple((name, table.c[name], True) for name in ("account", "action", "kind", "source"))
_MOMENTS: Final = (("after", table.c.at, True), ("before", table.c.at, False))
_EXACT: Final = {name: table.c[name] for name in ("item", "address")}


def list_entries(work: UnitOfWork, query: AuditQuery) -> tuple[list[AuditEntry], int]:
    """Return a page of entries, and how many match."""
    return _LISTING.list_page(work, _build_filters(query), query)


def iterate_entries(work: UnitOfWork, query: AuditQuery, most: int | None = None) -> Iterator[AuditEntry]:
    """Yield the entries that match, the newest first, at most so many; they are read in pages."""
    filters, start = _build_filters(query), 0
    while most is None or start < most:
        size = _PAGE if most is None else min(_PAGE, most - start)
        page = msgspec.structs.replace(query, limit=size, offset=start)
        found = _LISTING.list_items(work, filters, page)
        yield from found
        if len(found) < size:
            return
        start += size


def _build_filters(query: AuditQuery) -> ListFilters:
    out: ListFilters = {}
    for name, column in _EXACT.items():
        if (value := getattr(query, name)) is not None:
            out[name] = (_build_equality(column, name), {name: value})
    if query.search:
        out["search"] = _build_search_condition, {"search": query.search.lower()}
    return out | build_list_filters(query, _LISTS) | build_moment_filters(query, _MOMENTS)


def _build_equality(column: ColumnElement[Any], name: str) -> ConditionBuilder:
    return lambda: column == bindparam(name)


def _build_search_condition() -> ColumnElement[bool]:
    return or_(*(ContainsText(func.lower(table.c[name]), "search") for name in _SEARCHED))
