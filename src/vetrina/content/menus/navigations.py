"""The navigation of a page that names none: the newest one, created where there is none.

Rules: docs/rules/blocks.md, 9.
"""

from __future__ import annotations

from vetrina.content.records import listing as record_listing, rules as records
from vetrina.content.records.model import Record
from vetrina.content.records.query import RecordQuery
from vetrina.content.types.registry import NAVIGATION
from vetrina.core.unit_of_work import UnitOfWork

_PAGES = "<!-- wp:page-list /-->"


def find_newest_navigation(work: UnitOfWork) -> Record | None:
    """Return the newest published navigation in the language of the work, None where there is none."""
    query = RecordQuery(type=NAVIGATION.name, statuses=("publish",), per_page=1)
    return next(iter(record_listing.list_records(work, query)[0]), None)


def get_or_create_navigation(work: UnitOfWork) -> Record:
    """Return the newest published navigation; the first call on a site without one creates one with all pages."""
    found = find_newest_navigation(work)
    if found is not None:
        return found
    return records.create_record(work, NAVIGATION, {"title": "Navigation", "content": _PAGES, "status": "publish"})
