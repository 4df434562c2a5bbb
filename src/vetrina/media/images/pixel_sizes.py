"""Which sub-sizes an image has, the dimensions of each and the names of their files: arithmetic only.

Making them: media/images/processing.py. The sizes of a site: its profile. Rules: docs/rules/images.md, 1, 2 and 4;
halves are rounded up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

from vetrina.image_settings import ImageSize

_ROUNDING_TOLERANCE: Final = 1.5  # pixels of difference after two roundings
_SAME = 1  # pixels by which two lengths may differ and still count as equal


class PixelSize(NamedTuple):
    """Width and height in pixels."""

    width: int
    height: int


class SubSize(msgspec.Struct, frozen=True):
    """A smaller file of an image. filesize: bytes."""

    file: str
    width: int
    height: int
    filesize: int
    mime_type: str


class SubSizeCut(NamedTuple):
    """A sub-size: its dimensions, and the part of the image that it shows (left, top, right, bottom)."""

    size: PixelSize
    box: tuple[int, int, int, int]


def fit_into_box(size: PixelSize, box: PixelSize) -> PixelSize:
    """Return the largest size inside `box` with the ratio of `size` and not larger than it.

    box: a 0 leaves that side free.
    """
    width, height = size
    by_width = box.width / width if 0 < box.width < width else 1.0
    by_height = box.height / height if 0 < box.height < height else 1.0
    ratio = max(by_width, by_height)
    if (0 < box.width < _round_half_up(width * ratio)) or (0 < box.height < _round_half_up(height * ratio)):
        ratio = min(by_width, by_height)
    found = PixelSize(max(1, _round_half_up(width * ratio)), max(1, _round_half_up(height * ratio)))
    # Rounding can leave the limiting side one pixel short.
    if by_width < 1 and found.width == box.width - 1:
        found = found._replace(width=box.width)
    if by_height < 1 and found.height == box.height - 1:
        found = found._replace(height=box.height)
    return found


def compute_sub_sizes(size: PixelSize, sizes: Mapping[str, ImageSize]) -> dict[str, SubSizeCut]:
    """Return the sub-sizes of an image by name; none that would be as large as the image itself."""
    out = {}
    for name, wanted in sizes.items():
        box = PixelSize(wanted.width, wanted.height)
        cut = fill_box(size, box) if wanted.crop else SubSizeCut(fit_into_box(size, box), (0, 0, *size))
        if not _is_same_size(cut.size, size):
            out[name] = cut
    return out


def compute_scaled_size(size: PixelSize, longest: int) -> PixelSize | None:
    """Return the size that a large image is scaled down to, None if it stays as it is; longest: 0 for no limit."""
    if not longest or max(size) <= longest:
        return None
    return fit_into_box(size, PixelSize(longest, longest))


def fill_box(size: PixelSize, box: PixelSize) -> SubSizeCut:
    """Return a size that is filled exactly: the excess is cropped equally on both sides; nothing is enlarged.

    box: a 0 leaves that side as long as the image's.
    """
    target = PixelSize(min(box.width or size.width, size.width), min(box.height or size.height, size.height))
    ratio = max(target.width / size.width, target.height / size.height)
    width, height = (
        min(size.width, _round_half_up(target.width / ratio)),
        min(size.height, _round_half_up(target.height / ratio)),
    )
    left, top = (size.width - width) // 2, (size.height - height) // 2
    return SubSizeCut(target, (left, top, left + width, top + height))


def build_size_suffix(size: PixelSize) -> str:
    """Return what the name of a sub-size's file has behind that of the image."""
    return f"-{size.width}x{size.height}"


def has_same_ratio(one: PixelSize, other: PixelSize) -> bool:
    """Return whether two sizes show the same part of an image, but for a rounding difference of one pixel."""
    larger, smaller = (one, other) if one.width > other.width else (other, one)
    return abs(larger.height * smaller.width / larger.width - smaller.height) < _ROUNDING_TOLERANCE


def _is_same_size(one: PixelSize, other: PixelSize) -> bool:
    return abs(one.width - other.width) <= _SAME and abs(one.height - other.height) <= _SAME


def _round_half_up(value: float) -> int:
    return math.floor(value + 0.5)
