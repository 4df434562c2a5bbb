"""Blocks that show comments: the newest of the site, and those of one record.

Only approved comments are shown, and only those of records that everybody may read. Not here: the form in which one is
written, which belongs to the page that shows the record. Rules: observed on public pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from vetrina.content.blocks.dynamic_rendering import Maker, Place
from vetrina.content.blocks.list_blocks import moment
from vetrina.content.blocks.site_blocks import aligned
from vetrina.content.comments import listing as comment_listing
from vetrina.content.comments.listing import CommentQuery
from vetrina.content.comments.model import Comment
from vetrina.content.records import model as record_model
from vetrina.content.records import permalinks
from vetrina.content.records.model import Record
from vetrina.content.text.media_shortcodes import address, attribute
from vetrina.kernel.tags import without_tags

__all__ = ["BLOCKS"]

_EXCERPT: Final = 20  # words
_ALL_AT_ONCE: Final = 200  # comments that are read for one record


def _open_to_all(place: Place, record: Record) -> bool:
    type = place.work.frame.types.get(record.type)
    return type is not None and type.public and record.status == "publish" and record.password in ("", "0")


def _link(place: Place, record: Record, comment: Comment | None = None) -> str:
    link = permalinks.link(place.work, place.work.frame.types[record.type], record)
    return address(f"{link}#comment-{comment.id}" if comment else f"{link}#comments")


def _author(comment: Comment) -> str:
    name = attribute(comment.author_name or "Anonymous")
    if not comment.author_url:
        return f'<span class="wp-block-latest-comments__comment-author">{name}</span>'
    return f'<a class="wp-block-latest-comments__comment-author" href="{address(comment.author_url)}">{name}</a>'


def _latest(place: Place) -> str:
    asked, work = place.attributes, place.work
    work.uses("comment")
    most = int(asked["commentsToShow"])
    # Some may be about what not everybody may read, so more are looked at than are shown.
    found, _ = comment_listing.listed_page(work, CommentQuery(size=most * 2))
    about = record_model.by_ids(work.tx, sorted({one.post for one in found}))
    work.uses(*(record.type for record in about.values()))
    items = ""
    for one in [one for one in found if one.post in about and _open_to_all(place, about[one.post])][:most]:
        record = about[one.post]
        title = place.title_of(record) or "(no title)"
        link = f'<a class="wp-block-latest-comments__comment-link" href="{_link(place, record, one)}">{title}</a>'
        head = f"{_author(one)} on {link}"
        if asked["displayDate"]:
            head += moment(place, one.date, one.date_gmt, css_class="wp-block-latest-comments__comment-date")
        items += (
            '<li class="wp-block-latest-comments__comment"><article><footer '
            f'class="wp-block-latest-comments__comment-meta">{head}</footer>{_words(place, one)}</article></li>'
        )
    if not items:
        return place.element("div", "No comments to show.", "no-comments")
    classes = ["has-dates"] if asked["displayDate"] else []
    if asked["displayContent"] != "no-content" and asked["displayExcerpt"]:
        classes.append("has-excerpts")
    return place.element("ol", items, *classes)


def _words(place: Place, comment: Comment) -> str:
    asked = place.attributes
    if asked["displayContent"] == "full":
        return f'<div class="wp-block-latest-comments__comment-excerpt">{place.words_of(comment)}</div>'
    if asked["displayContent"] == "no-content" or not asked["displayExcerpt"]:
        return ""
    words = without_tags(comment.content_html if place.work.budget.pay(len(comment.content_html)) else "").split()
    text = " ".join(words[:_EXCERPT]) + ("&hellip;" if len(words) > _EXCERPT else "")
    return f'<div class="wp-block-latest-comments__comment-excerpt"><p>{text}</p>\n</div>'


def _of_record(place: Place) -> tuple[Record | None, list[Comment], int]:
    """Return the record, its first comments from the oldest on, and how many it has."""
    record, work = place.scene.record, place.work
    work.uses("comment")
    if record is None or not _open_to_all(place, record):
        return None, [], 0
    query = CommentQuery(post=(record.id,), descending=False, size=_ALL_AT_ONCE)
    found, total = comment_listing.listed_page(work, query)
    return record, found, total


def _count(place: Place) -> str:
    record, _, total = _of_record(place)
    return place.element("div", str(total), *aligned(place)) if record is not None else ""


def _count_link(place: Place) -> str:
    record, _, total = _of_record(place)
    if record is None:
        return ""
    text = f"{total} comment" if total == 1 else f"{total} comments" if total else "No comments"
    title = attribute(without_tags(record.title_html))
    html = f'<a href="{_link(place, record)}">{text}<span class="screen-reader-text"> on {title}</span></a>'
    return place.element("div", html, *aligned(place))


def _title(place: Place) -> str:
    record, _, total = _of_record(place)
    if record is None or not total:
        return ""
    asked = place.attributes
    many = "response" if total == 1 else "responses"
    head = f"{total if total > 1 else 'One'} {many}" if asked["showCommentsCount"] else many.title()
    text = f"{head} to &#8220;{place.title_of(record)}&#8221;" if asked["showPostTitle"] else head
    level = asked["level"]
    tag = f"h{int(level)}" if 1 <= level <= 6 else "p"
    return place.element(tag, text, *aligned(place), own='id="comments"')


def _template(place: Place) -> str:
    record, found, _ = _of_record(place)
    if record is None or not found:
        return ""
    known = {one.id for one in found}
    below: dict[int, list[Comment]] = {}
    for one in found:
        below.setdefault(one.parent if one.parent in known else 0, []).append(one)

    def level(parent: int, deep: int) -> str:
        return "".join(item(one, deep) for one in below.get(parent, ())) if deep < 10 else ""

    def item(one: Comment, deep: int) -> str:
        inner = level(one.id, deep + 1)
        answers = f"<ol>{inner}</ol>" if inner else ""
        return f'<li id="comment-{one.id}" class="comment depth-{deep + 1}">{place.inner(comment=one)}{answers}</li>'

    return place.element("ol", level(0, 0))


def _comment_author(place: Place) -> str:
    one = place.scene.comment
    if one is None:
        return ""
    name = attribute(one.author_name or "Anonymous")
    if place.attributes["isLink"] and one.author_url:
        target = "_blank" if place.attributes["linkTarget"] == "_blank" else "_self"
        name = f'<a rel="external nofollow ugc" href="{address(one.author_url)}" target="{target}">{name}</a>'
    return place.element("div", name, *aligned(place))


def _comment_content(place: Place) -> str:
    one = place.scene.comment
    return place.element("div", place.words_of(one), *aligned(place)) if one else ""


def _comment_date(place: Place) -> str:
    one, record = place.scene.comment, place.scene.record
    if one is None:
        return ""
    time = moment(place, one.date, one.date_gmt, place.attributes.get("format") or "")
    if place.attributes["isLink"] and record is not None:
        start, _, rest = time.partition(">")
        text = rest.removesuffix("</time>")
        time = f'{start}><a href="{_link(place, record, one)}">{text}</a></time>'
    return place.element("div", time)


def _comments(place: Place) -> str:
    record, _, total = _of_record(place)
    return place.inner() if record is not None and total else ""


BLOCKS: Final[Mapping[str, Maker]] = {
    "core/comment-author-name": _comment_author,
    "core/comment-content": _comment_content,
    "core/comment-date": _comment_date,
    "core/comment-template": _template,
    "core/comments": _comments,
    "core/comments-title": _title,
    "core/latest-comments": _latest,
    "core/post-comments-count": _count,
    "core/post-comments-link": _count_link,
}
