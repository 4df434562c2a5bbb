"""Images without HTTP: sub-sizes, rotation, crops, camera metadata, and rejection before decoding."""

from __future__ import annotations

import io
import struct
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis.strategies import booleans, integers
from PIL import Image, TiffImagePlugin

from pictures import huge_claim, picture, quarters
from vetrina.backends.decoding_memory import DecodingMemory
from vetrina.image_settings import ImageSettings, ImageSize
from vetrina.media.images import exif as image_exif, headers as image_headers, processing as image_processing
from vetrina.media.images.pixel_sizes import PixelSize, SubSizeCut, compute_scaled_size, compute_sub_sizes, fit_into_box
from vetrina.media.images.processing import CropModifier, FlipModifier, ImageCropFailed, ImageTooLarge, RotateModifier
from vetrina.media.uploads.filetypes import FileRefused

SIZES = ImageSettings().sizes
MOST = 100_000_000
MEMORY = DecodingMemory()
JPEG, PNG = "image/jpeg", "image/png"
RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)


def stored(folder: Path, content: bytes) -> Path:
    path = folder / "image"
    path.write_bytes(content)
    return path


def decoded(content: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(content))
    image.load()
    return image


def corners(image: Image.Image) -> tuple[Any, ...]:
    """Return the colours of the four quarters, read like a page."""
    image = image.convert("RGB")
    wide, high = image.size
    places = [(x, y) for y in (high // 4, high * 3 // 4) for x in (wide // 4, wide * 3 // 4)]
    return tuple(image.getpixel(place) for place in places)


# -- which sizes


@pytest.mark.parametrize(
    ("size", "box", "expected"),
    [
        ((640, 400), (300, 300), (300, 188)),
        ((350, 200), (300, 300), (300, 171)),
        ((1200, 800), (1024, 1024), (1024, 683)),
        ((1200, 800), (768, 0), (768, 512)),
        ((3000, 2000), (2560, 2560), (2560, 1707)),
        ((200, 120), (300, 300), (200, 120)),
        ((5000, 1), (300, 300), (300, 1)),
        ((465, 700), (177, 177), (118, 177)),
    ],
)
def test_an_image_fits_its_box(size: tuple[int, int], box: tuple[int, int], expected: tuple[int, int]) -> None:
    assert fit_into_box(PixelSize(*size), PixelSize(*box)) == expected


@given(
    width=integers(1, 20_000), height=integers(1, 20_000), wide=integers(0, 3000), high=integers(0, 3000),
    crop=booleans(),
)  # fmt: skip
@example(width=1, height=1, wide=150, high=150, crop=True)
@example(width=20_000, height=1, wide=768, high=0, crop=False)
def test_a_sub_size_is_never_larger_than_the_image_or_its_box(
    width: int, height: int, wide: int, high: int, crop: bool
) -> None:
    size = PixelSize(width, height)
    for cut in compute_sub_sizes(size, {"one": ImageSize(wide, high, crop)}).values():
        left, top, right, bottom = cut.box
        assert 1 <= cut.size.width <= min(width, wide or width)
        assert 1 <= cut.size.height <= min(height, high or height)
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= height


def test_only_sizes_that_are_smaller_in_one_direction_are_made() -> None:
    assert list(compute_sub_sizes(PixelSize(200, 120), SIZES)) == ["thumbnail"]
    assert compute_sub_sizes(PixelSize(200, 120), SIZES)["thumbnail"] == SubSizeCut(
        PixelSize(150, 120), (25, 0, 175, 120)
    )
    assert compute_sub_sizes(PixelSize(1, 1), SIZES) == {}
    assert compute_sub_sizes(PixelSize(150, 151), SIZES) == {}
    assert list(compute_sub_sizes(PixelSize(4000, 3000), SIZES)) == list(SIZES)


def test_long_images_are_brought_to_the_longest_side() -> None:
    assert compute_scaled_size(PixelSize(3000, 2000), 2560) == (2560, 1707)
    assert compute_scaled_size(PixelSize(2560, 2560), 2560) is None
    assert compute_scaled_size(PixelSize(9000, 9000), 0) is None


# -- headers


def test_a_header_says_the_size_as_the_image_is_shown(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = stored(tmp_path, picture(300, 200, exif=exif))
    assert image_headers.read_image_header(turned, JPEG, MOST, MEMORY) == (PixelSize(200, 300), 6)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP", "AVIF", "BMP", "TIFF", "ICO"])
def test_the_formats_of_the_web_are_read(tmp_path: Path, kind: str) -> None:
    mime = {"ICO": "image/x-icon"}.get(kind, f"image/{kind.lower()}")
    found = image_headers.read_image_header(stored(tmp_path, picture(64, 48, kind)), mime, MOST, MEMORY)
    assert found is not None
    assert found.size.width == 64 or kind == "ICO"


def test_a_few_bytes_that_claim_many_pixels_are_refused_in_little_memory(tmp_path: Path) -> None:
    claim = stored(tmp_path, huge_claim(30_000, 30_000))
    image_headers.read_image_header(
        stored(tmp_path.parent, picture(8, 8, "PNG")), PNG, MOST, MEMORY
    )  # the library is imported by now
    tracemalloc.start()
    with pytest.raises(FileRefused, match="30000 x 30000"):
        image_headers.read_image_header(claim, PNG, MOST, MEMORY)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1 << 20


def test_many_pixels_below_the_limit_are_taken(tmp_path: Path) -> None:
    assert image_headers.read_image_header(stored(tmp_path, huge_claim(9504, 6336)), PNG, MOST, MEMORY) == (
        PixelSize(9504, 6336),
        1,
    )


@pytest.mark.parametrize("content", [b"", b"these bytes are no image at all", b"\xff\xd8\xff\xe0" + bytes(50)])
def test_bytes_that_are_no_image_are_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(FileRefused, match="no image"):
        image_headers.read_image_header(stored(tmp_path, content), JPEG, MOST, MEMORY)


def test_an_image_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    content = picture(800, 600)
    path = stored(tmp_path, content[: len(content) // 2])
    with pytest.raises(FileRefused, match="cannot be decoded"):
        image_processing.create_sub_sizes(path, JPEG, [SubSizeCut(PixelSize(100, 75), (0, 0, 800, 600))], 82, MEMORY)


# -- sub-sizes


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP", "AVIF"])
def test_sub_sizes_keep_the_format_and_show_the_same(tmp_path: Path, kind: str) -> None:
    path = stored(tmp_path, quarters(800, 600, kind))
    cuts = list(compute_sub_sizes(PixelSize(800, 600), SIZES).values())
    made = [decoded(one) for one in image_processing.create_sub_sizes(path, f"image/{kind.lower()}", cuts, 82, MEMORY)]
    assert [one.size for one in made] == [cut.size for cut in cuts]
    for one in made:
        assert one.format == kind
        for found, expected in zip(corners(one), (RED, GREEN, BLUE, WHITE), strict=True):
            assert all(abs(a - b) < 24 for a, b in zip(found, expected, strict=True))


@pytest.mark.parametrize(
    ("kind", "mode"),
    [("PNG", "P"), ("PNG", "LA"), ("PNG", "RGBA"), ("PNG", "1"), ("PNG", "L"), ("PNG", "I;16"), ("JPEG", "CMYK"),
     ("JPEG", "L"), ("GIF", "P"), ("WEBP", "RGBA")],
)  # fmt: skip
def test_images_of_every_mode_get_sub_sizes(tmp_path: Path, kind: str, mode: str) -> None:
    out = io.BytesIO()
    if mode == "I;16":
        Image.frombytes("I;16", (64, 48), struct.pack("<3072H", *range(0, 61_440, 20))).save(out, kind)
    else:
        Image.linear_gradient("L").resize((64, 48)).convert("RGB").convert(mode).save(out, kind)
    path = stored(tmp_path, out.getvalue())
    (small,) = image_processing.create_sub_sizes(
        path, f"image/{kind.lower()}", [SubSizeCut(PixelSize(32, 24), (0, 0, 64, 48))], 82, MEMORY
    )
    image = decoded(small)
    assert image.size == (32, 24)
    levels = [image.convert("L").getpixel((16, y)) for y in (2, 22)]
    assert isinstance(levels[0], int)
    assert isinstance(levels[1], int)
    assert levels[0] < levels[1]


def test_what_is_see_through_stays_so(tmp_path: Path) -> None:
    out = io.BytesIO()
    Image.new("RGBA", (64, 64), (255, 0, 0, 0)).save(out, "PNG")
    (small,) = image_processing.create_sub_sizes(
        stored(tmp_path, out.getvalue()), PNG, [SubSizeCut(PixelSize(32, 32), (0, 0, 64, 64))], 82, MEMORY
    )
    found = decoded(small).getpixel((5, 5))
    assert isinstance(found, tuple)
    assert found[3] == 0


@pytest.mark.parametrize("orientation", range(1, 9))
def test_sub_sizes_stand_upright_and_say_nothing_of_a_turn(tmp_path: Path, orientation: int) -> None:
    """The stored pixels are the shown ones, turned against the orientation."""
    undo = {
        2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180, 4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_90, 7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }  # fmt: skip
    shown = decoded(quarters(400, 200))
    pixels = shown.transpose(undo[orientation]) if orientation > 1 else shown
    exif = Image.Exif()
    exif[0x0112] = orientation
    out = io.BytesIO()
    pixels.save(out, "JPEG", quality=95, exif=exif)
    path = stored(tmp_path, out.getvalue())
    head = image_headers.read_image_header(path, JPEG, MOST, MEMORY)
    assert head == (PixelSize(400, 200), orientation)
    (small,) = image_processing.create_sub_sizes(
        path, JPEG, [SubSizeCut(PixelSize(100, 50), (0, 0, 400, 200))], 82, MEMORY
    )
    image = decoded(small)
    assert image.size == (100, 50)
    for found, expected in zip(corners(image), (RED, GREEN, BLUE, WHITE), strict=True):
        assert all(abs(a - b) < 24 for a, b in zip(found, expected, strict=True))
    assert image.getexif().get(0x0112) is None


def test_the_profile_of_the_colours_is_kept_and_nothing_else(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x010F] = "A camera that says where it was"
    path = stored(tmp_path, picture(200, 100, icc_profile=b"profile of colours", exif=exif))
    (small,) = image_processing.create_sub_sizes(
        path, JPEG, [SubSizeCut(PixelSize(100, 50), (0, 0, 200, 100))], 82, MEMORY
    )
    assert decoded(small).info["icc_profile"] == b"profile of colours"
    assert not decoded(small).getexif()


def test_twelve_megapixels_have_all_sub_sizes_soon(tmp_path: Path) -> None:
    """The whole upload may take 1.5 s; benchmarks measure it on a quiet machine."""
    noise = Image.effect_noise((1000, 750), 80).convert("RGB").resize((4000, 3000))
    out = io.BytesIO()
    noise.save(out, "JPEG", quality=90)
    path = stored(tmp_path, out.getvalue())
    cuts = [
        SubSizeCut(PixelSize(2560, 1920), (0, 0, 4000, 3000)),
        *compute_sub_sizes(PixelSize(4000, 3000), SIZES).values(),
    ]
    start = time.process_time()
    assert len(image_processing.create_sub_sizes(path, JPEG, cuts, 82, MEMORY)) == 7
    assert time.process_time() - start < 3


# -- turns, crops, mirrors


def changed(
    folder: Path, *modifiers: image_processing.ImageModifier, size: tuple[int, int] = (400, 200)
) -> Image.Image:
    return decoded(
        image_processing.create_edited_image(stored(folder, quarters(*size)), PNG, modifiers, MOST, 82, MEMORY)
    )


def test_angles_are_clockwise(tmp_path: Path) -> None:
    turned = changed(tmp_path, RotateModifier(90))
    assert turned.size == (200, 400)
    assert corners(turned) == (BLUE, RED, WHITE, GREEN)
    assert corners(changed(tmp_path, RotateModifier(-90))) == (GREEN, WHITE, RED, BLUE)
    assert corners(changed(tmp_path, RotateModifier(180))) == (WHITE, BLUE, GREEN, RED)
    assert corners(changed(tmp_path, RotateModifier(450))) == corners(turned)
    assert changed(tmp_path, RotateModifier(360)).size == (400, 200)


def test_an_odd_angle_gives_the_box_of_what_was_turned(tmp_path: Path) -> None:
    turned = decoded(
        image_processing.create_edited_image(
            stored(tmp_path, picture(1200, 800)), JPEG, [RotateModifier(45)], MOST, 82, MEMORY
        )
    )
    assert turned.size == (1415, 1415)
    corner = turned.getpixel((3, 3))
    assert isinstance(corner, tuple)
    assert min(corner) > 240
    slightly = changed(tmp_path, RotateModifier(2), size=(200, 200))
    assert corners(slightly) == (RED, GREEN, BLUE, WHITE)
    assert slightly.size == (207, 207)


def test_the_corners_of_a_see_through_image_stay_see_through(tmp_path: Path) -> None:
    out = io.BytesIO()
    Image.new("RGBA", (100, 100), (255, 0, 0, 255)).save(out, "PNG")
    turned = decoded(
        image_processing.create_edited_image(
            stored(tmp_path, out.getvalue()), PNG, [RotateModifier(45)], MOST, 82, MEMORY
        )
    )
    assert turned.getpixel((1, 1)) == (255, 255, 255, 0)


def test_mirrors_change_places(tmp_path: Path) -> None:
    assert corners(changed(tmp_path, FlipModifier(True, False))) == (GREEN, RED, WHITE, BLUE)
    assert corners(changed(tmp_path, FlipModifier(False, True))) == (BLUE, WHITE, RED, GREEN)
    assert corners(changed(tmp_path, FlipModifier(True, True))) == (WHITE, BLUE, GREEN, RED)
    assert corners(changed(tmp_path, FlipModifier(False, False))) == (RED, GREEN, BLUE, WHITE)


def test_a_crop_keeps_a_part(tmp_path: Path) -> None:
    part = changed(tmp_path, CropModifier(50, 0, 50, 50))
    assert part.size == (200, 100)
    assert set(corners(part)) == {GREEN}
    assert changed(tmp_path, CropModifier(75, 75, 50, 50)).size == (100, 50)


def test_modifiers_work_one_after_the_other(tmp_path: Path) -> None:
    part = changed(tmp_path, RotateModifier(90), CropModifier(0, 0, 50, 50))
    assert part.size == (100, 200)
    assert set(corners(part)) == {BLUE}


@pytest.mark.parametrize(
    "crop",
    [CropModifier(0, 0, 0, 0), CropModifier(0, 0, 50, 0), CropModifier(100, 0, 10, 10), CropModifier(-50, 0, 20, 20)],
)
def test_a_crop_of_nothing_fails(tmp_path: Path, crop: CropModifier) -> None:
    with pytest.raises(ImageCropFailed):
        changed(tmp_path, crop)


@pytest.mark.parametrize(
    "crop",
    [CropModifier(1e300, 0, 10, 10), CropModifier(0, 0, 1e300, 1e300), CropModifier(-1e300, -1e300, 1e300, 1e300)],
)
def test_absurd_percentages_do_no_harm(tmp_path: Path, crop: CropModifier) -> None:
    try:
        assert changed(tmp_path, crop).size <= (400, 200)
    except ImageCropFailed:
        assert crop.width < 1e300 or crop.left < 0


def test_a_turn_that_would_need_too_much_memory_is_refused(tmp_path: Path) -> None:
    path = stored(tmp_path, picture(4000, 20, "PNG"))
    with pytest.raises(ImageTooLarge):
        image_processing.create_edited_image(path, PNG, [RotateModifier(45)], 1_000_000, 82, MEMORY)


# -- words


def test_what_the_camera_writes_is_told(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x010E], exif[0x0110], exif[0x013B], exif[0x8298] = "A harbour", "Camera 1", "Who took it", "Rights"
    exif[0x0112] = 1
    own = exif.get_ifd(0x8769)
    ratio = TiffImagePlugin.IFDRational
    own[0x829A], own[0x829D], own[0x8827], own[0x920A] = ratio(1, 125), ratio(56, 10), 200, ratio(50, 1)
    own[0x9004] = "2024:05:06 07:08:09"
    found = image_exif.read_image_metadata(stored(tmp_path, picture(64, 64, exif=exif)), JPEG)
    assert found == {
        "aperture": "5.6", "credit": "Who took it", "camera": "Camera 1", "caption": "A harbour",
        "created_timestamp": "1714979289", "copyright": "Rights", "focal_length": "50", "iso": "200",
        "shutter_speed": "0.008", "title": "A harbour", "orientation": "1", "keywords": [],
    }  # fmt: skip


def test_what_an_editor_writes_wins(tmp_path: Path) -> None:
    def data_set(number: int, text: bytes) -> bytes:
        return b"\x1c\x02" + bytes([number]) + struct.pack(">H", len(text)) + text

    told = [(5, "Città".encode()), (120, b"A <b>caption</b>"), (25, b"sea"), (25, b"sky")]
    sets = b"".join(data_set(*one) for one in told)
    block = b"8BIM\x04\x04\0\0" + struct.pack(">I", len(sets)) + sets + b"\0" * (len(sets) % 2)
    segment = b"Photoshop 3.0\0" + block
    plain = picture(64, 64)
    content = plain[:2] + b"\xff\xed" + struct.pack(">H", len(segment) + 2) + segment + plain[2:]
    found = image_exif.read_image_metadata(stored(tmp_path, content), JPEG)
    assert (found["title"], found["caption"], found["keywords"]) == ("Città", "A caption", ["sea", "sky"])


def test_broken_words_are_no_reason_to_refuse(tmp_path: Path) -> None:
    content = picture(64, 64, exif=b"Exif\0\0II*\0\xff\xff\xff\xff" + bytes(20))
    assert image_exif.read_image_metadata(stored(tmp_path, content), JPEG)["aperture"] == "0"
    assert image_headers.read_image_header(stored(tmp_path, content), JPEG, MOST, MEMORY) == (PixelSize(64, 64), 1)


def test_other_formats_say_nothing(tmp_path: Path) -> None:
    assert image_exif.read_image_metadata(stored(tmp_path, picture(8, 8, "PNG")), PNG) == image_exif.EMPTY_METADATA
