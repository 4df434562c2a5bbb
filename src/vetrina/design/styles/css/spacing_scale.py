"""Sizes of space that a theme gives as a scale: a medium step, and what makes the next one of it.

The medium step has the slug 50, each further one ten more, each smaller one ten less.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

_MEDIUM_SLUG: Final = 50
_MAX_STEPS: Final = 50
_UNITS: Final = frozenset(("px", "em", "rem", "%", "vh", "vw", "vmin", "vmax", "svh", "svw", "ch"))


def compute_spacing_scale(scale: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the presets of a scale, the smallest first; none for one that is not whole."""
    operator, unit = scale.get("operator"), scale.get("unit")
    steps, medium, increment = (_read_number(scale.get(name)) for name in ("steps", "mediumStep", "increment"))
    if operator not in ("+", "*") or unit not in _UNITS or not medium or not increment or not 1 <= steps <= _MAX_STEPS:
        return []
    middle = math.floor(steps / 2 + 0.5)
    out = {_MEDIUM_SLUG: medium}
    size = medium
    for number in range(1, middle):
        size = size - increment if operator == "+" else size / max(increment, 1 / increment)
        if size <= 0:
            break
        out[_MEDIUM_SLUG - 10 * number] = size
    size = medium
    for number in range(1, int(steps) - middle + 1):
        size = size + increment if operator == "+" else size * max(increment, 1 / increment)
        out[_MEDIUM_SLUG + 10 * number] = size
    return [{"slug": str(slug), "size": f"{_format(out[slug])}{unit}"} for slug in sorted(out) if slug > 0]


def _read_number(value: Any) -> float:
    """Return a number above 0 that is not out of all proportion; 0 for anything else."""
    usable = isinstance(value, int | float) and not isinstance(value, bool) and 1e-3 < value < 1e4
    return float(value) if usable else 0.0


def _format(size: float) -> str:
    return f"{math.floor(size * 100 + 0.5) / 100:.2f}".rstrip("0").rstrip(".")
