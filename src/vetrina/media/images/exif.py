"""Image metadata of cameras and editors: aperture, camera, caption, date, rights.

Every value is a text, "0" or empty if missing, as in responses. Nothing here refuses an image. Source: EXIF 2.32 for
the tag numbers, IPTC-IIM 4.2 for the data sets; docs/rules/images.md, 3.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from vetrina.kernel.tags import strip_tags
from vetrina.media.images.headers import open_image

EMPTY_METADATA: Final[dict[str, Any]] = {
    "aperture": "0", "credit": "", "camera": "", "caption": "", "created_timestamp": "0", "copyright": "",
    "focal_length": "0", "iso": "0", "shutter_speed": "0", "title": "", "orientation": "0", "keywords": [],
}  # fmt: skip

_DESCRIPTION, _MODEL, _ORIENTATION, _ARTIST, _COPYRIGHT, _EXIF = 0x010E, 0x0110, 0x0112, 0x013B, 0x8298, 0x8769
_SHUTTER, _APERTURE, _ISO, _TAKEN, _DIGITIZED, _FOCAL = 0x829A, 0x829D, 0x8827, 0x9003, 0x9004, 0x920A
_TITLE, _KEYWORDS, _BYLINE, _HEADLINE, _CREDIT, _NOTICE, _CAPTION = (2, 5), (2, 25), (2, 80), (2, 105), (2, 110), (
    2, 116), (2, 120)  # fmt: skip
_MAX_TITLE_LETTERS: Final = 80  # characters; a longer description becomes the caption
_MAX_TEXT_LETTERS: Final = 10_000  # characters of one text
_MAX_KEYWORDS: Final = 500
_UNPRINTABLE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def read_image_metadata(path: Path, mime: str) -> dict[str, Any]:
    """Return the metadata of an image; only JPEG and TIFF are read."""
    found = {**EMPTY_METADATA, "keywords": []}
    if mime not in ("image/jpeg", "image/tiff"):
        return found
    from PIL import IptcImagePlugin

    # Metadata of cameras and editors is often broken, and never a reason to refuse an image.
    try:
        with open_image(path, mime) as image:
            exif = image.getexif()
            _apply_exif(found, dict(exif), dict(exif.get_ifd(_EXIF)))
            _apply_iptc(found, IptcImagePlugin.getiptcinfo(image) or {})
    except Exception:
        return found
    return found


def _apply_exif(metadata: dict[str, Any], plain: dict[int, Any], own: dict[int, Any]) -> None:
    description = _clean_text(plain.get(_DESCRIPTION))
    if description:
        metadata["caption"] = description
        if len(description) < _MAX_TITLE_LETTERS:
            metadata["title"] = description
    metadata["credit"] = _clean_text(plain.get(_ARTIST))
    metadata["camera"] = _clean_text(plain.get(_MODEL))
    metadata["copyright"] = _clean_text(plain.get(_COPYRIGHT))
    metadata["aperture"] = _format_number(own.get(_APERTURE), 2)
    metadata["focal_length"] = _format_number(own.get(_FOCAL))
    metadata["shutter_speed"] = _format_number(own.get(_SHUTTER))
    iso = own.get(_ISO)
    metadata["iso"] = _format_number(iso[0] if isinstance(iso, tuple) and iso else iso)
    metadata["created_timestamp"] = _format_timestamp(own.get(_DIGITIZED) or own.get(_TAKEN))
    orientation = plain.get(_ORIENTATION)
    if isinstance(orientation, int) and 1 <= orientation <= 8:
        metadata["orientation"] = str(orientation)


def _apply_iptc(metadata: dict[str, Any], sets: dict[Any, Any]) -> None:
    """Add IPTC values of an editor; they override the camera's."""
    for name, keys in (("title", (_HEADLINE, _TITLE)), ("caption", (_CAPTION,)), ("credit", (_CREDIT, _BYLINE)),
                       ("copyright", (_NOTICE,))):  # fmt: skip
        text = next((text for key in keys if (text := _clean_text(sets.get(key)))), "")
        if text:
            metadata[name] = text
    keywords = sets.get(_KEYWORDS, [])
    listed = keywords if isinstance(keywords, list) else [keywords]
    metadata["keywords"] = [text for one in listed[:_MAX_KEYWORDS] if (text := _clean_text(one))]


def _clean_text(value: Any) -> str:
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, bytes):
        try:
            value = value.decode()
        except UnicodeDecodeError:
            value = value.decode("latin-1")
    if not isinstance(value, str):
        return ""
    return _UNPRINTABLE.sub("", strip_tags(value[:_MAX_TEXT_LETTERS])).strip()


def _format_number(value: Any, digits: int | None = None) -> str:
    try:
        number = float(value)
    except (TypeError, ValueError, ZeroDivisionError):
        return "0"
    if digits is not None:
        number = round(number, digits)
    return f"{number:.14g}" if 0 < number < 1e9 else "0"


def _format_timestamp(value: Any) -> str:
    """Return a camera's local time in seconds since 1970, as if it were GMT: cameras record no time zone."""
    try:
        moment = datetime.strptime(_clean_text(value)[:19], "%Y:%m:%d %H:%M:%S").replace(tzinfo=UTC)
    except ValueError:
        return "0"
    return str(int(moment.timestamp()))
