"""The navigation that a page shows when it names none: the newest one, made where there is none.

Rules: facts, "Themes, plugins, blocks, widgets, health, helpers, abilities" (navigation-fallback).
"""

from __future__ import annotations

from vetrina.content.records import listing as record_listing
from vetrina.content.records import rules as records
from vetrina.content.records.model import Record
from vetrina.content.records.query import RecordQuery
from vetrina.content.types.registry import NAVIGATION
from vetrina.core.unit_of_work import Work

__all__ = ["fallback", "newest"]

_PAGES = "<!-- wp:page-list /-->"


def newest(work: Work) -> Record | None:
    """Return the newest published navigation in the language of the work, None where there is none."""
    query = RecordQuery(type=NAVIGATION.name, statuses=("publish",), per_page=1)
    return next(iter(record_listing.listed_page(work, query)[0]), None)


def fallback(work: Work) -> Record:
    """Return the newest published navigation; the first call on a site without one makes one of all pages."""
    found = newest(work)
    if found is not None:
        return found
    return records.create(work, NAVIGATION, {"title": "Navigation", "content": _PAGES, "status": "publish"})
