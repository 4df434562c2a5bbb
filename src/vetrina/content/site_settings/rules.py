"""The settings that administrators change while the site runs: how each value is cleaned before it is kept.

A value that means nothing here (an unknown zone or language) is passed over and the old one stays; null puts the first
value back. Not here: how options are stored (core/options.py), their types and enums (content/site_settings/routes.py).
Rules: facts, "Settings".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from vetrina.access.users.text_rules import locale_of
from vetrina.content.records import front_page
from vetrina.content.terms import store as term_store
from vetrina.content.text import sanitizing
from vetrina.content.text.markup_parsing import with_good_entities
from vetrina.core.unit_of_work import Work
from vetrina.kernel import times

__all__ = ["NAMES", "change", "locales", "shown"]

NAMES: Final = (
    "title", "description", "url", "email", "timezone", "date_format", "time_format", "start_of_week", "language",
    "use_smilies", "default_category", "default_post_format", "posts_per_page", "show_on_front", "page_on_front",
    "page_for_posts", "default_ping_status", "default_comment_status", "site_logo", "site_icon",
)  # fmt: skip

_KEEP: Final = object()


def shown(work: Work) -> dict[str, Any]:
    """Return every setting with its value."""
    out = {name: work.raw_option(name) for name in NAMES if name != "url"}
    out |= {name: front_page.number(work, name) for name in ("page_on_front", "page_for_posts")}
    # Where the site is found is a setting of the server: it cannot move itself.
    return {name: work.origin if name == "url" else out[name] for name in NAMES}


def change(work: Work, given: Mapping[str, Any]) -> None:
    """Store the given settings; None puts the first value back."""
    for name, value in given.items():
        if name == "url" or name not in NAMES:
            continue
        if value is None:
            work.reset_option(name)
            continue
        cleaned = _CLEAN[name](work, value) if name in _CLEAN else value
        if cleaned is not _KEEP and cleaned != work.raw_option(name):
            work.set_option(name, cleaned)


def locales(work: Work) -> tuple[str, ...]:
    """Return the locales that a site may speak: those of its languages, and American English."""
    return tuple(dict.fromkeys(("en_US", *map(locale_of, work.frame.profile.languages))))


def _escaped(work: Work, value: str) -> str:
    # What is an entity already stays one.
    text = with_good_entities(value.replace("\0", ""))
    return text.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;").replace("'", "&#039;")


def _zone(work: Work, value: str) -> Any:
    try:
        times.zone(value or "UTC")
    except times.UnknownZone:
        return _KEEP
    return value or "UTC"


def _locale(work: Work, value: str) -> Any:
    return (value or "en_US") if value in ("", *locales(work)) else _KEEP


def _per_page(work: Work, value: int) -> int:
    # -1 means all on one page.
    return value if value == -1 else abs(value) or 1


def _front(work: Work, value: str) -> Any:
    return value if value in ("posts", "page") else _KEEP


def _format(work: Work, value: str) -> str:
    return sanitizing.plain(value)


def _category(work: Work, value: int) -> Any:
    # Posts without a category fall to it; one that is not there would leave them with none.
    found = term_store.by_id(work.tx, value) if value > 0 else None
    taxonomy = work.frame.taxonomies.get(found.taxonomy) if found is not None else None
    return value if taxonomy is not None and taxonomy.default_option == "default_category" else _KEEP


def _number(work: Work, value: int) -> int:
    return abs(value)


_CLEAN: dict[str, Callable[[Work, Any], Any]] = {
    "title": _escaped,
    "description": _escaped,
    "timezone": _zone,
    "language": _locale,
    "date_format": _format,
    "time_format": _format,
    "start_of_week": _number,
    "default_category": _category,
    "posts_per_page": _per_page,
    "show_on_front": _front,
    "page_on_front": _number,
    "page_for_posts": _number,
    "site_logo": _number,
    "site_icon": _number,
}
