"""Images as files: headers read without decoding a pixel, and files opened for decoding.

Libraries trust what a file claims, so they get no more of it than an honest header has. Icons and TIFF are only
measured here, by our own code: the library would decode the former and copy whatever the tags of the latter claim.
Pixels: media/images/processing.py. Source: PNG 1.2 with its extension eXIf, TIFF 6.0, EXIF 2.32 for the orientation.
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
from vetrina.media.images.orientation import swap_oriented_size
from vetrina.media.images.pixel_sizes import PixelSize
from vetrina.media.uploads.bounded_file import BoundedFile, HeaderTooLong
from vetrina.media.uploads.filetypes import FileRefused

if TYPE_CHECKING:
    from PIL import Image
    from PIL.ImageFile import ImageFile


FORMATS: Final = {
    "image/jpeg": "JPEG", "image/png": "PNG", "image/gif": "GIF", "image/webp": "WEBP", "image/avif": "AVIF",
    "image/bmp": "BMP", "image/tiff": "TIFF", "image/x-icon": "ICO", "image/heic": "HEIF", "image/heif": "HEIF",
}  # fmt: skip
# Formats that are read if their library is installed, and displayed in another format.
DISPLAY_TYPES: Final = {"image/heic": "image/jpeg", "image/heif": "image/jpeg"}
# Formats whose libraries load the whole file before they report anything of it.
WHOLE_FILE_TYPES: Final = frozenset({"image/webp", "image/avif", "image/heic", "image/heif"})
_MAX_WHOLE_BYTES: Final = 128 << 20  # bytes of such a file; enough for hundreds of megapixels
_MAX_HEADER_BYTES: Final = 16 << 20  # bytes of a header: colour profiles, texts, previews
_MAX_READS: Final = 1 << 16
_MAX_SEGMENTS: Final = 1 << 10  # reads of a JPEG header, whose library joins its segments one by one
_MAX_CHUNKS: Final = 1 << 17  # chunks of a PNG; at the usual 8 KB each, a file of one gigabyte
_ORIENTATION: Final = 0x0112
_WIDTH, _HEIGHT = 256, 257  # TIFF tags
_INTEGERS: Final = {3: "H", 4: "I"}  # value type of a tag → its struct format
_PIXEL_CHUNKS: Final = (b"IDAT", b"fdAT")  # PNG chunks
_TRUNCATED: Final = "its header ends too soon"
_TOO_LONG: Final = f"what it holds beside its pixels has more than {_MAX_HEADER_BYTES >> 20} megabytes"


class ImageHeader(NamedTuple):
    """An image's header. size: as displayed, after applying its orientation (1 to 8, as in EXIF)."""

    size: PixelSize
    orientation: int


def is_readable(mime: str) -> bool:
    """Return whether images of a type can be read here."""
    return mime in FORMATS and (mime not in DISPLAY_TYPES or _has_heif_support())


def read_image_header(path: Path, mime: str, most_pixels: int, memory: DecodingMemory) -> ImageHeader | None:
    """Return the header of an image, None for a format that cannot be read here.

    Raises FileRefused for bytes that are no such image, and if it claims more pixels than the site accepts.
    """
    if not is_readable(mime):
        return None
    measured = {"image/x-icon": _read_icon_header, "image/tiff": _read_tiff_header}.get(mime)
    if measured is not None:
        with path.open("rb") as file:
            try:
                size, orientation = measured(file)
            except struct.error:
                raise FileRefused(reason=_TRUNCATED) from None
    else:
        with memory.hold(compute_open_bytes(path, mime)), open_image(path, mime) as image:
            size, orientation = PixelSize(*image.size), read_orientation(image)
    if size.width * size.height > most_pixels:
        raise FileRefused(reason=f"it says {size.width} x {size.height} pixels; the site takes {most_pixels}")
    return ImageHeader(swap_oriented_size(size, orientation), orientation)


def compute_open_bytes(path: Path, mime: str) -> int:
    """Return how many bytes of memory it takes to open an image: 0 where only the header is read."""
    return 2 * min(path.stat().st_size, _MAX_WHOLE_BYTES) if mime in WHOLE_FILE_TYPES else 0


@contextmanager
def open_image(path: Path, mime: str) -> Iterator[ImageFile]:
    """Open an image, its header only; its pixels are freed at the end of the block. Raises FileRefused."""
    # Imported late: few requests need it, and it takes a while to load.
    from PIL import Image

    # The site's limit applies; the library's own would only warn up to twice its value.
    Image.MAX_IMAGE_PIXELS = None
    # It warns about malformed camera metadata, which nobody can fix.
    warnings.filterwarnings("ignore", category=UserWarning, module=r"PIL\.")
    whole = mime in WHOLE_FILE_TYPES
    if whole and path.stat().st_size > _MAX_WHOLE_BYTES:
        raise FileRefused(reason=f"a file of the type {mime} may have {_MAX_WHOLE_BYTES >> 20} megabytes at most")
    most = _MAX_WHOLE_BYTES if whole else _MAX_HEADER_BYTES
    with path.open("rb") as file:
        bounded = BoundedFile(file, most, _MAX_SEGMENTS if mime == "image/jpeg" else _MAX_READS, most + 1)
        try:
            # BoundedFile has the methods that are called, not all that the annotation names.
            image = Image.open(bounded, formats=[FORMATS[mime]])  # type: ignore[arg-type]
        except HeaderTooLong:
            raise FileRefused(reason=_TOO_LONG) from None
        except Exception as error:
            # The library raises arbitrary exceptions on a broken file.
            raise FileRefused(reason=f"its bytes are no image of the type {mime}") from error
        try:
            if mime == "image/png":
                _scan_png_chunks(image, file)
            bounded.remove_limit()
            yield image
        finally:
            # Tracebacks keep local variables alive, pixels too.
            image.close()


def read_orientation(image: Image.Image) -> int:
    """Return the orientation of an opened image, without decoding it."""
    from PIL.Image import Image as AnyImage

    # Metadata of cameras and editors is often broken, and never a reason to refuse an image. The base class's method:
    # that of PNG decodes the pixels first, to find metadata behind them.
    try:
        found = AnyImage.getexif(image).get(_ORIENTATION, 1)
    except Exception:
        return 1
    return _normalize_orientation(found)


def _normalize_orientation(value: object) -> int:
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


@cache
def _has_heif_support() -> bool:
    """Return whether the HEIC library, an optional extra, is installed; registers it with Pillow."""
    try:
        import pillow_heif
    except ImportError:
        return False
    pillow_heif.register_heif_opener(thumbnails=False)
    return True


# -- formats that are read here, not by the library


def _scan_png_chunks(image: Image.Image, file: BinaryIO) -> None:
    """Bound what a PNG holds beside its pixels, and read camera metadata placed behind them.

    Raises FileRefused.
    """
    position, left = file.tell(), _MAX_HEADER_BYTES
    file.seek(8)
    for _ in range(_MAX_CHUNKS):
        head = file.read(8)
        if len(head) < 8 or head[4:] == b"IEND":
            break
        kind, size = head[4:], int.from_bytes(head[:4], "big")
        if kind not in _PIXEL_CHUNKS:
            left -= size
            if left < 0:
                raise FileRefused(reason=_TOO_LONG)
            if kind == b"eXIf" and "exif" not in image.info:
                image.info["exif"] = b"Exif\0\0" + file.read(size)
                size = 0
        file.seek(size + 4, 1)
    else:
        raise FileRefused(reason="it is in too many pieces")
    file.seek(position)


def _read_icon_header(file: BinaryIO) -> tuple[PixelSize, int]:
    """Return the largest size in an icon file."""
    (count,) = struct.unpack_from("<H", file.read(6), 4)
    found = PixelSize(0, 0)
    for _ in range(count):
        width, height = struct.unpack_from("BB", file.read(16))
        found = max(found, PixelSize(width or 256, height or 256), key=lambda size: size.width * size.height)
    if not found.width:
        raise FileRefused(reason="it holds no image")
    return found, 1


def _read_tiff_header(file: BinaryIO) -> tuple[PixelSize, int]:
    """Return size and orientation of the first page of a TIFF."""
    order = ">" if file.read(4) == b"MM\0*" else "<"
    file.seek(struct.unpack(f"{order}I", file.read(4))[0])
    (count,) = struct.unpack(f"{order}H", file.read(2))
    entries = file.read(count * 12)
    tags: dict[int, int] = {}
    for at in range(0, len(entries) - 11, 12):
        tag, kind, values = struct.unpack_from(f"{order}HHI", entries, at)
        if values == 1 and kind in _INTEGERS:
            tags.setdefault(tag, struct.unpack_from(order + _INTEGERS[kind], entries, at + 8)[0])
    size = PixelSize(tags.get(_WIDTH, 0), tags.get(_HEIGHT, 0))
    if not (size.width and size.height):
        raise FileRefused(reason="it says no size")
    return size, _normalize_orientation(tags.get(_ORIENTATION, 1))
