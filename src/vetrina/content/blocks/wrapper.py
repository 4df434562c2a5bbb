"""The outermost element of a block that the server renders: classes and style from its attributes.

Not here: layout classes of containers (content/blocks/layout.py), the attributes of a type
(content/blocks/block_types.py). Classes are in the order (observed on public pages): the block's own, alignment, the
editor's, the type's, colours, typography, border. Attributes are never trusted: styles pass the filter of all styles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from vetrina.content.blocks.block_types import BlockType
from vetrina.content.text.inline_styles import sanitize_style
from vetrina.content.text.media_shortcodes import escape_attribute

_NO_CLASS: Final = re.compile(r"[^a-zA-Z0-9_-]+")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PRESET: Final = re.compile(r"var:preset\|([\w-]+)\|([\w-]+)", re.ASCII)
_SIDES: Final = ("top", "right", "bottom", "left")
_TYPE: Final = (
    "fontSize", "lineHeight", "fontStyle", "fontWeight", "textDecoration", "textTransform", "letterSpacing",
    "fontFamily", "writingMode",
)  # fmt: skip


def render_wrapper_attributes(
    type: BlockType | None, attributes: Mapping[str, Any], classes: Iterable[str] = (), own: str = ""
) -> str:
    """Return the attributes of a block's outermost element, with a leading blank; empty for none.

    classes: those of the block itself. own: further attributes, as HTML.
    """
    names = list(dict.fromkeys(name for name in (*classes, *_iterate_classes(type, attributes)) if name))
    style = sanitize_style(";".join(_iterate_declarations(attributes)))
    out = f' style="{escape_attribute(style)}"' if style else ""
    if names:
        out += f' class="{escape_attribute(" ".join(names))}"'
    return out + (f" {own}" if own else "")


def format_class_name(value: Any) -> str:
    """Return the characters of a value that are allowed in a class name."""
    return _NO_CLASS.sub("-", _CAMEL.sub("-", str(value))).strip("-").lower() if isinstance(value, (str, int)) else ""


def resolve_preset(value: Any) -> str:
    """Return the CSS value of a setting; the name of a preset becomes its variable."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    return _PRESET.sub(r"var(--wp--preset--\1--\2)", str(value))


def _iterate_classes(type: BlockType | None, attributes: Mapping[str, Any]) -> Iterator[str]:
    supports: Mapping[str, Any] = type.supports if type else {}
    if align := format_class_name(attributes.get("align", "")):
        yield f"align{align}"
    if isinstance(own := attributes.get("className"), str):
        yield from own.split()
    if type and supports.get("className", True):
        yield type.css_class
    style = _as_mapping(attributes.get("style"))
    color = _as_mapping(style.get("color"))
    if _as_mapping(_as_mapping(style.get("elements")).get("link")).get("color"):
        yield "has-link-color"
    text, back = (
        format_class_name(attributes.get("textColor", "")),
        format_class_name(attributes.get("backgroundColor", "")),
    )
    if text or color.get("text"):
        yield from ("has-text-color", f"has-{text}-color" if text else "")
    gradient = format_class_name(attributes.get("gradient", ""))
    if back or gradient or color.get("background") or color.get("gradient"):
        yield from (
            "has-background",
            f"has-{back}-background-color" if back else "",
            f"has-{gradient}-gradient-background" if gradient else "",
        )
    if size := format_class_name(attributes.get("fontSize", "")):
        yield f"has-{size}-font-size"
    if family := format_class_name(attributes.get("fontFamily", "")):
        yield f"has-{family}-font-family"
    border = format_class_name(attributes.get("borderColor", ""))
    if border or _as_mapping(style.get("border")).get("color"):
        yield from ("has-border-color", f"has-{border}-border-color" if border else "")


def _iterate_declarations(attributes: Mapping[str, Any]) -> Iterator[str]:
    style = _as_mapping(attributes.get("style"))
    if not style:
        return
    color, type = _as_mapping(style.get("color")), _as_mapping(style.get("typography"))
    yield from _iterate_declaration("color", color.get("text"))
    yield from _iterate_declaration("background-color", color.get("background"))
    yield from _iterate_declaration("background", color.get("gradient"))
    for name in _TYPE:
        yield from _iterate_declaration(_hyphenate_name(name), type.get(name))
    border = _as_mapping(style.get("border"))
    for name in ("radius", "style", "width", "color"):
        yield from _iterate_declaration(f"border-{name}", border.get(name))
    for side in _SIDES:
        for name, value in _as_mapping(border.get(side)).items():
            yield from _iterate_declaration(f"border-{side}-{name}", value)
    for name in ("padding", "margin"):
        value = _as_mapping(style.get("spacing")).get(name)
        if isinstance(value, dict):
            for side in _SIDES:
                yield from _iterate_declaration(f"{name}-{side}", value.get(side))
        else:
            yield from _iterate_declaration(name, value)
    yield from _iterate_declaration("min-height", _as_mapping(style.get("dimensions")).get("minHeight"))
    yield from _iterate_declaration("box-shadow", style.get("shadow"))


def _iterate_declaration(name: str, value: Any) -> Iterator[str]:
    # A semicolon would begin a further declaration that nothing checks.
    if (shown := resolve_preset(value)) and ";" not in shown:
        yield f"{name}:{shown}"


def _hyphenate_name(name: str) -> str:
    return _CAMEL.sub("-", name).lower()


def _as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
