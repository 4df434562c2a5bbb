"""Queries and forms with bracket names, parsed and formatted: `a[b][]=c`.

Rules: docs/rules/requests.md, 6 and 8; docs/rules/lists.md, 4 (the Link header).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote_plus, unquote_to_bytes

_MAX_DEPTH = 32  # brackets in one name; deeper ones are dropped
MAX_PAIRS = 4000  # parameters in one query; further ones are dropped
_META = "meta."  # before the name of an own field: `meta.prep_minutes` is `meta[prep_minutes]`
_PIECE_LENGTH = 1 << 16  # characters whose escapes are decoded together


def parse_query(text: str) -> dict[str, Any]:
    """Return the values of a query or a form; broken escapes and invalid UTF-8 are not errors."""
    return nest_pairs(parse_pairs(text))


def parse_pairs(text: str) -> list[tuple[str, str]]:
    """Return decoded names and values of a query or a form, in the order in which they were sent."""
    pairs = []
    for pair in text.split("&", MAX_PAIRS)[:MAX_PAIRS]:
        if pair:
            name, _, value = pair.partition("=")
            pairs.append((_decode_percent(name), _decode_percent(value)))
    return pairs


class _BracketMembers(dict[str, Any]):
    """Members while they are parsed; `next` is the index that a name with empty brackets gets.

    It is one above the highest index so far, and updated on the way: searching for it made long lists quadratic.
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


def nest_pairs(pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """Return the values of pairs whose names may have brackets."""
    out = _BracketMembers()
    for name, value in pairs:
        _insert_value(out, name, value)
    return {name: _convert_to_list(value) for name, value in out.items()}


def _decode_percent(text: str) -> str:
    if "%" not in text and "+" not in text:
        return text
    text = text.replace("+", " ")
    if len(text) <= _PIECE_LENGTH:
        return unquote_to_bytes(text).decode("utf-8", "replace")
    return b"".join(map(unquote_to_bytes, _split_text(text))).decode("utf-8", "replace")


def _split_text(text: str) -> Iterator[str]:
    """Split a long text, but none of its escapes: the library would hold each escape of the whole as an object."""
    start = 0
    while start < len(text):
        end = start + _PIECE_LENGTH
        escape = text.rfind("%", end - 2, end)
        end = escape if escape > start else end
        yield text[start:end]
        start = end


def split_keys(name: str) -> list[str]:
    """Return the keys in a name, from the outside in; an empty key appends. A name without keys is dropped."""
    name = name.lstrip(" ")
    if name.startswith(_META):
        field, bracket, rest = name.removeprefix(_META).partition("[")
        if field and "]" not in field:
            name = f"meta[{field}]{bracket}{rest}"
    start = name.find("[")
    if start <= 0 or "]" not in name[start:]:
        if not name:
            return []
        return [name.replace(".", "_").replace(" ", "_") if "." in name or " " in name else name]
    keys = [name[:start]]
    rest = name[start:]
    while rest.startswith("[") and (end := rest.find("]")) > 0 and len(keys) < _MAX_DEPTH:
        keys.append(rest[1:end])
        rest = rest[end + 1 :]
    return keys


def _insert_value(out: _BracketMembers, name: str, value: str) -> None:
    keys = split_keys(name)
    if len(keys) < 2:
        if keys:
            out[keys[0]] = value
        return
    node = out
    for key in keys[:-1]:
        below = node.get(key) if key != "" else None
        if not isinstance(below, _BracketMembers):
            below = _BracketMembers()
            node.put(key, below)
        node = below
    node.put(keys[-1], value)


def _convert_to_list(value: Any) -> Any:
    """Turn members that are all numbered into a list, in the order in which they were sent."""
    if not isinstance(value, dict):
        return value
    below = {key: _convert_to_list(item) for key, item in value.items()}
    if all(key.isdecimal() and key.isascii() for key in below):
        return list(below.values())
    return below


def format_query(values: dict[str, Any]) -> str:
    """Return the query string of typed values: true as 1, false as a bare name, lists with numbered brackets."""
    parts: list[str] = []
    for name, value in values.items():
        _append_pairs(parts, _quote(name), value)
    return "&".join(parts)


def _append_pairs(parts: list[str], name: str, value: Any) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            _append_pairs(parts, f"{name}%5B{quote_plus(str(key), safe='-_.')}%5D", item)
    elif isinstance(value, list):
        for at, item in enumerate(value):
            _append_pairs(parts, f"{name}%5B{at}%5D", item)
    elif value is False or value == "":
        parts.append(name)
    elif value is not None:
        text = "1" if value is True else str(value)
        parts.append(f"{name}={_quote(text)}")


def _quote(text: str) -> str:
    # Most names and values need no escape, which the library finds out slowly.
    return text if text.isalnum() and text.isascii() else quote_plus(text, safe="-_.")
