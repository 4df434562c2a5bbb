"""Values that an export has in PHP's serialized form: arrays, texts, numbers; what has objects is left as it is."""

from __future__ import annotations

import re
from typing import Any, Final

_MAX_DEPTH: Final = 20  # arrays inside each other
_HEAD: Final = re.compile(
    rb"(?P<null>N;)|b:(?P<flag>[01]);|i:(?P<whole>-?\d{1,18});|d:(?P<number>-?[0-9.eE+-]{1,40});"
    rb'|s:(?P<size>\d{1,9}):"|a:(?P<count>\d{1,7}):\{'
)
_ARRAY: Final = re.compile(r"a:\d{1,7}:\{.*\}\s*\Z", re.DOTALL)


class _UnreadableValue(ValueError):
    """The text is no value in this form, or one with objects."""


def read_php_value(text: str) -> Any:
    """Return the value of a serialized array, with lists for those that count from 0; other texts as they are."""
    if not _ARRAY.match(text):
        return text
    data = text.strip().encode("utf-8", "surrogatepass")
    try:
        value, end = _read_value(data, 0, 0)
    except ValueError:
        return text
    return value if end == len(data) else text


def _read_value(data: bytes, at: int, depth: int) -> tuple[Any, int]:
    found = _HEAD.match(data, at)
    if found is None or depth > _MAX_DEPTH:
        raise _UnreadableValue
    at = found.end()
    if (size := found["size"]) is not None:
        return _read_text(data, at, int(size))
    if (count := found["count"]) is not None:
        return _read_array(data, at, int(count), depth)
    if (flag := found["flag"]) is not None:
        return flag == b"1", at
    if (whole := found["whole"]) is not None:
        return int(whole), at
    return (None if found["null"] else float(found["number"])), at


def _read_text(data: bytes, at: int, size: int) -> tuple[str, int]:
    end = at + size
    if data[end : end + 2] != b'";':
        raise _UnreadableValue
    return data[at:end].decode(), end + 2


def _read_array(data: bytes, at: int, count: int, depth: int) -> tuple[Any, int]:
    out: dict[Any, Any] = {}
    for _ in range(count):
        key, at = _read_value(data, at, depth + 1)
        if not isinstance(key, (int, str)):
            raise _UnreadableValue
        out[key], at = _read_value(data, at, depth + 1)
    if data[at : at + 1] != b"}":
        raise _UnreadableValue
    if list(out) == list(range(len(out))):
        return list(out.values()), at + 1
    return {str(key): value for key, value in out.items()}, at + 1
