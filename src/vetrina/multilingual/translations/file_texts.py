"""Files as translations: one record per language with its own texts, all for the same file.

Title, caption and description are texts of the record; the alternative text of an image is stored separately.
Rules: docs/rules/translated_content.md, 13.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from vetrina.content.records.model import Record
from vetrina.content.translations import record_translations
from vetrina.content.types.registry import ATTACHMENT
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.media.attachments import rules as attachment_rules, store as attachment_store
from vetrina.multilingual.jobs.model import TranslationJobField

_ALT: Final = "alt_text"


def iterate_file_texts(work: UnitOfWork, record: Record) -> Iterator[TranslationJobField]:
    """Yield the alternative text of an image."""
    media = attachment_store.find_media_file(work.tx, record.id)
    if media is not None and media.alt_text:
        yield TranslationJobField(_ALT, media.alt_text, label="alternative text", format="text")


def apply_file_translation(
    work: UnitOfWork,
    source: Record,
    existing: Record | None,
    given: Mapping[str, Any],
    by_name: Mapping[str, str],
    language: str,
) -> int:
    """Write the translation of a file's texts, and return its id."""
    media = attachment_store.find_media_file(work.tx, source.id)
    assert media is not None, "every attachment has its file"
    members: dict[str, Any] = {"title": given["title"]}
    for name, own in (("content", "description"), ("excerpt", "caption")):
        if name in given:
            members[own] = given[name]
    if media.alt_text:
        members[_ALT] = by_name.get(_ALT, media.alt_text)
    if existing is None:
        made = attachment_rules.create_twin(work, ATTACHMENT, source, media, language)
        existing = record_translations.join_record_group(work, made, source.translations, source.language)
    own_media = attachment_store.find_media_file(work.tx, existing.id) or media
    return attachment_rules.update_attachment(work, ATTACHMENT, existing, own_media, members).id
