"""Twins: the records of one uploaded file in the other languages of a site.

Not here: how a twin is stored (media/attachments/rules.py), and translated (multilingual/translations/file_texts.py).
Rules: docs/rules/translated_content.md, 13.
"""

from __future__ import annotations

import msgspec

from vetrina.content.records import model as record
from vetrina.content.records.model import Record
from vetrina.content.translations import record_translations
from vetrina.content.translations.modes import TranslationMode, build_element_name, get_translation_mode
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.media.attachments.rules import TWIN_META_KEY, create_twin
from vetrina.media.attachments.store import MediaFile


def create_twins(work: UnitOfWork, type: ContentType, original: Record, media: MediaFile) -> None:
    """Create a record of the same file in every other language of the site, if files have texts in each language."""
    if not work.option("translation_media_twins"):
        return
    if get_translation_mode(work, build_element_name(type)) is TranslationMode.NOT_TRANSLATED:
        return
    for language in work.site.profile.languages:
        if language != original.language:
            twin = create_twin(work, type, original, media, language)
            marked = msgspec.structs.replace(twin, meta={**twin.meta, TWIN_META_KEY: True})
            record.update_record_row(work, twin, marked)
            twin = msgspec.structs.replace(marked, version=twin.version + 1)
            record_translations.join_record_group(work, twin, original.translations, original.language)
