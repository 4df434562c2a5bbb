"""The picture that stands for a product without one: where it is, in which sizes, and its markup.

The files come with the program and are served by every shop. Not here: the pictures that products have
(shop/products/images.py).
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from vetrina.backends.file_store import ADDRESS
from vetrina.core.unit_of_work import Work
from vetrina.media.uploads.filenames import FOLDER

__all__ = ["FILES", "markup", "url"]

_PICTURES: Final = Path(__file__).with_name("placeholder_images")
_NAME: Final = "shop-placeholder"
_WIDTH: Final = 1200  # pixels, of the whole picture
_SIZES: Final = (300, 1024, 150, 768)  # pixels, in the order of the markup
_SHOWN: Final = 300
_FILE_NAMES: Final = (f"{_NAME}.webp", *(f"{_NAME}-{size}x{size}.webp" for size in _SIZES))
FILES: Final[dict[str, Path]] = {f"{FOLDER}{name}": _PICTURES / name for name in _FILE_NAMES}


def url(work: Work, size: int = 0) -> str:
    """Return the address of the picture; size: pixels, 0 for the whole one. The site has it wherever its files are."""
    return f"{work.origin}{ADDRESS}{FOLDER}{_NAME}{f'-{size}x{size}' if size else ''}.webp"


def markup(work: Work) -> str:
    """Return the picture as an element."""
    sources = ", ".join([f"{url(work)} {_WIDTH}w", *(f"{url(work, size)} {size}w" for size in _SIZES)])
    return (
        f'<img width="{_SHOWN}" height="{_SHOWN}" src="{url(work)}" class="{_NAME} cms-post-image" alt="Placeholder" '
        f'decoding="async" loading="lazy" srcset="{sources}" sizes="auto, (max-width: {_SHOWN}px) 100vw, {_SHOWN}px" />'
    )
