"""Images: their sub-sizes, turned and cropped copies. All that decodes pixels is here.

An image is refused by its header, before a pixel is decoded, and waits then until there is memory for it. Not here:
what headers say (media/images/files.py), how much memory it takes (media/images/memory.py), how images are made smaller
(media/images/reduction.py), which sizes there are (media/images/sizes.py), the words that cameras write
(media/images/exif.py), names and files (media/uploads/rules.py).
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from vetrina.backends.decoding_memory import DecodingMemory
from vetrina.kernel.errors import ApiError
from vetrina.media.images import webp as image_webp
from vetrina.media.images.files import FORMATS, SHOWN_AS, opened, orientation_of
from vetrina.media.images.memory import bytes_to_change, bytes_to_decode, bytes_to_make
from vetrina.media.images.orientation import box_as_stored, turned_size, upright
from vetrina.media.images.reduction import plain, reduced
from vetrina.media.images.sizes import Cut, Size
from vetrina.media.uploads.filetypes import FileRefused

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["Crop", "CropFailed", "Flip", "Modifier", "Rotate", "TooManyPixels", "derived", "edited"]

_ENOUGH: Final = 2.0  # times as many pixels a side as the result has: from there on nothing is lost


class TooManyPixels(ApiError):
    """The image would need more memory than the site gives to one."""

    code = "rest_image_too_large"
    message = "The image would have {width} x {height} pixels; the site takes {most} at most."


class CropFailed(ApiError):
    """The part that a crop names holds no pixel."""

    code = "rest_image_crop_failed"
    message = "The crop leaves nothing of the image; give a width and a height above 0, inside the image."


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


def derived(path: Path, mime: str, cuts: Sequence[Cut], quality: int, memory: DecodingMemory) -> list[bytes]:
    """Return sub-sizes of an image as files of its own format or of the one it is shown as, in the order of `cuts`.

    quality: of JPEG, WebP and AVIF, 1 to 95. Raises FileRefused when the image cannot be decoded.
    """
    if not cuts:
        return []
    largest = max((cut.size for cut in cuts), key=lambda size: size.width * size.height)
    longest = Size(max(cut.size.width for cut in cuts), max(cut.size.height for cut in cuts))
    with memory.hold(bytes_to_decode(path, mime, longest, memory) + bytes_to_make(largest, mime)):
        return _derived(path, mime, cuts, quality, longest)


def _derived(path: Path, mime: str, cuts: Sequence[Cut], quality: int, longest: Size) -> list[bytes]:
    out = [b""] * len(cuts)
    with opened(path, mime) as image:
        orientation, whole = orientation_of(image), Size(*image.size)
        pixels, origin = _decode(image, path, mime, turned_size(longest, orientation))
        sources = [pixels]
        # Turned last, when they are small.
        parts = [(turned_size(size, orientation), box_as_stored(box, whole, orientation)) for size, box in cuts]
        for at in sorted(range(len(cuts)), key=lambda at: parts[at][0], reverse=True):
            size, box = parts[at]
            small = _reduced(sources, whole, size, box)
            if box == (0, 0, *whole):
                sources.append(small)
            out[at] = _encoded(upright(small, orientation), SHOWN_AS.get(mime, mime), quality, origin)
    return out


def _reduced(sources: Sequence[Image.Image], whole: Size, size: Size, box: tuple[int, int, int, int]) -> Image.Image:
    """Return a part of an image in a smaller size, made of the smallest source that has pixels enough.

    sources: the whole image in several sizes, the largest first. box: the part, in pixels of `whole`.
    """
    source = sources[0]
    for one in sources[1:]:
        ratio = min(one.width / whole.width, one.height / whole.height)
        if (box[2] - box[0]) * ratio >= size.width * _ENOUGH and (box[3] - box[1]) * ratio >= size.height * _ENOUGH:
            source = one
    wide, high = source.width / whole.width, source.height / whole.height
    return reduced(source, size, (box[0] * wide, box[1] * high, box[2] * wide, box[3] * high))


def edited(
    path: Path, mime: str, modifiers: Sequence[Modifier], most_pixels: int, quality: int, memory: DecodingMemory
) -> bytes:
    """Return a changed copy of an image, in its own format; each modifier works on the result of the one before.

    Raises CropFailed, TooManyPixels, and FileRefused when the image cannot be decoded.
    """
    with memory.hold(bytes_to_decode(path, mime, None, memory) + bytes_to_change(path, mime, memory)):
        return _edited(path, mime, modifiers, most_pixels, quality)


def _edited(path: Path, mime: str, modifiers: Sequence[Modifier], most_pixels: int, quality: int) -> bytes:
    with opened(path, mime) as image:
        orientation = orientation_of(image)
        pixels, origin = _decode(image, path, mime, None)
        pixels = upright(plain(pixels), orientation)
        for modifier in modifiers:
            if pixels is not image:
                # Two copies of a large image are enough.
                image.close()
            pixels = _modified(pixels, modifier, most_pixels)
        return _encoded(pixels, mime, quality, origin)


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


class _Origin(NamedTuple):
    """What a copy takes over. palette: whether the file has one of 256 colours; colours: the profile of its colours."""

    palette: bool
    colours: bytes | None


def _decode(image: Image.Image, path: Path, mime: str, longest: Size | None) -> tuple[Image.Image, _Origin]:
    """Return the pixels of an image as they are stored. Raises FileRefused.

    longest: when given, the image may be decoded smaller, if it stays larger than this.
    """
    palette = image.mode in ("P", "PA")
    try:
        if longest is not None:
            image.draft(None, longest)
        found = image_webp.decode(image, path) if mime == "image/webp" else None
        if found is None:
            image.load()
        # The profile of inks is none of screens.
        colours = None if image.mode == "CMYK" else image.info.get("icc_profile")
    except Exception as error:
        raise FileRefused(reason=f"it cannot be decoded ({error})") from error
    return found or image, _Origin(palette, colours)


def _encoded(image: Image.Image, mime: str, quality: int, origin: _Origin) -> bytes:
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
    image.save(out, FORMATS[mime], **options)
    return out.getvalue()
