"""Blocks that show a picture of the site's files: the one that stands for a record, the site's logo.

Rules: observed on public pages. Not here: pictures that a content names itself (content/block_rendering.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from vetrina.content.blocks.dynamic_rendering import Maker, Place
from vetrina.content.blocks.wrapper import class_word, preset
from vetrina.content.records import permalinks
from vetrina.content.text.inline_styles import harmless_style
from vetrina.content.text.media_shortcodes import address, attribute
from vetrina.core.unit_of_work import Work
from vetrina.media.attachments import store as attachment_store
from vetrina.media.attachments.store import Media
from vetrina.media.images import srcset
from vetrina.media.images.sizes import Size

__all__ = ["BLOCKS", "sized"]

_COVER: Final = re.compile(r"<\w+\b[^<>]*\bwp-block-cover[\s\"][^<>]*>")
_MEDIA: Final = re.compile(r"<figure\b[^<>]*\bwp-block-media-text__media[\s\"][^<>]*>")


def sized(work: Work, media: Media, size: str) -> tuple[str, int, int]:
    """Return address, width and height of a picture in a size by its name; the whole where it has none of it."""
    found = media.sizes.get(size)
    if found is None:
        return attachment_store.url(work, media.file), media.width, media.height
    folder = media.file.rpartition("/")[0]
    return attachment_store.url(work, f"{folder}/{found.file}"), found.width, found.height


def _picture(place: Place, number: int, size: str, name: str, more: Mapping[str, Any] = {}) -> str:
    """Return an image element for a file, empty where the file is no picture."""
    work = place.work
    work.uses("attachment")
    media = attachment_store.of_record(work.tx, number)
    if media is None or media.kind != "image":
        return ""
    url, width, height = sized(work, media, size)
    path = media.file.rpartition("/")[0] + "/" + media.sizes[size].file if size in media.sizes else media.file
    found = srcset.alternatives(media, path, Size(width, height))
    sources = srcset.listed(found, width, lambda one: attachment_store.url(work, one), lazy=False)
    style = harmless_style(
        ";".join(f"{key}:{value}" for key in more if (value := preset(more[key])) and ";" not in value)
    )
    shown = f' style="{attribute(style)}"' if style else ""
    return (
        f'<img width="{width}" height="{height}" src="{address(url)}" class="{name}" '
        f'alt="{attribute(media.alt_text)}" decoding="async"{shown}{sources} />'
    )


def _featured(place: Place) -> str:
    record, asked, work = place.scene.record, place.attributes, place.work
    if record is None or not record.featured_media:
        return ""
    size = class_word(asked.get("sizeSlug") or "") or "post-thumbnail"
    more = {"aspect-ratio": asked.get("aspectRatio"), "width": asked.get("width"), "height": asked.get("height")}
    if any(more.values()):
        more["object-fit"] = asked["scale"]
    name = f"attachment-{size} size-{size} wp-post-image"
    html = _picture(place, record.featured_media, size, name, more)
    if not html:
        return ""
    if asked["isLink"]:
        type = work.frame.types[record.type]
        target = "_blank" if asked["linkTarget"] == "_blank" else "_self"
        html = f'<a href="{address(permalinks.link(work, type, record))}" target="{target}">{html}</a>'
    return place.element("figure", html)


def _logo(place: Place) -> str:
    asked, work = place.attributes, place.work
    number = work.option("site_logo")
    if not number:
        return ""
    width = asked.get("width")
    more = {"width": f"{int(width)}px", "height": "auto"} if width else {}
    html = _picture(place, int(number), "full", "custom-logo", more)
    if html and asked["isLink"]:
        target = ' target="_blank"' if asked["linkTarget"] == "_blank" else ""
        html = f'<a href="{address(work.home())}/" class="custom-logo-link" rel="home"{target}>{html}</a>'
    return place.element("div", html) if html else ""


def _plain(place: Place) -> str:
    """Return a block as it stands in the text, without the picture of its record."""
    block = place.block
    words = block.attributes_text.replace('"useFeaturedImage":true', '"useFeaturedImage":false')
    return place.render([replace(block, attributes_text=words)])


def _cover(place: Place) -> str:
    html, asked, record = _plain(place), place.attributes, place.scene.record
    at = _COVER.search(html)
    if record is None or not record.featured_media or at is None:
        return html
    focus = _focus(asked.get("focalPoint"))
    if asked["hasParallax"] or asked["isRepeated"]:
        place.work.uses("attachment")
        media = attachment_store.of_record(place.work.tx, record.featured_media)
        if media is None or media.kind != "image":
            return html
        fixed = " has-parallax" if asked["hasParallax"] else ""
        again = " is-repeated" if asked["isRepeated"] else ""
        style = f"background-image:url({attachment_store.url(place.work, media.file)})" + (
            f";background-position:{focus}" if focus else ""
        )
        shown = f'<div class="wp-block-cover__image-background{fixed}{again}" style="{attribute(style)}"></div>'
    else:
        size = class_word(asked.get("sizeSlug") or "") or "post-thumbnail"
        name = "wp-block-cover__image-background wp-post-image"
        shown = _picture(place, record.featured_media, size, name, {"object-position": focus} if focus else {})
        shown = shown.replace("<img ", '<img data-object-fit="cover" ', 1)
    return html[: at.end()] + shown + html[at.end() :]


def _media_text(place: Place) -> str:
    html, record = _plain(place), place.scene.record
    at = _MEDIA.search(html)
    if record is None or not record.featured_media or at is None:
        return html
    name = f"wp-image-{record.featured_media} size-full"
    return html[: at.end()] + _picture(place, record.featured_media, "full", name) + html[at.end() :]


def _focus(point: Any) -> str:
    """Return the CSS position of the point of a picture that stays in sight."""
    if not isinstance(point, dict):
        return ""
    sides = [point.get("x"), point.get("y")]
    if not all(isinstance(side, (int, float)) and not isinstance(side, bool) and 0 <= side <= 1 for side in sides):
        return ""
    return " ".join(f"{round(side * 100)}%" for side in sides if isinstance(side, (int, float)))


BLOCKS: Final[Mapping[str, Maker]] = {
    "core/cover": _cover,
    "core/media-text": _media_text,
    "core/post-featured-image": _featured,
    "core/site-logo": _logo,
}
