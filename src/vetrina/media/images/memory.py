"""How much memory decoding an image takes, by its header; measured with images of 25 and 100 megapixels.

Waiting for memory: backends/decoding_memory.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from vetrina.backends.decoding_memory import DecodingMemory
from vetrina.media.images.headers import WHOLE_FILE_TYPES, compute_open_bytes, open_image, read_orientation
from vetrina.media.images.orientation import swap_oriented_size
from vetrina.media.images.pixel_sizes import PixelSize

if TYPE_CHECKING:
    from PIL import Image


_PIXEL_BYTES: Final = 4  # bytes of a colour pixel in memory
_MODE_BYTES: Final = {"1": 1, "L": 1, "P": 1, "I;16": 2, "I;16L": 2, "I;16B": 2}
_COPIES_MADE: Final = 3  # copies of a result: cropped, rotated, and while it is encoded
_ENCODER_COPIES: Final = {"image/webp": 6, "image/avif": 6}  # the same for encoders with planes of their own
_BAND_BYTES: Final = 32 << 20  # bytes of the bands in which an image is reduced, and of the codecs
# Bytes per pixel of formats whose libraries have planes, canvases and copies of their own.
_CODECS: Final = {"image/webp": 16, "image/avif": 16, "image/heic": 12, "image/heif": 12}
_COEFFICIENT_BYTES: Final = 2  # bytes per coefficient of a JPEG that is not decoded row by row


def compute_decode_bytes(path: Path, mime: str, longest: PixelSize | None, memory: DecodingMemory) -> int:
    """Return how many bytes decoding an image takes. Raises FileRefused.

    longest: the displayed size that it may be reduced to while decoding; None for full size.
    """
    with memory.hold(compute_open_bytes(path, mime)), open_image(path, mime) as image:
        size = PixelSize(*image.size)
        pixels = size.width * size.height
        if mime in WHOLE_FILE_TYPES:
            return pixels * _CODECS[mime] + compute_open_bytes(path, mime)
        if mime != "image/jpeg":
            # In addition to the image, a copy of half its width and height.
            return pixels * (_MODE_BYTES.get(image.mode, _PIXEL_BYTES) + 1) + _BAND_BYTES
        target = swap_oriented_size(longest, read_orientation(image)) if longest else size
        scale = min(size.width // max(1, target.width), size.height // max(1, target.height))
        side = next((side for side in (8, 4, 2) if side <= scale), 1)
        return (
            pixels * _MODE_BYTES.get(image.mode, _PIXEL_BYTES) // side**2
            + _compute_coefficient_bytes(image)
            + _BAND_BYTES
        )


def compute_encode_bytes(size: PixelSize, mime: str) -> int:
    """Return how many bytes it takes to make an image of a size from a decoded one, and to encode it."""
    return size.width * size.height * _PIXEL_BYTES * _ENCODER_COPIES.get(mime, _COPIES_MADE)


def compute_edit_bytes(path: Path, mime: str, memory: DecodingMemory) -> int:
    """Return how many bytes it takes to rotate and crop an image. Raises FileRefused."""
    with memory.hold(compute_open_bytes(path, mime)), open_image(path, mime) as image:
        # Rotated by an arbitrary angle, an image fills a box of twice as many pixels.
        return 2 * compute_encode_bytes(PixelSize(*image.size), mime)


def _compute_coefficient_bytes(image: Image.Image) -> int:
    """Return the bytes of a JPEG's coefficients, all of which stay in memory if it has several scans."""
    layers = getattr(image, "layer", [])
    most = max((across * down for _, across, down, _ in layers), default=1) or 1
    share = sum(across * down for _, across, down, _ in layers) / most
    return 0 if _is_in_one_scan(image, len(layers)) else int(image.width * image.height * share * _COEFFICIENT_BYTES)


def _is_in_one_scan(image: Image.Image, components: int) -> bool:
    """Return whether the first scan of a JPEG contains all components; the file is positioned after the header."""
    file = getattr(image, "fp", None)
    if file is None or image.info.get("progressive"):
        return False
    position, size = file.tell(), 6 + 2 * components
    file.seek(max(0, position - size))
    head = file.read(3)
    file.seek(position)
    return bool(head == size.to_bytes(2, "big") + bytes([components]))
