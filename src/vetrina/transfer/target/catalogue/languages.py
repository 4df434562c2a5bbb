"""The languages of a catalogue: a site that takes over a translated one has it translated from then on."""

from __future__ import annotations

from typing import Final

from vetrina.content.translations.modes import TranslationMode, get_translation_mode
from vetrina.transfer.target.incoming_record import IncomingRecord, RecordSkipped

_OPTION: Final = "translation_modes"


def open_language(one: IncomingRecord, element: str) -> None:
    """Have a kind of thing translated here where the source has it in a language beside the site's.

    element: as the modes of translation name it. Only a site that was empty; in another one the record would be a
    double of its original. Raises RecordSkipped.
    """
    work, language = one.work, one.record.language
    if not language or language == work.site.profile.default_language:
        return
    if get_translation_mode(work, element) is not TranslationMode.NOT_TRANSLATED:
        return
    if not one.keep_ids:
        raise RecordSkipped(f"it is in {language!r}, and what it is is not translated here ({_OPTION}: {element})")
    work.set_option(_OPTION, {**work.raw_option(_OPTION), element: int(TranslationMode.TRANSLATED)})
