"""For programs: a feed of each list, the map of the site in pieces, and what robots are told.

Rules: RFC 4287 (Atom); sitemaps.org; RFC 9309 (robots). Not here: which records there are (pages/list_pages.py,
domain).
"""

from __future__ import annotations

import re
from typing import Final

from vetrina.access.users import rules as users
from vetrina.access.users.model import NOBODY
from vetrina.content.blocks import dynamic_rendering
from vetrina.content.records import permalinks, sitemap
from vetrina.content.records.model import Record
from vetrina.content.records.passwords import protects
from vetrina.content.records.sitemap import Entry, Piece
from vetrina.core.unit_of_work import Work
from vetrina.kernel.times import iso
from vetrina.media.images import srcset
from vetrina.pages.list_pages import Listing, rows
from vetrina.pages.page_context import Desk, bare, plainly
from vetrina.pages.page_request import Visit, missing, title_of
from vetrina.pages.stylesheet import policy
from vetrina.rest.call import TIME, Answer, Request

from .markup import Html, join, xml

__all__ = ["feed", "robots", "site_map"]

_ATOM: Final = "application/atom+xml; charset=UTF-8"
_XML: Final = "application/xml; charset=UTF-8"
_PROLOGUE: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_XHTML: Final = "http://www.w3.org/1999/xhtml"
_SITEMAPS: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
_PIECE: Final = re.compile(r"/sitemap-([\w-]+)-([a-z]{2,3}(?:-[a-z]+)?)-(\d{1,6})\.xml", re.ASCII)


def feed(visit: Visit, listing: Listing) -> Answer:
    """Return the feed of a list: its newest records, the first page of them."""
    found = rows(visit, listing, 1)
    if found is None:
        return missing(visit)
    work, records = visit.work, found[0]
    work.uses(*work.frame.types, *work.frame.taxonomies, "user")
    site = work.shown("title")
    updated = max((one.modified_gmt for one in records), default=0)
    own = f"{listing.address}feed/"
    whole = xml(
        "feed",
        xml("title", f"{listing.title} – {site}" if listing.title else site),
        xml("id", own),
        xml("link", rel="self", type="application/atom+xml", href=own),
        xml("link", rel="alternate", type="text/html", href=listing.address),
        xml("updated", f"{iso(updated)}Z"),
        xml("generator", "Vetrina"),
        *(_entry(visit, one) for one in records),
        xmlns="http://www.w3.org/2005/Atom",
        **{"xml:lang": visit.language},
    )
    return _kept(work, _ATOM, whole, alone=visit.session is not None)


def _entry(visit: Visit, record: Record) -> Html:
    work = visit.work
    type = work.frame.types[record.type]
    address = permalinks.link(work, type, record)
    author = users.by_id(work.tx, record.author)
    hidden = protects(record)
    html = "" if hidden else srcset.shown(work, dynamic_rendering.content_shown(work, record))
    text = visit.said["protected_short"] if hidden else html
    return xml(
        "entry",
        xml("title", title_of(record)),
        xml("id", record.guid or address),
        xml("link", rel="alternate", type="text/html", href=address),
        xml("published", f"{iso(record.date_gmt)}Z"),
        xml("updated", f"{iso(record.modified_gmt)}Z"),
        xml("author", xml("name", author.name if author else work.shown("title"))),
        "" if hidden else xml("summary", dynamic_rendering.excerpt_shown(work, record), type="html"),
        # Addresses in a text count from the record's own.
        xml("content", text, type="text" if hidden else "html", **{"xml:base": address}),
    )


def site_map(desk: Desk, request: Request) -> Answer:
    """Return the index of the map, or one piece."""
    session = desk.session(request)
    user = session.user if session else NOBODY
    with desk.open_work(request, user, True) as work:
        hidden: frozenset[str] = frozenset()
        if "shop" in desk.frame.profile.modules:
            # A site without a shop loads nothing of it.
            from vetrina.pages import coming_soon_page
            from vetrina.shop.admin import coming_soon

            if (shut := coming_soon_page.shut(work, user, request)) is not None:
                return shut
            hidden = coming_soon.hidden_kinds(work, user, request)
        asked = _PIECE.fullmatch(request.path)
        if asked is None:
            found = (piece for piece in sitemap.pieces(work) if piece.kind not in hidden)
            places = (f"{work.origin}/sitemap-{kind}-{code}-{at}.xml" for kind, code, at in found)
            whole = xml("sitemapindex", *(xml("sitemap", xml("loc", place)) for place in places), xmlns=_SITEMAPS)
            return _kept(work, _XML, whole)
        entries = sitemap.entries(work, Piece(asked[1], asked[2], int(asked[3]))) if asked[1] not in hidden else []
        if not entries:
            return plainly(404, "There is no such piece of the map.\n")
        return _kept(work, _XML, xml("urlset", *map(_url, entries), xmlns=_SITEMAPS, **{"xmlns:xhtml": _XHTML}))


def _url(entry: Entry) -> Html:
    modified = "" if entry.modified is None else xml("lastmod", f"{iso(entry.modified)}Z")
    others = (xml("xhtml:link", rel="alternate", hreflang=code, href=to) for code, to in entry.languages.items())
    return xml("url", xml("loc", entry.address), modified, *others)


def robots(desk: Desk, request: Request) -> Answer:
    """Return what robots are asked to leave alone, and where the map is."""
    with desk.open_work(request, NOBODY, True) as work:
        listed = bool(work.option("blog_public"))
    text = f"User-agent: *\nDisallow: /admin/\n\nSitemap: {request.origin}/sitemap.xml\n"
    text = text if listed else "User-agent: *\nDisallow: /\n"
    return plainly(200, text, {"Cache-Control": "public, max-age=86400"})


def _kept(work: Work, kind: str, whole: Html, alone: bool = False) -> Answer:
    content = join((Html(_PROLOGUE), whole)).encode("utf-8", "replace")
    kinds = None if alone or TIME in work.kinds else frozenset(work.kinds) or None
    return bare(200, kind, content, policy(), kinds=kinds, cache=work.frame.profile.cache_control or "no-cache")
