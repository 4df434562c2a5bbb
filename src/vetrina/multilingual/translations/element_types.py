"""The kinds of things that can be translated, by their element types."""

from __future__ import annotations

from collections.abc import Mapping

from vetrina.multilingual.strings.string_texts import STRING_BATCHES
from vetrina.multilingual.translations.record_texts import RECORDS
from vetrina.multilingual.translations.term_texts import TERMS
from vetrina.multilingual.translations.translatables import STRINGS, Kind, type_of

__all__ = ["kind_of"]

_KINDS: Mapping[str, Kind] = {"post": RECORDS, "tax": TERMS, STRINGS: STRING_BATCHES}


def kind_of(element_type: str) -> Kind:
    """Return the kind of an element type."""
    return _KINDS[type_of(element_type)]
