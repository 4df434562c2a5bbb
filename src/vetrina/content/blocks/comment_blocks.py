"""Blocks that show comments: the newest of the site, and those of one record.

They show approved comments only, on records that everybody may read. Not here: the comment form
(content/blocks/person_blocks.py). Elements and classes as observed on public pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from vetrina.content.blocks.dynamic_rendering import BlockContext, BlockRenderFunction
from vetrina.content.blocks.list_blocks import render_time
from vetrina.content.blocks.person_blocks import is_open_to_comments
from vetrina.content.blocks.site_blocks import build_alignment_classes
from vetrina.content.comments import listing as comment_listing
from vetrina.content.comments.listing import CommentQuery
from vetrina.content.comments.model import Comment
from vetrina.content.records import model as record_model, permalinks
from vetrina.content.records.model import Record
from vetrina.content.text.media_shortcodes import escape_attribute, escape_url
from vetrina.kernel.tags import strip_tags

_EXCERPT_WORDS: Final = 20  # words
_LOOKUP: Final = "record_comments"
_MAX_COMMENTS: Final = 200  # comments read for one record


def _is_public(place: BlockContext, record: Record) -> bool:
    type = place.work.site.types.get(record.type)
    return type is not None and type.public and record.status == "publish" and record.password in ("", "0")


def _build_comment_url(place: BlockContext, record: Record, comment: Comment | None = None) -> str:
    link = permalinks.build_permalink(place.work, place.work.site.types[record.type], record)
    return escape_url(f"{link}#comment-{comment.id}" if comment else f"{link}#comments")


def _render_author(comment: Comment) -> str:
    name = escape_attribute(comment.author_name or "Anonymous")
    if not comment.author_url:
        return f'<span class="wp-block-latest-comments__comment-author">{name}</span>'
    return f'<a class="wp-block-latest-comments__comment-author" href="{escape_url(comment.author_url)}">{name}</a>'


def _render_latest_comments(place: BlockContext) -> str:
    attributes, work = place.attributes, place.work
    work.uses("comment")
    most = int(attributes["commentsToShow"])
    # Some may be on records that not everybody may read, so more are loaded than shown.
    found, _ = comment_listing.list_comments(work, CommentQuery(limit=most * 2))
    about = record_model.find_records(work.tx, sorted({one.post for one in found}))
    work.uses(*(record.type for record in about.values()))
    items = ""
    for one in [one for one in found if one.post in about and _is_public(place, about[one.post])][:most]:
        record = about[one.post]
        title = place.title_of(record) or "(no title)"
        link = (
            '<a class="wp-block-latest-comments__comment-link" '
            f'href="{_build_comment_url(place, record, one)}">{title}</a>'
        )
        head = f"{_render_author(one)} on {link}"
        if attributes["displayDate"]:
            head += render_time(place, one.date, one.date_gmt, css_class="wp-block-latest-comments__comment-date")
        items += (
            '<li class="wp-block-latest-comments__comment"><article><footer '
            f'class="wp-block-latest-comments__comment-meta">{head}</footer>{_render_text(place, one)}</article></li>'
        )
    if not items:
        return place.element("div", place.translate("No comments to show."), "no-comments")
    classes = ["has-dates"] if attributes["displayDate"] else []
    if attributes["displayContent"] != "no-content" and attributes["displayExcerpt"]:
        classes.append("has-excerpts")
    return place.element("ol", items, *classes)


def _render_text(place: BlockContext, comment: Comment) -> str:
    attributes = place.attributes
    if attributes["displayContent"] == "full":
        return f'<div class="wp-block-latest-comments__comment-excerpt">{place.words_of(comment)}</div>'
    if attributes["displayContent"] == "no-content" or not attributes["displayExcerpt"]:
        return ""
    words = strip_tags(comment.content_html if place.work.budget.pay(len(comment.content_html)) else "").split()
    text = " ".join(words[:_EXCERPT_WORDS]) + ("&hellip;" if len(words) > _EXCERPT_WORDS else "")
    return f'<div class="wp-block-latest-comments__comment-excerpt"><p>{text}</p>\n</div>'


def _list_record_comments(place: BlockContext) -> tuple[Record | None, list[Comment], int]:
    """Return the record, its comments (oldest first), and their total.

    Where there are too many, an answer of the interface has the first of them, and a page the last.
    """
    record, work = place.scene.record, place.work
    work.uses("comment")
    if record is None or not _is_public(place, record):
        return None, [], 0
    newest = place.scene.page is not None
    key = f"{_LOOKUP} {record.id} {newest}"
    if key not in work.lookups:
        work.lookups[key] = _load_comments(place, record, newest=newest)
    found, total = work.lookups[key]
    return record, found, total


def _load_comments(place: BlockContext, record: Record, *, newest: bool) -> tuple[list[Comment], int]:
    query = CommentQuery(post=(record.id,), descending=False, limit=_MAX_COMMENTS)
    found, total = comment_listing.list_comments(place.work, query)
    if total > _MAX_COMMENTS and newest:
        query = msgspec.structs.replace(query, offset=total - _MAX_COMMENTS)
        found, _ = comment_listing.list_comments(place.work, query)
    return found, total


def _render_count(place: BlockContext) -> str:
    record, _, total = _list_record_comments(place)
    return place.element("div", str(total), *build_alignment_classes(place)) if record is not None else ""


def _render_count_link(place: BlockContext) -> str:
    record, _, total = _list_record_comments(place)
    if record is None:
        return ""
    text = f"{total} comment" if total == 1 else f"{total} comments" if total else "No comments"
    title = escape_attribute(strip_tags(record.title_html))
    html = (
        f'<a href="{_build_comment_url(place, record)}">{text}<span class="screen-reader-text"> on {title}</span></a>'
    )
    return place.element("div", html, *build_alignment_classes(place))


def _render_title(place: BlockContext) -> str:
    record, _, total = _list_record_comments(place)
    if record is None or not total:
        return ""
    attributes = place.attributes
    if attributes["showCommentsCount"]:
        head = place.translate("One response" if total == 1 else "{count} responses").format(count=total)
    else:
        head = place.translate("Response" if total == 1 else "Responses")
    title = f"&#8220;{place.title_of(record)}&#8221;"
    text = (
        place.translate("{responses} to {title}").format(responses=head, title=title)
        if attributes["showPostTitle"]
        else head
    )
    level = attributes["level"]
    tag = f"h{int(level)}" if 1 <= level <= 6 else "p"
    return place.element(tag, text, *build_alignment_classes(place), own='id="comments"')


def _render_template(place: BlockContext) -> str:
    record, found, _ = _list_record_comments(place)
    if record is None or not found:
        return ""
    flat = place.scene.page is not None and not place.work.option("thread_comments")
    known = set() if flat else {one.id for one in found}
    below: dict[int, list[Comment]] = {}
    for one in found:
        below.setdefault(one.parent if one.parent in known else 0, []).append(one)

    def level(parent: int, depth: int) -> str:
        return "".join(item(one, depth) for one in below.get(parent, ())) if depth < 10 else ""

    def item(one: Comment, depth: int) -> str:
        own, inner = place.inner(comment=one), level(one.id, depth + 1)
        answers = f"<ol>{inner}</ol>" if inner else ""
        return f'<li id="comment-{one.id}" class="comment depth-{depth + 1}">{own}{answers}</li>'

    return place.element("ol", level(0, 0))


def _render_comment_author(place: BlockContext) -> str:
    comment = place.scene.comment
    if comment is None:
        return ""
    name = escape_attribute(comment.author_name or "Anonymous")
    if place.attributes["isLink"] and comment.author_url:
        target = "_blank" if place.attributes["linkTarget"] == "_blank" else "_self"
        name = f'<a rel="external nofollow ugc" href="{escape_url(comment.author_url)}" target="{target}">{name}</a>'
    return place.element("div", name, *build_alignment_classes(place))


def _render_comment_content(place: BlockContext) -> str:
    comment = place.scene.comment
    return place.element("div", place.words_of(comment), *build_alignment_classes(place)) if comment else ""


def _render_comment_date(place: BlockContext) -> str:
    comment, record = place.scene.comment, place.scene.record
    if comment is None:
        return ""
    time = render_time(place, comment.date, comment.date_gmt, place.attributes.get("format") or "")
    if place.attributes["isLink"] and record is not None:
        start, _, rest = time.partition(">")
        text = rest.removesuffix("</time>")
        time = f'{start}><a href="{_build_comment_url(place, record, comment)}">{text}</a></time>'
    return place.element("div", time)


def _render_comments(place: BlockContext) -> str:
    record, _, total = _list_record_comments(place)
    return place.inner() if record is not None and (total or is_open_to_comments(record)) else ""


BLOCKS: Final[Mapping[str, BlockRenderFunction]] = {
    "core/comment-author-name": _render_comment_author,
    "core/comment-content": _render_comment_content,
    "core/comment-date": _render_comment_date,
    "core/comment-template": _render_template,
    "core/comments": _render_comments,
    "core/comments-title": _render_title,
    "core/latest-comments": _render_latest_comments,
    "core/post-comments-count": _render_count,
    "core/post-comments-link": _render_count_link,
}
