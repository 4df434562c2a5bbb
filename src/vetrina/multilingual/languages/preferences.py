"""How a site translates: where documents go, what translations are called, what they take over, who is told.

Each is an option of the site. Not here: modes of types and fields, which the configuration decides
(multilingual/xml_config/effects.py). Rules: facts of the multilingual layer, 4 and 6.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.core.unit_of_work import Work
from vetrina.multilingual.services.remote import address

__all__ = [
    "COPYABLE", "MAILS", "METHODS", "SLUGS", "SLUG_WAYS", "TAKES_STATUS", "in_editor", "put", "read",
    "sends_to_editor",
]  # fmt: skip

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
# What the interface calls them, and the options.
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


def method(work: Work) -> int | str:
    """Return where documents are translated: as it was set, else in the editor that the profile names."""
    told: int | str | None = work.option(METHOD)
    if told is not None:
        return told
    return IN_EDITOR if address(work.frame, "ate") else 1


def in_editor(work: Work) -> bool:
    """Say whether documents are translated in the remote editor."""
    return method(work) == IN_EDITOR


def sends_to_editor(work: Work) -> bool:
    """Say whether somebody chose the remote editor for jobs that name no recipient."""
    return work.option(METHOD) == IN_EDITOR and address(work.frame, "ate") != ""


def read(work: Work) -> dict[str, Any]:
    """Return all of them by the names of the interface."""
    return {name: method(work) if option == METHOD else work.option(option) for name, option in _NAMES.items()}


def put(work: Work, given: Mapping[str, Any]) -> None:
    """Store those that are given."""
    for name, value in given.items():
        if value != work.option(_NAMES[name]):
            work.set_option(_NAMES[name], value)
