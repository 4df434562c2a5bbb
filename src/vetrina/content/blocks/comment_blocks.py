"""Blocks that show comments, the newest of the site and those of one record, and how to reply to one.

They show approved comments only, on records that everybody may read. Commenting needs an account, so for others the
form is a link to the sign-in page; the form itself is in pages/comments/comment_form.py. Elements and classes as
observed on public pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from vetrina.content.blocks.block_context import BlockContext, BlockRenderFunction
from vetrina.content.blocks.list_blocks import render_time
from vetrina.content.blocks.query_blocks import render_page_links
from vetrina.content.blocks.site_blocks import build_alignment_classes
from vetrina.content.comments import comment_pages, listing as comment_listing
from vetrina.content.comments.comment_pages import CommentPage
from vetrina.content.comments.filters import CommentQuery
from vetrina.content.comments.model import Comment
from vetrina.content.records import model as record_model, permalinks
from vetrina.content.records.model import Record
from vetrina.content.text.media_shortcodes import escape_attribute, escape_url
from vetrina.kernel.tags import strip_tags

_EXCERPT_WORDS: Final = 20  # words
_LOOKUP: Final = "record_comments"
_MAX_COMMENTS: Final = 200  # comments of one record in an answer of the interface
_MAX_DEPTH: Final = 10  # levels of answers
_NEAR: Final = 2  # page numbers on both sides of the current one


def _is_public(place: BlockContext, record: Record) -> bool:
    type = place.work.site.types.get(record.type)
    return type is not None and type.public and record.status == "publish" and record.password in ("", "0")


def _build_comment_url(place: BlockContext, record: Record, comment: Comment | None = None) -> str:
    if comment is not None and place.scene.page is not None:
        return escape_url(comment_pages.build_comment_url(place.work, record, comment))
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


def _find_comments(place: BlockContext) -> tuple[Record | None, CommentPage]:
    """Return the record and the page of its comments that is shown; an answer of the interface has the oldest ones."""
    record, work, shown = place.scene.record, place.work, place.scene.page
    work.uses("comment")
    if record is None or not _is_public(place, record):
        return None, CommentPage([], 0)
    key = f"{_LOOKUP} {record.id} {shown is not None}"
    if key not in work.lookups:
        if shown is None:
            query = CommentQuery(post=(record.id,), descending=False, limit=_MAX_COMMENTS)
            work.lookups[key] = CommentPage(*comment_listing.list_comments(work, query))
        else:
            # Of a query's records a page shows all comments, as of its own that it is about.
            own = shown.record == record.id
            work.lookups[key] = comment_pages.load_comment_page(
                work, record, shown.comment_page if own else 0, shown.waiting_comment if own else None
            )
    page: CommentPage = work.lookups[key]
    return record, page


def _render_count(place: BlockContext) -> str:
    record, comments = _find_comments(place)
    total = comments.total
    return place.element("div", str(total), *build_alignment_classes(place)) if record is not None else ""


def _render_count_link(place: BlockContext) -> str:
    record, comments = _find_comments(place)
    total = comments.total
    if record is None:
        return ""
    text = f"{total} comment" if total == 1 else f"{total} comments" if total else "No comments"
    title = escape_attribute(strip_tags(record.title_html))
    html = (
        f'<a href="{_build_comment_url(place, record)}">{text}<span class="screen-reader-text"> on {title}</span></a>'
    )
    return place.element("div", html, *build_alignment_classes(place))


def _render_title(place: BlockContext) -> str:
    record, comments = _find_comments(place)
    total = comments.total
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
    record, page = _find_comments(place)
    found = page.comments
    if record is None or not found:
        return ""
    on_page, option = place.scene.page is not None, place.work.option
    flat = on_page and not option("thread_comments")
    deepest = max(1, min(int(option("thread_comments_depth") or 1), _MAX_DEPTH)) if on_page else _MAX_DEPTH
    known = set() if flat else {one.id for one in found}
    below: dict[int, list[Comment]] = {}
    for one in found:
        below.setdefault(one.parent if one.parent in known else 0, []).append(one)

    def level(parent: int, depth: int) -> str:
        return "".join(item(one, depth) for one in below.get(parent, ()))

    def item(one: Comment, depth: int) -> str:
        own, is_deepest = place.inner(comment=one), depth == deepest
        if one.id == page.waiting:
            text = place.translate("Your comment is awaiting moderation.")
            own = f'<p><em class="comment-awaiting-moderation">{text}</em></p>{own}'
        inner = level(one.id, depth if is_deepest else depth + 1)
        # Answers that are deeper than threads may be stand after what they answer.
        nested, beside = ("", inner) if is_deepest else (f"<ol>{inner}</ol>" if inner else "", "")
        return f'<li id="comment-{one.id}" class="comment depth-{depth}">{own}{nested}</li>{beside}'

    return place.element("ol", level(0, 1))


def _render_pagination(place: BlockContext) -> str:
    html = place.inner() if _find_comments(place)[1].pages > 1 else ""
    label = escape_attribute(f"{place.translate('Comments')}: {place.translate('Pagination')}")
    return place.element("nav", html, own=f'aria-label="{label}"') if html.strip() else ""


def _render_page_link(place: BlockContext, step: int, label: str) -> str:
    record, page = _find_comments(place)
    if record is None or not 1 <= page.number + step <= page.pages:
        return ""
    url = escape_url(_build_page_url(place, record, page.number + step))
    words = escape_attribute(str(place.attributes.get("label") or place.translate(label)))
    return place.element("a", words, own=f'href="{url}"')


def _render_page_numbers(place: BlockContext) -> str:
    record, page = _find_comments(place)
    if record is None or page.pages < 2:
        return ""
    links = render_page_links(page.number, page.pages, _NEAR, lambda number: _build_page_url(place, record, number))
    return place.element("div", links)


def _build_page_url(place: BlockContext, record: Record, number: int) -> str:
    return f"{comment_pages.build_comment_page_url(place.work, record, number)}#comments"


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
    record, comments = _find_comments(place)
    total = comments.total
    return place.inner() if record is not None and (total or is_open_to_comments(record)) else ""


def _build_sign_in_url(place: BlockContext, record: Record) -> str:
    """Return the URL where readers sign in to come back to a record."""
    work = place.work
    type = work.site.types.get(record.type)
    back = permalinks.build_permalink(work, type, record) if type is not None else f"{work.home()}/"
    return escape_attribute(f"{work.origin}/admin/sign-in?redirect_to={quote(back, safe='')}")


def is_open_to_comments(record: Record | None) -> bool:
    """Return whether readers may comment on a record."""
    return record is not None and record.comment_status == "open" and record.status == "publish"


def _render_comment_form(place: BlockContext) -> str:
    record = place.scene.record
    if record is None or not is_open_to_comments(record):
        return ""
    text = place.translate("You must be {link}logged in{end} to post a comment.").format(
        link=f'<a href="{_build_sign_in_url(place, record)}">', end="</a>"
    )
    # On a page it follows the record, of whose title it is a part.
    heading = "h3" if place.scene.page is None else "h2"
    html = (
        f'<div id="respond" class="comment-respond"><{heading} id="reply-title" class="comment-reply-title">'
        f'{place.translate("Leave a Reply")}</{heading}><p class="must-log-in">{text}</p></div>'
    )
    return place.element("div", html, "comment-respond")


def _render_reply_link(place: BlockContext) -> str:
    comment, record = place.scene.comment, place.scene.record
    if comment is None or record is None or not is_open_to_comments(record):
        return ""
    url, label = _build_sign_in_url(place, record), place.translate("Log in to Reply")
    html = f'<a rel="nofollow" class="comment-reply-login" href="{url}">{label}</a>'
    return place.element("div", html)


def _render_nothing(place: BlockContext) -> str:
    """Return nothing: comments are edited through the API."""
    return ""


BLOCKS: Final[Mapping[str, BlockRenderFunction]] = {
    "core/comment-edit-link": _render_nothing,
    "core/comment-reply-link": _render_reply_link,
    "core/post-comments-form": _render_comment_form,
    "core/comment-author-name": _render_comment_author,
    "core/comment-content": _render_comment_content,
    "core/comment-date": _render_comment_date,
    "core/comment-template": _render_template,
    "core/comments": _render_comments,
    "core/comments-pagination": _render_pagination,
    "core/comments-pagination-next": lambda place: _render_page_link(place, 1, "Newer Comments"),
    "core/comments-pagination-numbers": _render_page_numbers,
    "core/comments-pagination-previous": lambda place: _render_page_link(place, -1, "Older Comments"),
    "core/comments-title": _render_title,
    "core/latest-comments": _render_latest_comments,
    "core/post-comments-count": _render_count,
    "core/post-comments-link": _render_count_link,
}
