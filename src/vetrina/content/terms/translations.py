"""Translation groups of terms: reading them, joining, leaving, moving to another language.

Like content/translations/record_translations.py for records. Not here: writing terms (content/terms/rules.py).
Rules: docs/rules/content_languages.md, 4 to 6; docs/rules/translated_content.md, 11; docs/rules/custom_fields.md,
7.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, select, update

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.terms import term as table
from vetrina.content.custom_fields.model import replace_shared_values
from vetrina.content.terms.store import STORE, TERM_COLUMNS, Term, row_to_term
from vetrina.content.translations import groups as translation_groups
from vetrina.content.translations.groups import TranslationIdMap
from vetrina.content.translations.record_translations import GroupOfAnotherType, LanguageTaken, require_language
from vetrina.core.unit_of_work import UnitOfWork

_OF_GROUPS = Statement(select(*TERM_COLUMNS).where(InList(table.c.translations, "groups")).order_by(table.c.id))
_other = table.alias("other_member")
_PARTNERS = Statement(
    select(table.c.id, _other.c.id)
    .where(InList(table.c.id, "ids"), _other.c.translations == table.c.translations, _other.c.id != table.c.id)
    .order_by(_other.c.id)
)
_NUMBERS: Final = TranslationIdMap(table, "taxonomy")
translate_term_id, translate_term_ids = _NUMBERS.translate_id, _NUMBERS.translate_ids
_MEMBERS = ("language", "translations", "source_language", "slug")
_UPDATE = Statement(
    update(table).where(table.c.id == bindparam("of")).values({name: bindparam(f"new_{name}") for name in _MEMBERS})
)


def load_term_group(work: UnitOfWork, of: Term) -> dict[str, Term]:
    """Return the translation group of a term by language, including itself."""
    return load_term_groups(work, [of])[of.translations]


def load_term_groups(work: UnitOfWork, terms: Iterable[Term]) -> dict[int, dict[str, Term]]:
    """Return the groups of several terms by group id; one statement."""
    found: dict[int, dict[str, Term]] = {}
    for one in terms:
        found[one.translations] = {}
    for row in work.tx.all(_OF_GROUPS, groups=encode_list(found)) if found else []:
        term = row_to_term(row)
        found[term.translations][term.language] = term
        work.uses_items(term.taxonomy, (term.id,))
    return found


def list_partners(work: UnitOfWork, ids: Iterable[int]) -> dict[int, list[int]]:
    """Return the ids of the translations of some terms, by the ids of these; one statement."""
    found: dict[int, list[int]] = {}
    for id, other in work.tx.all(_PARTNERS, ids=encode_list(ids)):
        found.setdefault(id, []).append(other)
    return found


def join_term_group(work: UnitOfWork, of: Term, group: int, source: str = "") -> Term:
    """Put a term into a group under its language and return it.

    source: the language that it was translated from; empty for that of the group's original.
    Raises LanguageTaken, GroupOfAnotherType.
    """
    rows = work.tx.all(_OF_GROUPS, groups=encode_list([group]))
    others = {one.language: one for one in map(row_to_term, rows) if one.id != of.id}
    for one in others.values():
        if one.taxonomy != of.taxonomy:
            raise GroupOfAnotherType(found=one.taxonomy, type=of.taxonomy)
    if of.language in others:
        raise LanguageTaken(of.language, others[of.language].id)
    first = translation_groups.find_original(work, others.values())
    source = source or (first.language if first else "")
    if source == of.language or not others:
        source = ""
    if first is not None:
        meta = replace_shared_values(work.site, of.taxonomy, of.meta, first.meta)
        of = _update_meta(work, of, meta)
    if others and of.translations != group:
        work.tell(of.taxonomy, of.id, "translated")
    left = load_term_group(work, of) if of.translations != group else {}
    left.pop(of.language, None)
    new = _update_term(work, of, msgspec.structs.replace(of, translations=group, source_language=source))
    _update_sources(work, left)
    return new


def _update_meta(work: UnitOfWork, of: Term, meta: dict[str, Any]) -> Term:
    new = msgspec.structs.replace(of, meta=meta)
    STORE.update(work.tx, of, new)
    return new


def leave_term_group(work: UnitOfWork, of: Term) -> Term:
    """Move a term from its group into one of its own, and return it."""
    others = load_term_group(work, of)
    others.pop(of.language, None)
    if not others:
        return of
    group = allocate_id(work.tx, "term")
    new = _update_term(work, of, msgspec.structs.replace(of, translations=group, source_language=""))
    _update_sources(work, others)
    return new


def set_term_language(work: UnitOfWork, of: Term, language: str, slug: str) -> Term:
    """Give a term another language and return it; slug: a free one of that language.

    Raises LanguageUnknown, LanguageTaken.
    """
    if of.language == language:
        return of
    require_language(work, language)
    others = load_term_group(work, of)
    others.pop(of.language, None)
    if language in others:
        raise LanguageTaken(language, others[language].id)
    source = "" if of.source_language == language else of.source_language
    new = _update_term(work, of, msgspec.structs.replace(of, language=language, slug=slug, source_language=source))
    if not of.source_language:
        for one in others.values():
            if one.source_language == of.language:
                _update_term(work, one, msgspec.structs.replace(one, source_language=language))
    elif not source:
        _update_sources(work, {**others, language: new})
    return new


def promote_next_original_term(work: UnitOfWork, removed: Term) -> None:
    """Make the first remaining member, in the site's order of languages, the original of a group."""
    left = load_term_group(work, removed)
    left.pop(removed.language, None)
    _update_sources(work, left)


def _update_sources(work: UnitOfWork, group: Mapping[str, Term]) -> None:
    """Ensure that a group has one original, from which every other member descends."""
    for one, source in translation_groups.list_changed_sources(work, group):
        _update_term(work, one, msgspec.structs.replace(one, source_language=source))


def _update_term(work: UnitOfWork, old: Term, new: Term) -> Term:
    work.tx.run(_UPDATE, of=old.id, **{f"new_{name}": getattr(new, name) for name in _MEMBERS})
    work.note(old.taxonomy, old.id, "changed")
    return new
