"""How much memory an image takes while it is decoded, by its header; measured with images of 25 and 100 megapixels.

Not here: who waits for memory (backends/decoding_memory.py), which images are refused (media/images/files.py), the work
(media/images/processing.py).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from vetrina.backends.decoding_memory import DecodingMemory
from vetrina.media.images.files import READ_WHOLE, bytes_to_open, opened, orientation_of
from vetrina.media.images.orientation import turned_size
from vetrina.media.images.sizes import Size

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["bytes_to_change", "bytes_to_decode", "bytes_to_make"]

_PIXEL: Final = 4  # bytes of a pixel of colours, as they lie in memory
_NARROW: Final = {"1": 1, "L": 1, "P": 1, "I;16": 2, "I;16L": 2, "I;16B": 2}
_COPIES: Final = 3  # of what is made of an image: as it was cut, as it is turned, and while it is encoded
_ENCODED: Final = {"image/webp": 6, "image/avif": 6}  # likewise, where the encoder has planes of its own
_BANDS: Final = 32 << 20  # bytes of the bands in which an image is made smaller, and of the codecs
# Bytes a pixel of formats whose libraries have planes, canvases and copies of their own.
_CODECS: Final = {"image/webp": 16, "image/avif": 16, "image/heic": 12, "image/heif": 12}
_COEFFICIENT: Final = 2  # bytes of each of a JPEG that is not decoded row by row


def bytes_to_decode(path: Path, mime: str, longest: Size | None, memory: DecodingMemory) -> int:
    """Return how many bytes an image takes while it is decoded. Raises FileRefused.

    longest: the size, as it is shown, that it may be decoded down to; None where all of it is wanted.
    """
    with memory.hold(bytes_to_open(path, mime)), opened(path, mime) as image:
        size = Size(*image.size)
        pixels = size.width * size.height
        if mime in READ_WHOLE:
            return pixels * _CODECS[mime] + bytes_to_open(path, mime)
        if mime != "image/jpeg":
            # Beside the image a copy of half its sides.
            return pixels * (_NARROW.get(image.mode, _PIXEL) + 1) + _BANDS
        asked = turned_size(longest, orientation_of(image)) if longest else size
        scale = min(size.width // max(1, asked.width), size.height // max(1, asked.height))
        side = next((side for side in (8, 4, 2) if side <= scale), 1)
        return pixels * _NARROW.get(image.mode, _PIXEL) // side**2 + _coefficients(image) + _BANDS


def bytes_to_make(size: Size, mime: str) -> int:
    """Return how many bytes it takes to make an image of a size from a decoded one, and its file."""
    return size.width * size.height * _PIXEL * _ENCODED.get(mime, _COPIES)


def bytes_to_change(path: Path, mime: str, memory: DecodingMemory) -> int:
    """Return how many bytes it takes to turn and cut an image. Raises FileRefused."""
    with memory.hold(bytes_to_open(path, mime)), opened(path, mime) as image:
        # What is turned by an odd angle lies in a box of twice as many pixels.
        return 2 * bytes_to_make(Size(*image.size), mime)


def _coefficients(image: Image.Image) -> int:
    """Return the bytes of a JPEG's coefficients, all of which are in memory where its scans do not hold everything."""
    layers = getattr(image, "layer", [])
    most = max((across * down for _, across, down, _ in layers), default=1) or 1
    share = sum(across * down for _, across, down, _ in layers) / most
    return 0 if _is_in_one_scan(image, len(layers)) else int(image.width * image.height * share * _COEFFICIENT)


def _is_in_one_scan(image: Image.Image, components: int) -> bool:
    """Say whether the first scan of a JPEG, behind whose header the library stands, holds all that there is."""
    file = getattr(image, "fp", None)
    if file is None or image.info.get("progressive"):
        return False
    place, size = file.tell(), 6 + 2 * components
    file.seek(max(0, place - size))
    head = file.read(3)
    file.seek(place)
    return bool(head == size.to_bytes(2, "big") + bytes([components]))
