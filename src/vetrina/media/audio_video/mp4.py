"""The headers of films: how long one is and how large its picture, from the boxes of the MP4 family.

Only what its boxes say in a few bytes is read, however long the film.
Not here: sounds and tags (media/audio_video/details.py). Source: ISO/IEC 14496-12.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

__all__ = ["film"]

_CONTAINERS: Final = frozenset({b"moov", b"trak"})
_MOST_BOXES: Final = 2000  # of one file; more are no honest header
_DEEPEST: Final = 4
_LARGEST: Final = 32_768  # pixels of one side


def film(file: BinaryIO) -> dict[str, Any]:
    """Return `seconds`, and `width` and `height` in pixels where there is a picture.

    Raises struct.error, OSError for what is none.
    """
    file.seek(4)
    if file.read(4) not in (b"ftyp", b"moov", b"mdat"):
        return {}
    found: dict[str, Any] = {}
    for kind, start, size in _boxes(file, 0, file.seek(0, 2), 0, [_MOST_BOXES]):
        file.seek(start)
        head = file.read(min(size, 120))
        long = head[:1] == b"\1"  # the newer form has dates and lengths of 64 bits
        if kind == b"mvhd":
            scale, length = struct.unpack_from(">IQ" if long else ">II", head, 20 if long else 12)
            found["seconds"] = length / scale if scale else 0
        elif kind == b"tkhd":
            width, height = (value >> 16 for value in struct.unpack_from(">II", head, 88 if long else 76))
            if 0 < width <= _LARGEST and 0 < height <= _LARGEST and width > found.get("width", 0):
                found |= {"width": width, "height": height}
    return found


def _boxes(file: BinaryIO, start: int, end: int, depth: int, left: list[int]) -> Iterator[tuple[bytes, int, int]]:
    """Give kind, place and size of every box, those inside of containers too; left: how many may be looked at."""
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
        if kind in _CONTAINERS and depth < _DEEPEST:
            yield from _boxes(file, start + head, start + size, depth + 1, left)
        start += size
