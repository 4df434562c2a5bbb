"""Files as translations: a record of their own in each language, with texts of its own, for one and the same file.

Title, caption and description are texts of the record; the words that stand for an image are its own.
Rules: facts of the multilingual layer, 5.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from vetrina.content.records.model import Record
from vetrina.content.translations import record_translations
from vetrina.content.types.registry import ATTACHMENT
from vetrina.core.unit_of_work import Work
from vetrina.media.attachments import store as attachment_store
from vetrina.multilingual.jobs.model import JobField

__all__ = ["apply", "texts"]

_ALT: Final = "alt_text"


def texts(work: Work, of: Record) -> Iterator[JobField]:
    """Yield the words that stand for an image."""
    media = attachment_store.of_record(work.tx, of.id)
    if media is not None and media.alt_text:
        yield JobField(_ALT, media.alt_text, label="alternative text", format="text")


def apply(
    work: Work, source: Record, held: Record | None, given: Mapping[str, Any], by_name: Mapping[str, str], language: str
) -> int:
    """Write the translation of a file's texts and return its number."""
    media = attachment_store.of_record(work.tx, source.id)
    assert media is not None, "every attachment has its file"
    members: dict[str, Any] = {"title": given["title"]}
    for name, own in (("content", "description"), ("excerpt", "caption")):
        if name in given:
            members[own] = given[name]
    if media.alt_text:
        members[_ALT] = by_name.get(_ALT, media.alt_text)
    if held is None:
        made = attachment_store.twin(work, ATTACHMENT, source, media, language)
        held = record_translations.join(work, made, source.translations, source.language)
    own_media = attachment_store.of_record(work.tx, held.id) or media
    return attachment_store.change(work, ATTACHMENT, held, own_media, members).id
