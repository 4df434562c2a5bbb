"""Values that an export has in PHP's serialized form: arrays, texts, numbers; what has objects is left as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

_MAX_DEPTH: Final = 20  # arrays inside each other
_HEAD: Final = re.compile(
    rb"(?P<null>N;)|b:(?P<flag>[01]);|i:(?P<whole>-?\d{1,18});|d:(?P<number>-?[0-9.eE+-]{1,40});"
    rb'|s:(?P<size>\d{1,9}):"|a:(?P<count>\d{1,7}):\{'
)
_WHOLE_KEY: Final = re.compile(r"0|-?[1-9]\d{0,17}")
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


def write_php_value(value: Any) -> str:
    """Return a list or an object as a serialized array; other values as the text that an export has of them."""
    if isinstance(value, Mapping | list | tuple):
        return _serialize(value)
    if isinstance(value, bool):
        return "1" if value else "0"
    return str(value)


def _serialize(value: Any) -> str:
    if isinstance(value, Mapping):
        return _serialize_array(value.items())
    if isinstance(value, list | tuple):
        return _serialize_array(enumerate(value))
    if value is None:
        return "N;"
    if isinstance(value, bool):
        return f"b:{value:d};"
    if isinstance(value, int):
        return f"i:{value};"
    if isinstance(value, float):
        return f"d:{value!r};"
    text = str(value)
    return f's:{len(text.encode())}:"{text}";'


def _serialize_array(items: Iterable[tuple[Any, Any]]) -> str:
    # A key that is written as a whole number is one, to whoever reads it.
    keyed = [(int(key) if isinstance(key, str) and _WHOLE_KEY.fullmatch(key) else key, item) for key, item in items]
    return f"a:{len(keyed)}:{{{''.join(_serialize(key) + _serialize(item) for key, item in keyed)}}}"
