"""The headers of MP4 videos: duration and picture size, from their boxes.

Only a few bytes of the boxes are read, however long the video. Source: ISO/IEC 14496-12.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

MP4_FORMATS: Final = {"video/mp4": "mp4", "video/quicktime": "quicktime", "video/3gpp": "mp4"}  # names of formats
_CONTAINERS: Final = frozenset({b"moov", b"trak"})
_MAX_BOXES: Final = 2000  # boxes per file; more are no honest header
_MAX_DEPTH: Final = 4
_MAX_SIDE_PIXELS: Final = 32_768  # pixels of one side


def parse_mp4_header(file: BinaryIO) -> dict[str, Any]:
    """Return `seconds`, and `width` and `height` in pixels if there is a picture.

    Raises struct.error, OSError for other files.
    """
    file.seek(4)
    if file.read(4) not in (b"ftyp", b"moov", b"mdat"):
        return {}
    found: dict[str, Any] = {}
    for kind, start, size in _iterate_boxes(file, 0, file.seek(0, 2), 0, [_MAX_BOXES]):
        file.seek(start)
        head = file.read(min(size, 120))
        long = head[:1] == b"\1"  # version 1 has 64-bit dates and durations
        if kind == b"mvhd":
            scale, length = struct.unpack_from(">IQ" if long else ">II", head, 20 if long else 12)
            found["seconds"] = length / scale if scale else 0
        elif kind == b"tkhd":
            width, height = (value >> 16 for value in struct.unpack_from(">II", head, 88 if long else 76))
            if 0 < width <= _MAX_SIDE_PIXELS and 0 < height <= _MAX_SIDE_PIXELS and width > found.get("width", 0):
                found |= {"width": width, "height": height}
    return found


def _iterate_boxes(
    file: BinaryIO, start: int, end: int, depth: int, left: list[int]
) -> Iterator[tuple[bytes, int, int]]:
    """Yield type, offset and size of every box, nested ones too; left: how many more may be read."""
    while start + 8 <= end and left[0] > 0:
        left[0] -= 1
        file.seek(start)
        size, kind = struct.unpack(">I4s", file.read(8))
        head = 8
        if size == 1:
            (size,) = struct.unpack(">Q", file.read(8))
            head = 16
        elif size == 0:
            size = end - start
        if size < head or start + size > end:
            return
        yield kind, start + head, size - head
        if kind in _CONTAINERS and depth < _MAX_DEPTH:
            yield from _iterate_boxes(file, start + head, start + size, depth + 1, left)
        start += size
