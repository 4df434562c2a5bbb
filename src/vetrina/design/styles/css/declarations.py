"""The declarations of a styles object: which property each of its members sets, in the order in which they stand.

Not here: what selects the elements (design/styles/css/style_rules.py), gaps between blocks
(design/styles/css/layout_rules.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from vetrina.content.blocks.duotone import build_duotone_filter
from vetrina.design.styles.css.fluid import compute_fluid_size
from vetrina.design.styles.css.theme_tree import as_mapping
from vetrina.design.styles.css.values import Declaration, StyleScope

_SIDES: Final = ("top", "right", "bottom", "left")
_CORNERS: Final = {
    "topLeft": "top-left", "topRight": "top-right", "bottomLeft": "bottom-left", "bottomRight": "bottom-right",
}  # fmt: skip
_PROPERTIES: Final[Mapping[str, Mapping[str, str]]] = {
    "color": {"text": "color", "background": "background-color", "gradient": "background"},
    "typography": {
        "fontFamily": "font-family", "fontStyle": "font-style", "fontWeight": "font-weight",
        "letterSpacing": "letter-spacing", "lineHeight": "line-height", "textAlign": "text-align",
        "textColumns": "column-count", "textDecoration": "text-decoration", "textIndent": "text-indent",
        "textTransform": "text-transform", "writingMode": "writing-mode",
    },
    "outline": {
        "color": "outline-color", "offset": "outline-offset", "style": "outline-style", "width": "outline-width",
    },
    "dimensions": {"height": "height", "minHeight": "min-height", "minWidth": "min-width", "width": "width"},
    "background": {
        "backgroundPosition": "background-position", "backgroundRepeat": "background-repeat",
        "backgroundSize": "background-size", "backgroundAttachment": "background-attachment",
    },
}  # fmt: skip


def list_declarations(scope: StyleScope, styles: Mapping[str, Any], *, padding: bool = True) -> list[Declaration]:
    """Return the declarations of a styles object. padding: whether with the space inside the element."""
    out: list[Declaration] = []
    for group in ("color", "typography", "outline", "dimensions"):
        out += _list_members(scope, group, as_mapping(styles.get(group)))
    out += _iterate_background(scope, as_mapping(styles.get("background")))
    out += _iterate_border(scope, as_mapping(styles.get("border")))
    spacing = as_mapping(styles.get("spacing"))
    out += _iterate_sides(scope, "margin", spacing.get("margin"))
    out += _iterate_sides(scope, "padding", spacing.get("padding")) if padding else []
    if ratio := scope.format(as_mapping(styles.get("dimensions")).get("aspectRatio")):
        # A height of its own would win over the ratio.
        out += [("aspect-ratio", ratio), ("min-height", "unset")]
    if shadow := scope.format(styles.get("shadow")):
        out.append(("box-shadow", shadow))
    if filter := _format_filter(scope, as_mapping(styles.get("filter")).get("duotone")):
        out.append(("filter", filter))
    return out


def list_root_padding(scope: StyleScope, styles: Mapping[str, Any]) -> list[Declaration]:
    """Return the custom properties with the padding of the page, for themes whose blocks reach over it."""
    padding = as_mapping(as_mapping(styles.get("spacing")).get("padding"))
    values = ((side, scope.format(padding.get(side)) or "0px") for side in _SIDES)
    return [(f"--wp--style--root--padding-{side}", value) for side, value in values]


def format_gap(scope: StyleScope, gap: Any) -> tuple[str, str]:
    """Return the space between blocks, above each other and beside each other; empty for none."""
    gap = scope.resolve(gap)
    if isinstance(gap, dict):
        return scope.format(gap.get("top")) or "0", scope.format(gap.get("left")) or "0"
    value = scope.format(gap)
    return value, value


def _list_members(scope: StyleScope, group: str, members: Mapping[str, Any]) -> list[Declaration]:
    out = []
    for name, property in _PROPERTIES[group].items():
        if value := scope.format(members.get(name)):
            out.append((property, value))
    if group == "typography" and (size := scope.resolve(members.get("fontSize"))) is not None:
        shown = scope.format(compute_fluid_size(size, scope.tree.settings))
        out += [("font-size", shown)] if shown else []
    return out


def _iterate_background(scope: StyleScope, members: Mapping[str, Any]) -> Iterator[Declaration]:
    image = scope.resolve(members.get("backgroundImage"))
    address = image.get("url") if isinstance(image, dict) else None
    if isinstance(address, str):
        quoted = address.replace("\\", "\\\\").replace('"', '\\"')
        shown = scope.format(f'url("{quoted}")')
    else:
        shown = scope.format(image)
    if shown:
        yield "background-image", shown
        if address and not members.get("backgroundSize"):
            yield "background-size", "cover"
    yield from _list_members(scope, "background", members)


def _iterate_border(scope: StyleScope, members: Mapping[str, Any]) -> Iterator[Declaration]:
    for name in ("color", "style", "width"):
        if value := scope.format(members.get(name)):
            yield f"border-{name}", value
    for side in _SIDES:
        for name, value in as_mapping(members.get(side)).items():
            if name in ("color", "style", "width") and (shown := scope.format(value)):
                yield f"border-{side}-{name}", shown
    radius = members.get("radius")
    if isinstance(radius, dict) and "ref" not in radius:
        for corner, written in _CORNERS.items():
            if value := scope.format(radius.get(corner)):
                yield f"border-{written}-radius", value
    elif value := scope.format(radius):
        yield "border-radius", value


def _iterate_sides(scope: StyleScope, property: str, value: Any) -> Iterator[Declaration]:
    if isinstance(value, dict) and "ref" not in value:
        for side in _SIDES:
            if shown := scope.format(value.get(side)):
                yield f"{property}-{side}", shown
    elif shown := scope.format(value):
        yield property, shown


def _format_filter(scope: StyleScope, value: Any) -> str:
    value = scope.resolve(value)
    if isinstance(value, list):
        return build_duotone_filter(value)
    return "none" if value == "unset" else scope.format(value)
