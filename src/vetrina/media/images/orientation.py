"""The eight ways in which a camera may have been held: from what is stored to what is shown, and back.

Source: EXIF 2.32, tag Orientation, 1 to 8; above 4 width and height change places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vetrina.media.images.sizes import Size

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["box_as_stored", "turned_size", "upright"]

Box = tuple[int, int, int, int]  # left, top, right, bottom


def turned_size(size: Size, orientation: int) -> Size:
    """Return the shown size of what is stored in a size, and the other way round."""
    return Size(size.height, size.width) if orientation > 4 else size


def upright(image: Image.Image, orientation: int) -> Image.Image:
    """Return an image as it is shown."""
    from PIL.Image import Transpose

    turn = {
        2: Transpose.FLIP_LEFT_RIGHT, 3: Transpose.ROTATE_180, 4: Transpose.FLIP_TOP_BOTTOM, 5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270, 7: Transpose.TRANSVERSE, 8: Transpose.ROTATE_90,
    }.get(orientation)  # fmt: skip
    return image if turn is None else image.transpose(turn)


def box_as_stored(box: Box, whole: Size, orientation: int) -> Box:
    """Return where a part of the shown image lies in the stored one. whole: the size that is stored."""
    left, top, right, bottom = box
    if orientation > 4:
        left, top, right, bottom = top, left, bottom, right
    if orientation in (2, 3, 7, 8):
        left, right = whole.width - right, whole.width - left
    if orientation in (3, 4, 6, 7):
        top, bottom = whole.height - bottom, whole.height - top
    return left, top, right, bottom
