"""JSON texts that may be large: counting values before parsing, and serializing in pieces.

Parsing and serializing hold the GIL until they are done, so input chosen by clients must be small or handled in
pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson

_BACKSLASH: Final = ord("\\")
_SHORT_TYPES: Final = frozenset({bool, int, float, type(None)})
_TEXT_KEYS: Final = frozenset({str})
_SHORT_LENGTH: Final = 200  # letters of a text
_SHORT_MEMBERS: Final = 50  # members in one piece
_SHORT_ITEMS: Final = 8  # of a list or an object that is a short member
_SEPARATORS: Final = (b",", b"[", b"{")  # each is followed by a value


class JsonTooLong(ValueError):
    """The text would be longer than allowed."""


def has_more_values(text: bytes, most: int) -> bool:
    """Return whether a JSON text has more values than `most`; meaningless for text that is not JSON."""
    # Separators inside its strings count here, so that most texts need no closer look.
    if len(text) <= most or sum(map(text.count, _SEPARATORS)) < most:
        return False
    count, at = 1, 0
    while count <= most:
        start = text.find(b'"', at)
        stop = len(text) if start < 0 else start
        count += sum(text.count(separator, at, stop) for separator in _SEPARATORS)
        if start < 0:
            break
        at = _find_string_end(text, start + 1)
    return count > most


def _find_string_end(text: bytes, at: int) -> int:
    while (quote := text.find(b'"', at)) >= 0:
        before = quote
        while before > at and text[before - 1] == _BACKSLASH:
            before -= 1
        if (quote - before) % 2 == 0:
            return quote + 1
        at = quote + 1
    return len(text)


def serialize_json(value: Any, most: int = 0) -> bytes:
    """Return a value as JSON text, as orjson writes it, letting other threads run between the pieces.

    most: bytes that it may have, 0 for any number. Raises JsonTooLong.
    """
    done: list[bytes] = []
    size = 0
    for piece in iterate_json_pieces(value):
        size += len(piece)
        if most and size > most:
            raise JsonTooLong
        done.append(piece)
    return b"".join(done)


def iterate_json_pieces(value: Any, levels: int = 3) -> Iterator[bytes]:
    """Yield a value as JSON text in pieces: its items, their members and so on; levels: how deep it is split.

    Short members that follow each other make one piece, small lists and objects of short ones among them.
    """
    if levels and type(value) is list and value:
        opening = b"["
        for item in value:
            yield opening
            yield from iterate_json_pieces(item, levels - 1)
            opening = b","
        yield b"]"
    elif levels and type(value) is dict and value and _TEXT_KEYS.issuperset(map(type, value)):
        opening, short = b"{", dict[str, Any]()
        for key, item in value.items():
            is_short = _is_short(item)
            if short and (not is_short or len(short) == _SHORT_MEMBERS):
                yield opening + orjson.dumps(short)[1:-1]
                opening, short = b",", {}
            if is_short:
                short[key] = item
                continue
            yield opening + orjson.dumps(key) + b":"
            yield from iterate_json_pieces(item, levels - 1)
            opening = b","
        if short:
            yield opening + orjson.dumps(short)[1:-1]
        yield b"}"
    else:
        yield orjson.dumps(value)


def _is_short(value: Any) -> bool:
    kind = type(value)
    if kind is str:
        return len(value) < _SHORT_LENGTH
    if kind is list or kind is dict:
        inside = value if kind is list else value.values()
        if len(value) > _SHORT_ITEMS:
            return False
        for one in inside:
            if type(one) is not str:
                if type(one) not in _SHORT_TYPES:
                    return False
            elif len(one) >= _SHORT_LENGTH:
                return False
        return True
    return kind in _SHORT_TYPES
