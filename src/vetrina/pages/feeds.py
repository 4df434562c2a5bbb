"""For programs: a feed of each list, the sitemap in parts, and robots.txt.

Rules: RFC 4287 (Atom); sitemaps.org; RFC 9309 (robots). Which records are listed: pages/list_pages.py.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from msgspec import structs

from vetrina.access.users import rules as users
from vetrina.content.blocks import dynamic_rendering
from vetrina.content.records import permalinks, sitemap
from vetrina.content.records.model import Record
from vetrina.content.records.passwords import is_password_protected
from vetrina.content.records.sitemap import SitemapEntry, SitemapPiece
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import NOBODY
from vetrina.kernel.times import format_iso
from vetrina.media.images import srcset
from vetrina.pages.list_pages import RecordListing, find_listing_page
from vetrina.pages.not_found_page import render_not_found
from vetrina.pages.page_context import PageContext, build_bytes_response, build_text_response
from vetrina.pages.page_request import PageRequest, get_record_title
from vetrina.pages.stylesheet import build_content_policy
from vetrina.rest.call import Request, Response

from .markup import Html, join_markup, render_xml

_ATOM_TYPE: Final = "application/atom+xml; charset=UTF-8"
_XML_TYPE: Final = "application/xml; charset=UTF-8"
_PROLOGUE: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_XHTML: Final = "http://www.w3.org/1999/xhtml"
_SITEMAPS: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
_SITEMAP_PATH: Final = re.compile(r"/sitemap-([\w-]+)-([a-z]{2,3}(?:-[a-z]+)?)-(\d{1,6})\.xml", re.ASCII)


def render_feed(page: PageRequest, listing: RecordListing) -> Response:
    """Return the feed of a list: the first page of its newest records."""
    # Readers keep the newest entries of a feed: a sticky one in front would push them out and look new for ever.
    dated = replace(listing, query=structs.replace(listing.query, sticky_first=False))
    found = find_listing_page(page, dated, 1)
    if found is None:
        return render_not_found(page)
    work, records = page.work, found.rows
    work.uses(*work.site.types, *work.site.taxonomies, "user")
    site = work.get_translated_option("title")
    updated = max((one.modified_gmt for one in records), default=0)
    own = f"{listing.address}feed/"
    whole = render_xml(
        "feed",
        render_xml("title", f"{listing.title} – {site}" if listing.title else site),
        render_xml("id", own),
        render_xml("link", rel="self", type="application/atom+xml", href=own),
        render_xml("link", rel="alternate", type="text/html", href=listing.address),
        render_xml("updated", f"{format_iso(updated)}Z"),
        render_xml("generator", "Vetrina"),
        *(_render_entry(page, one) for one in records),
        xmlns="http://www.w3.org/2005/Atom",
        **{"xml:lang": page.language},
    )
    return _build_cacheable_response(work, _ATOM_TYPE, whole, alone=page.session is not None)


def _render_entry(page: PageRequest, record: Record) -> Html:
    work = page.work
    type = work.site.types[record.type]
    address = permalinks.build_permalink(work, type, record)
    author = users.find_user(work.tx, record.author)
    hidden = is_password_protected(record)
    html = "" if hidden else srcset.add_image_sources(work, dynamic_rendering.render_record_content(work, record))
    text = page.phrases["protected_short"] if hidden else html
    return render_xml(
        "entry",
        render_xml("title", get_record_title(record)),
        render_xml("id", record.guid or address),
        render_xml("link", rel="alternate", type="text/html", href=address),
        render_xml("published", f"{format_iso(record.date_gmt)}Z"),
        render_xml("updated", f"{format_iso(record.modified_gmt)}Z"),
        render_xml("author", render_xml("name", author.name if author else work.get_translated_option("title"))),
        "" if hidden else render_xml("summary", dynamic_rendering.render_record_excerpt(work, record), type="html"),
        # URLs in a text are relative to the record's own.
        render_xml("content", text, type="text" if hidden else "html", **{"xml:base": address}),
    )


def handle_sitemap(context: PageContext, request: Request) -> Response:
    """Return the index of the sitemap, or one part."""
    session = context.session(request)
    user = session.user if session else NOBODY
    with context.open_work(request, user, True) as work:
        hidden: frozenset[str] = frozenset()
        if (gate := context.site.gate) is not None:
            from vetrina.pages import coming_soon_page  # a site without a shop imports nothing of it

            if (shut := coming_soon_page.find_program_refusal(work, user, request)) is not None:
                return shut
            hidden = gate.list_hidden_types(work, user, request)
        match = _SITEMAP_PATH.fullmatch(request.path)
        if match is None:
            found = (piece for piece in sitemap.list_sitemap_pieces(work) if piece.kind not in hidden)
            places = (f"{work.origin}/sitemap-{kind}-{code}-{at}.xml" for kind, code, at in found)
            whole = render_xml(
                "sitemapindex", *(render_xml("sitemap", render_xml("loc", place)) for place in places), xmlns=_SITEMAPS
            )
            return _build_cacheable_response(work, _XML_TYPE, whole)
        entries = (
            sitemap.list_sitemap_entries(work, SitemapPiece(match[1], match[2], int(match[3])))
            if match[1] not in hidden
            else []
        )
        if not entries:
            return build_text_response(404, "There is no such piece of the map.\n")
        return _build_cacheable_response(
            work,
            _XML_TYPE,
            render_xml("urlset", *map(_render_url, entries), xmlns=_SITEMAPS, **{"xmlns:xhtml": _XHTML}),
        )


def _render_url(entry: SitemapEntry) -> Html:
    modified = "" if entry.modified is None else render_xml("lastmod", f"{format_iso(entry.modified)}Z")
    others = (render_xml("xhtml:link", rel="alternate", hreflang=code, href=to) for code, to in entry.languages.items())
    return render_xml("url", render_xml("loc", entry.address), modified, *others)


def handle_robots(context: PageContext, request: Request) -> Response:
    """Return robots.txt: what robots should leave alone, and where the sitemap is."""
    with context.open_work(request, NOBODY, True) as work:
        listed, base = bool(work.option("blog_public")), work.base_path
    text = f"User-agent: *\nDisallow: {base}/admin/\n\nSitemap: {request.origin}/sitemap.xml\n"
    text = text if listed else f"User-agent: *\nDisallow: {base}/\n"
    return build_text_response(200, text, {"Cache-Control": "public, max-age=86400"})


def _build_cacheable_response(work: UnitOfWork, kind: str, whole: Html, alone: bool = False) -> Response:
    content = join_markup((Html(_PROLOGUE), whole)).encode("utf-8", "replace")
    return build_bytes_response(
        200, kind, content, build_content_policy(), made_in=None if alone else work,
        cache=work.site.profile.cache_control or "no-cache",
    )  # fmt: skip
