"""The JSON of an answer, also where something of the site's was printed in front of it."""

from __future__ import annotations

from typing import Any, Final

import orjson

_MAX_STARTS: Final = 50  # places where the JSON may begin; a notice has a few braces at most
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


def decode_answer(body: bytes) -> Any:
    """Return the value of an answer, None where it has no JSON.

    Sites print notices of their server before the text.
    """
    body = body.removeprefix(_BYTE_ORDER_MARK)
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return _decode_after_notice(body.decode("utf-8", "replace"))


def _decode_after_notice(text: str) -> Any:
    at = -1
    for _ in range(_MAX_STARTS):
        starts = [found for mark in "{[" if (found := text.find(mark, at + 1)) >= 0]
        if not starts:
            return None
        at = min(starts)
        try:
            return orjson.loads(text[at:])
        except orjson.JSONDecodeError:
            continue
    return None
