"""Inline styles: the declarations that are allowed in a `style` attribute.

Not here: URLs (content/text/url_protocols.py), style sheets of a site (design/). Rules: docs/rules/markup.md, 4.
A declaration is kept when its property and functions are known, its URLs are harmless, and nothing in it could end or
hide a declaration. Kept declarations are not rewritten, only joined by `;` without blanks. Colour functions are known
inside gradients only, as on the reference.
"""

import re
from typing import Final

from vetrina.content.text.url_protocols import strip_unsafe_protocols


def _build_properties(*rows: str) -> frozenset[str]:
    names: set[str] = set()
    for row in rows:
        stem, _, endings = row.partition(":")
        names.update(f"{stem}-{ending}" if ending != "." else stem for ending in endings.split() or ["."])
    return frozenset(names)


_SIDES: Final = "top right bottom left"
_LOGICAL: Final = "block block-start block-end inline inline-start inline-end"

STYLE_PROPERTIES: Final = _build_properties(
    "background: . attachment blend-mode color image position repeat size",
    "border: . collapse color radius spacing style width",
    *(f"border-{side}: . color style width" for side in _SIDES.split()),
    "border-top: left-radius right-radius",
    "border-bottom: left-radius right-radius",
    f"margin: . {_SIDES} {_LOGICAL}",
    f"padding: . {_SIDES} {_LOGICAL}",
    "column: count fill gap rule span width",
    "font: . family size style variant weight",
    "text: align decoration indent transform",
    "list: style style-image style-position style-type",
    "flex: . basis direction flow grow shrink wrap",
    "grid: area auto-columns auto-flow auto-rows column column-end column-gap column-start gap row row-end row-gap",
    "grid: row-start template-areas template-columns template-rows",
    "align: content items self",
    "justify: content items self",
    "min: height width",
    "max: height width",
    "object: fit position",
    "inset: . block block-end block-start inline inline-end inline-start",
    "aspect: ratio",
    "box: shadow",
    "caption: side",
    "container: type",
    "letter: spacing",
    "line: height",
    "row: gap",
    "vertical: align",
    "writing: mode",
    "z: index",
) | frozenset(
    (
        *_SIDES.split(),
        *("clear", "color", "columns", "cursor", "direction", "display", "filter", "float", "gap", "height", "opacity"),
        *("order", "overflow", "position", "width"),
    )
)

_CUSTOM_PROPERTY: Final = re.compile(r"--[a-zA-Z0-9_-]+")
_WITH_ADDRESS: Final = frozenset(
    ("background", "background-image", "cursor", "filter", "list-style", "list-style-image")
)
_WITH_GRADIENT: Final = frozenset(("background", "background-image"))

_LINE_ENDS: Final = str.maketrans("", "", "\n\r\t")
_ADDRESS = re.compile(r"url\(([^()]*)\)", re.IGNORECASE)
_UNSAFE = re.compile(r"[\\&={}<>@]|/\*")
_BRACKET = re.compile(r"([a-zA-Z_-]*)\(|\)")

_MEASURES: Final = frozenset(("calc", "clamp", "max", "min", "minmax", "repeat", "var"))
_GRADIENTS: Final = frozenset(
    repeating + shape
    for repeating in ("", "repeating-")
    for shape in ("linear-gradient", "radial-gradient", "conic-gradient")
)
_COLOURS: Final = frozenset(("rgb", "rgba"))
_MAX_STYLE_LENGTH: Final = 50_000  # characters of a style; nobody writes more by hand
_MAX_BRACKET_DEPTH: Final = 16  # nested brackets; nobody writes more by hand


def sanitize_style(style: str) -> str:
    """Return the allowed declarations of `style`, joined by `;`; empty when there are none."""
    if len(style) > _MAX_STYLE_LENGTH:
        return ""
    kept = (part.strip() for part in style.translate(_LINE_ENDS).split(";"))
    return ";".join([part for part in kept if part and _is_allowed_declaration(part)])


def _is_allowed_declaration(declaration: str) -> bool:
    name, colon, value = declaration.partition(":")
    name = name.strip().lower()
    own = _CUSTOM_PROPERTY.fullmatch(name) is not None
    if not colon or not (own or name in STYLE_PROPERTIES):
        return False
    if own or name in _WITH_ADDRESS:
        addresses = [_strip_quotes(address) for address in _ADDRESS.findall(value)]
        if not all(address and strip_unsafe_protocols(address) == address for address in addresses):
            return False
        value = _ADDRESS.sub("", value)
    return not _UNSAFE.search(value) and _has_known_functions(value, gradients=own or name in _WITH_GRADIENT)


def _strip_quotes(address: str) -> str:
    """Return a URL without the quotes around it; an unpaired quote belongs to it."""
    address = address.strip()
    if len(address) > 1 and address[0] == address[-1] and address[0] in "'\"":
        address = address[1:-1].strip()
    return address


def _has_known_functions(value: str, *, gradients: bool) -> bool:
    inside: list[str] = []
    for bracket in _BRACKET.finditer(value):
        if bracket[0] == ")":
            if not inside:
                return False
            inside.pop()
            continue
        name = bracket[1].lower()
        known = (
            name in _MEASURES
            or (name in _GRADIENTS and gradients)
            or (name in _COLOURS and any(outer in _GRADIENTS for outer in inside))
            or (not name and bool(inside))
        )
        if not known or len(inside) == _MAX_BRACKET_DEPTH:
            return False
        inside.append(name)
    return not inside
