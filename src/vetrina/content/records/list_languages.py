"""The languages of the records in a list, by the translation modes of their types.

A list of a translated type has one language; of a type that falls back, the untranslated records of the default
language too; of a type that is not translated, all languages. Each language is a share, read in order from an index, so
that a list of several is as fast as one: the shares are merged page by page (content/records/listing.py).
Not here: the modes (content/translations/modes.py). Rules: docs/rules/translated_content.md, 1, 2 and 20.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, exists as there_is, or_, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.records import record
from vetrina.content.translations import record_translations
from vetrina.content.translations.modes import (
    PUBLISHED_STATUSES,
    TranslationMode,
    build_element_name,
    get_translation_mode,
)
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork


class LanguageShare(NamedTuple):
    """The part of a list in one language. untranslated: only records without a published translation in the work's
    language.
    """

    language: str
    untranslated: bool = False


_other = record.alias("other")


def build_untranslated_condition() -> ColumnElement[bool]:
    """Return the condition that a record has no published translation in the bound `wanted_language`."""
    return ~there_is().where(
        _other.c.type == record.c.type,
        _other.c.translations == record.c.translations,
        _other.c.language == bindparam("wanted_language"),
        or_(*(_other.c.status == status for status in PUBLISHED_STATUSES)),
    )


def build_untranslated_set_condition() -> ColumnElement[bool]:
    """Return the same as `build_untranslated_condition`, faster where all records of one bound type are read."""
    translated = select(_other.c.translations).where(
        _other.c.type == bindparam("type"),
        _other.c.language == bindparam("wanted_language"),
        or_(*(_other.c.status == status for status in PUBLISHED_STATUSES)),
    )
    return record.c.translations.not_in(translated)


def build_missing_condition(*, drafts: bool, looked_up: bool) -> ColumnElement[bool]:
    """Return the condition that a record has no translation in the bound language `untranslated_in`.

    drafts: whether one that is not published counts as a translation; one in the trash never does. looked_up: whether
    all matches are wanted; while walking a list in order, testing each record is cheaper.
    """
    if drafts:
        shown: ColumnElement[bool] = _other.c.status != "trash"
    else:
        shown = or_(*(_other.c.status == status for status in PUBLISHED_STATUSES))
    there = (_other.c.language == bindparam("untranslated_in"), shown)
    if looked_up:
        translated = select(_other.c.translations).where(_other.c.type == bindparam("type"), *there)
        return record.c.translations.not_in(translated)
    return ~there_is().where(_other.c.translations == record.c.translations, *there)


def resolve_effective_mode(work: UnitOfWork, type: str) -> TranslationMode:
    """Return the mode that applies in the language of the work: the default language has nothing to fall back to."""
    found = get_translation_mode(work, f"post_{type}")
    at_home = work.language == work.site.profile.default_language
    return TranslationMode.TRANSLATED if found is TranslationMode.WITH_FALLBACK and at_home else found


def list_language_shares(work: UnitOfWork, type: str) -> tuple[LanguageShare, ...]:
    """Return the shares of a list of one type."""
    match resolve_effective_mode(work, type):
        case TranslationMode.NOT_TRANSLATED:
            return tuple(LanguageShare(language) for language in work.site.profile.languages)
        case TranslationMode.WITH_FALLBACK:
            return LanguageShare(work.language), LanguageShare(work.site.profile.default_language, untranslated=True)
        case _:
            return (LanguageShare(work.language),)


def group_types_by_mode(work: UnitOfWork, types: Iterable[str]) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Return the modes of some types, for `build_language_condition`, and the values to bind."""
    grouped: dict[TranslationMode, list[str]] = {}
    for type in types:
        grouped.setdefault(resolve_effective_mode(work, type), []).append(type)
    values: dict[str, Any] = {f"types_{found.name.lower()}": encode_list(names) for found, names in grouped.items()}
    values |= {"language": work.language, "wanted_language": work.language}
    values["default_language"] = work.site.profile.default_language
    return tuple(sorted(found.name.lower() for found in grouped)), values


def build_language_condition(modes: Iterable[str]) -> ColumnElement[bool]:
    """Return the condition that a record is shown in the bound language, for the modes of `group_types_by_mode`."""
    own = record.c.language == bindparam("language")
    languages: dict[str, list[ColumnElement[bool]]] = {
        "not_translated": [],
        "translated": [own],
        "with_fallback": [
            or_(own, and_(record.c.language == bindparam("default_language"), build_untranslated_condition()))
        ],
    }
    return or_(*(and_(InList(record.c.type, f"types_{name}"), *languages[name]) for name in modes))


def translate_listed_ids(work: UnitOfWork, type: ContentType, ids: tuple[int, ...]) -> tuple[int, ...]:
    """Return the ids of the translations of some records, their own where they have none.

    In the default language ids of records are taken as they are; ids of files always. Where a list falls back to what
    has no published translation, both ids are used: it shows one or the other.
    """
    at_home = work.language == work.site.profile.default_language and type.address != "attached"
    if not ids or at_home or get_translation_mode(work, build_element_name(type)) is TranslationMode.NOT_TRANSLATED:
        return ids
    work.uses(type.name)
    there = record_translations.translate_record_ids(work, ids, work.language)
    if get_translation_mode(work, build_element_name(type)) is TranslationMode.WITH_FALLBACK:
        return tuple(dict.fromkeys(number for id in ids for number in (there.get(id, id), id)))
    return tuple(dict.fromkeys(there.get(id, id) for id in ids))
