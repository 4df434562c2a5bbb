"""Languages of templates and template parts: which one is shown, and which is written.

Rules: docs/rules/translated_content.md, 17.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vetrina.content.records import saved_language
from vetrina.content.records.model import Record
from vetrina.content.translations import record_translations, translation_links
from vetrina.content.translations.modes import TranslationMode, build_element_name, get_translation_mode
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork


def select_by_language(work: UnitOfWork, type: ContentType, rows: Sequence[Record]) -> Record | None:
    """Return the record used among those of one name: that in the current language, or in the default one."""
    if get_translation_mode(work, build_element_name(type)) is TranslationMode.NOT_TRANSLATED:
        return rows[0] if rows else None
    wanted = (work.language, work.site.profile.default_language)
    return next((row for language in wanted for row in rows if row.language == language), None)


def resolve_language(work: UnitOfWork, type: ContentType, given: Mapping[str, Any]) -> str:
    """Return the language to write; by default the default language, which is the fallback of all others."""
    saved_language.require_translated(work, type, given)
    language: str = given.get("lang") or work.site.profile.default_language
    translation_links.move_to_language(lambda: record_translations.require_language(work, language))
    return language
