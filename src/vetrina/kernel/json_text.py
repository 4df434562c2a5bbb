"""JSON texts that may be large: how many values one holds before it is read, and writing one piece by piece.

A reader and a writer of JSON let nobody else in until they are done, so that what strangers choose must be small enough
for one go, or be cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson

__all__ = ["TooLong", "more_values", "pieces", "written"]

_BACKSLASH: Final = ord("\\")
_SIGNS: Final = (b",", b"[", b"{")  # each has a value behind it


class TooLong(ValueError):
    """A text would have more bytes than it may."""


def more_values(text: bytes, most: int) -> bool:
    """Say whether a JSON text has more values than `most`; for a text that is no JSON the answer says nothing."""
    # Signs inside its strings count here, so that most texts need no closer look.
    if len(text) <= most or sum(map(text.count, _SIGNS)) < most:
        return False
    found, at = 1, 0
    while found <= most:
        start = text.find(b'"', at)
        stop = len(text) if start < 0 else start
        found += sum(text.count(sign, at, stop) for sign in _SIGNS)
        if start < 0:
            break
        at = _end_of_string(text, start + 1)
    return found > most


def _end_of_string(text: bytes, at: int) -> int:
    while (quote := text.find(b'"', at)) >= 0:
        before = quote
        while before > at and text[before - 1] == _BACKSLASH:
            before -= 1
        if (quote - before) % 2 == 0:
            return quote + 1
        at = quote + 1
    return len(text)


def written(value: Any, most: int = 0) -> bytes:
    """Return a value as JSON text, as orjson writes it, with time for others between the pieces.

    most: bytes that it may have, 0 for any number. Raises TooLong.
    """
    done: list[bytes] = []
    size = 0
    for piece in pieces(value):
        size += len(piece)
        if most and size > most:
            raise TooLong
        done.append(piece)
    return b"".join(done)


def pieces(value: Any, levels: int = 3) -> Iterator[bytes]:
    """Yield a value as JSON text in pieces: its items, their members and so on; levels: that are cut."""
    if levels and type(value) is list and value:
        opening = b"["
        for item in value:
            yield opening
            yield from pieces(item, levels - 1)
            opening = b","
        yield b"]"
    elif levels and type(value) is dict and value and all(type(key) is str for key in value):
        opening = b"{"
        for key, item in value.items():
            yield opening + orjson.dumps(key) + b":"
            yield from pieces(item, levels - 1)
            opening = b","
        yield b"}"
    else:
        yield orjson.dumps(value)
