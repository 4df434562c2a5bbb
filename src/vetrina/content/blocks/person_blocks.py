"""Blocks about people: avatars, and the author of a record: name, biography, both with a picture.

Not here: who comments, and how (content/blocks/comment_blocks.py). Elements and classes as observed on public pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.access.users import rules as users
from vetrina.access.users.avatars import build_avatar_url
from vetrina.content.blocks.block_context import BlockContext, BlockRenderFunction
from vetrina.content.blocks.site_blocks import build_alignment_classes, render_anchor
from vetrina.content.records.model import Record
from vetrina.content.text.media_shortcodes import escape_attribute, escape_url
from vetrina.core.user import User
from vetrina.kernel.tags import strip_tags

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


def _find_author(place: BlockContext, record: Record) -> User | None:
    place.work.uses_items("user", (record.author,))
    return users.find_user(place.work.tx, record.author)


def _build_author_url(place: BlockContext, author: User) -> str:
    return escape_url(f"{place.work.home()}/author/{author.slug}/")


def _render_author_name(place: BlockContext) -> str:
    record = place.scene.record
    if record is None:
        return ""
    # A type without the feature stores who made a record, and does not say it.
    author = _find_author(place, record) if place.work.site.types[record.type].has("author") else None
    if author is None:
        return ""
    name = escape_attribute(place.work.get_translated_member(author, "name"))
    if place.attributes["isLink"]:
        name = render_anchor(place, _build_author_url(place, author), name, "wp-block-post-author-name__link")
    return place.element("div", name, *build_alignment_classes(place))


def _render_author_biography(place: BlockContext) -> str:
    record, page = place.scene.record, place.scene.page
    author = _find_author(place, record) if record is not None else page.author if page is not None else None
    text = place.work.get_translated_member(author, "description") if author else ""
    return place.element("div", escape_attribute(text), *build_alignment_classes(place)) if text else ""


def _render_author_card(place: BlockContext) -> str:
    record = place.scene.record
    if record is None:
        return ""
    author = _find_author(place, record)
    if author is None:
        return ""
    attributes = place.attributes
    name = escape_attribute(place.work.get_translated_member(author, "name"))
    if attributes["isLink"]:
        name = render_anchor(place, _build_author_url(place, author), name)
    line = strip_tags(str(attributes.get("byline") or ""))
    html = f'<p class="wp-block-post-author__byline">{escape_attribute(line)}</p>' if line else ""
    html += f'<p class="wp-block-post-author__name">{name}</p>'
    if attributes.get("showBio") and author.description:
        about = place.work.get_translated_member(author, "description")
        html += f'<p class="wp-block-post-author__bio">{escape_attribute(about)}</p>'
    shown = ""
    if attributes["showAvatar"]:
        shown = render_avatar(author.email, f"{author.name} Avatar", attributes["avatarSize"], "")
        shown = f'<div class="wp-block-post-author__avatar">{shown}</div>'
    return place.element(
        "div", f'{shown}<div class="wp-block-post-author__content">{html}</div>', *build_alignment_classes(place)
    )


BLOCKS: Final[Mapping[str, BlockRenderFunction]] = {
    "core/avatar": _render_avatar_block,
    "core/post-author": _render_author_card,
    "core/post-author-biography": _render_author_biography,
    "core/post-author-name": _render_author_name,
}
