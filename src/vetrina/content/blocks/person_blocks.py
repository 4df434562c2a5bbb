"""Blocks about people: avatars, and how to reply to a comment.

Commenting needs an account, so for others the form is a link to the sign-in page. Not here: names and comments
(content/blocks/record_blocks.py, content/blocks/comment_blocks.py). Elements and classes as observed on public pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from vetrina.access.users import rules as users
from vetrina.access.users.avatars import build_avatar_url
from vetrina.content.blocks.block_context import BlockContext, BlockRenderFunction
from vetrina.content.records import permalinks
from vetrina.content.records.model import Record
from vetrina.content.text.media_shortcodes import escape_attribute, escape_url

_DEFAULT_SIZE: Final = 96  # pixels
_MAX_SIZE: Final = 2048


def render_avatar(email: str, name: str, size: Any, css_class: str) -> str:
    """Return the avatar of a person as an element. name: its alternative text; size: pixels of a side."""
    side = int(size) if isinstance(size, (int, float)) and 1 <= size <= _MAX_SIZE else _DEFAULT_SIZE
    one, two = (escape_attribute(build_avatar_url(email, factor * side)) for factor in (1, 2))
    return (
        f'<img alt="{escape_attribute(name)}" src="{one}" srcset="{two} 2x" class="avatar '
        f'avatar-{side} photo{css_class}" '
        f'height="{side}" width="{side}" decoding="async" />'
    )


def _render_avatar_block(place: BlockContext) -> str:
    attributes, work, comment = place.attributes, place.work, place.scene.comment
    work.uses("user")
    link = ""
    if comment is not None:
        email, name, link = comment.author_email, comment.author_name, comment.author_url
    else:
        record = place.scene.record
        number = int(attributes.get("userId") or 0) or (record.author if record is not None else 0)
        user = users.find_user(work.tx, number) if number > 0 else None
        if user is None:
            return ""
        email, name, link = user.email, user.name, f"{work.home()}/author/{user.slug}/"
    html = render_avatar(email, f"{name} Avatar" if name else "", attributes["size"], " wp-block-avatar__image")
    if attributes["isLink"] and link:
        target = "_blank" if attributes["linkTarget"] == "_blank" else "_self"
        html = f'<a href="{escape_url(link)}" target="{target}" class="wp-block-avatar__link">{html}</a>'
    return place.element("div", html)


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
    "core/avatar": _render_avatar_block,
    "core/comment-edit-link": _render_nothing,
    "core/comment-reply-link": _render_reply_link,
    "core/post-comments-form": _render_comment_form,
}
