"""The style rules that one block needs for what its markup cannot say: layout, colours of elements in it, a filter.

Inline styles reach neither the links inside a block nor their states, so the block gets a class with a digest of its
values. Static containers have theirs in all rendered markup, other blocks on pages only. Rules:
docs/rules/global_styles.md, 10.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final

from vetrina.content.blocks.container_rules import build_child_rules, build_container_rules, format_length
from vetrina.content.blocks.duotone import build_duotone_filter
from vetrina.content.blocks.grammar import Block
from vetrina.content.blocks.wrapper import resolve_preset
from vetrina.content.text.inline_styles import sanitize_style

# The selectors of elements below a block; `{}` is its class.
_ELEMENTS: Final[Mapping[str, str]] = {
    "link": ".{} a:where(:not(.wp-element-button))",
    "heading": ".{} :is(h1,h2,h3,h4,h5,h6)",
    **{name: f".{{}} {name}" for name in ("h1", "h2", "h3", "h4", "h5", "h6")},
    "button": ".{} :is(.wp-element-button,.wp-block-button__link)",
}
_PAGE_MEMBERS: Final = ('"elements"', '"duotone"', '"sticky"')
_MEMBERS: Final = (*_PAGE_MEMBERS, '"layout"', '"blockGap"')
_GALLERY: Final = "core/gallery"
_STATES: Final = (":hover", ":focus", ":focus-visible", ":active")
_COLORS: Final = {"text": "color", "background": "background-color", "gradient": "background"}
_MAX_KEPT_LENGTH: Final = 2_000  # characters of the attributes of a block whose rules a process keeps
_KEPT: Final = 2_000  # such blocks
_STICKY_LEVEL: Final = 10  # over what scrolls beneath
_NO_COLOR: Final = frozenset(";:!\"'[]")
_FILTERED: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("core/avatar", "core/image", "core/post-author", "core/post-featured-image", "core/site-logo"), ".{} img"
    ),
    "core/cover": ".{}>:is(.wp-block-cover__image-background,.wp-block-cover__video-background)",
}


def may_need_rules(block: Block) -> bool:
    """Return whether a block may need rules of its own, by its name and the text of its attributes."""
    text = block.attributes_text
    return block.name == "core/columns" or any(member in text for member in _MEMBERS)


def may_need_classes(raw: str) -> bool:
    """Return whether blocks of a content may need classes that are not in its stored rendering."""
    return any(member in raw for member in _PAGE_MEMBERS) or ("wp:gallery" in raw and '"blockGap"' in raw)


def iterate_own_rules(block: Block, around: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield class and CSS of the rules that a block needs. around: the attributes of the enclosing block."""
    text = block.attributes_text
    kept = len(text) <= _MAX_KEPT_LENGTH
    container, *others = _list_kept_rules(block.name, text) if kept else _iterate_rules(block.name, block.attributes)
    yield container
    yield build_child_rules(block.attributes, around)
    yield from others


@lru_cache(maxsize=_KEPT)
def _list_kept_rules(name: str, attributes_text: str) -> tuple[tuple[str, str], ...]:
    return tuple(_iterate_rules(name, Block(name, "", attributes_text).attributes))


def _iterate_rules(name: str, attributes: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the rules of a block that its own attributes decide, those of its layout first."""
    yield build_container_rules(name, attributes)
    style = _as_mapping(attributes.get("style"))
    yield _name_rules("wp-elements", list(_iterate_element_rules(_as_mapping(style.get("elements")))))
    duotone = _as_mapping(style.get("color")).get("duotone")
    if name in _FILTERED and (filter := _format_filter(duotone)):
        yield _name_rules("wp-duotone", [(_FILTERED[name], f"filter:{filter}")])
    if name == _GALLERY and (gaps := list(_iterate_gallery_gaps(_as_mapping(style.get("spacing")).get("blockGap")))):
        yield _name_rules("wp-gallery", [(".{}", ";".join(gaps))])
    position = _as_mapping(style.get("position"))
    if position.get("type") == "sticky":
        top = format_length(position.get("top")) or "0px"
        yield _name_rules("wp-position", [(".{}", f"position:sticky;top:{top};z-index:{_STICKY_LEVEL}")])


def _iterate_gallery_gaps(gap: Any) -> Iterator[str]:
    """Yield the properties by which the style sheet spaces a gallery."""
    sides = gap if isinstance(gap, dict) else {"top": gap}
    for side, property in (("top", "--gallery-gap"), ("left", "--gallery-column-gap")):
        if length := format_length(sides.get(side)):
            yield f"{property}:{length}"


def _iterate_element_rules(elements: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield selector, with a place for the class, and declarations of each element and its states."""
    for element, selector in _ELEMENTS.items():
        given = _as_mapping(elements.get(element))
        for state in ("", *_STATES):
            colors = _as_mapping(_as_mapping(given.get(state) if state else given).get("color"))
            if declarations := ";".join(_iterate_colors(colors)):
                yield f"{selector}{state}", declarations


def _iterate_colors(colors: Mapping[str, Any]) -> Iterator[str]:
    for member, property in _COLORS.items():
        shown = resolve_preset(colors.get(member)).strip()
        if shown and not set(shown) & _NO_COLOR and (clean := sanitize_style(f"{property}:{shown}")):
            yield clean


def _format_filter(duotone: Any) -> str:
    """Return the value of a filter: a preset's, or one made of colours; empty for what is none."""
    if isinstance(duotone, list):
        return build_duotone_filter(duotone)
    if not isinstance(duotone, str) or not duotone.startswith("var:"):
        return "none" if duotone == "unset" else ""
    shown = resolve_preset(duotone)
    return shown if shown.startswith("var(") and sanitize_style(f"filter:{shown}") else ""


def _name_rules(prefix: str, rules: list[tuple[str, str]]) -> tuple[str, str]:
    """Return the class of some rules, by a digest of these, and their CSS; both empty for none."""
    if not rules:
        return "", ""
    name = f"{prefix}-{blake2b(repr(rules).encode(), digest_size=4).hexdigest()}"
    return name, "".join(f"{selector.format(name)}{{{declarations}}}" for selector, declarations in rules)


def _as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
