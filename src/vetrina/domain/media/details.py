"""What sound and film files say of themselves in their headers: how long they are, how large their picture is.

Only the formats whose headers say it in a few bytes are read: the MP4 family, WAV and FLAC. Nothing here can refuse a
file; one that is not understood just has no details. Not here: images (images.py).
Sources: ISO/IEC 14496-12 for boxes, the RIFF specification, RFC 9639 for FLAC.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

__all__ = ["details"]

_CONTAINERS: Final = frozenset({b"moov", b"trak"})
_MOST_BOXES: Final = 2000  # of one file; more are no honest header
_DEEPEST: Final = 4
_LONGEST: Final = 10 * 365 * 86_400  # seconds; a longer film is a broken number
_LARGEST: Final = 32_768  # pixels of one side
_READERS: Final = {"video/mp4": "mp4", "video/quicktime": "quicktime", "audio/mpeg": "mp4", "video/3gpp": "mp4",
                   "audio/wav": "wav", "audio/flac": "flac"}  # fmt: skip


def details(path: Path, mime: str) -> dict[str, Any]:
    """Return what a file says of itself, by the names that answers have for it; empty where nothing is known."""
    kind = _READERS.get(mime)
    if kind is None:
        return {}
    try:
        with path.open("rb") as file:
            found = {"wav": _wav, "flac": _flac}.get(kind, _mp4)(file)
    except (OSError, struct.error, ValueError, OverflowError):
        return {}
    seconds = found.pop("seconds", 0)
    if not 0 < seconds < _LONGEST:
        return {}
    whole = int(seconds + 0.5)
    return {"fileformat": kind, **found, "length": whole, "length_formatted": _formatted(whole), "mime_type": mime}


def _mp4(file: BinaryIO) -> dict[str, Any]:
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


def _wav(file: BinaryIO) -> dict[str, Any]:
    found: dict[str, Any] = {}
    start, end, rate = 12, file.seek(0, 2), 0
    for _ in range(_MOST_BOXES):
        if start + 8 > end:
            break
        file.seek(start)
        kind, size = struct.unpack("<4sI", file.read(8))
        if kind == b"fmt ":
            _, channels, samples, rate = struct.unpack("<HHII", file.read(12))
            found |= {"channels": channels, "sample_rate": samples, "bitrate": rate * 8}
        elif kind == b"data":
            found["seconds"] = min(size, end - start - 8) / rate if rate else 0
            break
        start += 8 + size + size % 2
    return found


def _flac(file: BinaryIO) -> dict[str, Any]:
    file.seek(8)
    head = file.read(34)
    packed = int.from_bytes(head[10:18], "big")
    rate, channels, samples = packed >> 44, (packed >> 41 & 7) + 1, packed & (1 << 36) - 1
    return {"channels": channels, "sample_rate": rate, "seconds": samples / rate if rate else 0}


def _formatted(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
