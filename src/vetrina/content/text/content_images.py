"""Loading hints for images and frames in content.

Not here: sizes and srcset of uploaded images, which need their records (media/images/srcset.py).
Rules: docs/rules/markup.md, 11. `decoding` is added to every image with a quoted source, `loading` to images and frames
with width and height, so that the layout does not shift; attributes that the author wrote are never changed.
"""

import re
from typing import Final

from vetrina.content.text.tag_attributes import read_tag, replace_value

_TAG: Final = re.compile(r"<(img|iframe)\s")
_WIDTH: Final = re.compile(r" width=[\"'][0-9]+[\"']")
_HEIGHT: Final = re.compile(r" height=[\"'][0-9]+[\"']")
_LOADING: Final = re.compile(r" loading=[\"']([A-Za-z]+)[\"']")
_DECODING: Final = re.compile(r" decoding=[\"'][A-Za-z]+[\"']")
_URGENT: Final = re.compile(r" fetchpriority=[\"']high[\"']")


def add_loading_hints(html: str) -> str:
    """Return `html` with `decoding` and `loading` on its images, `loading` on its frames."""
    done: list[str] = []
    at = 0
    while opening := _TAG.search(html, at):
        end = html.find(">", opening.end()) + 1
        if not end:
            break
        done.append(html[at : opening.start()])
        tag = html[opening.start() : end]
        done.append(add_image_hints(tag) if opening[1] == "img" else _add_frame_hint(tag))
        at = end
    done.append(html[at:])
    return "".join(done)


def add_image_hints(tag: str) -> str:
    """Return an image tag with `decoding`, `loading` and `auto` among its sizes."""
    if ' src="' in tag:
        loading = _LOADING.search(tag)
        if not _DECODING.search(tag):
            tag = tag.replace("<img", '<img decoding="async"', 1)
        measured = _WIDTH.search(tag) and _HEIGHT.search(tag) and ' width="' in tag and ' height="' in tag
        if measured and not loading and not _URGENT.search(tag):
            tag = tag.replace("<img", '<img loading="lazy"', 1)
    return _add_auto_size(tag)


def _add_auto_size(tag: str) -> str:
    """Return a lazy image's tag with `auto` as the first of its sizes."""
    loading = _LOADING.search(tag)
    if ' sizes="' not in tag or not loading or loading[1].lower() != "lazy" or " width=" not in tag:
        return tag
    read = read_tag(tag, 0)
    sizes = read.find_attribute("sizes") if read is not None else None
    if sizes is None or sizes.quote != '"' or sizes.value is None:
        return tag
    if sizes.value.partition(",")[0].strip(" \t\f\r\n").lower() == "auto":
        return tag
    return replace_value(tag, sizes, f"auto, {sizes.value}")


def _add_frame_hint(tag: str) -> str:
    measured = ' src="' in tag and ' width="' in tag and ' height="' in tag
    if not measured or " loading=" in tag or ' data-secret="' in tag:
        return tag
    return tag.replace("<iframe", '<iframe loading="lazy"', 1)
