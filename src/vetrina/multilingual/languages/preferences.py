"""Preferences of translation: where documents are translated, slugs, what translations copy, who is notified.

Each is an option of the site. Not here: modes of types and fields, which the XML configuration sets
(multilingual/xml_config/effects.py). Rules: docs/rules/content_languages.md, 9 and docs/rules/translation_jobs.md, 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.multilingual.services.remote import find_service_address

METHOD: Final = "translation_method"
SLUGS: Final = "translation_slugs"
TAKES_STATUS: Final = "translation_takes_status"
COPIES: Final = "translation_copies"
REMOVES_RECORDS: Final = "translation_removes_records"
REMOVES_TERMS: Final = "translation_removes_terms"
MEDIA_TWINS: Final = "translation_media_twins"
MAILS: Final = "translation_mails"

IN_EDITOR: Final = "ATE"
METHODS: Final = (0, 1, 2, IN_EDITOR)  # by hand, with files of this interface, by agencies, in the remote editor
SLUG_WAYS: Final = ("auto-generate", "translate", "copy-encoded")
COPYABLE: Final = (
    "menu_order", "parent", "template", "ping_status", "comment_status", "sticky", "password", "private", "format",
    "terms", "date", "featured_media",
)  # fmt: skip
# Names in the interface → options.
_NAMES: Final[Mapping[str, str]] = {
    "doc_translation_method": METHOD,
    "translated_document_page_url": SLUGS,
    "translated_document_status": TAKES_STATUS,
    "copied_members": COPIES,
    "posts_removed_together": REMOVES_RECORDS,
    "terms_removed_together": REMOVES_TERMS,
    "media_in_every_language": MEDIA_TWINS,
    "mails": MAILS,
}


def get_translation_method(work: UnitOfWork) -> int | str:
    """Return where documents are translated: the stored value, else the editor that the profile names."""
    method: int | str | None = work.option(METHOD)
    if method is not None:
        return method
    return IN_EDITOR if find_service_address(work.site, "ate") else 1


def uses_remote_editor(work: UnitOfWork) -> bool:
    """Say whether documents are translated in the remote editor."""
    return get_translation_method(work) == IN_EDITOR


def sends_to_editor(work: UnitOfWork) -> bool:
    """Say whether the site is set to send jobs without a recipient to the remote editor."""
    return work.option(METHOD) == IN_EDITOR and find_service_address(work.site, "ate") != ""


def load_preferences(work: UnitOfWork) -> dict[str, Any]:
    """Return all preferences by their names in the interface."""
    return {
        name: get_translation_method(work) if option == METHOD else work.option(option)
        for name, option in _NAMES.items()
    }


def save_preferences(work: UnitOfWork, values: Mapping[str, Any]) -> None:
    """Store the preferences that are given."""
    for name, value in values.items():
        if value != work.option(_NAMES[name]):
            work.set_option(_NAMES[name], value)
