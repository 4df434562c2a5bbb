"""Feeds: of each list, of the comments on a record, and of all comments. How they are written: pages/feed_formats.py.

Rules: docs/rules/feeds.md, 1 to 4. Which records a list has: pages/list_pages.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from msgspec import structs

from vetrina.access.users import rules as users
from vetrina.content.blocks import dynamic_rendering
from vetrina.content.comments import listing as comment_listing
from vetrina.content.comments.filters import CommentQuery
from vetrina.content.comments.model import Comment
from vetrina.content.records import model as record_model, permalinks
from vetrina.content.records.model import Record
from vetrina.content.records.passwords import is_password_protected
from vetrina.content.terms import store as term_store
from vetrina.content.text.absolute_addresses import make_addresses_absolute
from vetrina.media.images import srcset
from vetrina.pages.feed_formats import Feed, FeedFormat, FeedItem, build_feed_url
from vetrina.pages.inline_style import build_content_policy
from vetrina.pages.list_pages import RecordListing, find_listing_page, list_closed_types
from vetrina.pages.not_found_page import render_not_found
from vetrina.pages.page_context import build_bytes_response
from vetrina.pages.page_request import PageRequest, get_record_title, strip_markup
from vetrina.rest.call import Response

from .markup import Html, join_markup

_PROLOGUE: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_MAX_ITEMS: Final = 50
_MAX_COUNTED: Final = 3  # times as many comments are read as are shown: some are on what not everybody may read


def render_feed(page: PageRequest, listing: RecordListing, format: FeedFormat) -> Response:
    """Return the feed of a list: the first page of its newest records."""
    # Readers keep the newest entries of a feed: a sticky one in front would push them out and look new for ever.
    query = structs.replace(listing.query, sticky_first=False)
    if listing.search:
        query = structs.replace(query, orderby="date", order="desc")
    found = find_listing_page(page, replace(listing, query=query), 1, _get_size(page))
    if found is None:
        return render_not_found(page)
    work, records = page.work, found.rows
    work.uses(*work.site.types, *work.site.taxonomies, "user", "comment")
    site = work.get_translated_option("title")
    title = f"{listing.title} – {site}" if listing.title else site
    return _answer(page, format, title, listing.address, tuple(_build_item(page, one) for one in records))


def render_comments_feed(page: PageRequest, format: FeedFormat, record: Record | None = None) -> Response:
    """Return the feed of the comments on a record, or of all comments."""
    work = page.work
    site = work.get_translated_option("title")
    if record is None:
        work.uses(*work.site.types, "comment")
        query = CommentQuery(limit=_get_size(page) * _MAX_COUNTED)
        title, address = page.phrases["comments_on"].format(title=site), page.home
    else:
        if not _has_comments_feed(page, record):
            return render_not_found(page)
        type = work.site.types[record.type]
        work.uses("comment")
        work.uses_items(type.name, (record.id,))
        query = CommentQuery(post=(record.id,), type="", limit=_get_size(page))
        work.language_for(permalinks.get_shown_language(work, record))
        title = page.phrases["comments_on"].format(title=get_record_title(record))
        address = permalinks.build_permalink(work, type, record)
    found, _ = comment_listing.list_comments(work, query)
    about = record_model.find_records(work.tx, sorted({one.post for one in found}))
    shown = [one for one in found if one.post in about and _has_comments_feed(page, about[one.post])]
    items = [_build_comment_item(page, one, about[one.post], alone=record is not None) for one in shown]
    where = f"{page.home}comments/" if record is None else address
    return _answer(page, format, title, address, items[: _get_size(page)], where)


def _answer(
    page: PageRequest, format: FeedFormat, title: str, address: str, items: Sequence[FeedItem], where: str = ""
) -> Response:
    """Return a feed. where: the address that its own follows, that of the page where it is not given."""
    work = page.work
    feed = Feed(
        title, address, build_feed_url(where or address, format.path), page.language, items,
        strip_markup(work.get_translated_option("description")),
    )  # fmt: skip
    content = join_markup((Html(_PROLOGUE), format.render(feed))).encode("utf-8", "replace")
    return build_bytes_response(
        200, f"{format.type}; charset=UTF-8", content, build_content_policy(),
        made_in=None if page.session is not None else work, cache=work.site.profile.cache_control or "no-cache",
    )  # fmt: skip


def _get_size(page: PageRequest) -> int:
    return max(1, min(_MAX_ITEMS, int(page.work.option("posts_per_rss") or 10)))


def _has_comments_feed(page: PageRequest, record: Record) -> bool:
    """Return whether everybody may read the comments on a record."""
    type = page.work.site.types.get(record.type)
    if type is None or not type.public or not type.has("comments") or type.name in list_closed_types(page):
        return False
    return record.status == "publish" and not is_password_protected(record)


def _build_item(page: PageRequest, record: Record) -> FeedItem:
    work = page.work
    type = work.site.types[record.type]
    address = permalinks.build_permalink(work, type, record)
    author = users.find_user(work.tx, record.author)
    name = work.get_translated_member(author, "name") if author else work.get_translated_option("title")
    if is_password_protected(record):
        hidden, summary, html = page.phrases["protected_short"], "", ""
    else:
        summary = make_addresses_absolute(dynamic_rendering.render_record_excerpt(work, record), address)
        hidden, html = "", ""
        if not work.option("rss_use_excerpt"):
            html = srcset.add_image_sources(work, dynamic_rendering.render_record_content(work, record))
            html = make_addresses_absolute(html, address)
    known = work.site.taxonomies
    terms = term_store.list_terms_by_record(work.tx, [record.id])[record.id] if type.taxonomies else []
    return FeedItem(
        get_record_title(record), record.guid or address, address, name, record.date_gmt, record.modified_gmt, summary,
        html, hidden,
        [strip_markup(one.name) for one in terms if one.taxonomy in known and known[one.taxonomy].directory],
        _count_comments(page, record),
    )  # fmt: skip


def _count_comments(page: PageRequest, record: Record) -> int | None:
    """Return how many comments a record has; None where it has none and takes none."""
    if not _has_comments_feed(page, record):
        return None
    _, total = comment_listing.list_comments(page.work, CommentQuery(post=(record.id,), limit=1))
    return total if total or record.comment_status == "open" else None


def _build_comment_item(page: PageRequest, one: Comment, record: Record, *, alone: bool) -> FeedItem:
    """Return the entry of a comment. alone: whether the feed is of its record, so that the title need not name it."""
    work = page.work
    address = f"{permalinks.build_permalink(work, work.site.types[record.type], record)}#comment-{one.id}"
    name = strip_markup(one.author_name) or page.phrases["anonymous"]
    title = page.phrases["comment_by"].format(name=name)
    if not alone:
        title = page.phrases["comment_of"].format(name=name, title=get_record_title(record))
    html = work.budget.take_cached_html(one.content_html)
    return FeedItem(title, address, address, name, one.date_gmt, one.date_gmt, html, html)
