"""Texts that a page loads beside it, under addresses that name their content: sent compressed to who understands it.

Rules: RFC 9110, 8.4 and 12.5.3 (encodings), 12.5.5 (Vary), 13.1.2; RFC 8246 (immutable).
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from vetrina.pages.inline_style import build_content_policy
from vetrina.pages.page_context import build_bytes_response
from vetrina.rest.call import Request, Response

_LASTING: Final = "public, max-age=31536000, immutable"
_CHECKED: Final = "public, no-cache"
_TAG_BYTES: Final = 9
_KEPT: Final = 64  # compressed texts of a process


def build_file_response(request: Request, kind: str, content: bytes, *, named: bool, current: bool) -> Response:
    """Return the response with a text.

    named: whether its address names its content. current: whether that is what it has now; an address of before has
    what there is now, which nobody may keep.
    """
    headers = {"Vary": "Accept-Encoding"}
    if _accepts_gzip(request):
        content = _compress(content)
        headers["Content-Encoding"] = "gzip"
    if current:
        # By the bytes that are sent, so that each encoding has a tag of its own.
        tag = f'"{blake2b(content, digest_size=_TAG_BYTES).hexdigest()}"'
        headers |= {"ETag": tag, "Cache-Control": _LASTING if named else _CHECKED}
    return build_bytes_response(200, kind, content, build_content_policy(), headers=headers)


def _accepts_gzip(request: Request) -> bool:
    """Return whether a client takes gzip; one that says nothing, or refuses it by a weight of 0, does not."""
    for part in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


@lru_cache(maxsize=_KEPT)
def _compress(content: bytes) -> bytes:
    # Without the time, so that the same text is the same bytes.
    return gzip.compress(content, 9, mtime=0)
