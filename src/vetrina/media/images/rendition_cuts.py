"""Which part of an image a rendition shows, and in which size: arithmetic only.

Making it: media/images/renditions.py. Rules: docs/rules/pictures.md, 3.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from vetrina.media.images.pixel_sizes import PixelSize, SubSizeCut, fit_into_box
from vetrina.media.images.rendition_parameters import MAX_SIDE, RenditionParameters


class FocalPoint(NamedTuple):
    """What must stay in sight: shares of width and height from the upper left corner, 0 to 1."""

    x: float = 0.5
    y: float = 0.5


class RenditionCut(NamedTuple):
    """A part in a size, and the canvas in whose middle it stands: as large as the part, or larger."""

    cut: SubSizeCut
    canvas: PixelSize


def compute_rendition_cut(size: PixelSize, wanted: RenditionParameters, focal_point: FocalPoint) -> RenditionCut:
    """Return what a rendition of an image shows; no pixel of the image is ever enlarged.

    size: of the image as displayed.
    """
    box = PixelSize(_scale(wanted.width, wanted.ratio), _scale(wanted.height, wanted.ratio))
    if wanted.fit == "cover" and all(box):
        cut = _build_covering_cut(size, box, focal_point)
        return RenditionCut(cut, cut.size)
    inside = fit_into_box(size, PixelSize(box.width or MAX_SIDE, box.height or MAX_SIDE))
    cut = SubSizeCut(inside, (0, 0, *size))
    return RenditionCut(cut, box if wanted.fit == "contain" and all(box) else inside)


def _scale(length: int, ratio: float) -> int:
    return min(MAX_SIDE, math.floor(length * ratio + 0.5))


def _build_covering_cut(size: PixelSize, box: PixelSize, focal_point: FocalPoint) -> SubSizeCut:
    """Return the largest part with the ratio of `box`, as near to the focal point's middle as the edges allow."""
    ratio = max(box.width / size.width, box.height / size.height)
    width = min(size.width, max(1, round(box.width / ratio)))
    height = min(size.height, max(1, round(box.height / ratio)))
    left = _place(focal_point.x, width, size.width)
    top = _place(focal_point.y, height, size.height)
    target = box if ratio <= 1 else PixelSize(width, height)
    return SubSizeCut(target, (left, top, left + width, top + height))


def _place(share: float, length: int, whole: int) -> int:
    return max(0, min(whole - length, round(share * whole - length / 2)))
