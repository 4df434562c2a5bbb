"""The values of a JSON text with their paths and positions, so that one can be replaced without changing the rest.

Block delimiters hold their attributes as JSON; encoding it again would change what nobody translated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from vetrina.content.text.block_delimiters import escape_attributes

JsonPath = tuple[str | int, ...]

_DECODER: Final = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\n\r]*")
_ATOM = re.compile(r"[^\s,\]}]+")
_NUMBER = re.compile(r"[0-9]{1,15}")


def list_json_strings(text: str) -> list[tuple[JsonPath, int, int, str]]:
    """Return every string value of a JSON text: its path, where it starts and ends with its quotes, its value.

    A text that is not JSON has none.
    """
    return [(path, start, end, value) for path, start, end, value in list_json_values(text) if isinstance(value, str)]


def list_json_values(text: str) -> list[tuple[JsonPath, int, int, str | int]]:
    """Return every string and integer of a JSON text, as `list_json_strings` does."""
    try:
        json.loads(text)
        return list(_iterate_json_values(text))
    except (ValueError, RecursionError):
        return []


def encode_json_string(value: str) -> str:
    """Return a string encoded as in attributes of block delimiters, with its quotes."""
    return escape_attributes(json.dumps(value, ensure_ascii=False))


def _iterate_json_values(text: str) -> Iterator[tuple[JsonPath, int, int, str | int]]:
    """Walk a valid JSON text with an explicit stack: the client chooses the depth."""
    path: list[str | int] = []  # the index in each open list, the key in each open object
    at = 0
    expects_key = False
    while (at := _skip_blanks(text, at)) < len(text):
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


def _skip_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at
