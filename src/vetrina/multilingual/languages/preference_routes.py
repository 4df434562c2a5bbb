"""Routes of the translation preferences; our own addition, since the reference sets them on its admin pages.

Rules: docs/rules/content_languages.md, 9 and docs/rules/translation_jobs.md, 4 (values and defaults).
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import Fault
from vetrina.multilingual.languages import preferences as language_preferences
from vetrina.multilingual.permissions import TranslationForbidden, require_manager_or_options_permission
from vetrina.rest.call import Result
from vetrina.rest.fields import AnyOf, Array, Boolean, Field, Integer, Object, String, Untyped, ValidationContext
from vetrina.rest.route import READ, WRITE, Route

_PATH: Final = "/mlang/tm/v1/settings"


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the translation preferences."""
    known: dict[str, Field] = {
        "doc_translation_method": Untyped(
            "Where documents are translated: 0 by hand, 1 with files of this interface, 2 by agencies, or `ATE`, in "
            "the remote editor, which then gets jobs that name no recipient.",
            check=_check_method,
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
    # Arguments take a number as text too; responses give the stored value.
    method = AnyOf(known["doc_translation_method"].help, (Integer(), String()))
    preferences = Object(properties={**known, "doc_translation_method": method})
    return (
        Route(
            READ, _PATH, _read_preferences, {}, require_manager_or_options_permission, errors=(TranslationForbidden,),
            answers=preferences,
        ),
        Route(
            WRITE, _PATH, _update_preferences, known, require_manager_or_options_permission,
            errors=(TranslationForbidden,), answers=preferences,
        ),
    )  # fmt: skip


def _check_method(value: Any, name: str, asked: ValidationContext) -> Fault | None:
    if _parse_method(value) in language_preferences.METHODS:
        return None
    return Fault("rest_not_in_enum", f"{name} is not one of 0, 1, 2, and ATE.")


def _parse_method(value: Any) -> Any:
    digits = isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) == 1
    return int(value) if digits else value if not isinstance(value, bool) else None


def _read_preferences(call: Call) -> Result:
    """Read the settings of translation."""
    return Result(language_preferences.load_preferences(call.work))


def _update_preferences(call: Call) -> Result:
    """Change settings of translation; members that are not sent stay."""
    given = {
        name: call.args[name]
        for name in language_preferences.load_preferences(call.work)
        if name in call.args.given_names
    }
    if "doc_translation_method" in given:
        given["doc_translation_method"] = _parse_method(given["doc_translation_method"])
    language_preferences.save_preferences(call.work, given)
    return Result(language_preferences.load_preferences(call.work))
