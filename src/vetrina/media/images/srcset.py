"""The `srcset` of uploaded images in texts: the sizes among which a browser chooses.

An image in a text names its file by a class, `wp-image-ID`. The alternatives are the file's current ones, so they are
added when the text is rendered, not when it is written. How browsers load images: content/text/content_images.py.
Rules: observed on descriptions of files and on public pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from vetrina.content.text.content_images import add_image_hints
from vetrina.content.text.media_shortcodes import escape_attribute
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.media.attachments import store as attachment_store
from vetrina.media.attachments.store import MediaFile
from vetrina.media.images.pixel_sizes import PixelSize, has_same_ratio

MEDIA_CLASS_PREFIX: Final = "wp-image-"  # class prefix of an image, before the id of its file
_MAX_WIDTH: Final = 2048  # pixels; wider files are no alternative
_MAX_FILES: Final = 500  # files loaded for one response
_IMAGE: Final = re.compile(r"<img\s(?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+>")
_NUMBER: Final = re.compile(r"wp-image-([1-9][0-9]{0,15})(?![0-9])")
_SOURCE: Final = re.compile(r"\ssrc=\"([^\"]*)\"")
_WIDTH: Final = re.compile(r"\swidth=[\"']([0-9]{1,6})[\"']")
_HEIGHT: Final = re.compile(r"\sheight=[\"']([0-9]{1,6})[\"']")
_STYLED_WIDTH: Final = re.compile(r"\sstyle=\"[^\"]*?(?<![-\w])width:\s*([0-9]{1,6})px")
_DECODING: Final = '<img decoding="async"'

UrlBuilder = Callable[[str], str]


def list_image_ids(texts: Iterable[str]) -> list[int]:
    """Return the ids of the files that images in some texts name, each once."""
    found = (int(number[1]) for text in texts if MEDIA_CLASS_PREFIX in text for number in _NUMBER.finditer(text))
    return list(dict.fromkeys(found))[:_MAX_FILES]


def add_image_sources(work: UnitOfWork, html: str) -> str:
    """Return a text with `srcset` on the site's images; loads their files."""
    if MEDIA_CLASS_PREFIX not in html:
        return html
    return add_sources_from_files(work, html, load_named_files(work, [html]))


def load_named_files(work: UnitOfWork, texts: Iterable[str]) -> dict[int, MediaFile]:
    """Return the files that images in some texts name, by id, with one query."""
    ids = list_image_ids(texts)
    work.uses_items("attachment", ids)
    return attachment_store.load_media_files(work.tx, ids)


def add_sources_from_files(work: UnitOfWork, html: str, files: Mapping[int, MediaFile]) -> str:
    """Return a text with `srcset` on its images; files: those that it may name."""

    def completed(found: re.Match[str]) -> str:
        number = _NUMBER.search(found[0])
        media = files.get(int(number[1])) if number else None
        return found[0] if media is None or media.kind != "image" else _complete_image_tag(found[0], media, address)

    def address(path: str) -> str:
        return attachment_store.build_file_url(work, path)

    return _IMAGE.sub(completed, html)


def list_alternatives(media: MediaFile, source: str, size: PixelSize) -> dict[int, str]:
    """Return the files that a browser may choose among, by width: those of the same ratio, the one shown first.

    source: the file in the `src`. size: its displayed size. Empty if the image has no such file.
    """
    files = _list_file_sizes(media)
    if media.mime_type == "image/gif":
        # The sub-sizes of an animation are still images, so they are no alternative to it.
        files = {path: one for path, one in files.items() if path != media.file}
    own = files.get(source)
    if own is None or not size.width or not size.height:
        return {}
    fitting = {
        one.width: path for path, one in files.items() if path != source and one.width <= _MAX_WIDTH
        and has_same_ratio(one, size)
    }  # fmt: skip
    if not has_same_ratio(own, size):
        return {}
    return {own.width: source, **{width: path for width, path in fitting.items() if width != own.width}}


def render_srcset(alternatives: Mapping[int, str], width: int, address: UrlBuilder, lazy: bool) -> str:
    """Return the `srcset` and `sizes` attributes, empty if there is no choice.

    width: displayed width in pixels. lazy: whether the image is loaded when it scrolls into view.
    """
    if len(alternatives) < 2:
        return ""
    files = ", ".join(f"{escape_attribute(address(path))} {wide}w" for wide, path in alternatives.items())
    auto = "auto, " if lazy else ""
    return f' srcset="{files}" sizes="{auto}(max-width: {width}px) 100vw, {width}px"'


def _complete_image_tag(tag: str, media: MediaFile, address: UrlBuilder) -> str:
    source = _find_shown_file(tag, media)
    if source is None:
        return tag
    tag = _add_dimensions(tag, _list_file_sizes(media).get(source, media.size))
    wide, high = _WIDTH.search(tag), _HEIGHT.search(tag)
    if wide and high and media.sizes and " srcset=" not in tag:
        size = PixelSize(int(wide[1]), int(high[1]))
        more = render_srcset(list_alternatives(media, source, size), size.width, address, lazy=False)
        if more and " sizes=" in tag:
            more = more[: more.index(" sizes=")]
        if more:
            tag = f"{tag.rstrip('>').rstrip().rstrip('/').rstrip()}{more} />"
    return add_image_hints(tag)


def _find_shown_file(tag: str, media: MediaFile) -> str | None:
    """Return which of an image's files a tag shows, None for another file."""
    source = _SOURCE.search(tag)
    if source is None:
        return None
    plain = source[1].partition("?")[0]
    return next((path for path in (*_list_file_sizes(media), media.original_path) if plain.endswith(f"/{path}")), None)


def _add_dimensions(tag: str, size: PixelSize) -> str:
    """Return a tag with width and height, so that the page layout does not shift."""
    if " width=" in tag or " height=" in tag or not size.width or not size.height:
        return tag
    if styled := _STYLED_WIDTH.search(tag):
        wide = max(1, int(styled[1]))
        size = PixelSize(wide, max(1, round(size.height * wide / size.width)))
    measures = f' width="{size.width}" height="{size.height}"'
    if tag.startswith(_DECODING):
        return f"{_DECODING}{measures}{tag[len(_DECODING) :]}"
    return f"<img{measures}{tag[len('<img') :]}"


def _list_file_sizes(media: MediaFile) -> dict[str, PixelSize]:
    """Return the files of an image with their sizes, the full one last."""
    folder = media.file.rpartition("/")[0] + "/"
    out = {folder + one.file: PixelSize(one.width, one.height) for one in media.sizes.values()}
    out[media.file] = media.size
    return out
