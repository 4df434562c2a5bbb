"""Parser for feeds of other sites: RSS 0.9 to 2.0 and Atom, limited to what a block shows.

The input is untrusted: entities and network access are off, texts are plain and bounded, URLs are http(s) only.
Not here: fetching (content/feeds/rules.py). Why no library for feeds: docs/decisions/feeds.md. Rules: the RSS 2.0
specification, RFC 4287; dates as in RFC 2822 and RFC 3339.
"""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from html import unescape
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import msgspec

from vetrina.kernel.tags import strip_tags
from vetrina.kernel.times import LAST_SECOND

MAX_FEED_ENTRIES: Final = 50  # entries per feed
_TITLE, _WORDS, _ADDRESS, _NAME = 500, 4000, 2000, 200  # characters kept of each text
_CONTENT: Final = "{http://purl.org/rss/1.0/modules/content/}encoded"
_CREATOR: Final = "{http://purl.org/dc/elements/1.1/}creator"


class InvalidFeed(ValueError):
    """The bytes are not a feed."""


class FeedEntry(msgspec.Struct, frozen=True):
    """One entry; missing members are empty. summary: plain text. date: seconds since 1970, 0 for none."""

    title: str
    link: str = ""
    author: str = ""
    summary: str = ""
    date: int = 0


def parse_feed(content: bytes, address: str) -> list[FeedEntry]:
    """Return the entries of a feed in their order.

    address: URL of the feed, which its links may be relative to. Raises InvalidFeed.
    """
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InvalidFeed(str(error)) from None
    if root is None or _get_local_name(root) not in ("rss", "RDF", "feed"):
        raise InvalidFeed("the root is none of a feed")
    found = [one for one in root.iter("*") if _get_local_name(one) in ("item", "entry")]
    return [_parse_entry(one, address) for one in found[:MAX_FEED_ENTRIES]]


def _parse_entry(item: Any, address: str) -> FeedEntry:
    elements: dict[str, Any] = {}
    for child in item.iterchildren("*"):
        name = child.tag if child.tag in (_CONTENT, _CREATOR) else _get_local_name(child)
        # Of several links the page itself counts: the one without a relation, or with `alternate`.
        if name != "link" or child.get("rel", "alternate") == "alternate":
            elements.setdefault(name, child)
    link = elements.get("link")
    url = "" if link is None else link.get("href") or _extract_text(link)
    if not url and (guid := elements.get("guid")) is not None and guid.get("isPermaLink", "true") == "true":
        url = _extract_text(guid)
    return FeedEntry(
        title=_strip_markup(_find_first_text(elements, "title"), _TITLE),
        link=_resolve_url(url, address),
        author=_strip_markup(_find_author(elements), _NAME),
        summary=_strip_markup(_find_first_text(elements, "description", "summary", _CONTENT, "content"), _WORDS),
        date=_parse_date(_find_first_text(elements, "pubDate", "published", "date", "updated")),
    )


def _get_local_name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2] if isinstance(element.tag, str) else ""


def _extract_text(element: Any) -> str:
    return "".join(element.itertext("*")).strip()


def _find_first_text(elements: dict[str, Any], *names: str) -> str:
    return next((text for name in names if name in elements and (text := _extract_text(elements[name]))), "")


def _find_author(elements: dict[str, Any]) -> str:
    if (person := elements.get("author")) is not None:
        name = next((_extract_text(one) for one in person.iterchildren("*") if _get_local_name(one) == "name"), "")
        return name or _extract_text(person)
    return _find_first_text(elements, _CREATOR)


def _strip_markup(text: str, most: int) -> str:
    """Return the words of a text that may hold markup, plain or escaped."""
    return " ".join(unescape(strip_tags(unescape(text))).split())[:most]


def _resolve_url(place: str, address: str) -> str:
    """Return an absolute http(s) URL; empty for any other."""
    try:
        whole = urljoin(address, place.strip()) if place.strip() else ""
        return whole if urlsplit(whole).scheme in ("http", "https") and len(whole) <= _ADDRESS else ""
    except ValueError:
        return ""


def _parse_date(text: str) -> int:
    """Return a date as seconds since 1970; UTC where it has no zone. 0 for none."""
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            found = read(text)
            seconds = int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())
        except (ValueError, TypeError, OverflowError, IndexError):
            continue
        return seconds if 0 < seconds <= LAST_SECOND else 0
    return 0
