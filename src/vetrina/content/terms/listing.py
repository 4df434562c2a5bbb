"""Lists of terms: which filters there are, and the statement of each combination of them.

Not here: what arguments clients send (namespaces). Rules: facts, "Terms", lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, and_, bindparam, exists, func, or_, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, Contains, Shapes
from vetrina.backends.statement_cache import listed as bound
from vetrina.backends.tables.core import record_term
from vetrina.backends.tables.core import term as table
from vetrina.content.terms import translations
from vetrina.content.terms.store import COLUMNS, Term, from_row, name_key
from vetrina.content.text.sanitizing import plain
from vetrina.content.translations.modes import Mode, element_of, mode
from vetrina.content.types.model import Taxonomy
from vetrina.core.unit_of_work import Work
from vetrina.kernel import slugs

__all__ = ["ORDERS", "TermFilters", "listed", "mode_here", "with_fallback"]

ORDERS = ("id", "include", "name", "slug", "include_slugs", "term_group", "description", "count")


class TermFilters(msgspec.Struct, frozen=True, kw_only=True):
    """What a list of terms is narrowed to; a value that is empty or None narrows nothing.

    include: wins over exclude. parent: 0 for those at the top. record: those of this record, in every language.
    hide_empty: leave out terms that neither themselves nor in a term beneath them have a public record.
    limit, offset: how many rows, and how many before them are passed over.
    """

    include: Sequence[int] = ()
    exclude: Sequence[int] = ()
    slugs: Sequence[str] = ()
    search: str = ""
    parent: int | None = None
    record: int = 0
    hide_empty: bool = False
    orderby: str = "name"
    descending: bool = False
    limit: int = 10
    offset: int = 0


_other = table.alias("other")
_SLUGS_THERE = Statement(
    select(_other.c.slug, table.c.slug)
    .join(table, table.c.translations == _other.c.translations)
    .where(
        _other.c.taxonomy == bindparam("taxonomy"),
        Among(_other.c.slug, "slugs"),
        table.c.language == bindparam("language"),
    )
)
_ROWS = Shapes()
_TOTALS = Shapes()

# Every term is in the same group, so that order is that of the numbers.
_ORDER: dict[str, tuple[ColumnElement[Any], ...]] = {
    "id": (table.c.id,),
    "name": (table.c.name_key, table.c.id),
    "slug": (table.c.slug, table.c.id),
    "term_group": (table.c.id,),
    "description": (func.lower(table.c.description), table.c.id),
    "count": (table.c.count, table.c.id),
}


def listed(work: Work, taxonomy: Taxonomy, filters: TermFilters) -> tuple[list[Term], int]:
    """Return one page of the terms that the filters leave, and how many they leave in all."""
    filters = _translated(work, taxonomy, filters)
    names, values = _bound(work, taxonomy, filters)
    shape = (names, taxonomy.hierarchical)
    if sequence := _sequence(filters):
        by_column, wanted = sequence
        statement = _ROWS.get((shape, "sequence"), lambda: _narrowed(select(*COLUMNS), *shape))
        place = {value: at for at, value in enumerate(wanted)}
        found = [from_row(row) for row in work.tx.all(statement, **values)]
        found.sort(key=lambda term: place[getattr(term, by_column)], reverse=filters.descending)
        return found[filters.offset : filters.offset + filters.limit], len(found)
    orderby = filters.orderby if filters.orderby in _ORDER else "name"
    statement = _ROWS.get(
        (shape, orderby, filters.descending), lambda: _page(_narrowed(select(*COLUMNS), *shape), orderby, filters)
    )
    rows = work.tx.all(statement, **values, limit=filters.limit, offset=filters.offset)
    terms = [from_row(row) for row in rows]
    if len(rows) < filters.limit and (rows or not filters.offset):
        return terms, filters.offset + len(rows)
    total = _TOTALS.get(shape, lambda: _narrowed(select(func.count()).select_from(table), *shape))
    return terms, int(work.tx.value(total, **values))


def _sequence(filters: TermFilters) -> tuple[str, list[Any]] | None:
    """Return the column and the values whose own order is asked for."""
    if filters.orderby == "include" and filters.include:
        return "id", [abs(id) for id in dict.fromkeys(filters.include)]
    if filters.orderby == "include_slugs" and filters.slugs:
        return "slug", list(dict.fromkeys(map(slugs.slugify, filters.slugs)))
    return None


def _bound(work: Work, taxonomy: Taxonomy, filters: TermFilters) -> tuple[frozenset[str], dict[str, Any]]:
    """Return which conditions hold and their values."""
    names: set[str] = set()
    values: dict[str, Any] = {"taxonomy": taxonomy.name}
    if filters.record:
        # The terms of a record are all of them, as its own answer lists them; a record may have foreign ones.
        names.add("record")
        values["record"] = filters.record
    else:
        here = mode_here(work, taxonomy)
        if here is not Mode.NOT_TRANSLATED:
            names.add("fallback" if here is Mode.WITH_FALLBACK else "language")
            values["language"] = work.language
        if here is Mode.WITH_FALLBACK:
            values["default_language"] = work.frame.profile.default_language
    if filters.include:
        names.add("include")
        values["include"] = bound(map(abs, filters.include))
    elif filters.exclude:
        names.add("exclude")
        values["exclude"] = bound(map(abs, filters.exclude))
    if filters.slugs:
        names.add("slugs")
        values["slugs"] = bound(map(slugs.slugify, filters.slugs))
    if search := plain(filters.search):
        names.add("search")
        values["search"], values["search_slug"] = name_key(search), search.lower()
    if filters.parent is not None:
        names.add("parent")
        values["parent"] = filters.parent
    if filters.hide_empty:
        names.add("hide_empty")
    return frozenset(names), values


def mode_here(work: Work, taxonomy: Taxonomy) -> Mode:
    """Return what a taxonomy's mode comes to in the language of the work."""
    found = mode(work, element_of(taxonomy))
    at_home = work.language == work.frame.profile.default_language
    return Mode.TRANSLATED if found is Mode.WITH_FALLBACK and at_home else found


def with_fallback() -> ColumnElement[bool]:
    """Return that a term is in the bound language, or has no translation there and is in the default one."""
    there = exists().where(_other.c.translations == table.c.translations, _other.c.language == bindparam("language"))
    return or_(
        table.c.language == bindparam("language"),
        and_(table.c.language == bindparam("default_language"), ~there),
    )


def _translated(work: Work, taxonomy: Taxonomy, filters: TermFilters) -> TermFilters:
    """Return the filters with the terms that they name in the language of the work.

    Those without one there are left out, but where the list falls back to them.
    """
    here = mode_here(work, taxonomy)
    if filters.record or here is Mode.NOT_TRANSLATED:
        return filters
    named = [*map(abs, filters.include), *map(abs, filters.exclude), *((filters.parent,) if filters.parent else ())]
    changes: dict[str, Any] = {}
    if named:
        there = translations.in_languages(work, named, work.language)
        if here is Mode.WITH_FALLBACK:
            there = {id: there.get(id, id) for id in named}
        for name, ids in (("include", filters.include), ("exclude", filters.exclude)):
            changes[name] = [there[abs(id)] for id in ids if abs(id) in there] or ids
        if filters.parent:
            changes["parent"] = there.get(filters.parent, filters.parent)
    if filters.slugs:
        asked = [slugs.slugify(slug) for slug in filters.slugs]
        found = work.tx.all(_SLUGS_THERE, taxonomy=taxonomy.name, slugs=bound(asked), language=work.language)
        there_called = {row[0]: row[1] for row in found}
        own = {row[1] for row in found}
        changes["slugs"] = [slug if slug in own else there_called.get(slug, slug) for slug in asked]
    return msgspec.structs.replace(filters, **changes) if changes else filters


def _narrowed(statement: Any, names: frozenset[str], hierarchical: bool) -> Any:
    conditions: dict[str, ColumnElement[bool]] = {
        "language": table.c.language == bindparam("language"),
        "fallback": with_fallback(),
        "record": table.c.id.in_(select(record_term.c.term).where(record_term.c.record == bindparam("record"))),
        "include": Among(table.c.id, "include"),
        "exclude": ~Among(table.c.id, "exclude"),
        "slugs": Among(table.c.slug, "slugs"),
        "search": or_(Contains(table.c.name_key, "search"), Contains(table.c.slug, "search_slug")),
        "parent": table.c.parent == bindparam("parent"),
        "hide_empty": table.c.id.in_(_used()) if hierarchical else table.c.count > 0,
    }
    return statement.where(table.c.taxonomy == bindparam("taxonomy"), *(conditions[name] for name in sorted(names)))


def _used() -> Any:
    """Return the terms with public records and all that stand above one of them."""
    used = table.alias("used_term")
    start = select(used.c.id, used.c.parent).where(used.c.taxonomy == bindparam("taxonomy"), used.c.count > 0)
    found = start.cte("used", recursive=True)
    above = table.alias("above_used")
    whole = found.union(select(above.c.id, above.c.parent).where(above.c.id == found.c.parent))
    return select(whole.c.id)


def _page(statement: Any, orderby: str, filters: TermFilters) -> Any:
    columns = [column.desc() if filters.descending else column for column in _ORDER[orderby]]
    return statement.order_by(*columns).limit(bindparam("limit")).offset(bindparam("offset"))
