"""Which sub-sizes an image has, and how large each becomes: arithmetic only.

Not here: making them (media/images/processing.py), the sizes of a site (its profile).
Rules: facts of the interface, "Sub-sizes"; halves are rounded up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from vetrina.settings import ImageSize

__all__ = ["Cut", "Size", "fit", "scaled", "wanted"]

_SAME = 1  # pixels by which two lengths may differ and still count as the same


class Size(NamedTuple):
    """Width and height in pixels."""

    width: int
    height: int


class Cut(NamedTuple):
    """A sub-size: its own size, and the part of the image that it shows (left, top, right, bottom)."""

    size: Size
    box: tuple[int, int, int, int]


def fit(size: Size, box: Size) -> Size:
    """Return the largest size inside `box` that keeps the ratio of `size` and is not larger than it.

    box: a 0 leaves that side free.
    """
    width, height = size
    by_width = box.width / width if 0 < box.width < width else 1.0
    by_height = box.height / height if 0 < box.height < height else 1.0
    ratio = max(by_width, by_height)
    if (0 < box.width < _rounded(width * ratio)) or (0 < box.height < _rounded(height * ratio)):
        ratio = min(by_width, by_height)
    found = Size(max(1, _rounded(width * ratio)), max(1, _rounded(height * ratio)))
    # Rounding can leave the side that gave the ratio one pixel short.
    if by_width < 1 and found.width == box.width - 1:
        found = found._replace(width=box.width)
    if by_height < 1 and found.height == box.height - 1:
        found = found._replace(height=box.height)
    return found


def wanted(size: Size, sizes: Mapping[str, ImageSize]) -> dict[str, Cut]:
    """Return the sub-sizes that an image has, by name; none that would be as large as the image itself."""
    out = {}
    for name, asked in sizes.items():
        cut = _cropped(size, asked) if asked.crop else _whole(size, asked)
        if not _same(cut.size, size):
            out[name] = cut
    return out


def scaled(size: Size, longest: int) -> Size | None:
    """Return the size to which a large image is brought, None where it stays as it is; longest: 0 for no limit."""
    if not longest or max(size) <= longest:
        return None
    return fit(size, Size(longest, longest))


def _whole(size: Size, asked: ImageSize) -> Cut:
    return Cut(fit(size, Size(asked.width, asked.height)), (0, 0, *size))


def _cropped(size: Size, asked: ImageSize) -> Cut:
    """Return a size that is filled: what sticks out is cut off on both sides alike."""
    target = Size(min(asked.width or size.width, size.width), min(asked.height or size.height, size.height))
    ratio = max(target.width / size.width, target.height / size.height)
    width, height = min(size.width, _rounded(target.width / ratio)), min(size.height, _rounded(target.height / ratio))
    left, top = (size.width - width) // 2, (size.height - height) // 2
    return Cut(target, (left, top, left + width, top + height))


def _same(one: Size, other: Size) -> bool:
    return abs(one.width - other.width) <= _SAME and abs(one.height - other.height) <= _SAME


def _rounded(value: float) -> int:
    return math.floor(value + 0.5)
