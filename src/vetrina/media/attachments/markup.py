"""Attachments as markup: the image or link before a description, and the text that replaces a missing caption.

Descriptions and captions themselves: content/text/rendering.py. Rules: docs/rules/media.md, 8.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from vetrina.content.text import media_shortcodes, rendering as text_rendering
from vetrina.content.text.excerpts import EXCERPT_MORE
from vetrina.kernel.render_budget import RenderBudget
from vetrina.kernel.tags import strip_scripts, strip_tags
from vetrina.media.attachments.store import MediaFile
from vetrina.media.images import srcset
from vetrina.media.images.pixel_sizes import PixelSize, fit_into_box

_SHOWN_SIZE: Final = "medium"  # the size of the image before a description
_SHOWN_BOX: Final = PixelSize(300, 300)  # for images without that size
_MAX_SEARCHED: Final = 100_000  # characters that are searched for words
_MAX_CACHED: Final = 4000  # characters of title and description whose words are cached across requests
_CAPTION_WORDS: Final = 55  # words of the text that replaces a caption
_SPECIAL: Final = re.compile("[&<>\"']")
_BARE_AMPERSAND: Final = re.compile(r"&(?!(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z]\w*);)")


def render_preface(media: MediaFile, title: str, url: Callable[[str], str]) -> str:
    """Return the markup before the description of a file; url: path in the uploads folder → URL."""
    address = url(media.file)
    if media.kind == "video":
        size = {"width": str(media.width), "height": str(media.height)} if media.width else {}
        return media_shortcodes.render_player("video", {"src": address, **size}, "") + "\n"
    if media.kind == "audio":
        return media_shortcodes.render_player("audio", {"src": address}, "") + "\n"
    inner = _render_image(media, url) if media.kind == "image" and media.width else title
    return f"<p class=\"attachment\"><a href='{_escape_attribute(address)}'>{inner}</a></p>\n"


def render_caption(
    media: MediaFile, title: str, written: str, rendered: str, description: str, budget: RenderBudget
) -> str:
    """Return the rendered caption of a file.

    written, rendered: the caption as stored, and as markup. description: as markup, without its preface.
    """
    if written.strip() or media.kind == "image":
        # An empty caption is rendered from the first words of the description.
        return budget.take_cached_html(rendered)
    title, description = budget.take_text(title[:_MAX_SEARCHED]), budget.take_text(description[:_MAX_SEARCHED])
    short = len(title) + len(description) <= _MAX_CACHED
    return _render_caption_words(title, description) if short else _render_caption_words.__wrapped__(title, description)


@lru_cache(maxsize=512)
def _render_caption_words(title: str, description: str) -> str:
    words = strip_tags(strip_scripts(f"{title}\n{description}")).split()
    text = " ".join(words[:_CAPTION_WORDS]) + (EXCERPT_MORE if len(words) > _CAPTION_WORDS else "")
    return text_rendering.render_excerpt(text, "") if text else ""


def _render_image(media: MediaFile, url: Callable[[str], str]) -> str:
    folder = media.file.rpartition("/")[0] + "/"
    sub_size = media.sizes.get(_SHOWN_SIZE)
    if sub_size is not None:
        source, size = folder + sub_size.file, PixelSize(sub_size.width, sub_size.height)
    else:
        source, size = media.file, fit_into_box(media.size, _SHOWN_BOX)
    text = (
        f'<img loading="lazy" decoding="async" width="{size.width}" height="{size.height}"'
        f' src="{_escape_attribute(url(source))}" class="attachment-{_SHOWN_SIZE} size-{_SHOWN_SIZE}" '
        f'alt="{_escape_attribute(media.alt_text)}"'
    )
    found = srcset.list_alternatives(media, source, size)
    return f"{text}{srcset.render_srcset(found, size.width, url, lazy=True)} />"


def _escape_attribute(text: str) -> str:
    """Return a text as an attribute value; existing entities are kept."""
    if _SPECIAL.search(text) is None:
        return text
    text = _BARE_AMPERSAND.sub("&amp;", text).replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&#039;")
