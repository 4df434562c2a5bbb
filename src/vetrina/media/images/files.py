"""Images as files: what their headers say, read without decoding a pixel, and opened for those who decode.

Libraries believe what a file says of itself, so they get no more of it than an honest header has. Icons and TIFF are
only measured here, by hand: the library would decode the one and copy whatever the tags of the other claim. Not here:
pixels (media/images/processing.py), the memory that they take (media/images/memory.py), the words of cameras
(media/images/exif.py). Source: PNG 1.2 with its extension eXIf, TIFF 6.0, EXIF 2.32 for the orientation.
"""

from __future__ import annotations

import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from vetrina.backends.decoding_memory import DecodingMemory
from vetrina.media.images.orientation import turned_size
from vetrina.media.images.sizes import Size
from vetrina.media.uploads.bounded_file import BoundedFile, HeaderTooLong
from vetrina.media.uploads.filetypes import FileRefused

if TYPE_CHECKING:
    from PIL import Image
    from PIL.ImageFile import ImageFile

__all__ = [
    "FORMATS", "READ_WHOLE", "SHOWN_AS", "Header", "bytes_to_open", "header", "is_readable", "opened", "orientation_of",
]  # fmt: skip

FORMATS: Final = {
    "image/jpeg": "JPEG", "image/png": "PNG", "image/gif": "GIF", "image/webp": "WEBP", "image/avif": "AVIF",
    "image/bmp": "BMP", "image/tiff": "TIFF", "image/x-icon": "ICO", "image/heic": "HEIF", "image/heif": "HEIF",
}  # fmt: skip
# Formats that are read where their library is installed, and shown as another one.
SHOWN_AS: Final = {"image/heic": "image/jpeg", "image/heif": "image/jpeg"}
# Formats whose libraries take the whole file into memory before they say anything of it.
READ_WHOLE: Final = frozenset({"image/webp", "image/avif", "image/heic", "image/heif"})
_LARGEST_WHOLE: Final = 128 << 20  # bytes of such a file; hundreds of megapixels fit in
_MOST_BYTES: Final = 16 << 20  # bytes of a header: profiles of colours, words, previews
_MOST_READS: Final = 1 << 16
_MOST_SEGMENTS: Final = 1 << 10  # reads of the header of a JPEG, whose library joins its segments one by one
_MOST_CHUNKS: Final = 1 << 17  # of a PNG of which each is 8 KB, as many programs write them: one of a gigabyte
_ORIENTATION: Final = 0x0112
_WIDTH, _HEIGHT = 256, 257  # tags of a TIFF
_INTEGERS: Final = {3: "H", 4: "I"}  # types of a tag → how such a value is packed
_PIXELS: Final = (b"IDAT", b"fdAT")  # chunks of a PNG
_TRUNCATED: Final = "its header ends too soon"
_TOO_LONG: Final = f"what it holds beside its pixels has more than {_MOST_BYTES >> 20} megabytes"


class Header(NamedTuple):
    """What an image says of itself. size: as it is shown, turned by its orientation (1 to 8, as EXIF numbers them)."""

    size: Size
    orientation: int


def is_readable(mime: str) -> bool:
    """Say whether images of a type can be read here."""
    return mime in FORMATS and (mime not in SHOWN_AS or _reads_heif())


def header(path: Path, mime: str, most_pixels: int, memory: DecodingMemory) -> Header | None:
    """Return what the header of an image says, None for a format that cannot be read here.

    Raises FileRefused for bytes that are no such image, and when it says more pixels than the site takes.
    """
    if not is_readable(mime):
        return None
    measured = {"image/x-icon": _icon, "image/tiff": _tiff}.get(mime)
    if measured is not None:
        with path.open("rb") as file:
            try:
                size, orientation = measured(file)
            except struct.error:
                raise FileRefused(reason=_TRUNCATED) from None
    else:
        with memory.hold(bytes_to_open(path, mime)), opened(path, mime) as image:
            size, orientation = Size(*image.size), orientation_of(image)
    if size.width * size.height > most_pixels:
        raise FileRefused(reason=f"it says {size.width} x {size.height} pixels; the site takes {most_pixels}")
    return Header(turned_size(size, orientation), orientation)


def bytes_to_open(path: Path, mime: str) -> int:
    """Return how many bytes of memory it takes to open an image: none worth naming where only its header is read."""
    return 2 * min(path.stat().st_size, _LARGEST_WHOLE) if mime in READ_WHOLE else 0


@contextmanager
def opened(path: Path, mime: str) -> Iterator[ImageFile]:
    """Open an image, its header only; its pixels are gone when the block is left. Raises FileRefused."""
    # A library that few requests need; it takes a while to load.
    from PIL import Image

    # The limit of the site counts; the library's own would only warn up to twice its own.
    Image.MAX_IMAGE_PIXELS = None
    # It warns of whatever cameras write wrongly, which nobody can mend.
    warnings.filterwarnings("ignore", category=UserWarning, module=r"PIL\.")
    whole = mime in READ_WHOLE
    if whole and path.stat().st_size > _LARGEST_WHOLE:
        raise FileRefused(reason=f"a file of the type {mime} may have {_LARGEST_WHOLE >> 20} megabytes at most")
    most = _LARGEST_WHOLE if whole else _MOST_BYTES
    with path.open("rb") as file:
        bounded = BoundedFile(file, most, _MOST_SEGMENTS if mime == "image/jpeg" else _MOST_READS, most + 1)
        try:
            # A bounded file has what is called of it, not all that its type names.
            image = Image.open(bounded, formats=[FORMATS[mime]])  # type: ignore[arg-type]
        except HeaderTooLong:
            raise FileRefused(reason=_TOO_LONG) from None
        except Exception as error:
            # The library raises whatever its codecs meet in a broken file.
            raise FileRefused(reason=f"its bytes are no image of the type {mime}") from error
        try:
            if mime == "image/png":
                _take_chunks(image, file)
            bounded.release()
            yield image
        finally:
            # Errors keep what they went through alive, pixels too.
            image.close()


def orientation_of(image: Image.Image) -> int:
    """Return how an image that was opened here is to be turned, without decoding it."""
    from PIL.Image import Image as AnyImage

    # What cameras and editors write is often broken, and never a reason to refuse an image. The method of the class:
    # that of PNG decodes the pixels first, to find what may stand behind them.
    try:
        found = AnyImage.getexif(image).get(_ORIENTATION, 1)
    except Exception:
        return 1
    return _turn(found)


def _turn(value: object) -> int:
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


@cache
def _reads_heif() -> bool:
    """Say whether the library for HEIC is installed, an extra of the package; it is made known here."""
    try:
        import pillow_heif
    except ImportError:
        return False
    pillow_heif.register_heif_opener(thumbnails=False)
    return True


# -- what the library does not read as we need it


def _take_chunks(image: Image.Image, file: BinaryIO) -> None:
    """Bound what a PNG holds beside its pixels, and take the words of its camera where they stand behind them.

    Raises FileRefused.
    """
    place, left = file.tell(), _MOST_BYTES
    file.seek(8)
    for _ in range(_MOST_CHUNKS):
        head = file.read(8)
        if len(head) < 8 or head[4:] == b"IEND":
            break
        kind, size = head[4:], int.from_bytes(head[:4], "big")
        if kind not in _PIXELS:
            left -= size
            if left < 0:
                raise FileRefused(reason=_TOO_LONG)
            if kind == b"eXIf" and "exif" not in image.info:
                image.info["exif"] = b"Exif\0\0" + file.read(size)
                size = 0
        file.seek(size + 4, 1)
    else:
        raise FileRefused(reason="it is in too many pieces")
    file.seek(place)


def _icon(file: BinaryIO) -> tuple[Size, int]:
    """Return the largest size that an icon names."""
    (count,) = struct.unpack_from("<H", file.read(6), 4)
    found = Size(0, 0)
    for _ in range(count):
        width, height = struct.unpack_from("BB", file.read(16))
        found = max(found, Size(width or 256, height or 256), key=lambda size: size.width * size.height)
    if not found.width:
        raise FileRefused(reason="it holds no image")
    return found, 1


def _tiff(file: BinaryIO) -> tuple[Size, int]:
    """Return size and orientation of the first page of a TIFF."""
    order = ">" if file.read(4) == b"MM\0*" else "<"
    file.seek(struct.unpack(f"{order}I", file.read(4))[0])
    (count,) = struct.unpack(f"{order}H", file.read(2))
    entries = file.read(count * 12)
    told: dict[int, int] = {}
    for at in range(0, len(entries) - 11, 12):
        tag, kind, values = struct.unpack_from(f"{order}HHI", entries, at)
        if values == 1 and kind in _INTEGERS:
            told.setdefault(tag, struct.unpack_from(order + _INTEGERS[kind], entries, at + 8)[0])
    size = Size(told.get(_WIDTH, 0), told.get(_HEIGHT, 0))
    if not (size.width and size.height):
        raise FileRefused(reason="it says no size")
    return size, _turn(told.get(_ORIENTATION, 1))
