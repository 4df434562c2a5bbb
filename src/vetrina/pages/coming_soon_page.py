"""The page in front of a shop that is not open yet.

Its staff see the site as it will be, and so do visitors with the private link; its key goes into a cookie, so that
further pages open too. When the shop is closed, and to whom: shop/admin/coming_soon.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final
from urllib.parse import quote

from vetrina.content.records import url_lookup
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.pages import list_pages
from vetrina.pages.page_context import build_own_page, build_text_response
from vetrina.pages.page_request import PageRequest
from vetrina.pages.page_texts import get_phrases
from vetrina.rest.call import Request, Response
from vetrina.shop.admin import coming_soon
from vetrina.shop.admin.gate_permissions import get_share_key
from vetrina.shop.products.product_types import PRODUCT, VARIATION

from .markup import render_element

_RETRY_SECONDS: Final = 3600  # seconds after which a client may try again
_FORM_SEGMENTS: Final = frozenset({"feed", "embed"})


def build_plain_request(page: PageRequest) -> PageRequest:
    """Return the page request without URL segments that only select a format or a page of a list."""
    match page.segments:
        case (*before, "page", number) if number.isdecimal():
            return replace(page, segments=tuple(before))
        case (*before, "feed", "atom" | "rss2"):
            return replace(page, segments=tuple(before))
        case (*before, last) if last in _FORM_SEGMENTS:
            return replace(page, segments=tuple(before))
    return page


def find_visitor_refusal(page: PageRequest, found: Record | None) -> Response | None:
    """Return the page that a visitor gets from a closed shop, None where the page is open to them.

    found: the record that the URL leads to.
    """
    work = page.work
    if not coming_soon.is_closed_to(work, page.user, get_share_key(page.request)):
        return None
    if not coming_soon.is_whole_site_closed(work) and not _is_shop_page(page, found):
        return None
    phrases = page.phrases
    title = str(work.get_translated_option("title"))
    text = render_element("p", phrases["coming_soon"])
    return build_own_page(page.request, 503, title, text, headers={"Retry-After": _RETRY_SECONDS})


def find_program_refusal(work: UnitOfWork, user: User, request: Request, *, of_shop: bool = False) -> Response | None:
    """Return the response that programs get from a closed shop, None where it is open to the caller.

    of_shop: whether the request is for the shop, which may be closed alone.
    """
    if not coming_soon.is_coming_soon(work):
        return None
    # Visitors see different things, so the response may not be cached.
    work.mark_time_dependent()
    closed = coming_soon.is_closed_to(work, user, get_share_key(request))
    if not closed or not (of_shop or coming_soon.is_whole_site_closed(work)):
        return None
    return build_text_response(
        503, f"{get_phrases(request.language)['coming_soon']}\n", {"Retry-After": _RETRY_SECONDS}
    )


def build_entrance_header(page: PageRequest) -> str:
    """Return the cookie header with the key of the private link; empty where none was sent."""
    sent = page.request.query.get(coming_soon.SHARE_NAME)
    return coming_soon.build_share_cookie(page.work, page.request.origin, sent)


def _is_shop_page(page: PageRequest, found: Record | None) -> bool:
    if found is None:
        found = _find_record_above(page)
    if found is not None:
        return found.type in (PRODUCT.name, VARIATION.name) or found.id in coming_soon.list_shop_pages(page.work)
    listing = list_pages.find_listing(build_plain_request(page)) if page.segments else None
    return listing is not None and listing.query.type == PRODUCT.name


def _find_record_above(page: PageRequest) -> Record | None:
    """Return the shop's own page that an address lies beneath: the parts of an account, what follows a checkout."""
    for end in range(len(page.segments) - 1, 0, -1):
        path = "/".join(quote(one, safe="") for one in page.segments[:end])
        found = url_lookup.find_record_by_url(page.work, f"{page.work.home()}/{path}/")
        if found is not None and found.id in coming_soon.list_shop_pages(page.work):
            return found
    return None
