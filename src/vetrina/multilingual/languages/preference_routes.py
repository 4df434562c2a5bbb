"""How a site translates, read and written: an addition of ours, for the reference keeps it on its own pages.

Rules: facts of the multilingual layer, 4 and 6.2, for the words and first values.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import Fault
from vetrina.multilingual.languages import preferences as language_preferences
from vetrina.multilingual.permissions import Forbidden, managers
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import AnyOf, Array, Asked, Boolean, Field, Integer, Object, String, Untyped
from vetrina.rest.route import READ, WRITE, Route

__all__ = ["routes"]

_PATH: Final = "/mlang/tm/v1/settings"


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of what decides how a site translates."""
    known: dict[str, Field] = {
        "doc_translation_method": Untyped(
            "Where documents are translated: 0 by hand, 1 with files of this interface, 2 by agencies, or `ATE`, in "
            "the remote editor, which then gets jobs that name no recipient.",
            check=_is_method,
        ),
        "translated_document_page_url": String(
            "Whence the slug of a new translation comes: its title, the translator, or its original.",
            enum=language_preferences.SLUG_WAYS,
        ),
        "translated_document_status": Boolean(
            "Whether a new translation has the status of its original; else it waits as a draft."
        ),
        "copied_members": Array(
            "What translations take over at each save of their original.",
            items=String(enum=language_preferences.COPYABLE),
        ),
        "posts_removed_together": Boolean("Whether records are trashed and removed with their translations."),
        "terms_removed_together": Boolean("Whether terms are removed with their translations."),
        "media_in_every_language": Boolean("Whether a new file gets a record of its own in every language."),
        "mails": Boolean("Whether translators and managers get mails about jobs."),
    }
    # Arguments say a number as text too; an answer says what is kept.
    method = AnyOf(known["doc_translation_method"].help, (Integer(), String()))
    shown = Object(properties={**known, "doc_translation_method": method})
    return (
        Route(READ, _PATH, _read, {}, managers, errors=(Forbidden,), answers=shown),
        Route(WRITE, _PATH, _written, known, managers, errors=(Forbidden,), answers=shown),
    )


def _is_method(value: Any, name: str, asked: Asked) -> Fault | None:
    if _method(value) in language_preferences.METHODS:
        return None
    return Fault("rest_not_in_enum", f"{name} is not one of 0, 1, 2, and ATE.")


def _method(value: Any) -> Any:
    digits = isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) == 1
    return int(value) if digits else value if not isinstance(value, bool) else None


def _read(call: Call) -> Result:
    """Read the settings of translation."""
    return Result(language_preferences.read(call.work))


def _written(call: Call) -> Result:
    """Change settings of translation; what is not sent stays."""
    given = {name: call.args[name] for name in language_preferences.read(call.work) if name in call.args.given}
    if "doc_translation_method" in given:
        given["doc_translation_method"] = _method(given["doc_translation_method"])
    language_preferences.put(call.work, given)
    return Result(language_preferences.read(call.work))
