"""Lists that an address names by parameters instead of a path (`?cat=3`, `?author=1`, `?m=202611`), and where they are.

Links of this form are older than a site's paths, and other programs still make them. Who asks is led to the list's own
address, or that of its feed. Rules: docs/rules/slugs.md, 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import unquote, urlsplit

from vetrina.access.users import rules as users
from vetrina.content.terms import listing as term_listing, store as term_store
from vetrina.content.terms.store import Term
from vetrina.content.types.model import Taxonomy
from vetrina.content.types.registry import CATEGORY, POST_TAG
from vetrina.kernel.integers import parse_digits
from vetrina.kernel.site_paths import remove_base_path
from vetrina.pages import list_pages
from vetrina.pages.feed_formats import ATOM, RSS, FeedFormat, build_feed_url
from vetrina.pages.page_context import get_text
from vetrina.pages.page_request import PageRequest

_FORMATS: Final[Mapping[str, FeedFormat]] = {"feed": RSS, "rss": RSS, "rss2": RSS, "atom": ATOM}
_TAXONOMY_PARAMETERS: Final = {"category_name": CATEGORY.name, "tag": POST_TAG.name}  # others are called as they are
_DATE_PARTS: Final = (4, 6, 8)  # digits of a year, a month and a day


def find_list_url(page: PageRequest) -> str | None:
    """Return where the list or the feed is that a query names, None where it names none that a visitor may see."""
    format = _FORMATS.get(get_text(page.request.query, "feed"))
    term = _find_term(page)
    segments = _build_term_path(page, term) if term is not None else _find_segments(page)
    if segments is None:
        if format is None:
            return None
        posts = list_pages.find_search_listing(page) or list_pages.build_posts_listing(page)
        return build_feed_url(posts.address, format.path)
    with page.work.use_language((term.language if term is not None else "") or page.language):
        listing = list_pages.find_listing(replace(page, segments=tuple(segments)))
        # A list without a page has no address either: it would tell which accounts there are.
        if listing is None or list_pages.find_listing_page(page, listing, 1) is None:
            return None
    if format is not None:
        return build_feed_url(listing.address, format.path)
    number = parse_digits(get_text(page.request.query, "paged")) or 1
    return f"{listing.address}page/{number}/" if number > 1 else listing.address


def _find_segments(page: PageRequest) -> Sequence[str] | None:
    """Return the path of the list of no term that a query names, without its language; None where it names none."""
    query, work = page.request.query, page.work
    if id := parse_digits(get_text(query, "author")):
        user = users.find_user(work.tx, id)
        return ("author", user.slug) if user is not None else None
    if slug := get_text(query, "author_name"):
        return ("author", slug)
    type = work.site.types.get(get_text(query, "post_type"))
    if type is not None and type.archive:
        return (type.archive,)
    day = get_text(query, "m")
    if parse_digits(day) is not None and len(day) in _DATE_PARTS and "w" not in query:
        return [part for part in (day[:4], day[4:6], day[6:8]) if part]
    if parse_digits(get_text(query, "year")):
        parts = [get_text(query, name) for name in ("year", "monthnum", "day")]
        return parts[: parts.index("")] if "" in parts else parts
    return None


def _build_term_path(page: PageRequest, term: Term) -> Sequence[str]:
    work = page.work
    path = remove_base_path(work.base_path, urlsplit(term_store.build_term_urls(work, [term])[term.id]).path)
    segments = [unquote(one) for one in path.split("/") if one]
    return segments[1:] if segments[:1] and segments[0] in work.site.profile.languages else segments


def _find_term(page: PageRequest) -> Term | None:
    """Return the term that a query names by its id or its slug, None for none."""
    query, work = page.request.query, page.work
    if id := parse_digits(get_text(query, "cat")):
        found = term_store.find_term(work.tx, id)
        return found if found is not None and found.taxonomy == CATEGORY.name else None
    for taxonomy in work.site.taxonomies.values():
        names = [name for name, of in _TAXONOMY_PARAMETERS.items() if of == taxonomy.name] or [taxonomy.name]
        for slug in (get_text(query, name).rpartition("/")[2] for name in names):
            if slug and taxonomy.directory:
                return _find_term_by_slug(page, taxonomy, slug)
    return None


def _find_term_by_slug(page: PageRequest, taxonomy: Taxonomy, slug: str) -> Term | None:
    found, _ = term_listing.list_terms(page.work, taxonomy, term_listing.TermListFilters(slugs=(slug,), limit=1))
    return found[0] if found else None
