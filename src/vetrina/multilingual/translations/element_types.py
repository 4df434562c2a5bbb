"""The kinds of translatable items, by element type."""

from __future__ import annotations

from collections.abc import Mapping

from vetrina.multilingual.strings.string_texts import STRING_BATCHES
from vetrina.multilingual.translations.record_texts import RECORDS
from vetrina.multilingual.translations.term_texts import TERMS
from vetrina.multilingual.translations.translatables import STRINGS, TranslatableKind, get_job_type

_KINDS: Mapping[str, TranslatableKind] = {"post": RECORDS, "tax": TERMS, STRINGS: STRING_BATCHES}


def get_translatable_kind(element_type: str) -> TranslatableKind:
    """Return the kind of an element type."""
    return _KINDS[get_job_type(element_type)]
