"""Blocks that show an image of the site: a record's featured image, the site logo.

Rules: observed on public pages. Images named in a record's content: content/blocks/rendering.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from vetrina.content.blocks.block_context import BlockContext, BlockRenderFunction
from vetrina.content.blocks.wrapper import format_class_name, resolve_preset
from vetrina.content.records import permalinks
from vetrina.content.text.inline_styles import sanitize_style
from vetrina.content.text.media_shortcodes import escape_attribute, escape_url
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.media.attachments import store as attachment_store
from vetrina.media.attachments.store import MediaFile
from vetrina.media.images import srcset
from vetrina.media.images.pixel_sizes import PixelSize

_COVER: Final = re.compile(r"<\w+\b[^<>]*\bwp-block-cover[\s\"][^<>]*>")
_MEDIA: Final = re.compile(r"<figure\b[^<>]*\bwp-block-media-text__media[\s\"][^<>]*>")


def get_image_size(work: UnitOfWork, media: MediaFile, size: str) -> tuple[str, int, int]:
    """Return URL, width and height of an image in a named size; of the full image if it lacks that size."""
    found = media.sizes.get(size)
    if found is None:
        return attachment_store.build_file_url(work, media.file), media.width, media.height
    folder = media.file.rpartition("/")[0]
    return attachment_store.build_file_url(work, f"{folder}/{found.file}"), found.width, found.height


def _render_image(context: BlockContext, number: int, size: str, name: str, more: Mapping[str, Any] = {}) -> str:
    """Return an image element for a file, empty if the file is not an image."""
    work = context.work
    work.uses_items("attachment", (number,))
    media = attachment_store.find_media_file(work.tx, number)
    if media is None or media.kind != "image":
        return ""
    url, width, height = get_image_size(work, media, size)
    path = media.file.rpartition("/")[0] + "/" + media.sizes[size].file if size in media.sizes else media.file
    found = srcset.list_alternatives(media, path, PixelSize(width, height))
    sources = srcset.render_srcset(found, width, lambda one: attachment_store.build_file_url(work, one), lazy=False)
    style = sanitize_style(
        ";".join(f"{key}:{value}" for key in more if (value := resolve_preset(more[key])) and ";" not in value)
    )
    shown = f' style="{escape_attribute(style)}"' if style else ""
    return (
        f'<img width="{width}" height="{height}" src="{escape_url(url)}" class="{name}" '
        f'alt="{escape_attribute(media.alt_text)}" decoding="async"{shown}{sources} />'
    )


def _render_featured_image(context: BlockContext) -> str:
    record, attributes, work = context.scene.record, context.attributes, context.work
    if record is None or not record.featured_media:
        return ""
    size = format_class_name(attributes.get("sizeSlug") or "") or "post-thumbnail"
    more = {
        "aspect-ratio": attributes.get("aspectRatio"),
        "width": attributes.get("width"),
        "height": attributes.get("height"),
    }
    if any(more.values()):
        more["object-fit"] = attributes["scale"]
    name = f"attachment-{size} size-{size} wp-post-image"
    html = _render_image(context, record.featured_media, size, name, more)
    if not html:
        return ""
    if attributes["isLink"]:
        type = work.site.types[record.type]
        target = "_blank" if attributes["linkTarget"] == "_blank" else "_self"
        html = f'<a href="{escape_url(permalinks.build_permalink(work, type, record))}" target="{target}">{html}</a>'
    return context.element("figure", html)


def _render_site_logo(context: BlockContext) -> str:
    attributes, work = context.attributes, context.work
    number = work.option("site_logo")
    if not number:
        return ""
    width = attributes.get("width")
    more = {"width": f"{int(width)}px", "height": "auto"} if width else {}
    html = _render_image(context, int(number), "full", "custom-logo", more)
    if html and attributes["isLink"]:
        target = ' target="_blank"' if attributes["linkTarget"] == "_blank" else ""
        html = f'<a href="{escape_url(work.home())}/" class="custom-logo-link" rel="home"{target}>{html}</a>'
    return context.element("div", html) if html else ""


def _render_without_featured(context: BlockContext) -> str:
    """Return a block as written, without the record's featured image."""
    block = context.block
    words = block.attributes_text.replace('"useFeaturedImage":true', '"useFeaturedImage":false')
    return context.render([replace(block, attributes_text=words)])


def _render_cover(context: BlockContext) -> str:
    html, attributes, record = _render_without_featured(context), context.attributes, context.scene.record
    at = _COVER.search(html)
    if record is None or not record.featured_media or at is None:
        return html
    focus = _format_focal_point(attributes.get("focalPoint"))
    if attributes["hasParallax"] or attributes["isRepeated"]:
        context.work.uses_items("attachment", (record.featured_media,))
        media = attachment_store.find_media_file(context.work.tx, record.featured_media)
        if media is None or media.kind != "image":
            return html
        fixed = " has-parallax" if attributes["hasParallax"] else ""
        again = " is-repeated" if attributes["isRepeated"] else ""
        style = f"background-image:url({attachment_store.build_file_url(context.work, media.file)})" + (
            f";background-position:{focus}" if focus else ""
        )
        shown = f'<div class="wp-block-cover__image-background{fixed}{again}" style="{escape_attribute(style)}"></div>'
    else:
        size = format_class_name(attributes.get("sizeSlug") or "") or "post-thumbnail"
        name = "wp-block-cover__image-background wp-post-image"
        shown = _render_image(context, record.featured_media, size, name, {"object-position": focus} if focus else {})
        shown = shown.replace("<img ", '<img data-object-fit="cover" ', 1)
    return html[: at.end()] + shown + html[at.end() :]


def _render_media_text(context: BlockContext) -> str:
    html, record = _render_without_featured(context), context.scene.record
    at = _MEDIA.search(html)
    if record is None or not record.featured_media or at is None:
        return html
    name = f"wp-image-{record.featured_media} size-full"
    return html[: at.end()] + _render_image(context, record.featured_media, "full", name) + html[at.end() :]


def _format_focal_point(point: Any) -> str:
    """Return the CSS position of an image's focal point."""
    if not isinstance(point, dict):
        return ""
    sides = [point.get("x"), point.get("y")]
    if not all(isinstance(side, (int, float)) and not isinstance(side, bool) and 0 <= side <= 1 for side in sides):
        return ""
    return " ".join(f"{round(side * 100)}%" for side in sides if isinstance(side, (int, float)))


BLOCKS: Final[Mapping[str, BlockRenderFunction]] = {
    "core/cover": _render_cover,
    "core/media-text": _render_media_text,
    "core/post-featured-image": _render_featured_image,
    "core/site-logo": _render_site_logo,
}
