"""The language of a saved record: what a new record gets, moving to another language, links to translations.

Not here: the groups (content/translations/record_translations.py), what follows the original
(content/translations/copied_from_original.py). Rules: docs/rules/translated_content.md, 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from vetrina.access.roles.capabilities import may_edit_record
from vetrina.content.records import model as record_model, slugs as record_slugs
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store, translations as term_translations
from vetrina.content.translations import record_translations, translation_links
from vetrina.content.translations.modes import TranslationMode, build_element_name, get_translation_mode
from vetrina.content.translations.translation_links import TranslationGroups
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import Fault, InvalidParam


def choose_record_language(work: UnitOfWork, type: ContentType, given: Mapping[str, Any], language: str = "") -> str:
    """Return the language of a new record: the written one, that of its route, or that of the request.

    A type that is not translated has the language of the site, not of the caller. Raises InvalidParam.
    """
    if get_translation_mode(work, build_element_name(type)) is TranslationMode.NOT_TRANSLATED:
        require_translated(work, type, given)
        return work.site.profile.default_language
    return given.get("lang") or language or work.language


def find_new_record_language(work: UnitOfWork, type: ContentType, given: Mapping[str, Any]) -> str:
    """Return the language that a record will get; what is written may still be refused (`choose_record_language`)."""
    if get_translation_mode(work, build_element_name(type)) is TranslationMode.NOT_TRANSLATED:
        return work.site.profile.default_language
    return given.get("lang") or work.language


def require_translated(work: UnitOfWork, type: ContentType, given: Mapping[str, Any]) -> None:
    """Raise InvalidParam where a write names a language for a type that has none."""
    if get_translation_mode(work, build_element_name(type)) is TranslationMode.NOT_TRANSLATED:
        named = [name for name in ("lang", "translations") if given.get(name)]
        message = f"Records of the type {type.name} are not translated; every language shows the same."
        if named:
            raise InvalidParam({name: Fault("mlang_not_translated", message) for name in named})


def move_record_language(work: UnitOfWork, type: ContentType, of: Record, given: Mapping[str, Any]) -> Record:
    """Move a record and what belongs to its language to the written language, and return it."""
    require_translated(work, type, given)
    language = given.get("lang")
    if not language or language == of.language:
        return of
    new = translation_links.move_to_language(lambda: record_translations.set_record_language(work, of, language))
    if type.hierarchical and new.parent and "parent" not in given:
        new = _set_parent(work, type, new, record_translations.translate_record_id(work, new.parent, language))
    held = term_store.list_terms_by_record(work.tx, [new.id])[new.id]
    for taxonomy in work.site.taxonomies_of(type):
        own = [one.id for one in held if one.taxonomy == taxonomy.name]
        if taxonomy.base not in given and own:
            there = term_translations.translate_term_ids(work, own, language)
            term_store.assign_terms(work, new.id, taxonomy, [there.get(id, id) for id in own])
    return new


def _set_parent(work: UnitOfWork, type: ContentType, of: Record, parent: int) -> Record:
    if parent == of.parent:
        return of
    types = work.site.types
    slug = record_slugs.find_free_slug(
        work.tx, type, of.slug, language=of.language, parent=parent, id=of.id, types=types
    )
    new = msgspec.structs.replace(of, parent=parent, slug=slug)
    record_model.update_record_row(work, of, new)
    return msgspec.structs.replace(new, version=of.version + 1)


def link_record(work: UnitOfWork, type: ContentType, of: Record, given: Mapping[str, Any]) -> Record:
    """Link a record with the written translations and return it. Raises InvalidParam."""
    wanted = given.get("translations")
    if not wanted:
        return of

    def find(id: int) -> Record | None:
        found = record_model.find_record(work.tx, id)
        return found if found is not None and found.type == of.type else None

    def may(one: Record) -> bool:
        return may_edit_record(work.user, type, one)

    groups = TranslationGroups(
        find,
        may,
        record_translations.load_record_group,
        record_translations.join_record_group,
        record_translations.leave_record_group,
    )
    return translation_links.link_translations(work, of, wanted, groups)


def get_default_term_id(work: UnitOfWork, option: str, taxonomy: str, language: str) -> int:
    """Return the default term of a taxonomy: the translation of the site's default one, if there is one."""
    id: int = work.option(option)
    if (
        language == work.site.profile.default_language
        or get_translation_mode(work, f"tax_{taxonomy}") is TranslationMode.NOT_TRANSLATED
    ):
        return id
    return term_translations.translate_term_id(work, id, language)
