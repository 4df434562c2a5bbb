"""The block that shows the newest entries of another site's feed, as last fetched.

Not here: when it is fetched (content/feeds/rules.py). Elements and classes as observed on public pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from vetrina.content.blocks.block_context import BlockContext, BlockRenderFunction
from vetrina.content.feeds import rules as feeds
from vetrina.content.feeds.parsing import FeedEntry
from vetrina.content.feeds.rules import Feed
from vetrina.content.text.media_shortcodes import escape_attribute, escape_url
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.date_format import format_date

_FEED_MEMO_KEY: Final = "feed read now"
_NOTICE: Final = '<div class="components-placeholder"><div class="notice notice-error">{}</div></div>'
_OWN_FEED_NOTICE: Final = "A site does not show its own feed; the block of the latest posts lists them."
_NO_FEED_NOTICE: Final = "The feed cannot be read at the moment, or has no entries."


def override_feed(work: UnitOfWork, feed: Feed) -> None:
    """Let the block show a feed that was fetched for this work only."""
    work.lookups[_FEED_MEMO_KEY] = feed


def _render_feed(place: BlockContext) -> str:
    work, attributes = place.work, place.attributes
    url = attributes["feedURL"]
    if not url:
        return ""
    if url.rstrip("/") in (work.home(), work.origin):
        return _NOTICE.format(_OWN_FEED_NOTICE)
    override = work.lookups.get(_FEED_MEMO_KEY)
    feed = override if isinstance(override, Feed) else feeds.find_feed(work, url)
    if feed is None or not (feed.entries or feed.read or feed.failures):
        return ""  # the first fetch is pending
    if not feed.entries:
        return _NOTICE.format(_NO_FEED_NOTICE)
    most = max(1, min(len(feed.entries), int(attributes["itemsToShow"])))
    items = "".join(_render_entry(place, entry) for entry in feed.entries[:most])
    classes = ["is-grid", f"columns-{int(attributes['columns'])}"] if attributes["blockLayout"] == "grid" else []
    for name, told_class in (("displayDate", "has-dates"), ("displayAuthor", "has-authors")):
        if attributes[name]:
            classes.append(told_class)
    if attributes["displayExcerpt"]:
        classes.append("has-excerpts")
    return place.element("ul", items, *classes)


def _render_entry(place: BlockContext, entry: FeedEntry) -> str:
    attributes = place.attributes
    title = escape_attribute(entry.title) or "(no title)"
    if link := escape_url(entry.link):
        target = ' target="_blank"' if attributes["openInNewTab"] else ""
        rel = str(attributes.get("rel") or "").strip()
        words = f"{target} rel='{escape_attribute(rel)}'" if rel else target
        title = f"<a href='{link}'{words}>{title}</a>"
    html = f"<div class='wp-block-rss__item-title'>{title}</div>"
    if attributes["displayDate"] and entry.date:
        local = place.work.zone.to_local(entry.date)
        offset = local - entry.date
        shown = escape_attribute(format_date(place.work.option("date_format"), local, offset, place.language))
        moment = format_date("c", local, offset)
        html += f'<time datetime="{moment}" class="wp-block-rss__item-publish-date">{shown}</time> '
    if attributes["displayAuthor"] and entry.author:
        html += f'<span class="wp-block-rss__item-author">by {escape_attribute(entry.author)}</span>'
    if attributes["displayExcerpt"] and entry.summary:
        words_left = entry.summary.split()
        most = max(0, int(attributes["excerptLength"]))
        more = " [&hellip;]" if len(words_left) > most else ""
        html += f'<div class="wp-block-rss__item-excerpt">{escape_attribute(" ".join(words_left[:most]))}{more}</div>'
    return f"<li class='wp-block-rss__item'>{html}</li>"


BLOCKS: Final[Mapping[str, BlockRenderFunction]] = {"core/rss": _render_feed}
