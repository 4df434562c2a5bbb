"""Tables as plain text: columns as wide as their longest cell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["aligned"]


def aligned(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return lines of a heading and rows with their columns aligned; the last column is as long as it is."""
    lines = [heading, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heading) - 1)]
    return "\n".join(
        "  ".join((*(cell.ljust(width) for cell, width in zip(line, widths, strict=False)), line[-1])).rstrip()
        for line in lines
    )
