"""Metadata of a PDF: number of pages, size of the first, title and author.

A document of a few kilobytes may claim millions of objects, packed in streams that unpack to much more: bytes read,
bytes unpacked and time are bounded, and a document beyond that just has no details. The fields are our own. Library:
pypdf (BSD).
"""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import Any, Final

from vetrina.media.uploads.bounded_file import BoundedFile
from vetrina.media.uploads.metadata_text import clean_plain_text

_MAX_FILE_BYTES: Final = 64 << 20  # bytes
_MAX_PAGES: Final = 1_000_000
_MAX_DEPTH: Final = 64  # nested page groups
_MAX_UNPACKED_BYTES: Final = 1 << 20  # bytes of one stream: the offsets of two hundred thousand objects
_PYPDF_LIMITS: Final[dict[str, Any]] = dict.fromkeys(
    (
        "zlib_maximum_output_length", "lzw_maximum_output_length", "run_length_maximum_output_length",
        "brotli_maximum_output_length", "array_based_stream_maximum_output_length",
        "zlib_maximum_recovery_input_length", "xmp_maximum_input_length",
    ),
    _MAX_UNPACKED_BYTES,
)  # fmt: skip
_MAX_READS: Final = 1_000_000
_MAX_SECONDS: Final = 2.0  # seconds for a whole document


def read_pdf_metadata(path: Path) -> dict[str, Any]:
    """Return the number of pages, the size of the first in points, and the author; empty if unreadable."""
    if path.stat().st_size > _MAX_FILE_BYTES:
        return {}
    # Imported late: few requests need it. It warns about every malformed detail.
    from pypdf import apply_configuration

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        with path.open("rb") as file, apply_configuration(**_PYPDF_LIMITS):
            return _parse_pdf(
                BoundedFile(file, _MAX_FILE_BYTES, _MAX_READS, _MAX_FILE_BYTES, until=time.monotonic() + _MAX_SECONDS)
            )
    except Exception:
        # The library raises arbitrary exceptions on a broken file.
        return {}


def _parse_pdf(file: BoundedFile) -> dict[str, Any]:
    from pypdf import PdfReader

    # Strict, or a broken file would be searched from end to end for what it might have been. BoundedFile has the
    # methods that are called, not all that the annotation names.
    found = PdfReader(file, strict=True)  # type: ignore[arg-type]
    if found.is_encrypted:
        return {}
    # The count that the document claims; counting its pages would mean reading them all.
    root: Any = found.trailer["/Root"]
    node: Any = root["/Pages"]
    out: dict[str, Any] = {"pages": int(node["/Count"])}
    if not 0 < out["pages"] <= _MAX_PAGES:
        return {}
    box: Any = None
    for _ in range(_MAX_DEPTH):
        file.check_deadline()
        box = node.get("/MediaBox", box)
        if "/Kids" not in node:
            break
        node = node["/Kids"][0].get_object()
    if box is not None:
        left, low, right, high = (float(side) for side in box)
        out |= {"page_width": _round_points(abs(right - left)), "page_height": _round_points(abs(high - low))}
    metadata = found.metadata
    for name in ("title", "author"):
        file.check_deadline()
        value = getattr(metadata, name) if metadata is not None else None
        if isinstance(value, str) and (text := clean_plain_text(value)):
            out[name] = text
    return out


def _round_points(value: float) -> int | float:
    number = round(value, 2)
    if not 0 <= number < 1e6:
        raise ValueError("no page is of this size")
    return int(number) if number.is_integer() else number
