"""What can be translated: records, terms and strings, each read as texts and written from them.

A thing is named by its element type and number: `post_page` 120, `tax_category` 14, `st-batch_strings` 3. Not here: how
each kind is read and written (multilingual/translations/record_texts.py, multilingual/translations/term_texts.py,
multilingual/strings/string_texts.py), which kind a thing is of (multilingual/translations/element_types.py), jobs
(multilingual/jobs/rules.py). Rules: facts of the multilingual layer, "Field types in a job" and "What completing
writes".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

import msgspec

from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.multilingual.jobs.model import Job, JobField

__all__ = ["STRINGS", "ItemUnknown", "Kind", "NotTranslatable", "Thing", "type_of"]

STRINGS: Final = "st-batch_strings"


class ItemUnknown(ApiError):
    """An item names nothing that there is."""

    status, code = 404, "mlang_item_not_found"
    message = "There is no {type} with the number {id}."

    def __init__(self, type: str, id: object) -> None:
        super().__init__(type=type, id=id, data={"type": type, "id": id})


class NotTranslatable(ApiError):
    """An item is of a kind that has no languages here."""

    code = "mlang_not_translatable"
    message = "{type} is not translated on this site: change its mode in the configuration first."

    def __init__(self, type: str) -> None:
        super().__init__(type=type, data={"type": type})


class Thing(msgspec.Struct, frozen=True):
    """One thing as jobs see it.

    type: that of its jobs. state: what a list shows as the state of the element. of: the record or term itself.
    """

    type: str
    element_type: str
    element: int
    language: str
    title: str
    of: Any


class Kind(Protocol):
    """One kind of things."""

    def found(self, work: Work, element_type: str, id: int) -> Thing:
        """Return a thing. Raises ItemUnknown, NotTranslatable."""

    def texts(self, work: Work, thing: Thing, language: str) -> list[JobField]:
        """Return its texts as a job into a language takes them, what goes along included."""

    def fingerprint(self, work: Work, thing: Thing) -> str:
        """Return a word that changes whenever a text that is translated does."""

    def translation(self, work: Work, thing: Thing, language: str) -> int:
        """Return the number of its translation into a language, 0 where there is none."""

    def apply(self, work: Work, job: Job, texts: Sequence[JobField], *, draft: bool | None) -> int:
        """Write a job's translations and return the number of what was written.

        draft: whether what is made anew waits as a draft; None where a draft that is there is published.
        """


def type_of(element_type: str) -> str:
    """Return the type of the jobs of an element type."""
    if element_type.startswith("tax_"):
        return "tax"
    return STRINGS if element_type == STRINGS else "post"
