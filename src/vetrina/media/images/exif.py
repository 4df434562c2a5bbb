"""What cameras and editors write into an image: aperture, camera, caption, date, rights.

Every value is a text, "0" or empty where there is none, as the interface shows it. Nothing here can refuse an image.
Source: EXIF 2.32 for the numbers of the tags, IPTC-IIM 4.2 for the data sets; facts of the interface, "Sub-sizes".
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from vetrina.kernel.tags import without_tags
from vetrina.media.images.files import opened

__all__ = ["NOTHING", "words"]

NOTHING: Final[dict[str, Any]] = {
    "aperture": "0", "credit": "", "camera": "", "caption": "", "created_timestamp": "0", "copyright": "",
    "focal_length": "0", "iso": "0", "shutter_speed": "0", "title": "", "orientation": "0", "keywords": [],
}  # fmt: skip

_DESCRIPTION, _MODEL, _ORIENTATION, _ARTIST, _COPYRIGHT, _EXIF = 0x010E, 0x0110, 0x0112, 0x013B, 0x8298, 0x8769
_SHUTTER, _APERTURE, _ISO, _TAKEN, _DIGITIZED, _FOCAL = 0x829A, 0x829D, 0x8827, 0x9003, 0x9004, 0x920A
_TITLE, _KEYWORDS, _BYLINE, _HEADLINE, _CREDIT, _NOTICE, _CAPTION = (2, 5), (2, 25), (2, 80), (2, 105), (2, 110), (
    2, 116), (2, 120)  # fmt: skip
_LONGEST_TITLE: Final = 80  # letters; a longer description is a caption
_LONGEST: Final = 10_000  # letters of one text
_MOST_KEYWORDS: Final = 500
_UNPRINTABLE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def words(path: Path, mime: str) -> dict[str, Any]:
    """Return what an image says of itself; only JPEG and TIFF are asked."""
    found = {**NOTHING, "keywords": []}
    if mime not in ("image/jpeg", "image/tiff"):
        return found
    from PIL import IptcImagePlugin

    # What cameras and editors write is often broken, and never a reason to refuse an image.
    try:
        with opened(path, mime) as image:
            exif = image.getexif()
            _put_exif(found, dict(exif), dict(exif.get_ifd(_EXIF)))
            _put_iptc(found, IptcImagePlugin.getiptcinfo(image) or {})
    except Exception:
        return found
    return found


def _put_exif(found: dict[str, Any], plain: dict[int, Any], own: dict[int, Any]) -> None:
    description = _text(plain.get(_DESCRIPTION))
    if description:
        found["caption"] = description
        if len(description) < _LONGEST_TITLE:
            found["title"] = description
    found["credit"] = _text(plain.get(_ARTIST))
    found["camera"] = _text(plain.get(_MODEL))
    found["copyright"] = _text(plain.get(_COPYRIGHT))
    found["aperture"] = _number(own.get(_APERTURE), 2)
    found["focal_length"] = _number(own.get(_FOCAL))
    found["shutter_speed"] = _number(own.get(_SHUTTER))
    iso = own.get(_ISO)
    found["iso"] = _number(iso[0] if isinstance(iso, tuple) and iso else iso)
    found["created_timestamp"] = _moment(own.get(_DIGITIZED) or own.get(_TAKEN))
    orientation = plain.get(_ORIENTATION)
    if isinstance(orientation, int) and 1 <= orientation <= 8:
        found["orientation"] = str(orientation)


def _put_iptc(found: dict[str, Any], sets: dict[Any, Any]) -> None:
    """Put what an editor wrote; it wins over the camera."""
    for name, keys in (("title", (_HEADLINE, _TITLE)), ("caption", (_CAPTION,)), ("credit", (_CREDIT, _BYLINE)),
                       ("copyright", (_NOTICE,))):  # fmt: skip
        text = next((text for key in keys if (text := _text(sets.get(key)))), "")
        if text:
            found[name] = text
    keywords = sets.get(_KEYWORDS, [])
    listed = keywords if isinstance(keywords, list) else [keywords]
    found["keywords"] = [text for one in listed[:_MOST_KEYWORDS] if (text := _text(one))]


def _text(value: Any) -> str:
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, bytes):
        try:
            value = value.decode()
        except UnicodeDecodeError:
            value = value.decode("latin-1")
    if not isinstance(value, str):
        return ""
    return _UNPRINTABLE.sub("", without_tags(value[:_LONGEST])).strip()


def _number(value: Any, digits: int | None = None) -> str:
    try:
        number = float(value)
    except (TypeError, ValueError, ZeroDivisionError):
        return "0"
    if digits is not None:
        number = round(number, digits)
    return f"{number:.14g}" if 0 < number < 1e9 else "0"


def _moment(value: Any) -> str:
    """Return seconds since 1970 of a camera's local time, as if it were GMT: cameras name no zone."""
    try:
        moment = datetime.strptime(_text(value)[:19], "%Y:%m:%d %H:%M:%S").replace(tzinfo=UTC)
    except ValueError:
        return "0"
    return str(int(moment.timestamp()))
