"""Attachments as markup: the picture or link in front of a description, the words that stand for a missing caption.

Not here: descriptions and captions by themselves (content/rendering.py).
Rules: facts of the interface, "Media", "Record".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from vetrina.content.text import media_shortcodes
from vetrina.content.text import rendering as text_rendering
from vetrina.content.text.excerpts import MORE
from vetrina.kernel.render_budget import Budget
from vetrina.kernel.tags import without_scripts, without_tags
from vetrina.media.attachments.store import Media
from vetrina.media.images import srcset
from vetrina.media.images.sizes import Size, fit

__all__ = ["caption", "preface"]

_SHOWN: Final = "medium"  # the size that a description begins with
_BOX: Final = Size(300, 300)  # for images of which that size is missing
_LONGEST: Final = 100_000  # characters in which they are looked for
_KEPT: Final = 4000  # letters of a title and a description whose words are known from one request to the next
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


def caption(media: Media, title: str, written: str, shown: str, description: str, budget: Budget) -> str:
    """Return the caption of a file as shown.

    written, shown: the caption as stored, and as markup. description: as markup, without its preface.
    """
    if written.strip() or media.kind == "image":
        # The markup of an empty caption is made of the first words of the description.
        return budget.answer(shown)
    title, description = budget.take(title[:_LONGEST]), budget.take(description[:_LONGEST])
    short = len(title) + len(description) <= _KEPT
    return _words(title, description) if short else _words.__wrapped__(title, description)


@lru_cache(maxsize=512)
def _words(title: str, description: str) -> str:
    words = without_tags(without_scripts(f"{title}\n{description}")).split()
    text = " ".join(words[:_WORDS]) + (MORE if len(words) > _WORDS else "")
    return text_rendering.excerpt(text, "") if text else ""


def _picture(media: Media, url: Callable[[str], str]) -> str:
    folder = media.file.rpartition("/")[0] + "/"
    shown = media.sizes.get(_SHOWN)
    if shown is not None:
        source, size = folder + shown.file, Size(shown.width, shown.height)
    else:
        source, size = media.file, fit(media.size, _BOX)
    text = (
        f'<img loading="lazy" decoding="async" width="{size.width}" height="{size.height}"'
        f' src="{_attribute(url(source))}" class="attachment-{_SHOWN} size-{_SHOWN}" alt="{_attribute(media.alt_text)}"'
    )
    found = srcset.alternatives(media, source, size)
    return f"{text}{srcset.listed(found, size.width, url, lazy=True)} />"


def _attribute(text: str) -> str:
    """Return a text as the value of an attribute; entities that stand in it stay."""
    if _SPECIAL.search(text) is None:
        return text
    text = _BARE_AMPERSAND.sub("&amp;", text).replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("'", "&#039;")
