"""Feeds of other sites as entries: RSS 0.9 to 2.0 and Atom, of which no more is taken than a block shows.

A stranger wrote them: entities and the network are off, texts are plain and bounded, addresses are those of the web.
Not here: where they come from (content/feeds/rules.py). Rules: the RSS 2.0 specification, RFC 4287; dates as RFC 2822
and RFC 3339.
"""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from html import unescape
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import msgspec

from vetrina.kernel.tags import without_tags
from vetrina.kernel.times import LAST

__all__ = ["MOST", "Entry", "NoFeed", "entries_of"]

MOST: Final = 50  # entries of a feed
_TITLE, _WORDS, _ADDRESS, _NAME = 500, 4000, 2000, 200  # signs that are kept of each text
_CONTENT: Final = "{http://purl.org/rss/1.0/modules/content/}encoded"
_CREATOR: Final = "{http://purl.org/dc/elements/1.1/}creator"


class NoFeed(ValueError):
    """The bytes are no feed."""


class Entry(msgspec.Struct, frozen=True):
    """One entry; what it does not say is empty. summary: plain text. date: seconds since 1970, 0 for none."""

    title: str
    link: str = ""
    author: str = ""
    summary: str = ""
    date: int = 0


def entries_of(content: bytes, address: str) -> list[Entry]:
    """Return the entries of a feed in their order.

    address: of the feed, which its links may be relative to. Raises NoFeed.
    """
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise NoFeed(str(error)) from None
    if root is None or _local(root) not in ("rss", "RDF", "feed"):
        raise NoFeed("the root is none of a feed")
    found = [one for one in root.iter("*") if _local(one) in ("item", "entry")]
    return [_entry(one, address) for one in found[:MOST]]


def _entry(item: Any, address: str) -> Entry:
    told: dict[str, Any] = {}
    for child in item.iterchildren("*"):
        name = child.tag if child.tag in (_CONTENT, _CREATOR) else _local(child)
        # Of several links the page itself counts, which names no relation or `alternate`.
        if name != "link" or child.get("rel", "alternate") == "alternate":
            told.setdefault(name, child)
    link = told.get("link")
    place = "" if link is None else link.get("href") or _text(link)
    if not place and (guid := told.get("guid")) is not None and guid.get("isPermaLink", "true") == "true":
        place = _text(guid)
    return Entry(
        title=_plain(_first(told, "title"), _TITLE),
        link=_whole(place, address),
        author=_plain(_author(told), _NAME),
        summary=_plain(_first(told, "description", "summary", _CONTENT, "content"), _WORDS),
        date=_moment(_first(told, "pubDate", "published", "date", "updated")),
    )


def _local(element: Any) -> str:
    return str(element.tag).rpartition("}")[2] if isinstance(element.tag, str) else ""


def _text(element: Any) -> str:
    return "".join(element.itertext("*")).strip()


def _first(told: dict[str, Any], *names: str) -> str:
    return next((text for name in names if name in told and (text := _text(told[name]))), "")


def _author(told: dict[str, Any]) -> str:
    if (person := told.get("author")) is not None:
        name = next((_text(one) for one in person.iterchildren("*") if _local(one) == "name"), "")
        return name or _text(person)
    return _first(told, _CREATOR)


def _plain(text: str, most: int) -> str:
    """Return a text that may hold markup, written as such or with entities, as words."""
    return " ".join(unescape(without_tags(unescape(text))).split())[:most]


def _whole(place: str, address: str) -> str:
    """Return an address of the web, whole; empty for any other."""
    try:
        whole = urljoin(address, place.strip()) if place.strip() else ""
        return whole if urlsplit(whole).scheme in ("http", "https") and len(whole) <= _ADDRESS else ""
    except ValueError:
        return ""


def _moment(text: str) -> int:
    """Return a date as seconds since 1970; one without a zone is that of Greenwich. 0 for none."""
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            found = read(text)
            seconds = int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())
        except (ValueError, TypeError, OverflowError, IndexError):
            continue
        return seconds if 0 < seconds <= LAST else 0
    return 0
