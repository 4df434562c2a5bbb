"""Lists of records: the newest posts, those of a term, of an author, of a period, and search results.

Rules: docs/rules/slugs.md, 5 for the URLs; the size of a page is the site's option.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from html import escape
from typing import Final
from urllib.parse import quote, unquote, urlsplit

import msgspec

from vetrina.access.users import rules as users
from vetrina.content.blocks import dynamic_rendering
from vetrina.content.blocks.block_context import BlockQueryResult, PublicPage
from vetrina.content.records import archives, listing as record_listing, permalinks
from vetrina.content.records.listing import InvalidRecordPage
from vetrina.content.records.model import Record
from vetrina.content.records.passwords import is_password_protected
from vetrina.content.records.query import RecordQuery, TermFilter
from vetrina.content.records.views import build_record_view, load_share_images
from vetrina.content.search import rules as search, terms as search_terms
from vetrina.content.seo.computed import ComputedSeo, SeoSubject, compute_seo
from vetrina.content.seo.fields import NO_SEO, get_seo_fields
from vetrina.content.seo.site_image import get_site_image_id
from vetrina.content.seo.term_seo import compute_term_seo
from vetrina.content.terms import listing as term_listing, store as term_store
from vetrina.content.terms.store import Term
from vetrina.content.translations import alternates
from vetrina.content.types.model import ContentType
from vetrina.content.types.registry import POST
from vetrina.core.shown_dates import format_shown_date
from vetrina.core.user import User
from vetrina.design.templates import template_hierarchy
from vetrina.kernel.date_format import get_month_name
from vetrina.kernel.site_paths import remove_base_path
from vetrina.pages.feed_formats import ATOM, RSS, build_feed_url
from vetrina.pages.not_found_page import render_not_found
from vetrina.pages.page_context import get_text
from vetrina.pages.page_features import build_visitor_blocks, find_own_listing
from vetrina.pages.page_frame import render_public_page
from vetrina.pages.page_request import PageRequest, get_record_title, strip_markup
from vetrina.pages.record_pages import render_date
from vetrina.pages.template_page import render_page_template
from vetrina.rest.call import Response

from .markup import Html, render_element, render_link, trust_markup

_DAY: Final = 86_400  # seconds
_BEFORE_1970: Final = 719_163  # days from the year 1 to 1970
_MAX_PAGE_SIZE: Final = 100  # records on a page
_MAX_SEARCH_LENGTH: Final = 200  # characters


@dataclass(frozen=True)
class RecordListing:
    """A list that has a URL. title: as text, empty for the site itself. about: markup below it.

    empty: the text of an empty list; empty where an empty list is not found. feed: whether it has one. languages: its
    URL in each language, where that is known. term: that it is the list of. templates: that may show it, the most
    specific first. search: what was looked for.
    author: whose list it is. query_string: of its URL, filters as a visitor chose them. record: the page in whose place
    it stands. find: (number of a page) → the page, None for one that does not exist; None where `query` finds it.
    blocks: that show it in a theme without templates.
    """

    title: str
    address: str
    query: RecordQuery
    about: str = ""
    empty: str = ""
    feed: bool = True
    languages: Mapping[str, str] = field(default_factory=dict)
    term: Term | None = None
    templates: Sequence[str] = ()
    search: str = ""
    author: User | None = None
    query_string: str = ""
    record: Record | None = None
    find: Callable[[int], BlockQueryResult | None] | None = None
    blocks: str = ""


def build_posts_listing(page: PageRequest, title: str = "", address: str = "") -> RecordListing:
    """Return the list of all posts. title, address: of the page that shows it, where that is not the home page."""
    query = RecordQuery(type=POST.name, statuses=("publish",), sticky_first=True)
    names = template_hierarchy.POSTS if address else template_hierarchy.FRONT
    return RecordListing(title, address or page.home, query, empty=page.phrases["nothing"], templates=names)


def find_listing(page: PageRequest) -> RecordListing | None:
    """Return the list that a URL names, None for none."""
    segments = page.segments
    if (own := find_own_listing(page)) is not None:
        return own
    match segments:
        case ("author", slug):
            return _find_author_listing(page, slug)
        case (segment,) if (type := _find_archived_type(page, segment)) is not None:
            return _build_type_listing(page, type)
        case (_, *slugs) if slugs and (found := find_term_listing(page, segments[0], slugs)) is not None:
            return found
        case _ if 0 < len(segments) <= 3 and all(part.isdecimal() and part.isascii() for part in segments):
            return _find_date_listing(page, [int(part[:6]) for part in segments])
    return None


def find_search_listing(page: PageRequest) -> RecordListing | None:
    """Return the list that the home page's query asks for, None for none."""
    query = page.request.query
    if (own := find_own_listing(page)) is not None:
        return own
    text = get_text(query, "s")[:_MAX_SEARCH_LENGTH]
    if parsed := search_terms.parse_search(text):
        phrases = page.phrases
        closed = list_closed_types(page)
        types = tuple(name for name in search.list_searched_types(page.work) if name not in closed)
        record_query = RecordQuery(
            type="", types=types, statuses=("publish",),
            search=parsed, orderby="relevance",
        )  # fmt: skip
        address = f"{page.home}?s={quote(text)}"
        return RecordListing(
            phrases["found"].format(text=text),
            address,
            record_query,
            empty=phrases["none_found"].format(text=text),
            templates=template_hierarchy.SEARCH,
            search=text,
        )
    year, week = get_text(query, "m"), get_text(query, "w")
    if year.isdecimal() and week.isdecimal() and len(year) == 4 and len(week) <= 2:
        try:
            first = archives.compute_week_start(page.work, int(year), int(week))
        except (ValueError, OverflowError):
            return None
        address = f"{page.home}?m={year}&w={week}"
        return _build_date_listing(page, first.toordinal(), first.toordinal() + 7, _format_day(page, first), address)
    return None


def list_closed_types(page: PageRequest) -> frozenset[str]:
    """Return the types that are hidden from a visitor: those of a shop that is not open."""
    gate = page.work.site.gate
    return gate.list_hidden_types(page.work, page.user, page.request) if gate is not None else frozenset()


def find_listing_page(page: PageRequest, listing: RecordListing, number: int, size: int = 0) -> BlockQueryResult | None:
    """Return one page of a list; None for a page that does not exist. size: of it, by default what the site says."""
    if listing.find is not None:
        return listing.find(number)
    size = size or max(1, min(_MAX_PAGE_SIZE, int(page.work.option("posts_per_page") or 10)))
    query = msgspec.structs.replace(listing.query, page=number, per_page=size)
    try:
        found, total = record_listing.list_records(page.work, query)
    except InvalidRecordPage:
        return None
    if not total and (number > 1 or not listing.empty):
        return None
    return BlockQueryResult(query, tuple(found), total, is_main=True)


def render_listing(
    page: PageRequest, listing: RecordListing, number: int, languages: Mapping[str, str] | None = None
) -> Response:
    """Return a page of a list; languages: its URL in each language, on its first page."""
    found = find_listing_page(page, listing, number)
    if found is None:
        return render_not_found(page)
    title = listing.title
    if number > 1:
        title = " – ".join(filter(None, (title, page.phrases["page"].format(number=number))))
    body = _render_body(page, listing, found)
    parts = () if body is not None else _render_plain_list(page, listing, found, title)
    searching, elsewhere = "?" in listing.address, languages or listing.languages
    plain = replace(listing, query_string="")
    return render_public_page(
        page, title, *parts, canonical=_build_page_url(plain, number), languages=elsewhere if number == 1 else None,
        feeds=_list_feeds(page, listing), indexed=not searching and not listing.query_string,
        seo=_compute_first_page_seo(page, listing) if number == 1 and not listing.query_string else None, body=body,
    )  # fmt: skip


def _list_feeds(page: PageRequest, listing: RecordListing) -> list[tuple[str, str, str]]:
    """Return the feeds of a list: type, URL and title of each."""
    if not listing.feed:
        return []
    site = page.work.get_translated_option("title")
    title = f"{listing.title} – {site}" if listing.title else site
    return [(one.type, build_feed_url(listing.address, one.path), title) for one in (RSS, ATOM)]


def _render_plain_list(
    page: PageRequest, listing: RecordListing, found: BlockQueryResult, title: str
) -> tuple[str, ...]:
    """Return the main part of a list of a theme without templates."""
    last = -(-found.total // found.query.per_page)
    if listing.blocks:
        shown = replace(_build_shown_page(listing, found), visitor_blocks=build_visitor_blocks(page))
        heading = render_element("h1", title)
        html = dynamic_rendering.render_template(page.work, listing.blocks, shown, None)
        return heading, trust_markup(listing.about), trust_markup(html)
    heading = render_element("h1", title or page.work.get_translated_option("title"))
    entries = [_render_entry(page, one) for one in found.rows] or [render_element("p", listing.empty)]
    return heading, trust_markup(listing.about), *entries, _render_pagination(page, listing, found.page, last)


def _render_body(page: PageRequest, listing: RecordListing, found: BlockQueryResult) -> Html | None:
    """Return a page of a list as its template shows it, None where the theme has none."""
    return render_page_template(page, listing.templates, _build_shown_page(listing, found))


def _build_shown_page(listing: RecordListing, found: BlockQueryResult) -> PublicPage:
    return PublicPage(
        found, lambda number: _build_page_url(listing, number), title=escape(listing.title), term=listing.term,
        author=listing.author, search=listing.search,
    )  # fmt: skip


def _compute_first_page_seo(page: PageRequest, listing: RecordListing) -> ComputedSeo | None:
    """Return what search engines are told of a list, None where they may not list it."""
    work, term, record = page.work, listing.term, listing.record
    if record is not None:
        return build_record_view(work, work.site.types[record.type], (record,), "view").get_seo(record)
    if "?" in listing.address or (term is not None and term.taxonomy not in work.site.taxonomies):
        return None
    logo = get_site_image_id(work)
    wanted = {logo, get_seo_fields(term.meta).image if term is not None else 0} - {0}
    work.uses_items("attachment", wanted)
    images = load_share_images(work, sorted(wanted)) if wanted else {}
    if term is not None:
        return compute_term_seo(work, term, listing.address, images)
    home = listing.address == page.home
    subject = SeoSubject(
        "WebSite" if home else "ProfilePage" if listing.author is not None else "CollectionPage", listing.title,
        listing.address, page.language,
        strip_markup(work.get_translated_option("description") if home else listing.about), logo=images.get(logo),
    )  # fmt: skip
    return compute_seo(work, NO_SEO, subject)


def _build_page_url(listing: RecordListing, number: int) -> str:
    query, joint = listing.query_string, "&" if "?" in listing.address else "?"
    if number == 1:
        return f"{listing.address}{joint}{query}" if query else listing.address
    if joint == "&":
        return f"{listing.address}{f'&{query}' if query else ''}&paged={number}"
    return f"{listing.address}page/{number}/{f'?{query}' if query else ''}"


def _render_entry(page: PageRequest, record: Record) -> Html:
    type = page.work.site.types[record.type]
    heading = render_element(
        "h2", render_link(permalinks.build_permalink(page.work, type, record), get_record_title(record))
    )
    date_line = render_element("p", render_date(page, record), class_="quiet") if type.address == "dated" else ""
    if is_password_protected(record):
        text = render_element("p", page.phrases["protected_short"])
    else:
        text = trust_markup(dynamic_rendering.render_record_excerpt(page.work, record))
    return render_element("article", heading, date_line, text)


def _render_pagination(page: PageRequest, listing: RecordListing, number: int, last: int) -> str:
    entries: list[Html] = []
    if number > 1:
        entries.append(render_link(_build_page_url(listing, number - 1), page.phrases["newer"], rel="prev"))
    if number < last:
        entries.append(render_link(_build_page_url(listing, number + 1), page.phrases["older"], rel="next"))
    if not entries:
        return ""
    label = page.phrases["page"].format(number=number)
    return render_element(
        "nav", render_element("ul", *(render_element("li", one) for one in entries)), aria_label=label
    )


# -- lists by URL


def _find_archived_type(page: PageRequest, segment: str) -> ContentType | None:
    """Return the type whose records a page of that name lists."""
    types = page.work.site.types.values()
    return next((one for one in types if one.public and one.archive == segment), None)


def _build_type_listing(page: PageRequest, type: ContentType) -> RecordListing:
    work = page.work
    homes = {code: f"{work.home(code)}/{type.archive}/" for code in work.site.profile.languages}
    return RecordListing(
        type.label, homes[page.language], RecordQuery(type=type.name, statuses=("publish",)),
        render_element("p", type.description) if type.description else "", page.phrases["nothing"], languages=homes,
        templates=template_hierarchy.list_archive_templates(type),
    )  # fmt: skip


def _find_author_listing(page: PageRequest, slug: str) -> RecordListing | None:
    user = users.find_user_by_slug(page.work.tx, slug)
    if user is None:
        return None
    query = RecordQuery(type=POST.name, statuses=("publish",), author=(user.id,))
    about = (
        render_element("p", strip_markup(page.work.get_translated_member(user, "description")))
        if user.description
        else ""
    )
    # Authors without published posts have no page: it would reveal which accounts exist.
    title = page.phrases["entries_by"].format(name=page.work.get_translated_member(user, "name"))
    names = template_hierarchy.list_author_templates(user)
    return RecordListing(title, f"{page.home}author/{slug}/", query, about, templates=names, author=user)


def find_term_listing(page: PageRequest, directory: str, slugs: Sequence[str]) -> RecordListing | None:
    """Return the list of a term, None for none. directory: the first segment of its URL; slugs: the others."""
    work = page.work
    taxonomy = next((one for one in work.site.taxonomies.values() if one.directory == directory), None)
    if taxonomy is None:
        return None
    work.uses(taxonomy.name)
    found, _ = term_listing.list_terms(
        work, taxonomy, term_listing.TermListFilters(slugs=(slugs[-1],), limit=_MAX_PAGE_SIZE)
    )
    places = term_store.build_term_urls(work, found)
    record_query = [directory, *slugs]
    for term in found:
        path = remove_base_path(work.base_path, urlsplit(places[term.id]).path)
        segments = [unquote(one) for one in path.split("/") if one]
        if segments[1:] == record_query:
            types = tuple(name for name in taxonomy.types if name in work.site.types)
            filters = TermFilter(taxonomy.name, (term.id,), children=taxonomy.hierarchical)
            one = types[0] if len(types) == 1 else ""
            query = RecordQuery(type=one, types=() if one else types, statuses=("publish",), terms=(filters,))
            about = render_element("p", strip_markup(term.description)) if term.description else ""
            languages = alternates.build_term_alternates(work, term)
            return RecordListing(
                strip_markup(term.name), places[term.id], query, about, page.phrases["nothing"], languages=languages,
                term=term, templates=template_hierarchy.list_term_templates(term),
            )  # fmt: skip
    return None


def _find_date_listing(page: PageRequest, numbers: list[int]) -> RecordListing | None:
    year, month, day = [*numbers, 1, 1][:3] if len(numbers) < 3 else numbers
    try:
        first = date(year, month, day)
    except ValueError:
        return None
    if len(numbers) == 1:
        after, name = first.replace(year=year + 1) if year < 9999 else first, str(year)
    elif len(numbers) == 2:
        after = date.fromordinal(first.toordinal() + 32).replace(day=1) if year < 9999 else first
        name = f"{get_month_name(month, page.language)} {year}"
    else:
        after, name = date.fromordinal(min(first.toordinal() + 1, date.max.toordinal())), _format_day(page, first)
    address = page.home + "".join(f"{number:02d}/" if at else f"{number:04d}/" for at, number in enumerate(numbers))
    return _build_date_listing(page, first.toordinal(), after.toordinal(), name, address)


def _build_date_listing(page: PageRequest, first: int, after: int, name: str, address: str) -> RecordListing:
    """Return the list of the posts of some days; first: the ordinal of the first day, after: of the day after the last.

    Both bounds of a query are exclusive.
    """
    start, end = ((day - _BEFORE_1970) * _DAY for day in (first, after))
    query = RecordQuery(type=POST.name, statuses=("publish",), after=start - 1, before=end)
    return RecordListing(
        page.phrases["archive"].format(name=name),
        address,
        query,
        feed="?" not in address,
        templates=template_hierarchy.DATE,
    )


def _format_day(page: PageRequest, day: date) -> str:
    seconds = (day.toordinal() - _BEFORE_1970) * _DAY
    return format_shown_date(page.work, seconds, page.language)
