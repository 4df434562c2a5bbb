"""The headers of Matroska files (WebM, MKV, MKA): duration, picture size, codecs.

Only what precedes the first cluster is read, however long the file; the sizes it claims are checked against the file.
Source: RFC 8794 (EBML), RFC 9559 (Matroska).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

# What is known of a file calls its format and its codecs by these names.
MATROSKA_FORMATS: Final = {"video/webm": "webm", "video/x-matroska": "matroska", "audio/x-matroska": "matroska"}
MATROSKA_CODECS: Final = {
    "V_VP8": "vp8", "V_VP9": "vp9", "V_AV1": "av1", "V_MPEG4/ISO/AVC": "h264", "V_MPEGH/ISO/HEVC": "h265",
    "A_VORBIS": "vorbis", "A_OPUS": "opus", "A_AAC": "aac", "A_MPEG/L3": "mp3",
    "A_FLAC": "flac",
}  # fmt: skip
_EBML, _SEGMENT, _INFO, _TRACKS, _CLUSTER = 0x1A45DFA3, 0x18538067, 0x1549A966, 0x1654AE6B, 0x1F43B675
_SCALE, _DURATION, _TITLE = 0x2AD7B1, 0x4489, 0x7BA9
_TRACK, _KIND, _CODEC, _VIDEO, _AUDIO = 0xAE, 0x83, 0x86, 0xE0, 0xE1
_WIDTH, _HEIGHT, _RATE, _CHANNELS = 0xB0, 0xBA, 0xB5, 0x9F
_CONTAINERS: Final = frozenset((_SEGMENT, _INFO, _TRACKS, _TRACK, _VIDEO, _AUDIO))
_MAX_ELEMENTS: Final = 2000  # elements that are read
_MAX_DEPTH: Final = 5
_MAX_SIDE_PIXELS: Final = 32_768  # pixels of one side
_MAX_VALUE_BYTES: Final = 1024  # bytes of a value that is read
_NANOSECONDS: Final = 1_000_000_000
_MILLISECOND: Final = 1_000_000  # nanoseconds; the default time unit


def parse_matroska_header(file: BinaryIO) -> dict[str, Any]:
    """Return those of `seconds`, `title`, `width`, `height`, `codecs`, `sample_rate` and `channels` that are present.

    Raises struct.error, OSError for other files.
    """
    found: dict[str, Any] = {}
    scale, length = _MILLISECOND, 0.0
    codecs: list[str] = []
    for kind, value in _iterate_elements(file, 0, file.seek(0, 2), 0, [_MAX_ELEMENTS]):
        if kind == _SCALE:
            scale = _parse_integer(value)
        elif kind == _DURATION:
            length = _parse_float(value)
        elif kind == _TITLE:
            found.setdefault("title", value.rstrip(b"\0").decode("utf-8", "replace"))
        elif kind == _CODEC:
            codecs.append(value.rstrip(b"\0").decode("ascii", "replace"))
        elif kind in (_WIDTH, _HEIGHT) and 0 < _parse_integer(value) <= _MAX_SIDE_PIXELS:
            found.setdefault("width" if kind == _WIDTH else "height", _parse_integer(value))
        elif kind == _RATE:
            found.setdefault("sample_rate", int(_parse_float(value)))
        elif kind == _CHANNELS:
            found.setdefault("channels", _parse_integer(value))
    if length > 0:
        found["seconds"] = length * scale / _NANOSECONDS
    return found | ({"codecs": codecs} if codecs else {})


def _iterate_elements(file: BinaryIO, start: int, end: int, depth: int, left: list[int]) -> Iterator[tuple[int, bytes]]:
    """Yield id and value of every element before the first cluster, nested ones too."""
    while start < end and left[0] > 0:
        left[0] -= 1
        file.seek(start)
        head = file.read(12)
        kind, taken = _parse_vint(head, 0, keep=True)
        size, more = _parse_vint(head, taken, keep=False)
        begin = start + taken + more
        # A size of all ones means unknown when written: up to the end.
        size = end - begin if size == (1 << 7 * more) - 1 else size
        if kind == _CLUSTER or (begin + size > end and kind != _SEGMENT):
            return
        if kind in _CONTAINERS and depth < _MAX_DEPTH:
            yield from _iterate_elements(file, begin, min(end, begin + size), depth + 1, left)
            if kind == _SEGMENT:
                return
        elif size <= _MAX_VALUE_BYTES:
            file.seek(begin)
            yield kind, file.read(size)
        start = begin + size


def _parse_vint(head: bytes, at: int, keep: bool) -> tuple[int, int]:
    """Return a variable-length integer and its length in bytes. keep: keep the length marker, as in element ids."""
    if at >= len(head) or head[at] == 0:
        raise struct.error("no number")
    taken = 9 - head[at].bit_length()
    if at + taken > len(head):
        raise struct.error("no number")
    value = int.from_bytes(head[at : at + taken], "big")
    return (value if keep else value & ((1 << 7 * taken) - 1)), taken


def _parse_integer(value: bytes) -> int:
    return int.from_bytes(value[:8], "big")


def _parse_float(value: bytes) -> float:
    if len(value) not in (4, 8):
        return 0.0
    (number,) = struct.unpack(">f" if len(value) == 4 else ">d", value)
    return float(number) if number == number and abs(number) < 1e15 else 0.0
