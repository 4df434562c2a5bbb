"""In which members two records differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import orjson

_RAW: Final = "raw"
_FOLLOWS_FROM_RAW: Final = frozenset({"rendered", "protected", "block_version"})
_ABSENT: Final = "(absent)"
_SHOWN_CHARACTERS: Final = 80
_AROUND: Final = 20  # characters shown before the first that differs


class MemberDifference(NamedTuple):
    """One member with both values, as JSON, shortened around where they begin to differ."""

    member: str
    a: str
    b: str


class OneSidedMembers(NamedTuple):
    """Members of whole records that only one of them has: not a difference of values, but of interfaces."""

    a: tuple[str, ...]
    b: tuple[str, ...]


def find_differences(a: dict[str, Any], b: dict[str, Any]) -> tuple[list[MemberDifference], OneSidedMembers]:
    """Return the members of two records that differ, and those that only one has."""
    found: list[MemberDifference] = []
    for name in sorted(a.keys() & b.keys()):
        found += _compare_values(name, a[name], b[name])
    return found, OneSidedMembers(tuple(sorted(a.keys() - b.keys())), tuple(sorted(b.keys() - a.keys())))


def _compare_values(name: str, a: Any, b: Any) -> Iterator[MemberDifference]:
    if isinstance(a, dict) and isinstance(b, dict):
        members = a.keys() | b.keys()
        if _RAW in a and _RAW in b:
            members -= _FOLLOWS_FROM_RAW
        elif _RAW in a or _RAW in b:
            # One side was read as an administrator, the other as a visitor.
            members = a.keys() & b.keys()
        for key in sorted(members):
            at = f"{name}.{key}"
            if key not in a or key not in b:
                yield MemberDifference(
                    at, _show(a[key]) if key in a else _ABSENT, _show(b[key]) if key in b else _ABSENT
                )
            else:
                yield from _compare_values(at, a[key], b[key])
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for number, (one, other) in enumerate(zip(a, b, strict=True)):
            yield from _compare_values(f"{name}[{number}]", one, other)
    elif not _is_equal(a, b):
        yield MemberDifference(name, *_show_around(a, b))


def _is_equal(a: Any, b: Any) -> bool:
    # Empty objects of the original are lists.
    return bool(a == b) or (a in ({}, []) and b in ({}, []) and not isinstance(a, bool))


def _show(value: Any) -> str:
    text = orjson.dumps(value).decode()
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[: _SHOWN_CHARACTERS - 1]}…"


def _show_around(a: Any, b: Any) -> tuple[str, str]:
    """Return two values as JSON, from shortly before the first character that differs."""
    one, other = orjson.dumps(a).decode(), orjson.dumps(b).decode()
    same = next((at for at, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), min(len(one), len(other)))
    start = max(0, same - _AROUND) if max(len(one), len(other)) > _SHOWN_CHARACTERS else 0
    return _cut(one, start), _cut(other, start)


def _cut(text: str, start: int) -> str:
    shown = text[start : start + _SHOWN_CHARACTERS]
    return ("…" if start else "") + shown + ("…" if start + _SHOWN_CHARACTERS < len(text) else "")
