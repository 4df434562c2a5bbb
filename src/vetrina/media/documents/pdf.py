"""What a PDF says of itself: how many pages it has, how large the first is, its title and author.

A document of a few kilobytes may claim millions of objects, packed in streams that unpack to much more: how much is
read, unpacked and waited for is bounded, and a document past that just has no details.
Rules: the members are our own. Library: pypdf (BSD).
"""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import Any, Final

from vetrina.media.uploads.bounded_file import BoundedFile
from vetrina.media.uploads.metadata_text import plain_words

__all__ = ["document"]

_LARGEST: Final = 64 << 20  # bytes
_MOST_PAGES: Final = 1_000_000
_DEEPEST: Final = 64  # groups of pages inside one another
_MOST_UNPACKED: Final = 1 << 20  # bytes of one stream: the places of two hundred thousand objects
_BOUNDS: Final[dict[str, Any]] = dict.fromkeys(
    (
        "zlib_maximum_output_length", "lzw_maximum_output_length", "run_length_maximum_output_length",
        "brotli_maximum_output_length", "array_based_stream_maximum_output_length",
        "zlib_maximum_recovery_input_length", "xmp_maximum_input_length",
    ),
    _MOST_UNPACKED,
)  # fmt: skip
_MOST_READS: Final = 1_000_000
_SECONDS: Final = 2.0  # for a whole document


def document(path: Path) -> dict[str, Any]:
    """Return the number of pages of a document, the size of the first in points, and who wrote it; empty for none."""
    if path.stat().st_size > _LARGEST:
        return {}
    # A library that few requests need; it warns of whatever programs write wrongly.
    from pypdf import apply_configuration

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        with path.open("rb") as file, apply_configuration(**_BOUNDS):
            return _read(BoundedFile(file, _LARGEST, _MOST_READS, _LARGEST, until=time.monotonic() + _SECONDS))
    except Exception:
        # The library raises whatever its own code meets in a broken file.
        return {}


def _read(file: BoundedFile) -> dict[str, Any]:
    from pypdf import PdfReader

    # Strict, or a broken file would be searched from end to end for what it might have been. A bounded file has what is
    # called of it, not all that its type names.
    found = PdfReader(file, strict=True)  # type: ignore[arg-type]
    if found.is_encrypted:
        return {}
    # The number that the document tells; to count its pages would be to read them all.
    root: Any = found.trailer["/Root"]
    node: Any = root["/Pages"]
    out: dict[str, Any] = {"pages": int(node["/Count"])}
    if not 0 < out["pages"] <= _MOST_PAGES:
        return {}
    box: Any = None
    for _ in range(_DEEPEST):
        file.check()
        box = node.get("/MediaBox", box)
        if "/Kids" not in node:
            break
        node = node["/Kids"][0].get_object()
    if box is not None:
        left, low, right, high = (float(side) for side in box)
        out |= {"page_width": _points(abs(right - left)), "page_height": _points(abs(high - low))}
    told = found.metadata
    for name in ("title", "author"):
        file.check()
        value = getattr(told, name) if told is not None else None
        if isinstance(value, str) and (text := plain_words(value)):
            out[name] = text
    return out


def _points(value: float) -> int | float:
    number = round(value, 2)
    if not 0 <= number < 1e6:
        raise ValueError("no page is of this size")
    return int(number) if number.is_integer() else number
