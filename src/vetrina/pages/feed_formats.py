"""How a feed is written: RSS 2.0, which an address `feed/` is, and Atom at `feed/atom/`.

What it holds: pages/feeds.py. Rules: the RSS 2.0 specification with the modules content, dc, slash and wfw; RFC 4287
(Atom); docs/rules/feeds.md, 1 and 3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Final, NamedTuple

from vetrina.kernel.times import format_iso

from .markup import Html, render_xml

_ATOM_TYPE: Final = "application/atom+xml"
_RSS_TYPE: Final = "application/rss+xml"
_GENERATOR: Final = "Vetrina"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_RSS_NAMESPACES: Final = {
    "xmlns:atom": "http://www.w3.org/2005/Atom",
    "xmlns:content": "http://purl.org/rss/1.0/modules/content/",
    "xmlns:dc": "http://purl.org/dc/elements/1.1/",
    "xmlns:slash": "http://purl.org/rss/1.0/modules/slash/",
    "xmlns:wfw": "http://wellformedweb.org/CommentAPI/",
}


@dataclass(frozen=True)
class FeedItem:
    """One entry. id: that never changes. published, updated: seconds since 1970.

    summary: markup. content: markup, empty where only the summary is told. hidden: the text in place of both, for what
    a password protects. categories: names. comments: how many there are, None where there can be none.
    """

    title: str
    id: str
    link: str
    author: str
    published: int
    updated: int
    summary: str = ""
    content: str = ""
    hidden: str = ""
    categories: Sequence[str] = ()
    comments: int | None = None


@dataclass(frozen=True)
class Feed:
    """A feed. address: of the page that it is of. own: its own URL. about: what it is of, as text."""

    title: str
    address: str
    own: str
    language: str
    items: Sequence[FeedItem]
    about: str = ""

    @property
    def updated(self) -> int:
        return max((one.updated for one in self.items), default=0)


class FeedFormat(NamedTuple):
    """A format. type: of its content. path: of its feeds, beneath what they are of."""

    type: str
    path: str
    render: Callable[[Feed], Html]


def build_feed_url(address: str, path: str) -> str:
    """Return the URL of the feed of a page. path: that of its format."""
    base, mark, query = address.partition("?")
    return f"{base}{path}{mark}{query}"


def _render_rss(feed: Feed) -> Html:
    channel = render_xml(
        "channel",
        render_xml("title", feed.title),
        render_xml("atom:link", href=feed.own, rel="self", type=_RSS_TYPE),
        render_xml("link", feed.address),
        render_xml("description", feed.about),
        render_xml("lastBuildDate", _format_date(feed.updated)) if feed.items else "",
        render_xml("language", feed.language),
        render_xml("generator", _GENERATOR),
        *map(_render_rss_item, feed.items),
    )
    return render_xml("rss", channel, version="2.0", **_RSS_NAMESPACES)


def _render_rss_item(item: FeedItem) -> Html:
    talk: list[Html] = []
    if item.comments is not None:
        talk = [
            render_xml("comments", f"{item.link}#comments" if item.comments else f"{item.link}#respond"),
            render_xml("slash:comments", str(item.comments)),
            render_xml("wfw:commentRss", f"{item.link}feed/") if "?" not in item.link else Html(""),
        ]
    return render_xml(
        "item",
        render_xml("title", item.title),
        render_xml("link", item.link),
        *talk,
        render_xml("dc:creator", item.author) if item.author else "",
        render_xml("pubDate", _format_date(item.published)),
        *(render_xml("category", one) for one in item.categories),
        render_xml("guid", item.id, isPermaLink="false"),
        render_xml("description", item.hidden or item.summary),
        render_xml("content:encoded", item.content) if item.content and not item.hidden else "",
    )


def _render_atom(feed: Feed) -> Html:
    return render_xml(
        "feed",
        render_xml("title", feed.title),
        render_xml("subtitle", feed.about) if feed.about else "",
        render_xml("id", feed.own),
        render_xml("link", rel="self", type=_ATOM_TYPE, href=feed.own),
        render_xml("link", rel="alternate", type="text/html", href=feed.address),
        render_xml("updated", f"{format_iso(feed.updated)}Z"),
        render_xml("generator", _GENERATOR),
        *(_render_atom_entry(one) for one in feed.items),
        xmlns="http://www.w3.org/2005/Atom",
        **{"xml:lang": feed.language},
    )


def _render_atom_entry(item: FeedItem) -> Html:
    # URLs in a text are relative to the record's own.
    base: Mapping[str, str] = {"xml:base": item.link}
    content = Html("")
    if item.hidden:
        content = render_xml("content", item.hidden, type="text", **base)
    elif item.content:
        content = render_xml("content", item.content, type="html", **base)
    return render_xml(
        "entry",
        render_xml("title", item.title),
        render_xml("id", item.id),
        render_xml("link", rel="alternate", type="text/html", href=item.link),
        render_xml("published", f"{format_iso(item.published)}Z"),
        render_xml("updated", f"{format_iso(item.updated)}Z"),
        render_xml("author", render_xml("name", item.author or "?")),
        *(render_xml("category", term=one) for one in item.categories),
        render_xml("summary", item.summary, type="html") if item.summary and not item.hidden else "",
        content,
    )


def _format_date(seconds: int) -> str:
    return format_datetime(_EPOCH + timedelta(seconds=seconds))


RSS: Final = FeedFormat(_RSS_TYPE, "feed/", _render_rss)
ATOM: Final = FeedFormat(_ATOM_TYPE, "feed/atom/", _render_atom)
# What may follow `feed` in an address.
FEED_FORMATS: Final[Mapping[tuple[str, ...], FeedFormat]] = {(): RSS, ("rss2",): RSS, ("atom",): ATOM}
