"""The eight EXIF orientations: from stored to displayed pixels, and back.

Source: EXIF 2.32, tag Orientation, 1 to 8; above 4 width and height are swapped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetrina.media.images.pixel_sizes import PixelSize

if TYPE_CHECKING:
    from PIL import Image


Box = tuple[int, int, int, int]  # left, top, right, bottom


def swap_oriented_size(size: PixelSize, orientation: int) -> PixelSize:
    """Return the displayed size for a stored size, and the other way round."""
    return PixelSize(size.height, size.width) if orientation > 4 else size


def rotate_upright(image: Image.Image, orientation: int) -> Image.Image:
    """Return an image as displayed."""
    from PIL.Image import Transpose

    turn = {
        2: Transpose.FLIP_LEFT_RIGHT, 3: Transpose.ROTATE_180, 4: Transpose.FLIP_TOP_BOTTOM, 5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270, 7: Transpose.TRANSVERSE, 8: Transpose.ROTATE_90,
    }.get(orientation)  # fmt: skip
    return image if turn is None else image.transpose(turn)


def map_box_to_stored(box: Box, whole: PixelSize, orientation: int) -> Box:
    """Return the box in the stored image of a part of the displayed one. whole: the stored size."""
    left, top, right, bottom = box
    if orientation > 4:
        left, top, right, bottom = top, left, bottom, right
    if orientation in (2, 3, 7, 8):
        left, right = whole.width - right, whole.width - left
    if orientation in (3, 4, 6, 7):
        top, bottom = whole.height - bottom, whole.height - top
    return left, top, right, bottom
