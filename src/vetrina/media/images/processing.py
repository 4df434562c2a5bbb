"""Image processing: sub-sizes, rotated and cropped copies. All decoding of pixels is here.

An image is refused by its header, before a pixel is decoded, then waits until there is memory for it. Headers:
media/images/headers.py. Memory: media/images/memory.py. Reduction: media/images/reduction.py. Which sizes:
media/images/pixel_sizes.py. Names and files: media/uploads/rules.py.
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
from vetrina.media.images.headers import DISPLAY_TYPES, FORMATS, open_image, read_orientation
from vetrina.media.images.memory import compute_decode_bytes, compute_edit_bytes, compute_encode_bytes
from vetrina.media.images.orientation import map_box_to_stored, rotate_upright, swap_oriented_size
from vetrina.media.images.pixel_sizes import PixelSize, SubSizeCut
from vetrina.media.images.reduction import normalize_image_mode, resize_image_part
from vetrina.media.uploads.filetypes import FileRefused

if TYPE_CHECKING:
    from PIL import Image


_OVERSAMPLING: Final = 2.0  # times as many pixels per side as the result: more would not improve it


class ImageTooLarge(ApiError):
    """The image needs more memory than the site allows for one."""

    code = "rest_image_too_large"
    message = "The image would have {width} x {height} pixels; the site takes {most} at most."


class ImageCropFailed(ApiError):
    """The crop area contains no pixel."""

    code = "rest_image_crop_failed"
    message = "The crop leaves nothing of the image; give a width and a height above 0, inside the image."


@dataclass(frozen=True)
class FlipModifier:
    """Mirror. horizontal: swap left and right; vertical: swap top and bottom."""

    horizontal: bool
    vertical: bool


@dataclass(frozen=True)
class RotateModifier:
    """Rotate clockwise. angle: degrees."""

    angle: float


@dataclass(frozen=True)
class CropModifier:
    """Crop to a part. All four are percentages of width and height."""

    left: float
    top: float
    width: float
    height: float


ImageModifier = FlipModifier | RotateModifier | CropModifier


def create_sub_sizes(
    path: Path, mime: str, cuts: Sequence[SubSizeCut], quality: int, memory: DecodingMemory
) -> list[bytes]:
    """Return sub-sizes of an image as files of its own format or its display format, in the order of `cuts`.

    quality: of JPEG, WebP and AVIF, 1 to 95. Raises FileRefused if the image cannot be decoded.
    """
    if not cuts:
        return []
    largest = max((cut.size for cut in cuts), key=lambda size: size.width * size.height)
    longest = PixelSize(max(cut.size.width for cut in cuts), max(cut.size.height for cut in cuts))
    with memory.hold(compute_decode_bytes(path, mime, longest, memory) + compute_encode_bytes(largest, mime)):
        return _decode_and_cut(path, mime, cuts, quality, longest)


def _decode_and_cut(path: Path, mime: str, cuts: Sequence[SubSizeCut], quality: int, longest: PixelSize) -> list[bytes]:
    out = [b""] * len(cuts)
    with open_image(path, mime) as image:
        orientation, whole = read_orientation(image), PixelSize(*image.size)
        pixels, origin = _decode_pixels(image, path, mime, swap_oriented_size(longest, orientation))
        sources = [pixels]
        # Rotated last, when they are small.
        parts = [
            (swap_oriented_size(size, orientation), map_box_to_stored(box, whole, orientation)) for size, box in cuts
        ]
        for at in sorted(range(len(cuts)), key=lambda at: parts[at][0], reverse=True):
            size, box = parts[at]
            small = _reduce_source(sources, whole, size, box)
            if box == (0, 0, *whole):
                sources.append(small)
            out[at] = _encode_image(rotate_upright(small, orientation), DISPLAY_TYPES.get(mime, mime), quality, origin)
    return out


def create_rendition(
    path: Path, mime: str, cut: SubSizeCut, canvas: PixelSize, kind: str, quality: int, memory: DecodingMemory
) -> bytes:
    """Return a part of an image in a size and a format, in the middle of a canvas, with colours as screens have them.

    kind: the type of the result. quality: of JPEG, WebP and AVIF, 1 to 95. Of an animation its first image is taken.
    Raises FileRefused if the image cannot be decoded.
    """
    with memory.hold(compute_decode_bytes(path, mime, cut.size, memory) + compute_encode_bytes(canvas, kind)):
        return _decode_and_render(path, mime, cut, canvas, kind, quality)


def _decode_and_render(path: Path, mime: str, cut: SubSizeCut, canvas: PixelSize, kind: str, quality: int) -> bytes:
    from PIL import Image

    with open_image(path, mime) as image:
        orientation, whole = read_orientation(image), PixelSize(*image.size)
        pixels, origin = _decode_pixels(image, path, mime, swap_oriented_size(cut.size, orientation))
        box = map_box_to_stored(cut.box, whole, orientation)
        small = _reduce_source([pixels], whole, swap_oriented_size(cut.size, orientation), box)
        small = _convert_to_srgb(rotate_upright(small, orientation), origin.colours)
        flat = kind == "image/jpeg"
        if small.size != canvas or (flat and small.mode == "RGBA"):
            # JPEG has no transparency: what is seen through is white, as most pages are.
            below = Image.new("RGB" if flat else "RGBA", canvas, (255, 255, 255) if flat else (255, 255, 255, 0))
            place = ((canvas.width - small.width) // 2, (canvas.height - small.height) // 2)
            below.paste(small, place, small if flat and small.mode == "RGBA" else None)
            small = below
        # What a camera or an editor wrote beside the pixels, the place included, stays with the original.
        small = small.copy() if small is image else small
        small.info = {}
        return _encode_image(small, kind, quality, _SourceFormat(origin.palette and kind == mime, None))


def _convert_to_srgb(image: Image.Image, colours: bytes | None) -> Image.Image:
    """Return an image with the colours of sRGB; unchanged where its profile is none or broken."""
    if not colours or image.mode not in ("RGB", "RGBA"):
        return image
    from PIL import ImageCms

    try:
        given = ImageCms.ImageCmsProfile(io.BytesIO(colours))
        alpha = image.getchannel("A") if image.mode == "RGBA" else None
        found = ImageCms.profileToProfile(image.convert("RGB"), given, ImageCms.createProfile("sRGB"))
    except (ImageCms.PyCMSError, OSError, ValueError):
        return image
    if found is None:
        return image
    if alpha is not None:
        found.putalpha(alpha)
    return found


def _reduce_source(
    sources: Sequence[Image.Image], whole: PixelSize, size: PixelSize, box: tuple[int, int, int, int]
) -> Image.Image:
    """Return a part of an image in a smaller size, made from the smallest source with enough pixels.

    sources: the whole image in several sizes, the largest first. box: the part, in pixels of `whole`.
    """
    source = sources[0]
    for one in sources[1:]:
        ratio = min(one.width / whole.width, one.height / whole.height)
        if (box[2] - box[0]) * ratio >= size.width * _OVERSAMPLING and (
            box[3] - box[1]
        ) * ratio >= size.height * _OVERSAMPLING:
            source = one
    wide, high = source.width / whole.width, source.height / whole.height
    return resize_image_part(source, size, (box[0] * wide, box[1] * high, box[2] * wide, box[3] * high))


def create_edited_image(
    path: Path, mime: str, modifiers: Sequence[ImageModifier], most_pixels: int, quality: int, memory: DecodingMemory
) -> bytes:
    """Return an edited copy of an image, in its own format; each modifier works on the result of the one before.

    Raises ImageCropFailed, ImageTooLarge, and FileRefused if the image cannot be decoded.
    """
    with memory.hold(compute_decode_bytes(path, mime, None, memory) + compute_edit_bytes(path, mime, memory)):
        return _decode_and_edit(path, mime, modifiers, most_pixels, quality)


def _decode_and_edit(
    path: Path, mime: str, modifiers: Sequence[ImageModifier], most_pixels: int, quality: int
) -> bytes:
    with open_image(path, mime) as image:
        orientation = read_orientation(image)
        pixels, origin = _decode_pixels(image, path, mime, None)
        pixels = rotate_upright(normalize_image_mode(pixels), orientation)
        for modifier in modifiers:
            if pixels is not image:
                # Two copies of a large image are enough.
                image.close()
            pixels = _apply_modifier(pixels, modifier, most_pixels)
        return _encode_image(pixels, mime, quality, origin)


def _apply_modifier(image: Image.Image, modifier: ImageModifier, most_pixels: int) -> Image.Image:
    from PIL.Image import Transpose

    match modifier:
        case FlipModifier(horizontal, vertical):
            if horizontal:
                image = image.transpose(Transpose.FLIP_LEFT_RIGHT)
            if vertical:
                image = image.transpose(Transpose.FLIP_TOP_BOTTOM)
        case RotateModifier(angle):
            image = _rotate_image(image, angle % 360, most_pixels)
        case CropModifier(left, top, width, height):
            image = _crop_image(image, left, top, width, height)
    return image


def _rotate_image(image: Image.Image, angle: float, most_pixels: int) -> Image.Image:
    """Return an image rotated clockwise; the uncovered corners are transparent, or white."""
    from PIL.Image import Resampling, Transform, Transpose

    quarters = {90: Transpose.ROTATE_270, 180: Transpose.ROTATE_180, 270: Transpose.ROTATE_90}
    if angle == 0:
        return image
    if angle in quarters:
        return image.transpose(quarters[int(angle)])
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    # A little less before rounding up: a side of a whole number of pixels must not grow by a floating-point error.
    width = math.ceil(abs(image.width * cosine) + abs(image.height * sine) - 1e-6)
    height = math.ceil(abs(image.width * sine) + abs(image.height * cosine) - 1e-6)
    if width * height > most_pixels:
        raise ImageTooLarge(width=width, height=height, most=most_pixels)
    across, down = image.width / 2, image.height / 2
    matrix = (
        cosine, sine, across - cosine * width / 2 - sine * height / 2,
        -sine, cosine, down + sine * width / 2 - cosine * height / 2,
    )  # fmt: skip
    corners: Any = {"L": 255, "RGB": (255, 255, 255), "RGBA": (255, 255, 255, 0)}[image.mode]
    return image.transform((width, height), Transform.AFFINE, matrix, Resampling.BICUBIC, fillcolor=corners)


def _crop_image(image: Image.Image, left: float, top: float, width: float, height: float) -> Image.Image:
    def pixels(length: int, percent: float) -> int:
        return math.floor(length * max(-1000.0, min(1000.0, percent)) / 100 + 0.5)

    start = PixelSize(pixels(image.width, left), pixels(image.height, top))
    end = PixelSize(start.width + pixels(image.width, width), start.height + pixels(image.height, height))
    box = (max(0, start.width), max(0, start.height), min(image.width, end.width), min(image.height, end.height))
    if box[0] >= box[2] or box[1] >= box[3]:
        raise ImageCropFailed
    return image if box == (0, 0, *image.size) else image.crop(box)


# -- decoding and encoding


class _SourceFormat(NamedTuple):
    """What a copy takes over. palette: whether the file has a palette of 256 colours; colours: the colour profile."""

    palette: bool
    colours: bytes | None


def _decode_pixels(
    image: Image.Image, path: Path, mime: str, longest: PixelSize | None
) -> tuple[Image.Image, _SourceFormat]:
    """Return the pixels of an image as stored. Raises FileRefused.

    longest: if given, the image may be decoded at a smaller size that is still larger than this.
    """
    palette = image.mode in ("P", "PA")
    try:
        if longest is not None:
            image.draft(None, longest)
        found = image_webp.decode_webp(image, path) if mime == "image/webp" else None
        if found is None:
            image.load()
        # A CMYK profile does not fit RGB pixels.
        colours = None if image.mode == "CMYK" else image.info.get("icc_profile")
    except Exception as error:
        raise FileRefused(reason=f"it cannot be decoded ({error})") from error
    return found or image, _SourceFormat(palette, colours)


def _encode_image(image: Image.Image, mime: str, quality: int, origin: _SourceFormat) -> bytes:
    """Return an encoded image, without camera metadata except the colour profile."""
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
