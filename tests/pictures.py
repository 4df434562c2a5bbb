"""Pictures for tests, generated when needed."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

from PIL import Image

__all__ = ["huge_claim", "picture", "quarters"]


def picture(width: int, height: int, kind: str = "JPEG", mode: str = "RGB", **options: Any) -> bytes:
    """Return a picture whose red grows to the right and whose green grows downwards."""
    across = Image.linear_gradient("L").rotate(90).resize((width, height))
    down = Image.linear_gradient("L").resize((width, height))
    image = Image.merge("RGB", (across, down, Image.new("L", (width, height), 60))).convert(mode)
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def quarters(width: int, height: int, kind: str = "PNG", **options: Any) -> bytes:
    """Return a picture of four plain parts: red, green, blue, white, read like a page."""
    image = Image.new("RGB", (width, height))
    half = (width // 2, height // 2)
    for at, colour in enumerate(("red", "lime", "blue", "white")):
        image.paste(Image.new("RGB", half, colour), (half[0] * (at % 2), half[1] * (at // 2)))
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def huge_claim(width: int, height: int) -> bytes:
    """Return a PNG of few bytes that claims to have a certain size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(bytes(10_000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
