"""In which line of a TOML document a key stands; the parser of the standard library does not tell."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from typing import Any


def find_key_line(text: str, path: Sequence[str | int]) -> int:
    """Return the line, from 1, of a key or of the nearest key around it that the document names; 0 for none.

    path: keys from the outside; places in lists are read as their list. text: a valid document.
    """
    wanted = tuple(part for part in path if isinstance(part, str))
    best, line = 0, 0
    for at, names in _iterate_keys(text):
        shared = 0
        while shared < min(len(names), len(wanted)) and names[shared] == wanted[shared]:
            shared += 1
        # A table's heading stands for the table, not for what another key of it says.
        if shared > best and shared == len(names):
            best, line = shared, at
    return line


def _iterate_keys(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the line and the full path of each table's heading and of each key outside of inline tables."""
    table: tuple[str, ...] = ()
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        stripped = lines[at].strip()
        if stripped.startswith("["):
            names = _parse_heading(stripped)
            if names is not None:
                table = names
                yield at + 1, table
            at += 1
        elif not stripped or stripped.startswith("#"):
            at += 1
        else:
            end = _find_statement_end(lines, at)
            for names in _list_paths(_parse("\n".join(lines[at:end]))):
                yield at + 1, (*table, *names)
            at = end


def _find_statement_end(lines: Sequence[str], start: int) -> int:
    """Return the line after a statement, which may go on over several: the first at which it can be parsed."""
    for end in range(start + 1, len(lines) + 1):
        if _parse("\n".join(lines[start:end])) is not None:
            return end
    return start + 1


def _parse_heading(line: str) -> tuple[str, ...] | None:
    parsed = _parse(line)
    if parsed is None:
        return None
    names: list[str] = []
    inside: Any = parsed
    while inside:
        [(name, inside)] = inside.items()
        names.append(name)
        inside = inside[0] if isinstance(inside, list) else inside
    return tuple(names)


def _list_paths(value: object) -> Iterator[tuple[str, ...]]:
    """Yield the paths of tables and values, outer ones first."""
    if isinstance(value, dict):
        for name, inside in value.items():
            yield (name,)
            for names in _list_paths(inside):
                yield (name, *names)


def _parse(text: str) -> dict[str, object] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
