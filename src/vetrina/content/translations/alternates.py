"""The URLs of a public page in each language, for `hreflang`.

Not here: their markup (pages/). Rules: the search engines' description of `hreflang` and `x-default`: every
version names all of them, itself too; `x-default` is for readers of none of the site's languages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.records import record as table
from vetrina.content.records import ancestry, permalinks
from vetrina.content.records.model import LIGHT_COLUMNS, Record, row_to_record
from vetrina.content.terms import store as term_store, translations as term_translations
from vetrina.content.terms.store import Term
from vetrina.content.translations import record_translations
from vetrina.content.translations.modes import TranslationMode, build_element_name, get_translation_mode
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork

DEFAULT_ALTERNATE: Final = "x-default"

_OTHERS = Statement(
    select(*LIGHT_COLUMNS).where(
        InList(table.c.translations, "groups"),
        table.c.type == bindparam("type"),
        table.c.status == "publish",
        table.c.language != bindparam("language"),
    )
)


def add_default_alternate(work: UnitOfWork, languages: Mapping[str, str]) -> dict[str, str]:
    """Return the URLs of a page by language and, where there are several, with `x-default`."""
    order = [code for code in work.site.profile.languages if code in languages]
    out = {code: languages[code] for code in order}
    home = work.site.profile.default_language
    return {**out, DEFAULT_ALTERNATE: out.get(home, out[order[0]])} if len(out) > 1 else out


def build_record_alternates(work: UnitOfWork, type: ContentType, record: Record) -> dict[str, str]:
    """Return the URLs of a published record by language, including its own."""
    if get_translation_mode(work, build_element_name(type)) is TranslationMode.NOT_TRANSLATED:
        return _build_untranslated_alternates(work, type, record)
    found = record_translations.load_published_translations(work, record)
    found.setdefault(record.language, record)
    return add_default_alternate(
        work, {code: permalinks.build_permalink(work, type, one) for code, one in found.items()}
    )


def build_alternates_by_record(
    work: UnitOfWork, type: ContentType, records: Sequence[Record], language: str
) -> dict[int, dict[str, str]]:
    """Return the URLs of the translations of published records in one language, by record id; one statement."""
    if get_translation_mode(work, build_element_name(type)) is TranslationMode.NOT_TRANSLATED:
        return {one.id: _build_untranslated_alternates(work, type, one) for one in records}
    groups = {one.translations for one in records}
    rows = work.tx.all(_OTHERS, groups=encode_list(groups), type=type.name, language=language) if groups else []
    others = [row_to_record(row) for row in rows]
    trails = ancestry.load_ancestor_trails(work, [one.parent for one in others]) if type.hierarchical else {}
    found: dict[int, dict[str, str]] = {}
    for one in others:
        above = trails.get(one.parent, []) if one.parent else []
        found.setdefault(one.translations, {})[one.language] = permalinks.build_permalink(work, type, one, above)
    return {one.id: found[one.translations] for one in records if one.translations in found}


def build_term_alternates(work: UnitOfWork, term: Term) -> dict[str, str]:
    """Return the URLs of a term's page by language, including its own."""
    taxonomy = work.site.taxonomies[term.taxonomy]
    if get_translation_mode(work, build_element_name(taxonomy)) is TranslationMode.NOT_TRANSLATED:
        out = {}
        for code in work.site.profile.languages:
            with work.use_language(code):
                out[code] = term_store.build_term_url(work, term)
        return add_default_alternate(work, out)
    group = term_translations.load_term_group(work, term)
    places = term_store.build_term_urls(work, list(group.values()))
    return add_default_alternate(work, {code: places[one.id] for code, one in group.items()})


def build_alternates_by_term(work: UnitOfWork, terms: Sequence[Term]) -> dict[int, dict[str, str]]:
    """Return the URLs of the translations in use of terms of one taxonomy, by term id; two statements."""
    if not terms:
        return {}
    taxonomy = work.site.taxonomies[terms[0].taxonomy]
    if get_translation_mode(work, build_element_name(taxonomy)) is TranslationMode.NOT_TRANSLATED:
        return {}
    groups = term_translations.load_term_groups(work, terms)
    used = [one for group in groups.values() for one in group.values() if one.count]
    places = term_store.build_term_urls(work, used)
    out = {}
    for term in terms:
        group = {code: places[one.id] for code, one in groups[term.translations].items() if one.count}
        if len(group) > 1:
            out[term.id] = add_default_alternate(work, group)
    return out


def _build_untranslated_alternates(work: UnitOfWork, type: ContentType, record: Record) -> dict[str, str]:
    out = {}
    for code in work.site.profile.languages:
        with work.use_language(code):
            out[code] = permalinks.build_permalink(work, type, record)
    return add_default_alternate(work, out)
