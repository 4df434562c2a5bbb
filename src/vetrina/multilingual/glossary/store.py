"""Entries of the glossary as rows, and the list of them. Rules: docs/rules/glossary.md, 1 and 2."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, func, or_, select

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.statement_cache import ContainsText
from vetrina.backends.store import FLAG, Store
from vetrina.backends.tables.glossary import mlang_glossary as table
from vetrina.core.listing import ListFilters, Listing, build_list_filters
from vetrina.core.unit_of_work import UnitOfWork

GLOSSARY_KIND: Final = "glossary_entry"  # in the change log, and the counter of their ids
ORDERS: Final = ("term", "id", "modified", "include")


class GlossaryEntry(msgspec.Struct, frozen=True):
    """What a term is in another language. The fields are the columns of the table; times are seconds since 1970."""

    id: int
    term: str
    source_language: str
    language: str
    translation: str
    note: str
    case_sensitive: bool
    created: int
    modified: int


class GlossaryQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Query of a list of entries; empty: any. search: part of the term or of its translation."""

    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    search: str = ""
    source_language: str = ""
    language: str = ""
    orderby: str = "term"
    descending: bool = False
    limit: int = 10
    offset: int = 0


_STORE: Final = Store(table, GlossaryEntry, {"case_sensitive": FLAG})
_LISTING: Final = Listing(_STORE, {"term": func.lower(table.c.term), "id": table.c.id, "modified": table.c.modified})
_LISTS: Final = (("include", table.c.id, True), ("exclude", table.c.id, False))
_OF_PAIR: Final = Statement(
    select(*_STORE.columns)
    .where(table.c.source_language == bindparam("source"), table.c.language == bindparam("target"))
    .order_by(table.c.term)
)
_BY_TERM: Final = Statement(
    select(*_STORE.columns).where(
        table.c.source_language == bindparam("source"),
        table.c.language == bindparam("target"),
        table.c.term == bindparam("term"),
    )
)
_ALL: Final = Statement(select(*_STORE.columns).order_by(table.c.source_language, table.c.language, table.c.term))
_COUNT: Final = Statement(select(func.count()).select_from(table))


def find_entry(work: UnitOfWork, id: int) -> GlossaryEntry | None:
    """Return an entry, None where there is none."""
    work.uses(GLOSSARY_KIND)
    return _STORE.find(work.tx, id)


def find_by_term(work: UnitOfWork, source: str, target: str, term: str) -> GlossaryEntry | None:
    """Return the entry of a term for two languages, None where there is none."""
    row = work.tx.first(_BY_TERM, source=source, target=target, term=term)
    return _STORE.of_row(row) if row else None


def list_entries_of_pair(work: UnitOfWork, source: str, target: str) -> list[GlossaryEntry]:
    """Return all entries from one language into another, by term."""
    work.uses(GLOSSARY_KIND)
    return _STORE.of_rows(work.tx.all(_OF_PAIR, source=source, target=target))


def list_all_entries(work: UnitOfWork) -> list[GlossaryEntry]:
    """Return all entries by their languages and terms."""
    return _STORE.of_rows(work.tx.all(_ALL))


def list_entries(work: UnitOfWork, query: GlossaryQuery) -> tuple[list[GlossaryEntry], int]:
    """Return a page of entries, and how many there are."""
    work.uses(GLOSSARY_KIND)
    return _LISTING.list_page(work, _build_filters(query), query)


def count_entries(work: UnitOfWork) -> int:
    """Return how many entries there are."""
    return int(work.tx.value(_COUNT) or 0)


def insert_entry(work: UnitOfWork, entry: GlossaryEntry) -> GlossaryEntry:
    """Store a new entry, and return it with its id."""
    new = msgspec.structs.replace(entry, id=allocate_id(work.tx, GLOSSARY_KIND), created=work.now, modified=work.now)
    _STORE.insert(work.tx, new)
    work.note(GLOSSARY_KIND, new.id, "created")
    return new


def update_entry(work: UnitOfWork, old: GlossaryEntry, new: GlossaryEntry) -> GlossaryEntry:
    """Store a new state of an entry."""
    if _STORE.list_changed(old, new):
        new = msgspec.structs.replace(new, modified=work.now)
        _STORE.update(work.tx, old, new)
        work.note(GLOSSARY_KIND, new.id, "changed")
    return new


def delete_entry(work: UnitOfWork, entry: GlossaryEntry) -> None:
    """Delete an entry."""
    _STORE.delete(work.tx, entry.id)
    work.note(GLOSSARY_KIND, entry.id, "removed")


def _build_filters(query: GlossaryQuery) -> ListFilters:
    out: ListFilters = {}
    if query.source_language:
        out["source"] = (
            lambda: table.c.source_language == bindparam("source"),
            {"source": query.source_language},
        )
    if query.language:
        out["target"] = lambda: table.c.language == bindparam("target"), {"target": query.language}
    if query.search:
        out["search"] = _build_search_condition, {"search": query.search.lower()}
    return out | build_list_filters(query, _LISTS)


def _build_search_condition() -> Any:
    return or_(
        ContainsText(func.lower(table.c.term), "search"), ContainsText(func.lower(table.c.translation), "search")
    )
