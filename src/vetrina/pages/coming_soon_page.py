"""The page that stands before a shop which is not open yet.

Its own people see the site as it will be, and so does whoever comes by the private link; its key goes into a cookie, so
that the next pages open too. Not here: when the shop is closed, and to whom (shop/admin/coming_soon.py).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from vetrina.access.users.model import User
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import Work
from vetrina.pages import list_pages
from vetrina.pages.page_context import inner, plainly
from vetrina.pages.page_request import Visit
from vetrina.pages.page_texts import words
from vetrina.rest.call import Answer, Request
from vetrina.shop.admin import coming_soon
from vetrina.shop.admin.coming_soon import is_on
from vetrina.shop.products.product_types import PRODUCT, VARIATION

from .markup import element

__all__ = ["bare_of", "entrance", "is_on", "refusal", "shut"]

_WAIT: Final = 3600  # seconds after which a program may look again
_FORMS: Final = frozenset({"feed", "embed"})


def bare_of(visit: Visit) -> Visit:
    """Return the visit of the address without what only says in which form it is wanted."""
    match visit.segments:
        case (*before, "page", number) if number.isdecimal():
            return replace(visit, segments=tuple(before))
        case (*before, last) if last in _FORMS:
            return replace(visit, segments=tuple(before))
    return visit


def refusal(visit: Visit, found: Record | None) -> Answer | None:
    """Return the page of a shop that is closed to a visitor, None where it is not.

    found: the record that the address leads to.
    """
    work = visit.work
    if not coming_soon.closed_to(work, visit.user, visit.request):
        return None
    if not coming_soon.closes_all(work) and not _of_shop(visit, found):
        return None
    said = visit.said
    title = str(work.shown("title"))
    text = element("p", said["coming_soon"])
    return inner(visit.request, 503, title, text, headers={"Retry-After": _WAIT})


def shut(work: Work, user: User, request: Request, *, of_shop: bool = False) -> Answer | None:
    """Return what programs are told of a closed shop, None where it is open to the caller.

    of_shop: whether what is asked for belongs to the shop, which may be closed alone.
    """
    if not coming_soon.is_on(work):
        return None
    # Some see it and others do not, so nobody gets what was made for somebody else.
    work.passes()
    if not coming_soon.closed_to(work, user, request) or not (of_shop or coming_soon.closes_all(work)):
        return None
    return plainly(503, f"{words(request.language)['coming_soon']}\n", {"Retry-After": _WAIT})


def entrance(visit: Visit) -> str:
    """Return the header that keeps the key of the private link for the next pages; empty where none was brought."""
    return coming_soon.cookie(visit.work, visit.request)


def _of_shop(visit: Visit, found: Record | None) -> bool:
    if found is not None:
        return found.type in (PRODUCT.name, VARIATION.name) or found.id in coming_soon.pages(visit.work)
    listing = list_pages.found_at(bare_of(visit)) if visit.segments else None
    return listing is not None and listing.query.type == PRODUCT.name
