"""Images: what their headers say, their sub-sizes, turned and cropped copies. All that decodes pixels is here.

An image is refused by its header, before a pixel is decoded; large ones are decoded one at a time, so that several
uploads together need no more memory than one. Not here: which sizes there are (image_sizes.py), the words that cameras
write (image_words.py), names and files (uploads.py).
"""

from __future__ import annotations

import io
import math
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from vetrina.kernel.errors import ApiError

from .filetypes import FileRefused
from .image_sizes import Cut, Size

if TYPE_CHECKING:
    from PIL import Image

__all__ = [
    "SHOWN_AS",
    "Crop",
    "CropFailed",
    "Flip",
    "Header",
    "Modifier",
    "Rotate",
    "TooManyPixels",
    "derived",
    "edited",
    "header",
]  # fmt: skip

_FORMATS: Final = {
    "image/jpeg": "JPEG", "image/png": "PNG", "image/gif": "GIF", "image/webp": "WEBP", "image/avif": "AVIF",
    "image/bmp": "BMP", "image/tiff": "TIFF", "image/x-icon": "ICO", "image/heic": "HEIF", "image/heif": "HEIF",
}  # fmt: skip
# Formats that are read where their library is installed, and shown as another one.
SHOWN_AS: Final = {"image/heic": "image/jpeg", "image/heif": "image/jpeg"}
_ORIENTATION: Final = 0x0112
_LARGE: Final = 16_000_000  # pixels; images above are decoded one at a time
_ENOUGH: Final = 2.0  # times as many pixels a side as the result has: from there on nothing is lost
_decoding = threading.Lock()


class TooManyPixels(ApiError):
    """The image would need more memory than the site gives to one."""

    code = "rest_image_too_large"
    message = "The image would have {width} x {height} pixels; the site takes {most} at most."


class CropFailed(ApiError):
    """The part that a crop names holds no pixel."""

    code = "rest_image_crop_failed"
    message = "The crop leaves nothing of the image; give a width and a height above 0, inside the image."


class Header(NamedTuple):
    """What an image says of itself. size: as it is shown, turned by its orientation (1 to 8, as EXIF numbers them)."""

    size: Size
    orientation: int


@dataclass(frozen=True)
class Flip:
    """Mirror. horizontal: left and right change places; vertical: top and bottom do."""

    horizontal: bool
    vertical: bool


@dataclass(frozen=True)
class Rotate:
    """Turn clockwise. angle: degrees."""

    angle: float


@dataclass(frozen=True)
class Crop:
    """Keep a part. All four are percentages of width and height."""

    left: float
    top: float
    width: float
    height: float


Modifier = Flip | Rotate | Crop


def header(path: Path, mime: str, most_pixels: int) -> Header | None:
    """Return what the header of an image says, None for a format that cannot be read here.

    Raises FileRefused for bytes that are no such image, and when it says more pixels than the site takes.
    """
    if mime not in _FORMATS or (mime in SHOWN_AS and not _reads_heif()):
        return None
    with _opened(path, mime) as image:
        size = Size(*image.size)
        if size.width * size.height > most_pixels:
            raise FileRefused(reason=f"it says {size.width} x {size.height} pixels; the site takes {most_pixels}")
        orientation = _orientation(image)
    return Header(Size(size.height, size.width) if orientation > 4 else size, orientation)


def derived(path: Path, mime: str, cuts: Sequence[Cut], quality: int) -> list[bytes]:
    """Return sub-sizes of an image as files of its own format or of the one it is shown as, in the order of `cuts`.

    quality: of JPEG, WebP and AVIF, 1 to 95. Raises FileRefused when the image cannot be decoded.
    """
    if not cuts:
        return []
    longest = Size(max(cut.size.width for cut in cuts), max(cut.size.height for cut in cuts))
    out = [b""] * len(cuts)
    with _decoded(path, mime, longest) as found:
        sources = [found.image]
        for at in sorted(range(len(cuts)), key=lambda at: cuts[at].size, reverse=True):
            size, box = cuts[at]
            small = _reduced(sources, found.whole, size, box)
            if box == (0, 0, *found.whole):
                sources.append(small)
            out[at] = _encoded(small, SHOWN_AS.get(mime, mime), quality, found)
    return out


def _reduced(sources: Sequence[Image.Image], whole: Size, size: Size, box: tuple[int, int, int, int]) -> Image.Image:
    """Return a part of an image in a smaller size, made of the smallest source that has pixels enough.

    sources: the whole image in several sizes, the largest first. box: the part, in pixels of `whole`.
    """
    from PIL.Image import Resampling

    source = sources[0]
    for one in sources[1:]:
        ratio = min(one.width / whole.width, one.height / whole.height)
        if (box[2] - box[0]) * ratio >= size.width * _ENOUGH and (box[3] - box[1]) * ratio >= size.height * _ENOUGH:
            source = one
    wide, high = source.width / whole.width, source.height / whole.height
    part = (box[0] * wide, box[1] * high, box[2] * wide, box[3] * high)
    return source.resize(size, Resampling.LANCZOS, box=part, reducing_gap=_ENOUGH)


def edited(path: Path, mime: str, modifiers: Sequence[Modifier], most_pixels: int, quality: int) -> bytes:
    """Return a changed copy of an image, in its own format; each modifier works on the result of the one before.

    Raises CropFailed, TooManyPixels, and FileRefused when the image cannot be decoded.
    """
    with _decoded(path, mime, None) as found:
        image = found.image
        for modifier in modifiers:
            image = _modified(image, modifier, most_pixels)
        return _encoded(image, mime, quality, found)


def _modified(image: Image.Image, modifier: Modifier, most_pixels: int) -> Image.Image:
    from PIL.Image import Transpose

    match modifier:
        case Flip(horizontal, vertical):
            if horizontal:
                image = image.transpose(Transpose.FLIP_LEFT_RIGHT)
            if vertical:
                image = image.transpose(Transpose.FLIP_TOP_BOTTOM)
        case Rotate(angle):
            image = _turned(image, angle % 360, most_pixels)
        case Crop(left, top, width, height):
            image = _cut(image, left, top, width, height)
    return image


def _turned(image: Image.Image, angle: float, most_pixels: int) -> Image.Image:
    """Return an image turned clockwise; what the corners leave free is transparent, or white."""
    from PIL.Image import Resampling, Transform, Transpose

    quarters = {90: Transpose.ROTATE_270, 180: Transpose.ROTATE_180, 270: Transpose.ROTATE_90}
    if angle == 0:
        return image
    if angle in quarters:
        return image.transpose(quarters[int(angle)])
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    # A little less before rounding up: a side of exactly so many pixels must not grow by an error of arithmetic.
    width = math.ceil(abs(image.width * cosine) + abs(image.height * sine) - 1e-6)
    height = math.ceil(abs(image.width * sine) + abs(image.height * cosine) - 1e-6)
    if width * height > most_pixels:
        raise TooManyPixels(width=width, height=height, most=most_pixels)
    across, down = image.width / 2, image.height / 2
    matrix = (
        cosine, sine, across - cosine * width / 2 - sine * height / 2,
        -sine, cosine, down + sine * width / 2 - cosine * height / 2,
    )  # fmt: skip
    corners: Any = {"L": 255, "RGB": (255, 255, 255), "RGBA": (255, 255, 255, 0)}[image.mode]
    return image.transform((width, height), Transform.AFFINE, matrix, Resampling.BICUBIC, fillcolor=corners)


def _cut(image: Image.Image, left: float, top: float, width: float, height: float) -> Image.Image:
    def pixels(length: int, percent: float) -> int:
        return math.floor(length * max(-1000.0, min(1000.0, percent)) / 100 + 0.5)

    start = Size(pixels(image.width, left), pixels(image.height, top))
    end = Size(start.width + pixels(image.width, width), start.height + pixels(image.height, height))
    box = (max(0, start.width), max(0, start.height), min(image.width, end.width), min(image.height, end.height))
    if box[0] >= box[2] or box[1] >= box[3]:
        raise CropFailed
    return image if box == (0, 0, *image.size) else image.crop(box)


# -- decoding and encoding


@contextmanager
def _opened(path: Path, mime: str) -> Iterator[Image.Image]:
    """Open an image, its header only. Raises FileRefused."""
    # A library that few requests need; it takes a while to load.
    from PIL import Image

    # The limit of the site counts; the library's own would only warn up to twice its own.
    Image.MAX_IMAGE_PIXELS = None
    # It warns of whatever cameras write wrongly, which nobody can mend.
    warnings.filterwarnings("ignore", category=UserWarning, module=r"PIL\.")
    try:
        image = Image.open(path, formats=[_FORMATS[mime]])
    except Exception as error:
        # The library raises whatever its codecs meet in a broken file.
        raise FileRefused(reason=f"its bytes are no image of the type {mime}") from error
    with image:
        yield image


@cache
def _reads_heif() -> bool:
    """Say whether the library for HEIC is installed, an extra of the package; it is made known here."""
    try:
        import pillow_heif
    except ImportError:
        return False
    pillow_heif.register_heif_opener(thumbnails=False)
    return True


class _Decoded(NamedTuple):
    """An image in memory. whole: its size before any reduction; palette: whether its file has one of 256 colours.

    colours: the profile of its colours.
    """

    image: Image.Image
    whole: Size
    palette: bool
    colours: bytes | None


@contextmanager
def _decoded(path: Path, mime: str, longest: Size | None) -> Iterator[_Decoded]:
    """Decode an image, turned as it is shown.

    longest: when given, the image may be decoded smaller, if it stays larger than this.
    """
    with _opened(path, mime) as image:
        large = image.width * image.height > _LARGE
        if large:
            _decoding.acquire()
        try:
            orientation = _orientation(image)
            whole = Size(*image.size)
            palette = image.mode in ("P", "PA")
            try:
                if longest is not None:
                    asked = (longest.height, longest.width) if orientation > 4 else longest
                    image.draft(None, asked)
                image.load()
                # The profile of inks is none of screens.
                colours = None if image.mode == "CMYK" else image.info.get("icc_profile")
                upright = _upright(_plain(image), orientation)
            except Exception as error:
                raise FileRefused(reason=f"it cannot be decoded ({error})") from error
            yield _Decoded(upright, Size(whole.height, whole.width) if orientation > 4 else whole, palette, colours)
        finally:
            if large:
                _decoding.release()


def _plain(image: Image.Image) -> Image.Image:
    """Return an image with one, three or four channels of eight bits."""
    if image.mode in ("L", "RGB", "RGBA"):
        return image
    if image.mode in ("P", "PA", "LA", "La", "RGBa", "1"):
        see_through = image.has_transparency_data
        return image.convert("RGBA" if see_through else "L" if image.mode == "1" else "RGB")
    if image.mode.startswith("I;16"):
        return image.point(lambda level: level / 256).convert("L")
    return image.convert("RGB")


def _upright(image: Image.Image, orientation: int) -> Image.Image:
    from PIL.Image import Transpose

    turn = {
        2: Transpose.FLIP_LEFT_RIGHT, 3: Transpose.ROTATE_180, 4: Transpose.FLIP_TOP_BOTTOM, 5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270, 7: Transpose.TRANSVERSE, 8: Transpose.ROTATE_90,
    }.get(orientation)  # fmt: skip
    return image if turn is None else image.transpose(turn)


def _orientation(image: Image.Image) -> int:
    # What cameras and editors write is often broken, and never a reason to refuse an image.
    try:
        found = image.getexif().get(_ORIENTATION, 1)
    except Exception:
        return 1
    return found if isinstance(found, int) and 1 <= found <= 8 else 1


def _encoded(image: Image.Image, mime: str, quality: int, origin: _Decoded) -> bytes:
    """Return the file of an image, without anything that the camera wrote but the profile of its colours."""
    from PIL.Image import Quantize

    options: dict[str, Any] = {"icc_profile": origin.colours} if origin.colours else {}
    match mime:
        case "image/jpeg":
            image = image if image.mode != "RGBA" else image.convert("RGB")
            options |= {"quality": quality}
        case "image/webp":
            options |= {"quality": quality, "method": 2}
        case "image/avif":
            options |= {"quality": quality, "speed": 8}
        case "image/png" | "image/gif" if origin.palette or mime == "image/gif":
            method = Quantize.FASTOCTREE if image.mode == "RGBA" else Quantize.MEDIANCUT
            image = image.quantize(256, method)
    out = io.BytesIO()
    image.save(out, _FORMATS[mime], **options)
    return out.getvalue()
