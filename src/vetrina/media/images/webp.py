"""The pixels of a WebP image that stands still, decoded into one buffer.

The imaging library reads every WebP as an animation, with two canvases and a copy of each: sixteen bytes a pixel, where
four are enough. This calls the very library that it is linked with; without it the usual way is taken.
Source: `src/webp/decode.h` of libwebp, whose functions are as they were in 2010.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["decode"]


def decode(image: Image.Image, path: Path) -> Image.Image | None:
    """Return the pixels of an image that was opened, None where they cannot be had so: of an animation, say."""
    from PIL import Image

    into = _decoder()
    if into is None or getattr(image, "n_frames", 0) != 1:
        return None
    # Memory that is mapped goes back to the system at once.
    row, content = image.width * 4, mmap.mmap(-1, path.stat().st_size)
    pixels = mmap.mmap(-1, row * image.height)
    with path.open("rb") as file:
        file.readinto(content)
    if not into(_bytes(content), len(content), _bytes(pixels), len(pixels), row):
        return None
    mode = "RGBA" if image.mode == "RGBA" else "RGBX"
    # Its stub knows bytes alone, and to copy them would double the memory.
    return Image.frombuffer(mode, image.size, pixels, "raw", mode, 0, 1)  # type: ignore[arg-type]


def _bytes(mapping: mmap.mmap) -> ctypes.Array[ctypes.c_uint8]:
    return (ctypes.c_uint8 * len(mapping)).from_buffer(mapping)


@cache
def _decoder() -> Callable[..., Any] | None:
    try:
        from PIL import _webp

        into: Callable[..., Any] = ctypes.CDLL(_webp.__file__).WebPDecodeRGBAInto
    except (ImportError, AttributeError, OSError):
        return None
    # A function of a library has these two; its declared type is that of any that can be called.
    into.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)  # type: ignore[attr-defined]
    into.restype = ctypes.c_void_p  # type: ignore[attr-defined]
    return into
