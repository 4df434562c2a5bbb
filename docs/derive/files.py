"""Files that the examples send: a picture, and a translator's file with its targets filled."""

from __future__ import annotations

import io
import re

from PIL import Image, ImageDraw

__all__ = ["drawn", "filled"]


def drawn(size: str) -> bytes:
    """Return a PNG picture, a sky over the sea. size: `WIDTHxHEIGHT` in pixels."""
    width, height = (int(side) for side in size.split("x"))
    image = Image.new("RGB", (width, height), (244, 214, 170))
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, height * 6 // 10, width, height), fill=(40, 92, 120))
    pen.ellipse(
        (width * 6 // 10, height * 3 // 10, width * 7 // 10, height * 3 // 10 + width // 10), fill=(230, 120, 70)
    )
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def filled(xliff: str, pairs: str) -> str:
    """Return a job's file with its targets filled: each source with its texts replaced.

    pairs: `text=translation`, parted by `|`. Raises ValueError when the file lacks one of the texts.
    """
    texts = [pair.split("=", 1) for pair in pairs.split("|")]
    for text, _ in texts:
        if text not in xliff:
            raise ValueError(f"the file has no text {text!r}")

    def unit(found: re.Match[str]) -> str:
        told = found[2]
        for text, translation in texts:
            told = told.replace(text, translation)
        return f"{found[1]}{found[2]}{found[3]}{told}]]>"

    return _UNIT.sub(unit, xliff)


_UNIT = re.compile(r"(<source><!\[CDATA\[)(.*?)(\]\]></source><target><!\[CDATA\[)\]\]>", re.DOTALL)
