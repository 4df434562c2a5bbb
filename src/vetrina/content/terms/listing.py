"""Lists of terms: the filters, and the statement of each combination of them.

Not here: the arguments of the routes (content/terms/routes.py). Rules: docs/rules/terms.md, 6;
docs/rules/translated_content.md, 20.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, and_, bindparam, exists, false, func, or_, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import ContainsText, InList, StatementCache, encode_list as bound
from vetrina.backends.tables.terms import record_term, term as table
from vetrina.content.terms import translations
from vetrina.content.terms.store import TERM_COLUMNS, Term, build_name_key, row_to_term
from vetrina.content.text.sanitizing import sanitize_plain_text
from vetrina.content.translations.modes import TranslationMode, build_element_name, get_translation_mode
from vetrina.content.types.model import Taxonomy
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs

TERM_ORDERS = ("id", "include", "name", "slug", "include_slugs", "term_group", "description", "count")


class TermListFilters(msgspec.Struct, frozen=True, kw_only=True):
    """The filters of a list of terms; an empty value or None filters nothing.

    include: overrides exclude. parent: 0 for the top level. record: terms of this record, in every language.
    hide_empty: leave out terms without a public record, unless one of their descendants has one.
    untranslated_in: a language that the terms have no translation in.
    limit, offset: rows to return, and rows to skip before them.
    """

    include: Sequence[int] = ()
    exclude: Sequence[int] = ()
    slugs: Sequence[str] = ()
    search: str = ""
    parent: int | None = None
    record: int = 0
    hide_empty: bool = False
    untranslated_in: str = ""
    orderby: str = "name"
    descending: bool = False
    limit: int = 10
    offset: int = 0

    @property
    def is_of_record_alone(self) -> bool:
        """Return whether the terms of a record are chosen by nothing else that may change."""
        chosen = self.slugs or self.search or self.hide_empty or self.untranslated_in or self.parent is not None
        return bool(self.record) and not chosen and not self.offset


_other = table.alias("other")
_SELECT_TRANSLATED_SLUGS = Statement(
    select(_other.c.slug, table.c.slug)
    .join(table, table.c.translations == _other.c.translations)
    .where(
        _other.c.taxonomy == bindparam("taxonomy"),
        InList(_other.c.slug, "slugs"),
        table.c.language == bindparam("language"),
    )
)
_ROW_STATEMENTS = StatementCache()
_TOTAL_STATEMENTS = StatementCache()

# All terms have the same `term_group`, so that this order is by id.
_ORDER: dict[str, tuple[ColumnElement[Any], ...]] = {
    "id": (table.c.id,),
    "name": (table.c.name_key, table.c.id),
    "slug": (table.c.slug, table.c.id),
    "term_group": (table.c.id,),
    "description": (func.lower(table.c.description), table.c.id),
    "count": (table.c.count, table.c.id),
}
# Orders that no index has: their terms are sorted, which is quick with nothing beside what they are sorted by.
_SORTED = frozenset({"description", "count"})


def list_terms(work: UnitOfWork, taxonomy: Taxonomy, filters: TermListFilters) -> tuple[list[Term], int]:
    """Return one page of the matching terms, and the number of all matches."""
    filters = _translate_filters(work, taxonomy, filters)
    names, values = _build_bindings(work, taxonomy, filters)
    shape = (names, taxonomy.hierarchical)
    if sequence := _find_requested_order(filters):
        by_column, wanted = sequence
        statement = _ROW_STATEMENTS.get((shape, "sequence"), lambda: _add_conditions(select(*TERM_COLUMNS), *shape))
        place = {value: at for at, value in enumerate(wanted)}
        found = [row_to_term(row) for row in work.tx.all(statement, **values)]
        found.sort(key=lambda term: place[getattr(term, by_column)], reverse=filters.descending)
        return found[filters.offset : filters.offset + filters.limit], len(found)
    orderby = filters.orderby if filters.orderby in _ORDER else "name"
    statement = _ROW_STATEMENTS.get(
        (shape, orderby, filters.descending),
        lambda: _select_page(*shape, orderby, filters),
    )
    rows = work.tx.all(statement, **values, limit=filters.limit, offset=filters.offset)
    terms = [row_to_term(row) for row in rows]
    if len(rows) < filters.limit and (rows or not filters.offset):
        return terms, filters.offset + len(rows)
    total = _TOTAL_STATEMENTS.get(shape, lambda: _add_conditions(select(func.count()).select_from(table), *shape))
    return terms, int(work.tx.value(total, **values))


def _find_requested_order(filters: TermListFilters) -> tuple[str, list[Any]] | None:
    """Return the column and the values whose given order the list has."""
    if filters.orderby == "include" and filters.include:
        return "id", [abs(id) for id in dict.fromkeys(filters.include)]
    if filters.orderby == "include_slugs" and filters.slugs:
        return "slug", list(dict.fromkeys(map(slugs.slugify, filters.slugs)))
    return None


def _build_bindings(
    work: UnitOfWork, taxonomy: Taxonomy, filters: TermListFilters
) -> tuple[frozenset[str], dict[str, Any]]:
    """Return the names of the conditions and their bound values."""
    names: set[str] = set()
    values: dict[str, Any] = {"taxonomy": taxonomy.name}
    if filters.record:
        # All terms of the record, as in its own response; a record may have terms of other languages.
        names.add("record")
        values["record"] = filters.record
    else:
        here = resolve_term_mode(work, taxonomy)
        if here is not TranslationMode.NOT_TRANSLATED:
            names.add("fallback" if here is TranslationMode.WITH_FALLBACK else "language")
            values["language"] = work.language
        if here is TranslationMode.WITH_FALLBACK:
            values["default_language"] = work.site.profile.default_language
    if filters.include:
        names.add("include")
        values["include"] = bound(map(abs, filters.include))
    elif filters.exclude:
        names.add("exclude")
        values["exclude"] = bound(map(abs, filters.exclude))
    if filters.slugs:
        names.add("slugs")
        values["slugs"] = bound(map(slugs.slugify, filters.slugs))
    if search := sanitize_plain_text(filters.search):
        names.add("search")
        values["search"], values["search_slug"] = build_name_key(search), search.lower()
    if filters.parent is not None:
        names.add("parent")
        values["parent"] = filters.parent
    if filters.hide_empty:
        names.add("hide_empty")
    if filters.untranslated_in:
        # What all languages share lacks no translation.
        shared = resolve_term_mode(work, taxonomy) is TranslationMode.NOT_TRANSLATED
        names.add("shared" if shared else "untranslated")
        values["untranslated_in"] = filters.untranslated_in
    return frozenset(names), values


def resolve_term_mode(work: UnitOfWork, taxonomy: Taxonomy) -> TranslationMode:
    """Return the mode of a taxonomy that applies in the language of the work."""
    found = get_translation_mode(work, build_element_name(taxonomy))
    at_home = work.language == work.site.profile.default_language
    return TranslationMode.TRANSLATED if found is TranslationMode.WITH_FALLBACK and at_home else found


def build_fallback_condition() -> ColumnElement[bool]:
    """Return the condition that a term is in the bound language, or in the default one and untranslated."""
    return or_(
        table.c.language == bindparam("language"),
        and_(table.c.language == bindparam("default_language"), build_untranslated_condition("language")),
    )


def build_untranslated_condition(name: str) -> ColumnElement[bool]:
    """Return the condition that a term has no translation in the language that is bound under a name."""
    return ~exists().where(_other.c.translations == table.c.translations, _other.c.language == bindparam(name))


def _translate_filters(work: UnitOfWork, taxonomy: Taxonomy, filters: TermListFilters) -> TermListFilters:
    """Return the filters with the ids of the translations in the language of the work.

    Terms without a translation are left out, unless the list falls back to them.
    """
    here = resolve_term_mode(work, taxonomy)
    if filters.record or here is TranslationMode.NOT_TRANSLATED:
        return filters
    named = [*map(abs, filters.include), *map(abs, filters.exclude), *((filters.parent,) if filters.parent else ())]
    changes: dict[str, Any] = {}
    if named:
        there = translations.translate_term_ids(work, named, work.language)
        if here is TranslationMode.WITH_FALLBACK:
            there = {id: there.get(id, id) for id in named}
        for name, ids in (("include", filters.include), ("exclude", filters.exclude)):
            changes[name] = [there[abs(id)] for id in ids if abs(id) in there] or ids
        if filters.parent:
            changes["parent"] = there.get(filters.parent, filters.parent)
    if filters.slugs:
        wanted_slugs = [slugs.slugify(slug) for slug in filters.slugs]
        found = work.tx.all(
            _SELECT_TRANSLATED_SLUGS, taxonomy=taxonomy.name, slugs=bound(wanted_slugs), language=work.language
        )
        there_called = {row[0]: row[1] for row in found}
        own = {row[1] for row in found}
        changes["slugs"] = [slug if slug in own else there_called.get(slug, slug) for slug in wanted_slugs]
    return msgspec.structs.replace(filters, **changes) if changes else filters


def _add_conditions(statement: Any, names: frozenset[str], hierarchical: bool) -> Any:
    conditions: dict[str, ColumnElement[bool]] = {
        "language": table.c.language == bindparam("language"),
        "fallback": build_fallback_condition(),
        "record": table.c.id.in_(select(record_term.c.term).where(record_term.c.record == bindparam("record"))),
        "include": InList(table.c.id, "include"),
        "exclude": ~InList(table.c.id, "exclude"),
        "slugs": InList(table.c.slug, "slugs"),
        "search": or_(ContainsText(table.c.name_key, "search"), ContainsText(table.c.slug, "search_slug")),
        "parent": table.c.parent == bindparam("parent"),
        "shared": false(),
        "untranslated": build_untranslated_condition("untranslated_in"),
        "hide_empty": table.c.id.in_(_select_used_terms()) if hierarchical else table.c.count > 0,
    }
    return statement.where(table.c.taxonomy == bindparam("taxonomy"), *(conditions[name] for name in sorted(names)))


def _select_used_terms() -> Any:
    """Select the terms with public records and all their ancestors."""
    used = table.alias("used_term")
    start = select(used.c.id, used.c.parent).where(used.c.taxonomy == bindparam("taxonomy"), used.c.count > 0)
    found = start.cte("used", recursive=True)
    above = table.alias("above_used")
    whole = found.union(select(above.c.id, above.c.parent).where(above.c.id == found.c.parent))
    return select(whole.c.id)


def _select_page(names: frozenset[str], hierarchical: bool, orderby: str, filters: TermListFilters) -> Any:
    columns = [column.desc() if filters.descending else column for column in _ORDER[orderby]]
    if orderby not in _SORTED:
        page = _add_conditions(select(*TERM_COLUMNS), names, hierarchical)
        return page.order_by(*columns).limit(bindparam("limit")).offset(bindparam("offset"))
    ids = _add_conditions(select(table.c.id), names, hierarchical)
    ids = ids.order_by(*columns).limit(bindparam("limit")).offset(bindparam("offset"))
    return select(*TERM_COLUMNS).where(table.c.id.in_(ids)).order_by(*columns)
