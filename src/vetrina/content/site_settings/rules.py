"""The settings that administrators change while the site runs: how each value is sanitized before it is stored.

A value without a meaning here (an unknown time zone or language) is ignored and the old one stays; null restores the
default. Not here: how options are stored (core/options.py), types and enums (content/site_settings/routes.py).
Rules: docs/rules/site_settings.md, 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from vetrina.access.users.text_rules import language_to_locale
from vetrina.content.records import front_page
from vetrina.content.terms import store as term_store
from vetrina.content.text import sanitizing
from vetrina.content.text.markup_filter import normalize_entities
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times

SETTING_NAMES: Final = (
    "title", "description", "url", "email", "timezone", "date_format", "time_format", "start_of_week", "language",
    "use_smilies", "default_category", "default_post_format", "posts_per_page", "show_on_front", "page_on_front",
    "page_for_posts", "default_ping_status", "default_comment_status", "site_logo", "site_icon",
)  # fmt: skip

_UNCHANGED: Final = object()


def read_site_settings(work: UnitOfWork) -> dict[str, Any]:
    """Return every setting with its value."""
    out = {name: work.raw_option(name) for name in SETTING_NAMES if name != "url"}
    out |= {name: front_page.resolve_page_option(work, name) for name in ("page_on_front", "page_for_posts")}
    # The URL of the site is a setting of the server and cannot be changed here.
    return {name: work.origin if name == "url" else out[name] for name in SETTING_NAMES}


def update_site_settings(work: UnitOfWork, given: Mapping[str, Any]) -> None:
    """Store the given settings; None restores the default."""
    for name, value in given.items():
        if name == "url" or name not in SETTING_NAMES:
            continue
        if value is None:
            work.reset_option(name)
            continue
        cleaned = _CLEANERS[name](work, value) if name in _CLEANERS else value
        if cleaned is not _UNCHANGED and cleaned != work.raw_option(name):
            work.set_option(name, cleaned)


def list_locales(work: UnitOfWork) -> tuple[str, ...]:
    """Return the locales that a site may have: those of its languages, and American English."""
    return tuple(dict.fromkeys(("en_US", *map(language_to_locale, work.site.profile.languages))))


def _escape_text(work: UnitOfWork, value: str) -> str:
    # What is an entity already stays one.
    text = normalize_entities(value.replace("\0", ""))
    return text.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;").replace("'", "&#039;")


def _clean_zone(work: UnitOfWork, value: str) -> Any:
    try:
        times.load_time_zone(value or "UTC")
    except times.UnknownTimeZone:
        return _UNCHANGED
    return value or "UTC"


def _clean_locale(work: UnitOfWork, value: str) -> Any:
    return (value or "en_US") if value in ("", *list_locales(work)) else _UNCHANGED


def _clean_per_page(work: UnitOfWork, value: int) -> int:
    # -1 means all on one page.
    return value if value == -1 else abs(value) or 1


def _clean_front(work: UnitOfWork, value: str) -> Any:
    return value if value in ("posts", "page") else _UNCHANGED


def _clean_format(work: UnitOfWork, value: str) -> str:
    return sanitizing.sanitize_plain_text(value)


def _clean_category(work: UnitOfWork, value: int) -> Any:
    # It is the category of posts without one, so it must exist.
    found = term_store.find_term(work.tx, value) if value > 0 else None
    taxonomy = work.site.taxonomies.get(found.taxonomy) if found is not None else None
    return value if taxonomy is not None and taxonomy.default_option == "default_category" else _UNCHANGED


def _clean_number(work: UnitOfWork, value: int) -> int:
    return abs(value)


_CLEANERS: dict[str, Callable[[UnitOfWork, Any], Any]] = {
    "title": _escape_text,
    "description": _escape_text,
    "timezone": _clean_zone,
    "language": _clean_locale,
    "date_format": _clean_format,
    "time_format": _clean_format,
    "start_of_week": _clean_number,
    "default_category": _clean_category,
    "posts_per_page": _clean_per_page,
    "show_on_front": _clean_front,
    "page_on_front": _clean_number,
    "page_for_posts": _clean_number,
    "site_logo": _clean_number,
    "site_icon": _clean_number,
}
