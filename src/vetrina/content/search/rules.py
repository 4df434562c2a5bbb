"""Search over the whole site: its public records, its terms, the formats of its posts.

Not here: lists of one type or taxonomy (content/records/listing.py, content/terms/listing.py).
Rules: docs/rules/lists.md, 13: public records only, for every caller; best first, or newest first without a text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import and_, bindparam, func, or_, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import ContainsText, InList, StatementCache, encode_list
from vetrina.backends.tables.records import record as record_table
from vetrina.backends.tables.terms import term as table
from vetrina.content.records import listing as record_listing
from vetrina.content.records.listing import InvalidRecordPage
from vetrina.content.records.model import Record
from vetrina.content.records.query import RecordQuery
from vetrina.content.search import terms as search_terms
from vetrina.content.terms import listing as term_listing
from vetrina.content.terms.store import TERM_COLUMNS, Term, build_name_key, row_to_term
from vetrina.content.text.sanitizing import sanitize_plain_text
from vetrina.content.translations.modes import TranslationMode
from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.core.unit_of_work import UnitOfWork

# The formats that have a page of their own, with their labels.
FORMAT_LABELS: Final = {
    "aside": "Aside", "chat": "Chat", "gallery": "Gallery", "link": "Link", "image": "Image", "quote": "Quote",
    "status": "Status", "video": "Video", "audio": "Audio",
}  # fmt: skip


class SiteSearchQuery(msgspec.Struct, frozen=True, kw_only=True):
    """The query of a search. kinds: names of types or taxonomies. include: overrides exclude."""

    text: str = ""
    kinds: tuple[str, ...] = ()
    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    page: int = 1
    per_page: int = 10


_STATEMENTS = StatementCache(most=64)
_USED_FORMATS = Statement(
    select(record_table.c.format)
    .where(
        InList(record_table.c.type, "types"),
        record_table.c.status == "publish",
        record_table.c.language == bindparam("language"),
        record_table.c.format != "standard",
    )
    .distinct()
)


def list_searched_types(work: UnitOfWork) -> dict[str, ContentType]:
    """Return the types that are searched, by name: those with public pages of their own."""
    return {name: type for name, type in work.site.types.items() if type.is_searched}


def list_searched_taxonomies(work: UnitOfWork) -> dict[str, Taxonomy]:
    """Return the taxonomies that are searched, by name: those with public pages."""
    return {name: one for name, one in work.site.taxonomies.items() if one.directory and one.described}


def select_kinds(subtypes: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Return the subtypes to search among those of a type; others are ignored, and none means all."""
    return tuple(name for name in known if name in subtypes) or tuple(known)


def search_site_records(work: UnitOfWork, search: SiteSearchQuery) -> tuple[list[Record], int]:
    """Return one page of public records and the number of matches; both empty past the last page."""
    parsed = search_terms.parse_search(search.text)
    query = RecordQuery(
        type="",
        types=search.kinds,
        statuses=("publish",),
        page=search.page,
        per_page=search.per_page,
        orderby="relevance" if parsed else "date",
        search=parsed,
        include=search.include,
        exclude=search.exclude,
    )
    try:
        return record_listing.list_records(work, query)
    except InvalidRecordPage:
        return [], 0


def search_site_terms(work: UnitOfWork, search: SiteSearchQuery) -> tuple[list[Term], int]:
    """Return one page of terms in the order of their names, and the number of matches."""
    work.uses(*search.kinds)
    names: set[str] = set()
    values: dict[str, Any] = {"language": work.language, "default_language": work.site.profile.default_language}
    for name in search.kinds:
        here = term_listing.resolve_term_mode(work, work.site.taxonomies[name])
        names.add(here.name)
        values.setdefault(here.name, []).append(name)
    values |= {mode: encode_list(values[mode]) for mode in names}
    if search.include:
        names.add("include")
        values["include"] = encode_list(search.include)
    elif search.exclude:
        names.add("exclude")
        values["exclude"] = encode_list(search.exclude)
    if text := sanitize_plain_text(search.text):
        names.add("search")
        values["search"], values["search_slug"] = build_name_key(text), text.lower()
    shape = frozenset(names)
    counting = _STATEMENTS.get(
        (shape, "count"), lambda: _add_conditions(select(func.count()).select_from(table), shape)
    )
    total = int(work.tx.value(counting, **values))
    start = (search.page - 1) * search.per_page
    if start >= total:
        return [], total
    page = _STATEMENTS.get(
        (shape, "page"),
        lambda: (
            _add_conditions(select(*TERM_COLUMNS), shape)
            .order_by(table.c.name_key, table.c.id)
            .limit(bindparam("size"))
            .offset(bindparam("start"))
        ),
    )
    return [row_to_term(row) for row in work.tx.all(page, **values, size=search.per_page, start=start)], total


def _add_conditions(statement: Any, names: frozenset[str]) -> Any:
    conditions: dict[str, Any] = {
        "include": InList(table.c.id, "include"),
        "exclude": ~InList(table.c.id, "exclude"),
        "search": or_(ContainsText(table.c.name_key, "search"), ContainsText(table.c.slug, "search_slug")),
    }
    languages: dict[str, Any] = {
        TranslationMode.NOT_TRANSLATED.name: (),
        TranslationMode.TRANSLATED.name: (table.c.language == bindparam("language"),),
        TranslationMode.WITH_FALLBACK.name: (term_listing.build_fallback_condition(),),
    }
    shown = [and_(InList(table.c.taxonomy, name), *languages[name]) for name in sorted(names & languages.keys())]
    return statement.where(or_(*shown), *(conditions[name] for name in sorted(names - languages.keys())))


def search_site_formats(work: UnitOfWork, search: SiteSearchQuery) -> tuple[Sequence[str], int]:
    """Return one page of the formats that public posts have, and the number of matches."""
    types = [type.name for type in work.site.types.values() if type.has("post-formats")]
    work.uses(*types)
    used = {row[0] for row in work.tx.all(_USED_FORMATS, types=encode_list(types), language=work.language)}
    text = search.text.lower()
    found = [name for name, label in FORMAT_LABELS.items() if name in used and (text in name or text in label.lower())]
    start = (search.page - 1) * search.per_page
    return found[start : start + search.per_page], len(found)
