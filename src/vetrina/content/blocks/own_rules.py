"""The style rules that one block needs for what its markup cannot say: layout, colours of elements in it, a filter.

Inline styles reach neither the links inside a block nor their states, so the block gets a class with a digest of its
values. Static containers have theirs in all rendered markup, other blocks on pages only. Rules:
docs/rules/global_styles.md, 10.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any, Final

from vetrina.content.blocks.container_rules import build_child_rules, build_container_rules
from vetrina.content.blocks.grammar import Block
from vetrina.content.blocks.wrapper import resolve_preset
from vetrina.content.text.inline_styles import sanitize_style

# The selectors of elements below a block; `{}` is its class, and the state of the element where it has one.
_ELEMENTS: Final[Mapping[str, str]] = {
    "link": ".{0} a:where(:not(.wp-element-button)){1}",
    "heading": ".{0} :is(h1,h2,h3,h4,h5,h6){1}",
    **{name: f".{{0}} {name}{{1}}" for name in ("h1", "h2", "h3", "h4", "h5", "h6")},
    "button": ".{0} :is(.wp-element-button,.wp-block-button__link){1}",
}
_MEMBERS: Final = ('"elements"', '"duotone"', '"layout"', '"blockGap"')
_STATES: Final = (":hover", ":focus", ":focus-visible", ":active")
_COLORS: Final = {"text": "color", "background": "background-color", "gradient": "background"}
_NO_COLOR: Final = frozenset(";:!\"'[]")
_FILTERED: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("core/avatar", "core/image", "core/post-author", "core/post-featured-image", "core/site-logo"), ".{0} img"
    ),
    "core/cover": ".{0}>:is(.wp-block-cover__image-background,.wp-block-cover__video-background)",
}


def may_need_rules(block: Block) -> bool:
    """Return whether a block may need rules of its own, by its name and the text of its attributes."""
    text = block.attributes_text
    return block.name == "core/columns" or any(member in text for member in _MEMBERS)


def iterate_own_rules(block: Block, around: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield class and CSS of the rules that a block needs. around: the attributes of the enclosing block."""
    attributes = block.attributes
    yield build_container_rules(block.name, attributes)
    yield build_child_rules(attributes, around)
    style = _as_mapping(attributes.get("style"))
    elements = style.get("elements")
    if isinstance(elements, dict) and elements:
        name = f"wp-elements-{_compute_digest(elements)}"
        yield name, "".join(_iterate_element_rules(name, elements))
    selector, duotone = _FILTERED.get(block.name), _as_mapping(style.get("color")).get("duotone")
    if selector and isinstance(duotone, str):
        name = f"wp-duotone-{_compute_digest(duotone)}"
        shown = "none" if duotone == "unset" else resolve_preset(duotone)
        if shown == "none" or (shown != duotone and sanitize_style(f"filter:{shown}")):
            yield name, f"{selector.format(name)}{{filter:{shown}}}"


def _iterate_element_rules(name: str, elements: Mapping[str, Any]) -> Iterator[str]:
    for element, selector in _ELEMENTS.items():
        given = _as_mapping(elements.get(element))
        for state in ("", *_STATES):
            colors = _as_mapping(_as_mapping(given.get(state) if state else given).get("color"))
            declarations = ";".join(_iterate_colors(colors))
            if declarations:
                yield f"{selector.format(name, state)}{{{declarations}}}"


def _iterate_colors(colors: Mapping[str, Any]) -> Iterator[str]:
    for member, property in _COLORS.items():
        shown = resolve_preset(colors.get(member)).strip()
        if shown and not set(shown) & _NO_COLOR and (clean := sanitize_style(f"{property}:{shown}")):
            yield clean


def _compute_digest(values: Any) -> str:
    return blake2b(json.dumps(values, sort_keys=True).encode(), digest_size=4).hexdigest()


def _as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
