"""Audio files and documents for tests, generated when needed."""

from __future__ import annotations

import io
import struct

__all__ = ["document", "m4a", "mp3", "ogg"]


def mp3(seconds: float, *, cover: bytes = b"", **texts: str) -> bytes:
    """Return silence of 128 kbit/s and 44.1 kHz with ID3 tags; texts: by the names of their frames."""
    frames = b"".join(_frame(name, b"\3" + text.encode()) for name, text in texts.items())
    if cover:
        frames += _frame("APIC", b"\0image/jpeg\0\3\0" + cover)
    size = len(frames)
    head = b"ID3\4\0\0" + bytes(size >> shift & 127 for shift in (21, 14, 7, 0))
    one = b"\xff\xfb\x90\x00" + bytes(413)
    return (head + frames if frames else b"") + one * round(seconds * 44_100 / 1152)


def _frame(name: str, content: bytes) -> bytes:
    size = len(content)
    return name.encode() + bytes(size >> shift & 127 for shift in (21, 14, 7, 0)) + b"\0\0" + content


def ogg(seconds: int, **comments: str) -> bytes:
    """Return the pages of a silent Vorbis stream of 48 kHz."""
    head = b"\1vorbis" + struct.pack("<IBIiiiBB", 0, 2, 48_000, 0, 96_000, 0, 0xB8, 1)
    listed = [f"{name.upper()}={text}".encode() for name, text in comments.items()]
    said = b"\3vorbis" + struct.pack("<I", 0) + struct.pack("<I", len(listed))
    said += b"".join(struct.pack("<I", len(one)) + one for one in listed) + b"\1"
    pages = [(2, 0, head), (0, 0, said), (4, 48_000 * seconds, bytes(50))]
    return b"".join(
        b"OggS\0" + struct.pack("<BqIII", kind, place, 7, number, 0) + bytes([1, len(content)]) + content
        for number, (kind, place, content) in enumerate(pages)
    )


def m4a(seconds: int) -> bytes:
    """Return the boxes of an AAC file of 44.1 kHz."""

    def box(kind: bytes, *parts: bytes) -> bytes:
        content = b"".join(parts)
        return struct.pack(">I4s", len(content) + 8, kind) + content

    times = box(b"mvhd", bytes(12), struct.pack(">II", 1000, seconds * 1000), bytes(80))
    config = b"\x03\x19\0\1\0\x04\x11\x40\x15\0\0\0" + struct.pack(">II", 128_000, 128_000) + b"\x05\x02\x12\x10"
    entry = box(
        b"mp4a", bytes(6) + b"\0\1" + bytes(8) + struct.pack(">HHHHI", 2, 16, 0, 0, 44_100 << 16),
        box(b"esds", bytes(4), config),
    )  # fmt: skip
    table = box(b"stsd", struct.pack(">II", 0, 1), entry)
    track = box(b"trak", box(b"mdia", box(b"minf", box(b"stbl", table))))
    return box(b"ftyp", b"M4A \0\0\0\0M4A mp42isom") + box(b"moov", times, track)


def document(pages: int, width: float, height: float, title: str = "", author: str = "") -> bytes:
    """Return a PDF of empty pages; sizes in points."""
    from pypdf import PdfWriter

    writer = PdfWriter()
    for _ in range(pages):
        writer.add_blank_page(width, height)
    writer.add_metadata({"/Title": title, "/Author": author})
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()
