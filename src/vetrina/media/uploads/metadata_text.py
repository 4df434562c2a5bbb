"""Words that people or programs wrote into a file, as one short line without markup."""

from __future__ import annotations

from typing import Final

from vetrina.kernel.tags import without_tags

__all__ = ["plain_words"]

_LONGEST: Final = 500  # signs
_MOST_LOOKED_AT: Final = 20_000  # signs, markup and blanks included


def plain_words(text: str) -> str:
    """Return a text without markup, its blanks single."""
    return " ".join(without_tags(text[:_MOST_LOOKED_AT].replace("\0", " ")).split())[:_LONGEST]
