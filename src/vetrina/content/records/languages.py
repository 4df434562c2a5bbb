"""What a save of a record does about its language: which one a new record has, where it moves, what it is linked to.

Not here: the groups (content/translations/record_translations.py), what follows the original
(content/translations/copies.py). Rules: facts of the multilingual layer, 5.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from vetrina.access.roles.capabilities import may_edit
from vetrina.content.records import model as record_model
from vetrina.content.records import slugs as record_slugs
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store
from vetrina.content.terms import translations as term_translations
from vetrina.content.translations import links as translation_links
from vetrina.content.translations import record_translations
from vetrina.content.translations.links import Groups
from vetrina.content.translations.modes import Mode, element_of, mode
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import Fault, InvalidParam

__all__ = ["default_term", "linked", "moved", "of_new", "require_translated"]


def of_new(work: Work, type: ContentType, given: Mapping[str, Any], language: str = "") -> str:
    """Return the language of a new record: what is written, what its room says, or that of the request.

    What is not translated is the site's, not a reader's. Raises InvalidParam.
    """
    if mode(work, element_of(type)) is Mode.NOT_TRANSLATED:
        require_translated(work, type, given)
        return work.frame.profile.default_language
    return given.get("lang") or language or work.language


def require_translated(work: Work, type: ContentType, given: Mapping[str, Any]) -> None:
    """Raise InvalidParam where a write names a language of what has none."""
    if mode(work, element_of(type)) is Mode.NOT_TRANSLATED:
        named = [name for name in ("lang", "translations") if given.get(name)]
        message = f"Records of the type {type.name} are not translated; every language shows the same."
        if named:
            raise InvalidParam({name: Fault("mlang_not_translated", message) for name in named})


def moved(work: Work, type: ContentType, of: Record, given: Mapping[str, Any]) -> Record:
    """Give a record the language that is written, with what belongs to the language, and return it."""
    require_translated(work, type, given)
    language = given.get("lang")
    if not language or language == of.language:
        return of
    new = translation_links.placed(lambda: record_translations.move(work, of, language))
    if type.hierarchical and new.parent and "parent" not in given:
        new = _beneath(work, type, new, record_translations.in_language(work, new.parent, language))
    held = term_store.of_records(work.tx, [new.id])[new.id]
    for taxonomy in work.frame.taxonomies_of(type):
        own = [one.id for one in held if one.taxonomy == taxonomy.name]
        if taxonomy.base not in given and own:
            there = term_translations.in_languages(work, own, language)
            term_store.assign(work, new.id, taxonomy, [there.get(id, id) for id in own])
    return new


def _beneath(work: Work, type: ContentType, of: Record, parent: int) -> Record:
    if parent == of.parent:
        return of
    types = work.frame.types
    slug = record_slugs.free(work.tx, type, of.slug, language=of.language, parent=parent, id=of.id, types=types)
    new = msgspec.structs.replace(of, parent=parent, slug=slug)
    record_model.store(work.tx, of, new)
    return msgspec.structs.replace(new, version=of.version + 1)


def linked(work: Work, type: ContentType, of: Record, given: Mapping[str, Any]) -> Record:
    """Link a record with the translations that are written and return it. Raises InvalidParam."""
    wanted = given.get("translations")
    if not wanted:
        return of

    def find(id: int) -> Record | None:
        found = record_model.by_id(work.tx, id)
        return found if found is not None and found.type == of.type else None

    def may(one: Record) -> bool:
        return may_edit(work.user, type, one)

    groups = Groups(find, may, record_translations.members, record_translations.join, record_translations.leave)
    return translation_links.linked(work, of, wanted, groups)


def default_term(work: Work, option: str, taxonomy: str, language: str) -> int:
    """Return the term of a record without one: the translation of the site's default one, where it has one."""
    id: int = work.option(option)
    if language == work.frame.profile.default_language or mode(work, f"tax_{taxonomy}") is Mode.NOT_TRANSLATED:
        return id
    return term_translations.in_language(work, id, language)
