"""The language of a saved term: what a new term gets, moving to another language, links to translations.

Like content/records/saved_language.py for records. Rules: docs/rules/translated_content.md, 10 and 11; an edit never
moves a term to the language of its request.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vetrina.access.roles.capabilities import may_edit_terms
from vetrina.content.terms import rules as term_rules, store as term_store, translations
from vetrina.content.terms.store import Term
from vetrina.content.translations import translation_links
from vetrina.content.translations.modes import TranslationMode, build_element_name, get_translation_mode
from vetrina.content.translations.record_translations import LanguageTaken, require_language
from vetrina.content.translations.translation_links import TranslationGroups
from vetrina.content.types.model import Taxonomy
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import Fault, InvalidParam


def choose_term_language(work: UnitOfWork, taxonomy: Taxonomy, given: Mapping[str, Any]) -> str:
    """Return the written language of a new term, empty for that of the work. Raises InvalidParam."""
    _require_translated(work, taxonomy, given)
    return given.get("lang") or ""


def apply_term_language(work: UnitOfWork, taxonomy: Taxonomy, term: Term, given: Mapping[str, Any]) -> Term:
    """Move a term to the written language, link it, and return it. Raises InvalidParam."""
    _require_translated(work, taxonomy, given)
    if language := given.get("lang"):
        term = translation_links.move_to_language(lambda: move_term(work, taxonomy, term, language))
    return link_term(work, taxonomy, term, given)


def move_term(work: UnitOfWork, taxonomy: Taxonomy, term: Term, language: str) -> Term:
    """Move a term to another language, with a slug that is free there, and return it; its parent follows where it can.

    Raises LanguageUnknown, LanguageTaken.
    """
    if language == term.language:
        return term
    require_language(work, language)
    others = translations.load_term_group(work, term)
    if language in others:
        raise LanguageTaken(language, others[language].id)
    parent = translations.translate_term_id(work, term.parent, language)
    slug = term_rules.find_free_term_slug(work, taxonomy, language, term.slug, parent)
    moved = translations.set_term_language(work, term, language, slug, others)
    return term_rules.update_term(work, taxonomy, moved, parent=parent) if parent != term.parent else moved


def link_term(work: UnitOfWork, taxonomy: Taxonomy, term: Term, given: Mapping[str, Any]) -> Term:
    """Link a term with the written translations and return it. Raises InvalidParam."""
    wanted = given.get("translations")
    if not wanted:
        return term

    def find(id: int) -> Term | None:
        found = term_store.find_term(work.tx, id)
        return found if found is not None and found.taxonomy == taxonomy.name else None

    def may(one: Term) -> bool:
        return may_edit_terms(work.user, taxonomy, one.language)

    groups = TranslationGroups(
        find, may, translations.load_term_group, translations.join_term_group, translations.leave_term_group
    )
    return translation_links.link_translations(work, term, wanted, groups)


def _require_translated(work: UnitOfWork, taxonomy: Taxonomy, given: Mapping[str, Any]) -> None:
    if get_translation_mode(work, build_element_name(taxonomy)) is TranslationMode.NOT_TRANSLATED:
        message = f"Terms of {taxonomy.name} are not translated; every language shows the same."
        if named := [name for name in ("lang", "translations") if given.get(name)]:
            raise InvalidParam({name: Fault("mlang_not_translated", message) for name in named})
