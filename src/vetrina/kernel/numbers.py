"""How large a whole number may be."""

from __future__ import annotations

from typing import Final

__all__ = ["LARGEST", "bounded"]

LARGEST: Final = (1 << 53) - 1  # what every reader of JSON takes as it is written (RFC 8259, 6)


def bounded(number: int) -> int:
    """Return a number, or the largest of its sign."""
    return max(-LARGEST, min(LARGEST, number))
