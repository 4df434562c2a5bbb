"""Fluid sizes: a font size that grows with the width of the window, between two bounds.

Rules: docs/rules/global_styles.md, 8. Sizes are in px, rem or em; 16 px are one rem.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

_SIZE: Final = re.compile(r"([0-9]*\.?[0-9]+)(px|rem|em)", re.ASCII)
_ROOT: Final = 16  # pixels of one rem
_NARROWEST: Final = "320px"
_WIDEST: Final = "1600px"
_SMALLEST: Final = "14px"
_LEAST_FACTOR, _MOST_FACTOR = 0.25, 0.75  # of a size that has no lower bound of its own


class _Size(NamedTuple):
    value: float
    unit: str

    def __str__(self) -> str:
        return f"{format_number(self.value)}{self.unit}"


def compute_fluid_size(size: Any, settings: Mapping[str, Any], fluid: Any = None) -> Any:
    """Return a font size as a `clamp()`, or as it is where it is not fluid.

    settings: those of the site. fluid: what the size itself says: bounds (`min`, `max`), or whether it is fluid.
    """
    general = _as_mapping(settings.get("typography")).get("fluid")
    if not size or size == "0" or fluid is False or not (_is_on(general) or _is_on(fluid)):
        return size
    limits: dict[str, Any] = {}
    if _is_on(general):
        if _parse(wide := _as_mapping(settings.get("layout")).get("wideSize")):
            limits["maxViewportWidth"] = wide
        limits |= _as_mapping(general)
    own = _as_mapping(fluid)
    return _build_clamp(size, own.get("min"), own.get("max"), limits) or size


def format_number(value: float) -> str:
    """Return a number with at most three decimals."""
    return f"{_round(value):.3f}".rstrip("0").rstrip(".")


def _build_clamp(size: Any, least: Any, most: Any, limits: Mapping[str, Any]) -> str:
    """Return the expression of a fluid size, empty where it cannot be worked out."""
    given = _parse(size)
    if given is None or not given.value:
        return ""
    floor = _parse(limits.get("minFontSize")) or _parse(_SMALLEST)
    floor = _convert(floor, given.unit) if floor else None
    if floor and floor.value and not least and not most and given.value <= floor.value:
        return ""
    high = _parse(most) if most else given
    low = _parse(least) if least else _choose_lower_bound(given, floor)
    if low is None or high is None:
        return ""
    high_in_unit = _convert(high, low.unit)
    narrow = _convert(_parse(limits.get("minViewportWidth") or _NARROWEST), low.unit)
    wide = _convert(_parse(limits.get("maxViewportWidth") or _WIDEST), low.unit)
    if high_in_unit is None or narrow is None or wide is None or not (span := wide.value - narrow.value):
        return ""
    factor = _round(100 * ((high_in_unit.value - low.value) / span) or 1)
    offset = _Size(_round(narrow.value / 100), low.unit)
    return f"clamp({low}, {_convert(low, 'rem')} + ((1vw - {offset}) * {format_number(factor)}), {high})"


def _choose_lower_bound(given: _Size, floor: _Size | None) -> _Size:
    pixels = given.value if given.unit == "px" else given.value * _ROOT
    factor = min(max(1 - 0.075 * math.log2(pixels), _LEAST_FACTOR), _MOST_FACTOR)
    low = _round(given.value * factor)
    return floor if floor and floor.value and low < floor.value else _Size(low, given.unit)


def _parse(value: Any) -> _Size | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = value.strip() if isinstance(value, str) else repr(value)
    found = _SIZE.fullmatch(text if text[-1:].isalpha() else f"{text}px")
    return _Size(_round(float(found[1])), found[2]) if found and float(found[1]) < 1e6 else None


def _convert(size: _Size | None, unit: str) -> _Size | None:
    if size is None or size.unit == unit or "px" not in (size.unit, unit):
        return size and _Size(size.value, unit)
    return _Size(_round(size.value / _ROOT if size.unit == "px" else size.value * _ROOT), unit)


def _round(value: float) -> float:
    return math.floor(value * 1000 + 0.5) / 1000


def _is_on(fluid: Any) -> bool:
    return fluid is True or (isinstance(fluid, dict) and bool(fluid))


def _as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
