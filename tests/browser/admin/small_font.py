"""A TrueType font of one empty glyph, small enough to write down, for tests that upload one."""

from __future__ import annotations

import struct

_UPRIGHT = 0x40  # the bit of OS/2.fsSelection that says "regular"


def build_font(family: str, weight: int = 400) -> bytes:
    """Return the file of a font with a family name and a weight."""
    tables = {
        b"OS/2": _build_os2(weight),
        b"cmap": struct.pack(">HHHHIHHHHHHHHHHH", 0, 1, 3, 1, 12, 4, 24, 0, 2, 2, 0, 0, 0xFFFF, 0, 0xFFFF, 1)
        + struct.pack(">H", 0),
        b"glyf": b"\0\0\0\0",
        b"head": struct.pack(
            ">IIIIHHQQhhhhHHhhh", 0x10000, 0x10000, 0, 0x5F0F3CF5, 0, 1000, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0
        ),
        b"hhea": struct.pack(">IhhhHhhhhhhhhhhhH", 0x10000, 800, -200, 0, 500, *[0] * 11, 1),
        b"hmtx": struct.pack(">Hh", 500, 0),
        b"loca": struct.pack(">HH", 0, 0),
        b"maxp": struct.pack(">IH", 0x10000, 1) + bytes(26),
        b"name": _build_names(family),
        b"post": struct.pack(">IIhhIIIII", 0x30000, 0, 0, 0, 0, 0, 0, 0, 0),
    }
    at, directory, body = 12 + 16 * len(tables), b"", b""
    for tag, table in sorted(tables.items()):
        padded = table + bytes(-len(table) % 4)
        total = sum(struct.unpack(f">{len(padded) // 4}I", padded)) & 0xFFFFFFFF
        directory += tag + struct.pack(">III", total, at + len(body), len(table))
        body += padded
    return struct.pack(">IHHHH", 0x10000, len(tables), 128, 3, len(tables) * 16 - 128) + directory + body


def _build_os2(weight: int) -> bytes:
    return (
        struct.pack(">HhHHH", 3, 500, weight, 5, 0)
        + struct.pack(">10h", *[0] * 10)
        + struct.pack(">h", 0)
        + bytes(10)  # PANOSE
        + bytes(16)  # ranges of Unicode
        + b"TEST"
        + struct.pack(">HHH", _UPRIGHT, 32, 126)
        + struct.pack(">hhhHH", 800, -200, 0, 800, 200)
        + bytes(8)  # code pages
        + struct.pack(">hhHHH", 500, 700, 0, 32, 0)
    )


def _build_names(family: str) -> bytes:
    words = {1: family, 2: "Regular", 4: family, 6: family.replace(" ", ""), 16: family, 17: "Regular"}
    records, text = b"", b""
    for number, word in words.items():
        encoded = word.encode("utf-16-be")
        records += struct.pack(">HHHHHH", 3, 1, 0x409, number, len(encoded), len(text))
        text += encoded
    return struct.pack(">HHH", 0, len(words), 6 + len(records)) + records + text
