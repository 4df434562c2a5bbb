"""The values of a JSON text, each with its path and its place, so that one can be exchanged and all else stays.

Block delimiters hold their attributes as JSON; writing it anew would change what nobody translated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from vetrina.content.text.block_delimiters import escaped

__all__ = ["Path", "strings", "values", "written"]

Path = tuple[str | int, ...]

_DECODER: Final = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\n\r]*")
_ATOM = re.compile(r"[^\s,\]}]+")
_NUMBER = re.compile(r"[0-9]{1,15}")


def strings(text: str) -> list[tuple[Path, int, int, str]]:
    """Return every string value of a JSON text: its path, where it starts and ends with its quotes, its value.

    A text that is no JSON has none.
    """
    return [(path, start, end, value) for path, start, end, value in values(text) if isinstance(value, str)]


def values(text: str) -> list[tuple[Path, int, int, str | int]]:
    """Return every string and every whole number of a JSON text, as `strings` does."""
    try:
        json.loads(text)
        return list(_values(text))
    except (ValueError, RecursionError):
        return []


def written(value: str) -> str:
    """Return a string as attributes in block delimiters have it, quotes included."""
    return escaped(json.dumps(value, ensure_ascii=False))


def _values(text: str) -> Iterator[tuple[Path, int, int, str | int]]:
    """Walk a text that is known to be JSON, with a stack of its own: depth is the client's choice."""
    path: list[str | int] = []  # of each open list the place, of each open object the key
    at = 0
    expects_key = False
    while (at := _blank(text, at)) < len(text):
        sign = text[at]
        if sign == "{":
            path.append("")
            expects_key = True
            at += 1
        elif sign == "[":
            path.append(0)
            expects_key = False
            at += 1
        elif sign in "]}":
            path.pop()
            at += 1
        elif sign == ",":
            if path and isinstance(last := path[-1], int):
                path[-1] = last + 1
                expects_key = False
            else:
                expects_key = True
            at += 1
        elif sign == ":":
            expects_key = False
            at += 1
        elif sign == '"':
            value, end = _DECODER.raw_decode(text, at)
            if expects_key:
                path[-1] = value
            else:
                yield tuple(path), at, end, value
            at = end
        else:
            atom = _ATOM.match(text, at)
            if atom is not None and _NUMBER.fullmatch(atom[0]):
                yield tuple(path), at, atom.end(), int(atom[0])
            at = atom.end() if atom else at + 1


def _blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at
