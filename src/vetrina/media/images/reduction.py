"""Parts of an image in smaller sizes, made band by band, so that no copy of the whole is ever in memory.

Palette, CMYK or sixteen-bit pixels are converted to eight-bit colours one band at a time; transparent pixels are
weighted by their alpha in the same way. Which parts and sizes: media/images/pixel_sizes.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from vetrina.media.images.pixel_sizes import PixelSize

if TYPE_CHECKING:
    from PIL import Image


Box = tuple[float, float, float, float]  # left, top, right, bottom

_OVERSAMPLING: Final = 2.0  # times as many pixels per side as the result: more would not improve it
_FILTER_REACH: Final = 3  # pixels of the result that the filter covers on either side
_BAND_PIXELS: Final = 2 << 20  # pixels per band


def resize_image_part(source: Image.Image, size: PixelSize, box: Box) -> Image.Image:
    """Return a part of an image in another size, with one, three or four channels of eight bits."""
    if size == source.size and box == (0, 0, *size):
        return normalize_image_mode(source)
    # As much as possible by plain averages of whole blocks, which is faster.
    across = max(1, int((box[2] - box[0]) / size.width / _OVERSAMPLING))
    down = max(1, int((box[3] - box[1]) / size.height / _OVERSAMPLING))
    if (across, down) != (1, 1):
        source = _join_bands(
            _iterate_averaged_bands(source, across, down),
            PixelSize(-(-source.width // across), -(-source.height // down)),
        )
        box = (box[0] / across, box[1] / down, box[2] / across, box[3] / down)
    return _join_bands(_iterate_resampled_bands(source, size, box), size)


def _iterate_averaged_bands(source: Image.Image, across: int, down: int) -> Iterator[Image.Image]:
    """Yield the bands of an image whose pixels are averages of blocks of `across` × `down` pixels."""
    rows = max(1, _BAND_PIXELS // source.width // down) * down
    for top in range(0, source.height, rows):
        yield _crop_premultiplied_band(source, top, min(source.height, top + rows)).reduce((across, down))


def _iterate_resampled_bands(source: Image.Image, size: PixelSize, box: Box) -> Iterator[Image.Image]:
    """Yield the bands of a part of an image in another size, resampled with a filter."""
    from PIL.Image import Resampling

    left, upper = max(0.0, box[0]), max(0.0, box[1])
    right, lower = min(box[2], source.width), min(box[3], source.height)
    high = (lower - upper) / size.height
    reach = math.ceil(_FILTER_REACH * max(high, 1.0)) + 1
    rows = max(1, int(_BAND_PIXELS / source.width / high))
    for top in range(0, size.height, rows):
        bottom = min(size.height, top + rows)
        start, end = upper + top * high, min(lower, upper + bottom * high)
        first, last = max(0, math.floor(start) - reach), min(source.height, math.ceil(end) + reach)
        part = (left, start - first, right, end - first)
        band = _crop_premultiplied_band(source, first, last).resize(
            (size.width, bottom - top), Resampling.LANCZOS, part
        )
        yield band.convert("RGBA") if band.mode == "RGBa" else band


def _crop_premultiplied_band(source: Image.Image, top: int, bottom: int) -> Image.Image:
    """Return some rows of an image, with colours premultiplied by alpha."""
    whole = (top, bottom) == (0, source.height)
    band = source if whole else source.crop((0, top, source.width, bottom))
    if band.mode == "RGBa":
        return band
    band = normalize_image_mode(band)
    return band.convert("RGBa") if band.mode == "RGBA" else band


def _join_bands(bands: Iterator[Image.Image], size: PixelSize) -> Image.Image:
    """Join bands into an image, the uppermost first."""
    from PIL import Image

    first = next(bands)
    row = first.height
    if row == size.height:
        return first
    whole = Image.new(first.mode, size)
    whole.paste(first)
    for band in bands:
        whole.paste(band, (0, row))
        row += band.height
    return whole


def normalize_image_mode(image: Image.Image) -> Image.Image:
    """Return an image with one, three or four channels of eight bits; the image itself if it has them."""
    if image.mode in ("L", "RGB", "RGBA"):
        return image
    if image.mode in ("P", "PA", "LA", "La", "RGBa", "1"):
        see_through = image.has_transparency_data
        return image.convert("RGBA" if see_through else "L" if image.mode == "1" else "RGB")
    if image.mode.startswith("I;16"):
        return image.point(lambda level: level / 256).convert("L")
    return image.convert("RGB")
