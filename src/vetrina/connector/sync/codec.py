"""How the connector's items are encoded: JSON, raw deflate, base64 (`deflate-json-array`).

Rules: docs/rules/connector_sync.md, 3.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import Any, Final

import orjson

CODEC: Final = "deflate-json-array"
_COMPRESSION_LEVEL: Final = 6
_RAW_WINDOW_BITS: Final = -15  # window bits; negative: raw deflate without the zlib header
_MAX_BYTES: Final = 64 << 20  # bytes that a payload may decompress to


class UndecodablePayload(ValueError):
    """The text is not an encoded payload."""


def encode_payload(value: Any) -> str:
    """Return a JSON value as an encoded payload."""
    return encode_json_payload(orjson.dumps(value))


def encode_json_payload(content: bytes) -> str:
    """Return JSON text as an encoded payload."""
    compressor = zlib.compressobj(_COMPRESSION_LEVEL, zlib.DEFLATED, _RAW_WINDOW_BITS)
    return base64.b64encode(compressor.compress(content) + compressor.flush()).decode()


def decode_payload(text: str) -> Any:
    """Return the JSON value of an encoded payload. Raises UndecodablePayload."""
    try:
        decompressor = zlib.decompressobj(_RAW_WINDOW_BITS)
        content = decompressor.decompress(base64.b64decode(text, validate=True), _MAX_BYTES)
        return orjson.loads(content)
    except (zlib.error, binascii.Error, ValueError) as error:
        raise UndecodablePayload(str(error)) from None
