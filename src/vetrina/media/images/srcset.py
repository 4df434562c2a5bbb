"""The sizes of an uploaded image among which a browser chooses, where an image is shown in a text.

An image of a text names its file by a class, `wp-image-NUMBER`. Its alternatives are those of the file as it is now, so
they are added when the text is read, not when it is written.
Not here: how browsers load images (content/text/content_images.py), which sizes are made (media/images/sizes.py).
Rules: observed on descriptions of files and on public pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from vetrina.content.text.content_images import with_hints
from vetrina.content.text.media_shortcodes import attribute
from vetrina.core.unit_of_work import Work
from vetrina.media.attachments import store as attachment_store
from vetrina.media.attachments.store import Media
from vetrina.media.images.sizes import Size

__all__ = ["MARK", "alternatives", "listed", "named", "shown", "with_sources"]

MARK: Final = "wp-image-"  # in the class of an image, in front of the number of its file
_WIDEST: Final = 2048  # pixels; wider files are no alternative
_ROUNDED: Final = 1.5  # pixels that two roundings may be apart
_MOST_NAMED: Final = 500  # files that one answer is asked for
_IMAGE: Final = re.compile(r"<img\s(?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+>")
_NUMBER: Final = re.compile(r"wp-image-([1-9][0-9]{0,15})(?![0-9])")
_SOURCE: Final = re.compile(r"\ssrc=\"([^\"]*)\"")
_WIDTH: Final = re.compile(r"\swidth=[\"']([0-9]{1,6})[\"']")
_HEIGHT: Final = re.compile(r"\sheight=[\"']([0-9]{1,6})[\"']")
_STYLED_WIDTH: Final = re.compile(r"\sstyle=\"[^\"]*?(?<![-\w])width:\s*([0-9]{1,6})px")
_DECODING: Final = '<img decoding="async"'

Address = Callable[[str], str]


def named(texts: Iterable[str]) -> list[int]:
    """Return the numbers of the files that images of some texts name, each once."""
    found = (int(number[1]) for text in texts if MARK in text for number in _NUMBER.finditer(text))
    return list(dict.fromkeys(found))[:_MOST_NAMED]


def shown(work: Work, html: str) -> str:
    """Return a text whose images of the site say which other sizes there are; asks for its files by itself."""
    if MARK not in html:
        return html
    return with_sources(work, html, known(work, [html]))


def known(work: Work, texts: Iterable[str]) -> dict[int, Media]:
    """Return the files that images of some texts name, by number; asks once."""
    work.uses("attachment")
    return attachment_store.of_records(work.tx, named(texts))


def with_sources(work: Work, html: str, files: Mapping[int, Media]) -> str:
    """Return a text whose images say which other sizes there are; files: those that it may name."""

    def completed(found: re.Match[str]) -> str:
        number = _NUMBER.search(found[0])
        media = files.get(int(number[1])) if number else None
        return found[0] if media is None or media.kind != "image" else _completed(found[0], media, address)

    def address(path: str) -> str:
        return attachment_store.url(work, path)

    return _IMAGE.sub(completed, html)


def alternatives(media: Media, source: str, size: Size) -> dict[int, str]:
    """Return the files that a browser may choose among, by width: those of the same ratio, the shown one first.

    source: the file that is shown. size: the one in which it is. Empty where the image has no such file.
    """
    files = _files(media)
    if media.mime_type == "image/gif":
        # The sub-sizes of a moving picture stand still, so they are no alternative to it.
        files = {path: one for path, one in files.items() if path != media.file}
    own = files.get(source)
    if own is None or not size.width or not size.height:
        return {}
    fitting = {
        one.width: path for path, one in files.items() if path != source and one.width <= _WIDEST
        and _same_ratio(one, size)
    }  # fmt: skip
    if not _same_ratio(own, size):
        return {}
    return {own.width: source, **{width: path for width, path in fitting.items() if width != own.width}}


def listed(found: Mapping[int, str], width: int, address: Address, lazy: bool) -> str:
    """Return the attributes that tell a browser the alternatives, empty where there is no choice.

    width: in which the image is shown. lazy: whether it is loaded when it comes into sight.
    """
    if len(found) < 2:
        return ""
    files = ", ".join(f"{attribute(address(path))} {wide}w" for wide, path in found.items())
    auto = "auto, " if lazy else ""
    return f' srcset="{files}" sizes="{auto}(max-width: {width}px) 100vw, {width}px"'


def _completed(tag: str, media: Media, address: Address) -> str:
    source = _shown_file(tag, media)
    if source is None:
        return tag
    tag = _measured(tag, _files(media).get(source, media.size))
    wide, high = _WIDTH.search(tag), _HEIGHT.search(tag)
    if wide and high and media.sizes and " srcset=" not in tag:
        size = Size(int(wide[1]), int(high[1]))
        more = listed(alternatives(media, source, size), size.width, address, lazy=False)
        if more and " sizes=" in tag:
            more = more[: more.index(" sizes=")]
        if more:
            tag = f"{tag.rstrip('>').rstrip().rstrip('/').rstrip()}{more} />"
    return with_hints(tag)


def _shown_file(tag: str, media: Media) -> str | None:
    """Return which of the files of an image a tag shows, None for another's."""
    source = _SOURCE.search(tag)
    if source is None:
        return None
    plain = source[1].partition("?")[0]
    return next((path for path in (*_files(media), media.uploaded) if plain.endswith(f"/{path}")), None)


def _measured(tag: str, size: Size) -> str:
    """Return a tag that says how large the image is, so that the page keeps its shape."""
    if " width=" in tag or " height=" in tag or not size.width or not size.height:
        return tag
    if styled := _STYLED_WIDTH.search(tag):
        wide = max(1, int(styled[1]))
        size = Size(wide, max(1, round(size.height * wide / size.width)))
    measures = f' width="{size.width}" height="{size.height}"'
    if tag.startswith(_DECODING):
        return f"{_DECODING}{measures}{tag[len(_DECODING) :]}"
    return f"<img{measures}{tag[len('<img') :]}"


def _files(media: Media) -> dict[str, Size]:
    """Return the files of an image with their sizes, the whole one last."""
    folder = media.file.rpartition("/")[0] + "/"
    out = {folder + one.file: Size(one.width, one.height) for one in media.sizes.values()}
    out[media.file] = media.size
    return out


def _same_ratio(one: Size, other: Size) -> bool:
    """Say whether two sizes show the same part of an image, but for a pixel of rounding."""
    larger, smaller = (one, other) if one.width > other.width else (other, one)
    return abs(larger.height * smaller.width / larger.width - smaller.height) < _ROUNDED
