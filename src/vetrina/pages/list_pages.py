"""Lists of records: the newest posts, those of a term, of an author, of a span of time, and what a search found.

Not here: the page of a record (pages/record_pages.py), feeds of these lists (pages/feeds.py).
Rules: facts of the interface, "Slugs, links, templates" for the addresses; the number of a page is its setting's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final
from urllib.parse import quote, unquote, urlsplit

import msgspec

from vetrina.access.users import rules as users
from vetrina.content.blocks import dynamic_rendering
from vetrina.content.records import archives, permalinks
from vetrina.content.records import listing as record_listing
from vetrina.content.records.listing import InvalidPage
from vetrina.content.records.model import Record
from vetrina.content.records.passwords import protects
from vetrina.content.records.query import RecordQuery, TermFilter
from vetrina.content.search import rules as search
from vetrina.content.search import terms as search_terms
from vetrina.content.terms import listing as term_listing
from vetrina.content.terms import store as term_store
from vetrina.content.translations import alternates
from vetrina.content.types.registry import POST
from vetrina.kernel.date_format import date_text, month_name
from vetrina.pages.page_context import text_of
from vetrina.pages.page_request import Visit, missing, page, plain, title_of
from vetrina.pages.record_pages import when
from vetrina.rest.call import Answer

from .markup import Html, element, link, trusted

__all__ = ["Listing", "found_at", "of_search", "rows", "shown", "whole"]

_DAY: Final = 86_400  # seconds
_BEFORE_1970: Final = 719_163  # days from the year 1 to 1970
_MOST: Final = 100  # records on a page
_LONGEST_SEARCH: Final = 200  # signs


@dataclass(frozen=True)
class Listing:
    """A list that has an address. title: as text, empty for the site itself. about: markup beneath it.

    empty: what is said where nothing is in it; empty for a list that is then not there. feed: whether it has one.
    languages: where it is in each, when that is known.
    """

    title: str
    address: str
    query: RecordQuery
    about: str = ""
    empty: str = ""
    feed: bool = True
    languages: Mapping[str, str] = field(default_factory=dict)


def whole(visit: Visit, title: str = "", address: str = "") -> Listing:
    """Return the list of all posts. title, address: of the page that it stands on, where that is not the home."""
    query = RecordQuery(type=POST.name, statuses=("publish",), sticky_first=True)
    return Listing(title, address or visit.home, query, empty=visit.said["nothing"])


def found_at(visit: Visit) -> Listing | None:
    """Return the list that an address names, None for none."""
    segments = visit.segments
    match segments:
        case ("author", slug):
            return _of_author(visit, slug)
        case (_, *slugs) if slugs and (found := _of_term(visit, segments[0], slugs)) is not None:
            return found
        case _ if 0 < len(segments) <= 3 and all(part.isdecimal() and part.isascii() for part in segments):
            return _of_time(visit, [int(part[:6]) for part in segments])
    return None


def of_search(visit: Visit) -> Listing | None:
    """Return the list that the home's query asks for, None for none."""
    query = visit.request.query
    text = text_of(query, "s")[:_LONGEST_SEARCH]
    if parsed := search_terms.parse(text):
        said = visit.said
        closed = _closed(visit)
        types = tuple(name for name in search.searched_types(visit.work) if name not in closed)
        asked = RecordQuery(
            type="", types=types, statuses=("publish",),
            search=parsed, orderby="relevance",
        )  # fmt: skip
        address = f"{visit.home}?s={quote(text)}"
        return Listing(said["found"].format(text=text), address, asked, empty=said["none_found"].format(text=text))
    year, week = text_of(query, "m"), text_of(query, "w")
    if year.isdecimal() and week.isdecimal() and len(year) == 4 and len(week) <= 2:
        try:
            first = archives.first_of_week(visit.work, int(year), int(week))
        except (ValueError, OverflowError):
            return None
        address = f"{visit.home}?m={year}&w={week}"
        return _between(visit, first.toordinal(), first.toordinal() + 7, _day_text(visit, first), address)
    return None


def _closed(visit: Visit) -> frozenset[str]:
    """Return the kinds that are not there for a visitor yet: those of a shop that is not open."""
    if "shop" not in visit.work.frame.profile.modules:
        return frozenset()
    from vetrina.shop.admin import coming_soon  # a site without a shop loads nothing of it

    return coming_soon.hidden_kinds(visit.work, visit.user, visit.request)


def rows(visit: Visit, listing: Listing, number: int) -> tuple[list[Record], int] | None:
    """Return one page of a list and how many pages it has; None for a page that is not there."""
    size = max(1, min(_MOST, int(visit.work.option("posts_per_page") or 10)))
    query = msgspec.structs.replace(listing.query, page=number, per_page=size)
    try:
        found, total = record_listing.listed_page(visit.work, query)
    except InvalidPage:
        return None
    if not total and (number > 1 or not listing.empty):
        return None
    return found, -(-total // size)


def shown(visit: Visit, listing: Listing, number: int, languages: Mapping[str, str] | None = None) -> Answer:
    """Return a page of a list; languages: where it is in each, on its first page."""
    found = rows(visit, listing, number)
    if found is None:
        return missing(visit)
    records, last = found
    said = visit.said
    title = listing.title
    if number > 1:
        title = " – ".join(filter(None, (title, said["page"].format(number=number))))
    site = visit.work.shown("title")
    parts: list[str] = [element("h1", title or site), trusted(listing.about)]
    parts += [_entry(visit, one) for one in records] or [element("p", listing.empty)]
    parts.append(_neighbours(visit, listing, number, last))
    searching, elsewhere = "?" in listing.address, languages or listing.languages
    return page(
        visit, title, *parts, canonical=_numbered(listing, number), languages=elsewhere if number == 1 else None,
        feed="" if searching else f"{listing.address}feed/", indexed=not searching,
    )  # fmt: skip


def _numbered(listing: Listing, number: int) -> str:
    if number == 1:
        return listing.address
    if "?" in listing.address:
        return f"{listing.address}&paged={number}"
    return f"{listing.address}page/{number}/"


def _entry(visit: Visit, record: Record) -> Html:
    type = visit.work.frame.types[record.type]
    heading = element("h2", link(permalinks.link(visit.work, type, record), title_of(record)))
    date_line = element("p", when(visit, record), class_="quiet") if type.address == "dated" else ""
    if protects(record):
        text = element("p", visit.said["protected_short"])
    else:
        text = trusted(dynamic_rendering.excerpt_shown(visit.work, record))
    return element("article", heading, date_line, text)


def _neighbours(visit: Visit, listing: Listing, number: int, last: int) -> str:
    entries: list[Html] = []
    if number > 1:
        entries.append(link(_numbered(listing, number - 1), visit.said["newer"], rel="prev"))
    if number < last:
        entries.append(link(_numbered(listing, number + 1), visit.said["older"], rel="next"))
    if not entries:
        return ""
    label = visit.said["page"].format(number=number)
    return element("nav", element("ul", *(element("li", one) for one in entries)), aria_label=label)


# -- what addresses name


def _of_author(visit: Visit, slug: str) -> Listing | None:
    user = users.by_slug(visit.work.tx, slug)
    if user is None:
        return None
    query = RecordQuery(type=POST.name, statuses=("publish",), author=(user.id,))
    about = element("p", plain(visit.work.shown_of(user, "description"))) if user.description else ""
    # Who has published nothing has no page: it would tell which accounts there are.
    title = visit.said["entries_by"].format(name=visit.work.shown_of(user, "name"))
    return Listing(title, f"{visit.home}author/{slug}/", query, about)


def _of_term(visit: Visit, directory: str, slugs: Sequence[str]) -> Listing | None:
    work = visit.work
    taxonomy = next((one for one in work.frame.taxonomies.values() if one.directory == directory), None)
    if taxonomy is None:
        return None
    work.uses(taxonomy.name)
    found, _ = term_listing.listed(work, taxonomy, term_listing.TermFilters(slugs=(slugs[-1],), limit=_MOST))
    places = term_store.addresses(work, found)
    asked = [directory, *slugs]
    for term in found:
        segments = [unquote(one) for one in urlsplit(places[term.id]).path.split("/") if one]
        if segments[1:] == asked:
            types = tuple(name for name in taxonomy.types if name in work.frame.types)
            filters = TermFilter(taxonomy.name, (term.id,), children=taxonomy.hierarchical)
            one = types[0] if len(types) == 1 else ""
            query = RecordQuery(type=one, types=() if one else types, statuses=("publish",), terms=(filters,))
            about = element("p", plain(term.description)) if term.description else ""
            languages = alternates.of_term(work, term)
            return Listing(plain(term.name), places[term.id], query, about, visit.said["nothing"], languages=languages)
    return None


def _of_time(visit: Visit, numbers: list[int]) -> Listing | None:
    year, month, day = [*numbers, 1, 1][:3] if len(numbers) < 3 else numbers
    try:
        first = date(year, month, day)
    except ValueError:
        return None
    if len(numbers) == 1:
        after, name = first.replace(year=year + 1) if year < 9999 else first, str(year)
    elif len(numbers) == 2:
        after = date.fromordinal(first.toordinal() + 32).replace(day=1) if year < 9999 else first
        name = f"{month_name(month, visit.language)} {year}"
    else:
        after, name = date.fromordinal(min(first.toordinal() + 1, date.max.toordinal())), _day_text(visit, first)
    address = visit.home + "".join(f"{number:02d}/" if at else f"{number:04d}/" for at, number in enumerate(numbers))
    return _between(visit, first.toordinal(), after.toordinal(), name, address)


def _between(visit: Visit, first: int, after: int, name: str, address: str) -> Listing:
    """Return the list of the posts of some days; first: the ordinal of the first one, after: of the one past the last.

    Both bounds of a query lie outside what it finds.
    """
    start, end = ((day - _BEFORE_1970) * _DAY for day in (first, after))
    query = RecordQuery(type=POST.name, statuses=("publish",), after=start - 1, before=end)
    return Listing(visit.said["archive"].format(name=name), address, query, feed=False)


def _day_text(visit: Visit, day: date) -> str:
    seconds = (day.toordinal() - _BEFORE_1970) * _DAY
    return date_text(visit.work.option("date_format"), seconds, language=visit.language)
