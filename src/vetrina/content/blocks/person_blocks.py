"""Blocks that show people: pictures of those who wrote, and the way to answer a comment.

Comments are written by those who have an account, so the form of others leads to where they sign in. Not here: their
names and words (content/blocks/record_blocks.py, content/blocks/comment_blocks.py). Rules: observed on public pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from vetrina.access.users import rules as users
from vetrina.access.users.avatars import avatar
from vetrina.content.blocks.dynamic_rendering import Maker, Place
from vetrina.content.records import permalinks
from vetrina.content.records.model import Record
from vetrina.content.text.media_shortcodes import address, attribute

__all__ = ["BLOCKS", "picture"]

_SIZE: Final = 96  # pixels
_LARGEST: Final = 2048


def picture(email: str, name: str, size: Any, css_class: str) -> str:
    """Return the picture of a person as an element. name: what stands for it; size: pixels of a side."""
    side = int(size) if isinstance(size, (int, float)) and 1 <= size <= _LARGEST else _SIZE
    one, two = (attribute(avatar(email, factor * side)) for factor in (1, 2))
    return (
        f'<img alt="{attribute(name)}" src="{one}" srcset="{two} 2x" class="avatar avatar-{side} photo{css_class}" '
        f'height="{side}" width="{side}" decoding="async" />'
    )


def _avatar(place: Place) -> str:
    asked, work, comment = place.attributes, place.work, place.scene.comment
    work.uses("user")
    link = ""
    if comment is not None:
        email, name, link = comment.author_email, comment.author_name, comment.author_url
    else:
        record = place.scene.record
        number = int(asked.get("userId") or 0) or (record.author if record is not None else 0)
        user = users.by_id(work.tx, number) if number > 0 else None
        if user is None:
            return ""
        email, name, link = user.email, user.name, f"{work.home()}/author/{user.slug}/"
    html = picture(email, f"{name} Avatar" if name else "", asked["size"], " wp-block-avatar__image")
    if asked["isLink"] and link:
        target = "_blank" if asked["linkTarget"] == "_blank" else "_self"
        html = f'<a href="{address(link)}" target="{target}" class="wp-block-avatar__link">{html}</a>'
    return place.element("div", html)


def _sign_in(place: Place, record: Record) -> str:
    """Return the address where readers sign in to come back to a record."""
    work = place.work
    type = work.frame.types.get(record.type)
    back = permalinks.link(work, type, record) if type is not None else f"{work.home()}/"
    return attribute(f"{work.origin}/admin/sign-in?redirect_to={quote(back, safe='')}")


def _takes_comments(record: Record | None) -> bool:
    return record is not None and record.comment_status == "open" and record.status == "publish"


def _form(place: Place) -> str:
    record = place.scene.record
    if record is None or not _takes_comments(record):
        return ""
    html = (
        '<div id="respond" class="comment-respond"><h3 id="reply-title" class="comment-reply-title">Leave a Reply</h3>'
        f'<p class="must-log-in">You must be <a href="{_sign_in(place, record)}">logged in</a> to post a comment.</p>'
        "</div>"
    )
    return place.element("div", html, "comment-respond")


def _reply_link(place: Place) -> str:
    comment, record = place.scene.comment, place.scene.record
    if comment is None or record is None or not _takes_comments(record):
        return ""
    html = f'<a rel="nofollow" class="comment-reply-login" href="{_sign_in(place, record)}">Log in to Reply</a>'
    return place.element("div", html)


def _nothing(place: Place) -> str:
    """Show nothing: comments are shown all at once, and changed through the interface."""
    return ""


BLOCKS: Final[Mapping[str, Maker]] = {
    "core/avatar": _avatar,
    "core/comment-edit-link": _nothing,
    "core/comment-reply-link": _reply_link,
    "core/comments-pagination": _nothing,
    "core/comments-pagination-next": _nothing,
    "core/comments-pagination-numbers": _nothing,
    "core/comments-pagination-previous": _nothing,
    "core/post-comments-form": _form,
}
