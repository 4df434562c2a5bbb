"""The navigation that a page shows when it names none: the newest one, made where there is none.

Rules: facts, "Themes, plugins, blocks, widgets, health, helpers, abilities" (navigation-fallback).
"""

from __future__ import annotations

from vetrina.domain.content import record_list, records
from vetrina.domain.content.record import Record
from vetrina.domain.content.record_query import RecordQuery
from vetrina.domain.content.site_types import NAVIGATION
from vetrina.domain.work import Work

__all__ = ["fallback", "newest"]

_PAGES = "<!-- wp:page-list /-->"


def newest(work: Work) -> Record | None:
    """Return the newest published navigation in the language of the work, None where there is none."""
    query = RecordQuery(type=NAVIGATION.name, statuses=("publish",), per_page=1)
    return next(iter(record_list.listed_page(work, query)[0]), None)


def fallback(work: Work) -> Record:
    """Return the newest published navigation; the first call on a site without one makes one of all pages."""
    found = newest(work)
    if found is not None:
        return found
    return records.create(work, NAVIGATION, {"title": "Navigation", "content": _PAGES, "status": "publish"})
