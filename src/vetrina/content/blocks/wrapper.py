"""The outermost element of a block that the server makes: its classes and its style, by what an editor chose for it.

Not here: layout classes of containers (content/blocks/layout.py), which attributes a type has
(content/blocks/block_types.py). Rules: observed on public pages. Classes stand in the order: the block's own,
alignment, the editor's, the type's, colours, type, border. A value of an editor is never trusted: styles pass the
filter of all styles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from vetrina.content.blocks.block_types import BlockType
from vetrina.content.text.inline_styles import harmless_style
from vetrina.content.text.media_shortcodes import attribute

__all__ = ["class_word", "preset", "wrapper"]

_NO_CLASS: Final = re.compile(r"[^a-zA-Z0-9_-]+")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PRESET: Final = re.compile(r"var:preset\|([\w-]+)\|([\w-]+)", re.ASCII)
_SIDES: Final = ("top", "right", "bottom", "left")
_TYPE: Final = (
    "fontSize", "lineHeight", "fontStyle", "fontWeight", "textDecoration", "textTransform", "letterSpacing",
    "fontFamily", "writingMode",
)  # fmt: skip


def wrapper(type: BlockType | None, attributes: Mapping[str, Any], classes: Iterable[str] = (), own: str = "") -> str:
    """Return the attributes of a block's outermost element, with a blank in front; empty for none.

    classes: those that the block gives itself. own: further attributes, written out.
    """
    names = list(dict.fromkeys(name for name in (*classes, *_classes(type, attributes)) if name))
    style = harmless_style(";".join(_declarations(attributes)))
    out = f' style="{attribute(style)}"' if style else ""
    if names:
        out += f' class="{attribute(" ".join(names))}"'
    return out + (f" {own}" if own else "")


def class_word(value: Any) -> str:
    """Return what of a value may stand in a class name."""
    return _NO_CLASS.sub("-", _CAMEL.sub("-", str(value))).strip("-").lower() if isinstance(value, (str, int)) else ""


def preset(value: Any) -> str:
    """Return the CSS value of a setting; one that names a preset becomes its variable."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    return _PRESET.sub(r"var(--wp--preset--\1--\2)", str(value))


def _classes(type: BlockType | None, attributes: Mapping[str, Any]) -> Iterator[str]:
    supports: Mapping[str, Any] = type.supports if type else {}
    if align := class_word(attributes.get("align", "")):
        yield f"align{align}"
    if isinstance(own := attributes.get("className"), str):
        yield from own.split()
    if type and supports.get("className", True):
        yield type.css_class
    style = _mapping(attributes.get("style"))
    color = _mapping(style.get("color"))
    if _mapping(_mapping(style.get("elements")).get("link")).get("color"):
        yield "has-link-color"
    text, back = class_word(attributes.get("textColor", "")), class_word(attributes.get("backgroundColor", ""))
    if text or color.get("text"):
        yield from ("has-text-color", f"has-{text}-color" if text else "")
    gradient = class_word(attributes.get("gradient", ""))
    if back or gradient or color.get("background") or color.get("gradient"):
        yield from (
            "has-background",
            f"has-{back}-background-color" if back else "",
            f"has-{gradient}-gradient-background" if gradient else "",
        )
    if size := class_word(attributes.get("fontSize", "")):
        yield f"has-{size}-font-size"
    if family := class_word(attributes.get("fontFamily", "")):
        yield f"has-{family}-font-family"
    border = class_word(attributes.get("borderColor", ""))
    if border or _mapping(style.get("border")).get("color"):
        yield from ("has-border-color", f"has-{border}-border-color" if border else "")


def _declarations(attributes: Mapping[str, Any]) -> Iterator[str]:
    style = _mapping(attributes.get("style"))
    color, type = _mapping(style.get("color")), _mapping(style.get("typography"))
    yield from _one("color", color.get("text"))
    yield from _one("background-color", color.get("background"))
    yield from _one("background", color.get("gradient"))
    for name in _TYPE:
        yield from _one(_hyphened(name), type.get(name))
    border = _mapping(style.get("border"))
    for name in ("radius", "style", "width", "color"):
        yield from _one(f"border-{name}", border.get(name))
    for side in _SIDES:
        for name, value in _mapping(border.get(side)).items():
            yield from _one(f"border-{side}-{name}", value)
    for name in ("padding", "margin"):
        value = _mapping(style.get("spacing")).get(name)
        if isinstance(value, dict):
            for side in _SIDES:
                yield from _one(f"{name}-{side}", value.get(side))
        else:
            yield from _one(name, value)
    yield from _one("min-height", _mapping(style.get("dimensions")).get("minHeight"))
    yield from _one("box-shadow", style.get("shadow"))


def _one(name: str, value: Any) -> Iterator[str]:
    # A semicolon would begin a declaration that nobody looks at as one.
    if (shown := preset(value)) and ";" not in shown:
        yield f"{name}:{shown}"


def _hyphened(name: str) -> str:
    return _CAMEL.sub("-", name).lower()


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
