"""Where a public page is in each language: what programs that read pages are told (hreflang).

Not here: how it is told (vetrina/pages). Rules: the search engines' common description of `hreflang` and `x-default`:
every version names all of them, itself too; `x-default` is for readers of no language of the site.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.core import record as table
from vetrina.content.records import ancestry, permalinks
from vetrina.content.records.model import LIGHT, Record, of_row
from vetrina.content.terms import store as term_store
from vetrina.content.terms import translations as term_translations
from vetrina.content.terms.store import Term
from vetrina.content.translations import record_translations
from vetrina.content.translations.modes import Mode, element_of, mode
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import Work

__all__ = ["DEFAULT", "of_record", "of_records", "of_term", "with_default"]

DEFAULT: Final = "x-default"

_OTHERS = Statement(
    select(*LIGHT).where(
        Among(table.c.translations, "groups"),
        table.c.type == bindparam("type"),
        table.c.status == "publish",
        table.c.language != bindparam("language"),
    )
)


def with_default(work: Work, languages: Mapping[str, str]) -> dict[str, str]:
    """Return the addresses of a page by language with that for readers of none, where there are several."""
    order = [code for code in work.frame.profile.languages if code in languages]
    out = {code: languages[code] for code in order}
    home = work.frame.profile.default_language
    return {**out, DEFAULT: out.get(home, out[order[0]])} if len(out) > 1 else out


def of_record(work: Work, type: ContentType, record: Record) -> dict[str, str]:
    """Return the addresses of a published record by language, itself among them."""
    if mode(work, element_of(type)) is Mode.NOT_TRANSLATED:
        return _everywhere(work, type, record)
    found = record_translations.published(work, record)
    found.setdefault(record.language, record)
    return with_default(work, {code: permalinks.link(work, type, one) for code, one in found.items()})


def of_records(work: Work, type: ContentType, records: Sequence[Record], language: str) -> dict[int, dict[str, str]]:
    """Return the further addresses of published records of one language, by their numbers; asks once."""
    if mode(work, element_of(type)) is Mode.NOT_TRANSLATED:
        return {one.id: _everywhere(work, type, one) for one in records}
    groups = {one.translations for one in records}
    rows = work.tx.all(_OTHERS, groups=listed(groups), type=type.name, language=language) if groups else []
    others = [of_row(row) for row in rows]
    trails = ancestry.trails(work.tx, [one.parent for one in others]) if type.hierarchical else {}
    found: dict[int, dict[str, str]] = {}
    for one in others:
        above = trails.get(one.parent, []) if one.parent else []
        found.setdefault(one.translations, {})[one.language] = permalinks.link(work, type, one, above)
    return {one.id: found[one.translations] for one in records if one.translations in found}


def of_term(work: Work, term: Term) -> dict[str, str]:
    """Return the addresses of a term's page by language, itself among them."""
    taxonomy = work.frame.taxonomies[term.taxonomy]
    if mode(work, element_of(taxonomy)) is Mode.NOT_TRANSLATED:
        out = {}
        for code in work.frame.profile.languages:
            with work.speaking(code):
                out[code] = term_store.address(work, term)
        return with_default(work, out)
    group = term_translations.members(work, term)
    places = term_store.addresses(work, list(group.values()))
    return with_default(work, {code: places[one.id] for code, one in group.items()})


def _everywhere(work: Work, type: ContentType, record: Record) -> dict[str, str]:
    out = {}
    for code in work.frame.profile.languages:
        with work.speaking(code):
            out[code] = permalinks.link(work, type, record)
    return with_default(work, out)
