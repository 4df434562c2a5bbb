"""A string, and the form in which its texts are stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
import orjson

from vetrina.core.unit_of_work import UnitOfWork

KINDS: Final = ("LINE", "AREA", "VISUAL", "LINK")
SHOWN_FORMS: Final = "strings"  # lookup of a unit of work: the forms in use by domain and language


class SiteString(msgspec.Struct, frozen=True):
    """A string. plural: the plural form of its source, empty for none. context: distinguishes equal texts of a file."""

    id: int
    domain: str
    name: str
    context: str
    language: str
    value: str
    plural: str
    kind: str
    words: int


def note_change(work: UnitOfWork, item: object, action: str) -> None:
    """Note that strings or translations changed, and forget the forms in use."""
    work.lookups.pop(SHOWN_FORMS, None)
    work.note("string", item, action)


def encode_forms(forms: Sequence[str]) -> str:
    """Return the forms of a translation as they are stored."""
    return orjson.dumps(list(forms)).decode()
