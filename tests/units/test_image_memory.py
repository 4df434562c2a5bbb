"""Memory of decoded images: estimated before decoding, and smaller copies stay the same."""

from __future__ import annotations

import io
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis.strategies import integers, sampled_from
from PIL import Image, ImageChops

from memory import peak
from pictures import picture, quarters
from vetrina.backends.decoding_memory import DecodingMemory
from vetrina.media.images import headers as image_headers, processing as image_processing, reduction as image_reduction
from vetrina.media.images.memory import compute_decode_bytes, compute_edit_bytes, compute_encode_bytes
from vetrina.media.images.pixel_sizes import PixelSize, SubSizeCut
from vetrina.media.images.processing import CropModifier, RotateModifier

MEMORY = DecodingMemory()
MOST = 100_000_000
SIDE = 3200  # pixels of a square image of ten megapixels


def stored(folder: Path, content: bytes) -> Path:
    path = folder / "image"
    path.write_bytes(content)
    return path


def square(kind: str, mode: str, **options: Any) -> bytes:
    """Return a square image that is quick to make."""
    image = Image.linear_gradient("L").resize((SIDE, SIDE), Image.Resampling.NEAREST)
    if mode == "RGBA":
        image = Image.merge("RGBA", (image,) * 4)
    out = io.BytesIO()
    image.convert(mode).save(out, kind, **options)
    return out.getvalue()


FORMATS = {
    "jpeg": ("image/jpeg", lambda: square("JPEG", "RGB")),
    "progressive": ("image/jpeg", lambda: square("JPEG", "RGB", progressive=True, subsampling=0)),
    "inks": ("image/jpeg", lambda: square("JPEG", "CMYK")),
    "png": ("image/png", lambda: square("PNG", "RGB", compress_level=1)),
    "see-through png": ("image/png", lambda: square("PNG", "RGBA", compress_level=1)),
    "png of sixteen bits": ("image/png", lambda: square("PNG", "I;16", compress_level=1)),
    "gif": ("image/gif", lambda: square("GIF", "P")),
    "webp": ("image/webp", lambda: square("WEBP", "RGB", quality=10, method=0)),
    "lossless webp": ("image/webp", lambda: square("WEBP", "RGBA", lossless=True, quality=0, method=0)),
    "avif": ("image/avif", lambda: square("AVIF", "RGB", quality=10, speed=10)),
}


@pytest.mark.parametrize("what", FORMATS)
def test_no_image_takes_more_than_was_measured(tmp_path: Path, what: str) -> None:
    mime, content = FORMATS[what]
    path = stored(tmp_path, content())
    # Needed by the first image only: the library itself.
    small = stored(tmp_path.parent, picture(80, 80))
    image_processing.create_sub_sizes(small, "image/jpeg", [SubSizeCut(PixelSize(8, 8), (0, 0, 80, 80))], 82, MEMORY)
    whole = PixelSize(SIDE, SIDE)
    smaller = PixelSize(1280, 1280)
    cuts = [SubSizeCut(smaller, (0, 0, *whole)), SubSizeCut(PixelSize(150, 150), (0, 0, *whole))]
    needed = compute_decode_bytes(path, mime, smaller, MEMORY) + compute_encode_bytes(smaller, mime)
    with peak() as taken:
        assert image_headers.read_image_header(path, mime, MOST, MEMORY) == (whole, 1)
        image_processing.create_sub_sizes(path, mime, cuts, 82, MEMORY)
    assert taken.grown <= needed >> 20
    assert taken.kept <= 16


def test_threads_that_have_decoded_an_image_keep_nothing_of_it(tmp_path: Path) -> None:
    """Each thread has a heap of its own, and what lies at its top is not given back by a trim."""
    path, cuts = stored(tmp_path, FORMATS["gif"][1]()), [SubSizeCut(PixelSize(600, 600), (0, 0, SIDE, SIDE))]
    turn, all_done = threading.Lock(), threading.Barrier(5)

    def decode(own_thread: bool = True) -> None:
        with turn:
            image_processing.create_sub_sizes(path, "image/gif", cuts, 82, MEMORY)
        if own_thread:
            all_done.wait(60)

    decode(own_thread=False)
    kept = []
    for _ in range(3):
        with ThreadPoolExecutor(4) as threads, peak() as taken:
            for _ in range(4):
                threads.submit(decode)
            all_done.wait(60)
        kept.append(taken.kept)
    # Other parts of a busy process grow at times; kept at the top of four new heaps it would be 17 and more each time.
    assert min(kept) <= 8


@pytest.mark.parametrize("what", ["jpeg", "see-through png", "gif"])
def test_no_edit_takes_more_than_was_measured(tmp_path: Path, what: str) -> None:
    mime, content = FORMATS[what]
    path = stored(tmp_path, content())
    needed = compute_decode_bytes(path, mime, None, MEMORY) + compute_edit_bytes(path, mime, MEMORY)
    with peak() as taken:
        image_processing.create_edited_image(
            path, mime, [RotateModifier(45), CropModifier(0, 0, 30, 30)], MOST, 82, MEMORY
        )
    assert taken.grown <= needed >> 20


def test_a_header_is_read_without_a_pixel(tmp_path: Path) -> None:
    """A PNG without metadata: the library would look for it after the pixels."""
    path = stored(tmp_path, square("PNG", "RGB", compress_level=1))
    image_headers.read_image_header(path, "image/png", MOST, MEMORY)
    with peak() as taken:
        assert image_headers.read_image_header(path, "image/png", MOST, MEMORY) == (PixelSize(SIDE, SIDE), 1)
    assert taken.grown < 8


def test_a_png_may_say_behind_its_pixels_how_it_is_turned(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    whole = picture(90, 60, "PNG", exif=exif)
    at = whole.index(b"eXIf") - 4
    end = at + 12 + int.from_bytes(whole[at : at + 4], "big")
    behind = whole[:at] + whole[end:-12] + whole[at:end] + whole[-12:]
    assert image_headers.read_image_header(stored(tmp_path, behind), "image/png", MOST, MEMORY) == (
        PixelSize(60, 90),
        6,
    )


# -- smaller copies


MODES = ("L", "RGB", "RGBA", "P", "I;16", "CMYK", "LA")


@settings(max_examples=60)
@given(
    mode=sampled_from(MODES), width=integers(1, 90), height=integers(1, 90), wide=integers(1, 40), high=integers(1, 40),
    left=integers(0, 40), upper=integers(0, 40), band=integers(1, 900),
)  # fmt: skip
@example(mode="RGBA", width=90, height=89, wide=7, high=3, left=5, upper=11, band=1)
@example(mode="P", width=1, height=90, wide=1, high=40, left=0, upper=0, band=1)
@example(mode="RGB", width=81, height=79, wide=40, high=39, left=0, upper=0, band=200)
def test_a_smaller_copy_does_not_depend_on_the_bands(
    mode: str, width: int, height: int, wide: int, high: int, left: int, upper: int, band: int
) -> None:
    source = decoded(picture(90, 90, "PNG", "RGBA" if mode == "RGBA" else "RGB")).resize((width, height))
    source = source.convert("L") if mode == "I;16" else source
    source = source.convert(mode, dither=Image.Dither.NONE)
    left, upper = min(left, width - 1), min(upper, height - 1)
    size, box = PixelSize(min(wide, width - left), min(high, height - upper)), (left, upper, width, height)
    at_once = image_reduction.resize_image_part(source, size, box)
    usual, image_reduction._BAND_PIXELS = image_reduction._BAND_PIXELS, band  # type: ignore[misc]
    try:
        in_bands = image_reduction.resize_image_part(source, size, box)
    finally:
        image_reduction._BAND_PIXELS = usual  # type: ignore[misc]
    assert in_bands.size == at_once.size == size
    assert in_bands.mode == at_once.mode
    # The library resizes across or down first, whichever is less work, and rounds in between: bands differ slightly.
    assert max(most for _, most in extrema(in_bands, at_once)) <= 3


@pytest.mark.parametrize("size", [(300, 300), (1024, 400), (150, 700)])
def test_a_smaller_copy_is_what_the_library_makes_of_the_whole(size: tuple[int, int]) -> None:
    source = decoded(quarters(2000, 1800)).convert("RGB")
    own = image_reduction.resize_image_part(source, PixelSize(*size), (0, 0, 2000, 1800))
    theirs = source.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)
    assert max(most for _, most in extrema(own, theirs)) <= 1


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_part_is_cut_from_where_it_is_shown(tmp_path: Path, orientation: int) -> None:
    undo = {
        2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180, 4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_90, 7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }  # fmt: skip
    shown = decoded(quarters(400, 200))
    exif = Image.Exif()
    exif[0x0112] = orientation
    out = io.BytesIO()
    (shown.transpose(undo[orientation]) if orientation > 1 else shown).save(out, "PNG", exif=exif)
    cuts = [
        SubSizeCut(PixelSize(50, 50), (left, top, left + 100, top + 50)) for top in (25, 125) for left in (50, 250)
    ]  # fmt: skip
    made = image_processing.create_sub_sizes(stored(tmp_path, out.getvalue()), "image/png", cuts, 82, MEMORY)
    found = [decoded(one).convert("RGB").getpixel((25, 25)) for one in made]
    assert found == [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)]


def extrema(one: Image.Image, other: Image.Image) -> list[tuple[Any, Any]]:
    """Return the least and the largest difference of two images, by channel."""
    return [ImageChops.difference(*pair).getextrema() for pair in zip(one.split(), other.split(), strict=True)]


def decoded(content: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(content))
    image.load()
    return image


@pytest.mark.parametrize(("mode", "lossless"), [("RGB", False), ("RGBA", False), ("RGBA", True)])
def test_a_webp_has_the_same_pixels_on_both_ways(tmp_path: Path, mode: str, lossless: bool) -> None:
    from vetrina.media.images import webp as image_webp

    content = picture(90, 60, "WEBP", mode, lossless=lossless)
    path = stored(tmp_path, content)
    with image_headers.open_image(path, "image/webp") as image:
        own = image_webp.decode_webp(image, path)
        if own is None:
            pytest.skip("the library of the imaging library cannot be called here")
        image.load()
        assert ImageChops.difference(own.convert("RGBA"), image.convert("RGBA")).getbbox() is None
    moving = io.BytesIO()
    decoded(content).save(
        moving, "WEBP", save_all=True, append_images=[decoded(picture(90, 60, mode="L")).convert(mode)]
    )
    path = stored(tmp_path, moving.getvalue())
    (small,) = image_processing.create_sub_sizes(
        path, "image/webp", [SubSizeCut(PixelSize(45, 30), (0, 0, 90, 60))], 82, MEMORY
    )
    assert decoded(small).size == (45, 30)
