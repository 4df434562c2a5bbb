"""Queries and forms with bracket names, read and written: `a[b][]=c`.

Rules: facts of the interface, "Where parameters are read from" and "Lists" (the Link header).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote_plus, unquote_to_bytes

__all__ = ["MOST", "keys_of", "nested", "pairs_of", "parse", "write"]

_DEEPEST = 32  # brackets in one name; deeper ones are dropped
MOST = 4000  # parameters in one query; further ones are dropped
_PIECE = 1 << 16  # letters whose escapes are read together


def parse(text: str) -> dict[str, Any]:
    """Return the values of a query or of a form; broken escapes and bytes that are no UTF-8 are no error."""
    return nested(pairs_of(text))


def pairs_of(text: str) -> list[tuple[str, str]]:
    """Return names and values of a query or of a form, decoded, in the order in which they were sent."""
    pairs = []
    for pair in text.split("&", MOST)[:MOST]:
        if pair:
            name, _, value = pair.partition("=")
            pairs.append((_plain(name), _plain(value)))
    return pairs


class _Members(dict[str, Any]):
    """Members while they are read; `next` is the number that a name with empty brackets gets.

    It is one above the highest number so far, counted along: looking for it anew made long lists quadratic.
    """

    __slots__ = ("next",)

    def __init__(self) -> None:
        self.next = 0

    def put(self, key: str, value: Any) -> None:
        if key == "":
            key = str(self.next)
            self.next += 1
        elif key.isdecimal() and key.isascii() and len(key) < 16:
            self.next = max(self.next, int(key) + 1)
        self[key] = value


def nested(pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """Return the values of pairs whose names may have brackets."""
    out = _Members()
    for name, value in pairs:
        _put(out, name, value)
    return {name: _listed(value) for name, value in out.items()}


def _plain(text: str) -> str:
    if "%" not in text and "+" not in text:
        return text
    text = text.replace("+", " ")
    if len(text) <= _PIECE:
        return unquote_to_bytes(text).decode("utf-8", "replace")
    return b"".join(map(unquote_to_bytes, _pieces(text))).decode("utf-8", "replace")


def _pieces(text: str) -> Iterator[str]:
    """Cut a long text, but no escape of it: the library would hold each escape of the whole by itself."""
    start = 0
    while start < len(text):
        end = start + _PIECE
        escape = text.rfind("%", end - 2, end)
        end = escape if escape > start else end
        yield text[start:end]
        start = end


def keys_of(name: str) -> list[str]:
    """Return what a name leads through, from the outside in; an empty key appends. Without keys a name is dropped."""
    name = name.lstrip(" ")
    start = name.find("[")
    if start <= 0 or "]" not in name[start:]:
        if not name:
            return []
        return [name.replace(".", "_").replace(" ", "_") if "." in name or " " in name else name]
    keys = [name[:start]]
    rest = name[start:]
    while rest.startswith("[") and (end := rest.find("]")) > 0 and len(keys) < _DEEPEST:
        keys.append(rest[1:end])
        rest = rest[end + 1 :]
    return keys


def _put(out: _Members, name: str, value: str) -> None:
    keys = keys_of(name)
    if len(keys) < 2:
        if keys:
            out[keys[0]] = value
        return
    node = out
    for key in keys[:-1]:
        below = node.get(key) if key != "" else None
        if not isinstance(below, _Members):
            below = _Members()
            node.put(key, below)
        node = below
    node.put(keys[-1], value)


def _listed(value: Any) -> Any:
    """Turn members that are all numbered into a list, in the order in which they were sent."""
    if not isinstance(value, dict):
        return value
    below = {key: _listed(item) for key, item in value.items()}
    if all(key.isdecimal() and key.isascii() for key in below):
        return list(below.values())
    return below


def write(values: dict[str, Any]) -> str:
    """Return the query text of typed values: true as 1, false as a bare name, lists with numbered brackets."""
    parts: list[str] = []
    for name, value in values.items():
        _write(parts, quote_plus(name, safe="-_."), value)
    return "&".join(parts)


def _write(parts: list[str], name: str, value: Any) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            _write(parts, f"{name}%5B{quote_plus(str(key), safe='-_.')}%5D", item)
    elif isinstance(value, list):
        for at, item in enumerate(value):
            _write(parts, f"{name}%5B{at}%5D", item)
    elif value is False or value == "":
        parts.append(name)
    elif value is not None:
        text = "1" if value is True else str(value)
        parts.append(f"{name}={quote_plus(text, safe='-_.')}")
