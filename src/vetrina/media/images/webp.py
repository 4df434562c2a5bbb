"""Decode a WebP still image into one buffer.

The imaging library reads every WebP as an animation, with two canvases and a copy of each: sixteen bytes a pixel, where
four are enough. This calls the same libwebp that it is linked with; if that is not found, the usual way is taken.
Source: `src/webp/decode.h` of libwebp, whose functions are unchanged since 2010.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ctypes

    from PIL import Image


def decode_webp(image: Image.Image, path: Path) -> Image.Image | None:
    """Return the pixels of an opened image, None if they cannot be decoded this way: of an animation, say."""
    from PIL import Image

    decode = _load_decoder()
    if decode is None or getattr(image, "n_frames", 0) != 1:
        return None
    # Mapped memory is returned to the operating system at once.
    row, content = image.width * 4, mmap.mmap(-1, path.stat().st_size)
    pixels = mmap.mmap(-1, row * image.height)
    with path.open("rb") as file:
        file.readinto(content)
    if not decode(_view_as_bytes(content), len(content), _view_as_bytes(pixels), len(pixels), row):
        return None
    mode = "RGBA" if image.mode == "RGBA" else "RGBX"
    # The stub accepts bytes only, and copying would double the memory.
    return Image.frombuffer(mode, image.size, pixels, "raw", mode, 0, 1)  # type: ignore[arg-type]


def _view_as_bytes(mapping: mmap.mmap) -> ctypes.Array[ctypes.c_uint8]:
    import ctypes

    return (ctypes.c_uint8 * len(mapping)).from_buffer(mapping)


def _find_library() -> str:
    """Return the libwebp that the imaging library is linked with: its wheels bring one, else it is the system's."""
    from ctypes.util import find_library

    import PIL

    package = Path(PIL.__file__).parent
    brought = (*package.parent.glob("[Pp]illow.libs/libwebp-*.so*"), *package.glob(".dylibs/libwebp.*.dylib"))
    return str(brought[0]) if brought else find_library("webp") or "libwebp.so.7"


@cache
def _load_decoder() -> Callable[..., Any] | None:
    import ctypes  # which no process needs that decodes no image

    try:
        decode: Callable[..., Any] = ctypes.CDLL(_find_library()).WebPDecodeRGBAInto
    except (AttributeError, OSError):
        return None
    # Functions of a library have these two attributes; the declared type is that of any callable.
    decode.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)  # type: ignore[attr-defined]
    decode.restype = ctypes.c_void_p  # type: ignore[attr-defined]
    return decode
