"""For programs: the sitemap in parts, and robots.txt. Feeds: pages/feeds.py. Rules: sitemaps.org; RFC 9309 (robots)."""

from __future__ import annotations

import re
from typing import Final

from vetrina.content.records import sitemap
from vetrina.content.records.sitemap import SitemapEntry, SitemapPiece
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import NOBODY
from vetrina.kernel.times import format_iso
from vetrina.pages.inline_style import build_content_policy
from vetrina.pages.page_context import PageContext, build_bytes_response, build_text_response
from vetrina.rest.call import Request, Response

from .markup import Html, join_markup, render_xml

_ATOM_TYPE: Final = "application/atom+xml; charset=UTF-8"
_XML_TYPE: Final = "application/xml; charset=UTF-8"
_PROLOGUE: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_XHTML: Final = "http://www.w3.org/1999/xhtml"
_SITEMAPS: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
_NO_LINE: Final = re.compile(r"[\x00-\x1f\x7f]")
_SITEMAP_PATH: Final = re.compile(r"/sitemap-([\w-]+)-([a-z]{2,3}(?:-[a-z]+)?)-(\d{1,6})\.xml", re.ASCII)


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
        piece = SitemapPiece(match[1], match[2], int(match[3]))
        entries = sitemap.list_sitemap_entries(work, piece) if piece.kind not in hidden else []
        if not entries and (piece.kind in hidden or piece not in sitemap.list_sitemap_pieces(work)):
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
    """Return robots.txt: what robots should leave alone, and where the sitemap is. Rules: docs/rules/feeds.md, 5."""
    with context.open_work(request, NOBODY, True) as work:
        listed, base, own = bool(work.option("blog_public")), work.base_path, str(work.option("robots_txt"))
    lines = [text for line in own.splitlines() if (text := _NO_LINE.sub("", line).strip())]
    text = "\n".join(
        ("User-agent: *", f"Disallow: {base}/admin/", *lines, "", f"Sitemap: {request.origin}/sitemap.xml")
    )
    text = f"{text}\n" if listed else f"User-agent: *\nDisallow: {base}/\n"
    return build_text_response(200, text, {"Cache-Control": "public, max-age=86400"})


def _build_cacheable_response(work: UnitOfWork, kind: str, whole: Html, alone: bool = False) -> Response:
    content = join_markup((Html(_PROLOGUE), whole)).encode("utf-8", "replace")
    return build_bytes_response(
        200, kind, content, build_content_policy(), made_in=None if alone else work,
        cache=work.site.profile.cache_control or "no-cache",
    )  # fmt: skip
