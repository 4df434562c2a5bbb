"""Query parameters as the interface reads them: lists and objects in brackets, booleans as words.

`{"a": [1, 2], "b": {"c": True}}` is `a[0]=1&a[1]=2&b[c]=true`. None is left out; an empty list is sent as an empty
text, which the interface reads as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

__all__ = ["pairs", "text"]


def pairs(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return parameters as pairs of name and text, in order. Raises TypeError for unsupported values."""
    return [pair for name, value in values.items() for pair in _flat(name, value)]


def _flat(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if value is None:
        return
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(f"{name}[{key}]", inner)
    elif isinstance(value, Iterable) and not isinstance(value, str | bytes):
        items = list(value)
        if not items:
            yield name, ""
        for at, inner in enumerate(items):
            yield from _flat(f"{name}[{at}]", inner)
    else:
        yield name, text(value)


def text(value: Any) -> str:
    """Return one value as text. Raises TypeError for unsupported types, ValueError for a time without an offset."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone; say which: value.replace(tzinfo=UTC)")
        return value.isoformat(timespec="seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int | float | Decimal):
        return str(value)
    raise TypeError(f"{value!r} cannot be a parameter; send texts, numbers, truth, dates, or lists and objects of them")
