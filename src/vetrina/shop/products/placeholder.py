"""The image for products without one: its URL, sizes and markup.

The files are part of the software and are served by every shop. Not here: the images of products
(shop/products/images.py).
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from vetrina.backends.file_store import FILE_URL_PREFIX
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.media.uploads.filenames import UPLOADS_FOLDER

_PLACEHOLDER_FOLDER: Final = Path(__file__).with_name("placeholder_images")
_NAME: Final = "shop-placeholder"
_FULL_WIDTH: Final = 1200  # pixels, of the full image
_SIZES: Final = (300, 1024, 150, 768)  # pixels, in the order of the markup
_DISPLAY_SIZE: Final = 300
_FILE_NAMES: Final = (f"{_NAME}.webp", *(f"{_NAME}-{size}x{size}.webp" for size in _SIZES))
PLACEHOLDER_FILES: Final[dict[str, Path]] = {
    f"{UPLOADS_FOLDER}{name}": _PLACEHOLDER_FOLDER / name for name in _FILE_NAMES
}


def build_placeholder_url(work: UnitOfWork, size: int = 0) -> str:
    """Return the URL of the image; size: pixels, 0 for the full one. The site has it wherever its files are."""
    return f"{work.origin}{FILE_URL_PREFIX}{UPLOADS_FOLDER}{_NAME}{f'-{size}x{size}' if size else ''}.webp"


def render_placeholder(work: UnitOfWork) -> str:
    """Return the image as an HTML element."""
    sources = ", ".join(
        [
            f"{build_placeholder_url(work)} {_FULL_WIDTH}w",
            *(f"{build_placeholder_url(work, size)} {size}w" for size in _SIZES),
        ]
    )
    return (
        f'<img width="{_DISPLAY_SIZE}" height="{_DISPLAY_SIZE}" src="{build_placeholder_url(work)}" '
        f'class="{_NAME} cms-post-image" alt="Placeholder" '
        f'decoding="async" loading="lazy" srcset="{sources}" sizes="auto, (max-width: '
        f'{_DISPLAY_SIZE}px) 100vw, {_DISPLAY_SIZE}px" />'
    )
