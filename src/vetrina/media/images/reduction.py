"""Parts of an image in smaller sizes, made band by band, so that no copy of the whole is ever in memory.

A palette, inks or sixteen bits become colours of eight bits in a band at a time; what is see-through is weighed by how
much of it is seen, likewise. Not here: which parts and sizes (media/images/sizes.py).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from vetrina.media.images.sizes import Size

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["plain", "reduced"]

Box = tuple[float, float, float, float]  # left, top, right, bottom

_ENOUGH: Final = 2.0  # times as many pixels a side as the result has: from there on nothing is lost
_REACH: Final = 3  # pixels of the result on which the filter looks at either side
_BAND: Final = 2 << 20  # pixels of a band


def reduced(source: Image.Image, size: Size, box: Box) -> Image.Image:
    """Return a part of an image in another size, with one, three or four channels of eight bits."""
    if size == source.size and box == (0, 0, *size):
        return plain(source)
    # As much as possible by plain averages of whole blocks, which is faster.
    across = max(1, int((box[2] - box[0]) / size.width / _ENOUGH))
    down = max(1, int((box[3] - box[1]) / size.height / _ENOUGH))
    if (across, down) != (1, 1):
        source = _join(_averages(source, across, down), Size(-(-source.width // across), -(-source.height // down)))
        box = (box[0] / across, box[1] / down, box[2] / across, box[3] / down)
    return _join(_resampled(source, size, box), size)


def _averages(source: Image.Image, across: int, down: int) -> Iterator[Image.Image]:
    """Give the bands of an image each of whose pixels is the average of a block of so many."""
    rows = max(1, _BAND // source.width // down) * down
    for top in range(0, source.height, rows):
        yield _weighed(source, top, min(source.height, top + rows)).reduce((across, down))


def _resampled(source: Image.Image, size: Size, box: Box) -> Iterator[Image.Image]:
    """Give the bands of a part of an image in another size, made by a filter that looks at the pixels around."""
    from PIL.Image import Resampling

    left, upper = max(0.0, box[0]), max(0.0, box[1])
    right, lower = min(box[2], source.width), min(box[3], source.height)
    high = (lower - upper) / size.height
    reach = math.ceil(_REACH * max(high, 1.0)) + 1
    rows = max(1, int(_BAND / source.width / high))
    for top in range(0, size.height, rows):
        bottom = min(size.height, top + rows)
        start, end = upper + top * high, min(lower, upper + bottom * high)
        first, last = max(0, math.floor(start) - reach), min(source.height, math.ceil(end) + reach)
        part = (left, start - first, right, end - first)
        band = _weighed(source, first, last).resize((size.width, bottom - top), Resampling.LANCZOS, part)
        yield band.convert("RGBA") if band.mode == "RGBa" else band


def _weighed(source: Image.Image, top: int, bottom: int) -> Image.Image:
    """Return some rows of an image, whose colours count for as much as is seen of them."""
    whole = (top, bottom) == (0, source.height)
    band = source if whole else source.crop((0, top, source.width, bottom))
    if band.mode == "RGBa":
        return band
    band = plain(band)
    return band.convert("RGBa") if band.mode == "RGBA" else band


def _join(bands: Iterator[Image.Image], size: Size) -> Image.Image:
    """Return the image that bands make, the uppermost first."""
    from PIL import Image

    made = next(bands)
    row = made.height
    if row == size.height:
        return made
    whole = Image.new(made.mode, size)
    whole.paste(made)
    for band in bands:
        whole.paste(band, (0, row))
        row += band.height
    return whole


def plain(image: Image.Image) -> Image.Image:
    """Return an image with one, three or four channels of eight bits; itself where it is one."""
    if image.mode in ("L", "RGB", "RGBA"):
        return image
    if image.mode in ("P", "PA", "LA", "La", "RGBa", "1"):
        see_through = image.has_transparency_data
        return image.convert("RGBA" if see_through else "L" if image.mode == "1" else "RGB")
    if image.mode.startswith("I;16"):
        return image.point(lambda level: level / 256).convert("L")
    return image.convert("RGB")
