"""The block that shows the newest entries of another site's feed, as it was last read.

Not here: when it is read (content/feeds/rules.py). Rules: observed on public pages: element names, classes, the order
of parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from vetrina.content.blocks.dynamic_rendering import Maker, Place
from vetrina.content.feeds import rules as feeds
from vetrina.content.feeds.parsing import Entry
from vetrina.content.feeds.rules import Feed
from vetrina.content.text.media_shortcodes import address, attribute
from vetrina.core.unit_of_work import Work
from vetrina.kernel.date_format import date_text

__all__ = ["BLOCKS", "show_instead"]

_MEMO: Final = "feed read now"
_NOTICE: Final = '<div class="components-placeholder"><div class="notice notice-error">{}</div></div>'
_OWN: Final = "A site does not show its own feed; the block of the latest posts lists them."
_NONE: Final = "The feed cannot be read at the moment, or has no entries."


def show_instead(work: Work, found: Feed) -> None:
    """Let the block show a feed that was read for this work alone."""
    work.memo[_MEMO] = found


def _rss(place: Place) -> str:
    work, asked = place.work, place.attributes
    url = asked["feedURL"]
    if not url:
        return ""
    if url.rstrip("/") in (work.home(), work.origin):
        return _NOTICE.format(_OWN)
    told = work.memo.get(_MEMO)
    feed = told if isinstance(told, Feed) else feeds.by_address(work, url)
    if feed is None or not (feed.entries or feed.read or feed.failures):
        return ""  # it is about to be read for the first time
    if not feed.entries:
        return _NOTICE.format(_NONE)
    most = max(1, min(len(feed.entries), int(asked["itemsToShow"])))
    items = "".join(_item(place, entry) for entry in feed.entries[:most])
    classes = ["is-grid", f"columns-{int(asked['columns'])}"] if asked["blockLayout"] == "grid" else []
    for name, told_class in (("displayDate", "has-dates"), ("displayAuthor", "has-authors")):
        if asked[name]:
            classes.append(told_class)
    if asked["displayExcerpt"]:
        classes.append("has-excerpts")
    return place.element("ul", items, *classes)


def _item(place: Place, entry: Entry) -> str:
    asked = place.attributes
    title = attribute(entry.title) or "(no title)"
    if link := address(entry.link):
        target = ' target="_blank"' if asked["openInNewTab"] else ""
        rel = str(asked.get("rel") or "").strip()
        words = f"{target} rel='{attribute(rel)}'" if rel else target
        title = f"<a href='{link}'{words}>{title}</a>"
    html = f"<div class='wp-block-rss__item-title'>{title}</div>"
    if asked["displayDate"] and entry.date:
        local = place.work.zone.to_local(entry.date)
        offset = local - entry.date
        shown = attribute(date_text(place.work.option("date_format"), local, offset, place.language))
        moment = date_text("c", local, offset)
        html += f'<time datetime="{moment}" class="wp-block-rss__item-publish-date">{shown}</time> '
    if asked["displayAuthor"] and entry.author:
        html += f'<span class="wp-block-rss__item-author">by {attribute(entry.author)}</span>'
    if asked["displayExcerpt"] and entry.summary:
        words_left = entry.summary.split()
        most = max(0, int(asked["excerptLength"]))
        more = " [&hellip;]" if len(words_left) > most else ""
        html += f'<div class="wp-block-rss__item-excerpt">{attribute(" ".join(words_left[:most]))}{more}</div>'
    return f"<li class='wp-block-rss__item'>{html}</li>"


BLOCKS: Final[Mapping[str, Maker]] = {"core/rss": _rss}
