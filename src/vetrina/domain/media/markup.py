"""Attachments as markup: the picture or link in front of a description, the words that stand for a missing caption.

Not here: descriptions and captions by themselves (content/rendering.py).
Rules: facts of the interface, "Media", "Record".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

from vetrina.domain.content.text import media_shortcodes, rendering
from vetrina.domain.content.text.excerpts import MORE
from vetrina.kernel.tags import without_scripts, without_tags

from .attachments import Media
from .image_sizes import Size, fit

__all__ = ["caption", "preface"]

_SHOWN: Final = "medium"  # the size that a description begins with
_BOX: Final = Size(300, 300)  # for images of which that size is missing
_WIDEST: Final = 2048  # pixels; wider files are no alternative
_ROUNDED: Final = 1.5  # pixels that two roundings may be apart
_WORDS: Final = 55  # of the words that stand for a caption
_SPECIAL: Final = re.compile("[&<>\"']")
_BARE_AMPERSAND: Final = re.compile(r"&(?!(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z]\w*);)")


def preface(media: Media, title: str, url: Callable[[str], str]) -> str:
    """Return what stands in front of the description of a file; url: path in the folder of uploads → address."""
    address = url(media.file)
    if media.kind == "video":
        size = {"width": str(media.width), "height": str(media.height)} if media.width else {}
        return media_shortcodes.player("video", {"src": address, **size}, "") + "\n"
    if media.kind == "audio":
        return media_shortcodes.player("audio", {"src": address}, "") + "\n"
    inner = _picture(media, url) if media.kind == "image" and media.width else title
    return f"<p class=\"attachment\"><a href='{_attribute(address)}'>{inner}</a></p>\n"


def caption(media: Media, title: str, written: str, shown: str, description: str) -> str:
    """Return the caption of a file as shown.

    written, shown: the caption as stored, and as markup. description: as markup, without its preface.
    """
    if written.strip() or media.kind == "image":
        # The markup of an empty caption is made of the first words of the description.
        return shown
    return _words(title, description)


@lru_cache(maxsize=512)
def _words(title: str, description: str) -> str:
    words = without_tags(without_scripts(f"{title}\n{description}")).split()
    text = " ".join(words[:_WORDS]) + (MORE if len(words) > _WORDS else "")
    return rendering.excerpt(text, "") if text else ""


def _picture(media: Media, url: Callable[[str], str]) -> str:
    folder = media.file.rpartition("/")[0] + "/"
    shown = media.sizes.get(_SHOWN)
    if shown is not None:
        source, size = folder + shown.file, Size(shown.width, shown.height)
    else:
        source, size = media.file, fit(media.size, _BOX)
    alternatives = _alternatives(media, source, size)
    text = (
        f'<img loading="lazy" decoding="async" width="{size.width}" height="{size.height}"'
        f' src="{_attribute(url(source))}" class="attachment-{_SHOWN} size-{_SHOWN}" alt="{_attribute(media.alt_text)}"'
    )
    if len(alternatives) > 1:
        listed = ", ".join(f"{_attribute(url(path))} {width}w" for width, path in alternatives.items())
        text += f' srcset="{listed}" sizes="auto, (max-width: {size.width}px) 100vw, {size.width}px"'
    return text + " />"


def _alternatives(media: Media, source: str, size: Size) -> dict[int, str]:
    """Return the files that a browser may choose instead, by width: those of the same ratio, the shown one first."""
    folder = media.file.rpartition("/")[0] + "/"
    files: list[tuple[Size, str]] = [(Size(one.width, one.height), folder + one.file) for one in media.sizes.values()]
    if media.mime_type != "image/gif":
        # The sub-sizes of a moving picture stand still, so they are no alternative to it.
        files.append((media.size, media.file))
    elif source == media.file:
        return {}
    fitting = {
        one.width: path for one, path in files if (one.width <= _WIDEST or path == source) and _same_ratio(one, size)
    }
    return {size.width: source, **_without(fitting.items(), size.width)} if size.width in fitting else {}


def _without(items: Iterable[tuple[int, str]], width: int) -> dict[int, str]:
    return {key: path for key, path in items if key != width}


def _same_ratio(one: Size, other: Size) -> bool:
    """Say whether two sizes show the same part of an image, but for a pixel of rounding."""
    larger, smaller = (one, other) if one.width > other.width else (other, one)
    return abs(larger.height * smaller.width / larger.width - smaller.height) < _ROUNDED


def _attribute(text: str) -> str:
    """Return a text as the value of an attribute; entities that stand in it stay."""
    if _SPECIAL.search(text) is None:
        return text
    text = _BARE_AMPERSAND.sub("&amp;", text).replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&#039;")
