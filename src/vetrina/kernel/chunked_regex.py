"""Regular expressions over texts that may be megabytes long, applied in steps.

`re` holds the GIL until it has gone through the whole text. Here a long text is processed match by match, and the gaps
between matches in short windows. The result is the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

LONG_TEXT_LENGTH: Final = 50_000  # characters above which a text is processed in steps
_WINDOW_LENGTH: Final = 100_000


def iterate_matches(pattern: re.Pattern[str], text: str, start: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern from left to right, as `finditer` does.

    start: a pattern for the one character that every match begins with; no match is empty.
    """
    if len(text) <= LONG_TEXT_LENGTH:
        yield from pattern.finditer(text)
        return
    at, size = 0, len(text)
    while at < size:
        opening = start.search(text, at, min(at + _WINDOW_LENGTH, size))
        if opening is None:
            at += _WINDOW_LENGTH
            continue
        match = pattern.match(text, opening.start())
        if match is None:
            at = opening.end()
            continue
        yield match
        at = match.end()


def has_match(pattern: re.Pattern[str], text: str, start: re.Pattern[str]) -> bool:
    """Return whether a pattern occurs in a text; start: as for `iterate_matches`."""
    if len(text) <= LONG_TEXT_LENGTH:
        return pattern.search(text) is not None
    return next(iterate_matches(pattern, text, start), None) is not None


def replace_matches(pattern: re.Pattern[str], by: str, text: str, start: re.Pattern[str]) -> str:
    """Return a text with every match replaced, as `sub` does; by: has no backslashes. start: see `iterate_matches`."""
    return pattern.sub(by, text) if len(text) <= LONG_TEXT_LENGTH else by.join(split_matches(pattern, text, start))


def split_matches(pattern: re.Pattern[str], text: str, start: re.Pattern[str]) -> list[str]:
    """Return the parts between matches, as `split` does for a pattern without groups; start: see `iterate_matches`."""
    if len(text) <= LONG_TEXT_LENGTH:
        return pattern.split(text)
    parts: list[str] = []
    at = 0
    for match in iterate_matches(pattern, text, start):
        parts.append(text[at : match.start()])
        at = match.end()
    parts.append(text[at:])
    return parts


def iterate_pieces(text: str, ends: str) -> Iterator[str]:
    """Yield a long text in pieces, each cut after the last of the characters `ends` that it contains, if any."""
    at = 0
    while len(text) - at > LONG_TEXT_LENGTH:
        end = max(text.rfind(opening, at, at + LONG_TEXT_LENGTH) for opening in ends) + 1 or at + LONG_TEXT_LENGTH
        yield text[at:end]
        at = end
    yield text[at:]
