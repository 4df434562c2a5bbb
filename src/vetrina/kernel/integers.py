"""How large a whole number may be, and reading one from text that a stranger wrote."""

from __future__ import annotations

from typing import Final

__all__ = ["LARGEST", "bounded", "whole"]

LARGEST: Final = (1 << 53) - 1  # what every reader of JSON takes as it is written (RFC 8259, 6)

_DIGITS: Final = 15  # of a number that is surely not above LARGEST, and fits into every database


def bounded(number: int) -> int:
    """Return a number, or the largest of its sign."""
    return max(-LARGEST, min(LARGEST, number))


def whole(text: str) -> int | None:
    """Return the number that a text of plain digits says, None for other text and for one of more than 15 digits.

    `int` raises for more than 4,300 digits and takes those of every script; a database raises for more than 18.
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _DIGITS else None
