"""How the connector's items travel: JSON, raw deflate, base64 (`deflate-json-array`). Rules: facts, 13."""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import Any, Final

import orjson

__all__ = ["CODEC", "Unreadable", "packed", "packed_json", "unpacked"]

CODEC: Final = "deflate-json-array"
_LEVEL: Final = 6
_RAW: Final = -15  # bits of the window; negative: without zlib's frame
_MOST: Final = 64 << 20  # bytes that a text may unpack to


class Unreadable(ValueError):
    """The text was not packed so."""


def packed(value: Any) -> str:
    """Return a JSON value packed."""
    return packed_json(orjson.dumps(value))


def packed_json(content: bytes) -> str:
    """Return JSON text packed."""
    squeeze = zlib.compressobj(_LEVEL, zlib.DEFLATED, _RAW)
    return base64.b64encode(squeeze.compress(content) + squeeze.flush()).decode()


def unpacked(text: str) -> Any:
    """Return what was packed. Raises Unreadable."""
    try:
        spread = zlib.decompressobj(_RAW)
        content = spread.decompress(base64.b64decode(text, validate=True), _MOST)
        return orjson.loads(content)
    except (zlib.error, binascii.Error, ValueError) as error:
        raise Unreadable(str(error)) from None
