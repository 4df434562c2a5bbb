"""Duotone: a filter that shows a picture in two colours or more, from its darkest to its lightest parts.

The filter stands in the sheet as a picture (SVG) with a fragment, so that pages need no markup for it. Colours are read
as hexadecimal, `rgb()` or `hsl()`.
"""

from __future__ import annotations

import colorsys
import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote

_MAX_COLORS: Final = 16
_HEX: Final = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})", re.IGNORECASE | re.ASCII)
_FUNCTION: Final = re.compile(r"(rgb|hsl)a?\(([^()]*)\)", re.IGNORECASE)
_NUMBER: Final = re.compile(r"(-?[0-9]{0,6}\.?[0-9]{1,6})(%|deg)?", re.ASCII)
_GRAY: Final = ".299 .587 .114 0 0"  # how bright the eye takes red, green and blue to be

Color = tuple[float, float, float, float]


def build_duotone_filter(colors: Any) -> str:
    """Return the value of `filter` for a list of colours, empty where one of them cannot be read."""
    given = colors if isinstance(colors, list) else []
    parsed = [parse_color(one) for one in given[:_MAX_COLORS]]
    known = [one for one in parsed if one is not None]
    if not known or len(known) < len(parsed):
        return ""
    transfers = "".join(
        f"<feFunc{channel} type='table' tableValues='{_list_values(known, number)}'/>"
        for number, channel in enumerate("RGBA")
    )
    picture = (
        "<svg xmlns='http://www.w3.org/2000/svg'><filter id='f' color-interpolation-filters='sRGB'>"
        f"<feColorMatrix values='{' '.join([_GRAY] * 4)}'/>"
        f"<feComponentTransfer>{transfers}</feComponentTransfer>"
        # A transparent picture stays transparent where it was.
        "<feComposite in2='SourceGraphic' operator='in'/></filter></svg>"
    )
    return f'url("data:image/svg+xml,{quote(picture, safe=" =:/.")}#f")'


def parse_color(text: Any) -> Color | None:
    """Return red, green, blue and opacity, each from 0 to 1; None for what is no colour."""
    if not isinstance(text, str):
        return None
    text = text.strip()
    if _HEX.fullmatch(text):
        return _parse_hex(text[1:])
    found = _FUNCTION.fullmatch(text)
    values = _NUMBER.findall(found[2]) if found else []
    if found is None or len(values) not in (3, 4):
        return None
    opacity = _read_part(*values[3], whole=1) if len(values) == 4 else 1.0
    if found[1].lower() == "rgb":
        red, green, blue = (_read_part(*one, whole=255) for one in values[:3])
        return red, green, blue, opacity
    hue = float(values[0][0]) % 360 / 360
    red, green, blue = colorsys.hls_to_rgb(hue, _read_part(*values[2], whole=100), _read_part(*values[1], whole=100))
    return red, green, blue, opacity


def _parse_hex(digits: str) -> Color:
    if len(digits) < 6:
        digits = "".join(digit * 2 for digit in digits)
    red, green, blue, opacity = (int(f"{digits}ff"[at : at + 2], 16) / 255 for at in (0, 2, 4, 6))
    return red, green, blue, opacity


def _read_part(number: str, unit: str, *, whole: float) -> float:
    return min(1.0, max(0.0, float(number) / (100 if unit == "%" else whole)))


def _list_values(colors: Sequence[Color], channel: int) -> str:
    # A table has two values at least.
    shown = colors if len(colors) > 1 else [*colors, *colors]
    return " ".join(f"{color[channel]:.3f}".rstrip("0").rstrip(".") for color in shown)
