"""The range of whole numbers, and reading one from untrusted text."""

from __future__ import annotations

from typing import Final

MAX_SAFE_INTEGER: Final = (1 << 53) - 1  # the largest integer that every JSON parser reads exactly (RFC 8259, 6)

_MAX_DIGITS: Final = 15  # digits that are surely below MAX_SAFE_INTEGER and fit into every database


def clamp_integer(number: int) -> int:
    """Return a number, limited to ±MAX_SAFE_INTEGER."""
    return max(-MAX_SAFE_INTEGER, min(MAX_SAFE_INTEGER, number))


def parse_digits(text: str) -> int | None:
    """Return the number written in plain ASCII digits, None for other text and for more than 15 digits.

    `int` raises for more than 4,300 digits and accepts the digits of every script; a database raises for more than 18.
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS else None
