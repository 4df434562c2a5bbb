"""Patterns over texts that may be megabytes long, in steps.

A search, a split or a replacement by `re` lets no other thread in before it has gone through the whole text. Here a
long text is gone through match by match, and what lies between two matches in short windows. The result is the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["LONG", "has", "matches", "pieces", "replaced", "split"]

LONG: Final = 50_000  # characters of a text that is gone through at once
_WINDOW: Final = 100_000


def matches(pattern: re.Pattern[str], text: str, start: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern from left to right, as `finditer` does.

    start: matches the one sign that each match begins with; none is empty.
    """
    if len(text) <= LONG:
        yield from pattern.finditer(text)
        return
    at, size = 0, len(text)
    while at < size:
        sign = start.search(text, at, min(at + _WINDOW, size))
        if sign is None:
            at += _WINDOW
            continue
        found = pattern.match(text, sign.start())
        if found is None:
            at = sign.end()
            continue
        yield found
        at = found.end()


def has(pattern: re.Pattern[str], text: str, start: re.Pattern[str]) -> bool:
    """Say whether a pattern is found; start: as for `matches`."""
    if len(text) <= LONG:
        return pattern.search(text) is not None
    return next(matches(pattern, text, start), None) is not None


def replaced(pattern: re.Pattern[str], by: str, text: str, start: re.Pattern[str]) -> str:
    """Return a text with every match replaced, as `sub` does; by: without backslashes. start: as for `matches`."""
    return pattern.sub(by, text) if len(text) <= LONG else by.join(split(pattern, text, start))


def split(pattern: re.Pattern[str], text: str, start: re.Pattern[str]) -> list[str]:
    """Return the parts between the matches, as `split` does for a pattern without groups; start: as for `matches`."""
    if len(text) <= LONG:
        return pattern.split(text)
    parts: list[str] = []
    at = 0
    for found in matches(pattern, text, start):
        parts.append(text[at : found.start()])
        at = found.end()
    parts.append(text[at:])
    return parts


def pieces(text: str, ends: str) -> Iterator[str]:
    """Yield a long text cut into shorter ones, each behind the last of the signs `ends` that it holds, if any."""
    at = 0
    while len(text) - at > LONG:
        end = max(text.rfind(sign, at, at + LONG) for sign in ends) + 1 or at + LONG
        yield text[at:end]
        at = end
    yield text[at:]
