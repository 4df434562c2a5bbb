"""Tables as plain text: columns as wide as their longest cell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def format_table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return lines of a heading and rows with aligned columns; the last column is not padded."""
    lines = [heading, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heading) - 1)]
    return "\n".join(
        "  ".join((*(cell.ljust(width) for cell, width in zip(line, widths, strict=False)), line[-1])).rstrip()
        for line in lines
    )
