"""What a profile says of images: the table `[images]` of its file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from vetrina.kernel.frozen import freeze


class ImageSize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A size that is generated of every larger image."""

    width: int = 0  # pixels; 0 leaves this side free
    height: int = 0
    crop: bool = False  # fill the size and cut off what exceeds it, instead of fitting into it


# In the order in which responses list them.
_DEFAULT_IMAGE_SIZES = {
    "medium": ImageSize(300, 300),
    "large": ImageSize(1024, 1024),
    "thumbnail": ImageSize(150, 150, crop=True),
    "medium_large": ImageSize(768, 0),
    "1536x1536": ImageSize(1536, 1536),
    "2048x2048": ImageSize(2048, 2048),
}


class RenditionSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sizes and formats that are made of an image when its URL asks for them."""

    # pixels that `w` and `h` may be without a signature; empty: signed URLs only
    widths: tuple[int, ...] = (64, 128, 256, 320, 480, 640, 768, 960, 1080, 1280, 1600, 1920, 2560)
    formats: tuple[Literal["avif", "webp", "jpeg", "png"], ...] = ("avif", "webp", "jpeg", "png")
    most_files: int = 10_000  # files that are kept of them; beyond that the oldest are deleted


class ImageSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is generated of uploaded images."""

    sizes: Mapping[str, ImageSize] = msgspec.field(default_factory=lambda: dict(_DEFAULT_IMAGE_SIZES))
    longest: int = 2560  # pixels; a longer image is scaled down to this, its original is kept; 0: none is scaled
    quality: int = 82  # of JPEG, WebP and AVIF, 1 to 95
    renditions: RenditionSettings = RenditionSettings()

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "sizes", freeze(self.sizes))
