"""Translatable items: records, terms and strings, each read as texts and written from them.

An item is identified by element type and id: `post_page` 120, `tax_category` 14, `st-batch_strings` 3. Not here: how
each kind is read and written (multilingual/translations/record_texts.py, multilingual/translations/term_texts.py,
multilingual/strings/string_texts.py), which kind an element type belongs to
(multilingual/translations/element_types.py). Rules: docs/rules/translation_jobs.md, 10 and 13.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.multilingual.jobs.model import TranslationJob, TranslationJobField

STRINGS: Final = "st-batch_strings"


class TranslatableNotFound(ApiError):
    """A request names an item that does not exist."""

    failure, code = Failure.NOT_FOUND, "mlang_item_not_found"
    message = "There is no {type} with the number {id}."

    def __init__(self, type: str, id: object) -> None:
        super().__init__(type=type, id=id, data={"type": type, "id": id})


class NotTranslatable(ApiError):
    """The item is of a kind that is not translated here."""

    code = "mlang_not_translatable"
    message = "{type} is not translated on this site: change its mode in the configuration first."

    def __init__(self, type: str) -> None:
        super().__init__(type=type, data={"type": type})


class Translatable(msgspec.Struct, frozen=True):
    """One item of a job. type: the type of its jobs. of: the record or term itself."""

    type: str
    element_type: str
    element: int
    language: str
    title: str
    of: Any


class TranslatableKind(Protocol):
    """One kind of translatable items."""

    def get_translatable(self, work: UnitOfWork, element_type: str, id: int) -> Translatable:
        """Return an item. Raises TranslatableNotFound, NotTranslatable."""

    def texts(self, work: UnitOfWork, item: Translatable, language: str) -> list[TranslationJobField]:
        """Return its fields for a job into a language, untranslated accompanying ones included."""

    def fingerprint(self, work: UnitOfWork, item: Translatable) -> str:
        """Return a digest that changes whenever a translated text does."""

    def translation(self, work: UnitOfWork, item: Translatable, language: str) -> int:
        """Return the id of its translation into a language, 0 where there is none."""

    def apply(
        self, work: UnitOfWork, job: TranslationJob, texts: Sequence[TranslationJobField], *, draft: bool | None
    ) -> int:
        """Write a job's translations, and return the id of the translated item.

        draft: whether a new translation is created as a draft; None where an existing draft is published.
        """


def get_job_type(element_type: str) -> str:
    """Return the type of the jobs of an element type."""
    if element_type.startswith("tax_"):
        return "tax"
    return STRINGS if element_type == STRINGS else "post"
