"""The style rules of one container block or of a block in one: what it sets for itself, beyond the rules of its kind.

They select the class with a digest that the block has in rendered markup (content/blocks/layout.py). Attributes are
never trusted: each length passes the filter of all inline styles. Rules: docs/rules/global_styles.md, 10.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from vetrina.content.blocks.layout import ContainerLayout, build_child_classes, resolve_layout
from vetrina.content.blocks.wrapper import resolve_preset
from vetrina.content.text.inline_styles import sanitize_style

_ALIGNMENTS: Final = {
    "left": "flex-start", "right": "flex-end", "center": "center", "top": "flex-start", "bottom": "flex-end",
    "space-between": "space-between", "stretch": "stretch",
}  # fmt: skip
_AT_ENDS: Final = frozenset(("left", "right", "center", "space-between"))
_ACROSS: Final = frozenset(("left", "right", "center", "stretch"))
_DOWN: Final = frozenset(("top", "center", "bottom", "space-between"))
_LEVELS: Final = frozenset(("top", "center", "bottom", "stretch"))
_INNER: Final = ">:where(:not(.alignleft):not(.alignright):not(.alignfull))"
_LEAST_WIDTH: Final = "12rem"  # of a column of a grid that says nothing
_WIDTH: Final = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,3})?)(px|rem|em)", re.ASCII)
_ROOT: Final = 16  # pixels of one rem
_MAX_COUNT: Final = 100  # columns or rows
_NO_LENGTH: Final = frozenset(";:!\"'[]")

Rules = Iterator[tuple[str, str]]


def build_container_rules(name: str, attributes: Mapping[str, Any]) -> tuple[str, str]:
    """Return the class of a container's own rules, and these as CSS; both empty for none."""
    found = resolve_layout(name, attributes)
    if found is None or not found.own_class:
        return "", ""
    rules: Rules = iter(())
    match found.layout.get("type", "default"):
        case "default":
            rules = _iterate_stack_gap(found)
        case "constrained":
            rules = _iterate_constrained(found)
        case "flex":
            rules = _iterate_flex(found)
        case "grid":
            rules = _iterate_grid(found)
    return found.own_class, _join_rules(found.own_class, rules)


def build_child_rules(attributes: Mapping[str, Any], parent: Mapping[str, Any]) -> tuple[str, str]:
    """Return the class of the rules of a block that sets its own place in its container, and these as CSS."""
    classes = build_child_classes(attributes, parent)
    if not classes:
        return "", ""
    style = _as_mapping(attributes.get("style"))
    child, around = _as_mapping(style.get("layout")), _as_mapping(parent.get("layout"))
    css = _join_rules(classes[0], _iterate_child(child))
    span = _read_count(child.get("columnSpan"))
    if css and span > 1 and (around.get("minimumColumnWidth") or not around.get("columnCount")):
        # Where the grid has room for fewer columns than the block spans, it takes all that there are.
        width = _WIDTH.fullmatch(str(around.get("minimumColumnWidth") or _LEAST_WIDTH))
        pixels = float(width[1]) * (1 if width[2] == "px" else _ROOT) if width else 0
        limit = round(span * pixels + (span - 1) * 1.2 * _ROOT)
        css += f"@container (max-width:{limit}px){{.{classes[0]}{{grid-column:1/-1}}}}" if limit else ""
    return classes[0], css


def format_length(value: Any) -> str:
    """Return a length of an attribute as CSS, empty for anything that could be more than that."""
    shown = resolve_preset(value).strip()
    usable = shown and not set(shown) & _NO_LENGTH and sanitize_style(f"width:{shown}")
    return shown if usable else ""


def _iterate_stack_gap(found: ContainerLayout) -> Rules:
    gap = format_length(found.gap.get("top") if isinstance(found.gap, dict) else found.gap)
    if gap:
        yield ">*", "margin-block-start:0;margin-block-end:0"
        yield ">*+*", f"margin-block-start:{gap};margin-block-end:0"


def _iterate_constrained(found: ContainerLayout) -> Rules:
    layout = found.layout
    content = format_length(layout.get("contentSize")) or format_length(layout.get("wideSize"))
    wide = format_length(layout.get("wideSize")) or content
    left, right = ("0" if layout.get("justifyContent") == side else "auto" for side in ("left", "right"))
    margins = f"margin-left:{left}!important;margin-right:{right}!important"
    if content:
        yield _INNER, f"max-width:{content};{margins}"
        yield ">.alignwide", f"max-width:{wide}"
        yield " .alignfull", "max-width:none"
    elif "0" in (left, right):
        yield _INNER, margins
    padding = _as_mapping(_as_mapping(found.spacing).get("padding"))
    for side in ("left", "right"):
        if space := format_length(padding.get(side)):
            # A full block reaches over the padding of its container.
            yield ">.alignfull", f"margin-{side}:calc({'0px' if space == '0' else space} * -1)"
    yield from _iterate_stack_gap(found)


def _iterate_flex(found: ContainerLayout) -> Rules:
    layout = found.layout
    justify, level = layout.get("justifyContent"), layout.get("verticalAlignment")
    if layout.get("flexWrap") == "nowrap":
        yield "", "flex-wrap:nowrap"
    yield "", _format_gap(found)
    if layout.get("orientation", "horizontal") == "horizontal":
        yield "", _align("justify-content", justify, _AT_ENDS)
        yield "", _align("align-items", level, _LEVELS)
    else:
        yield "", "flex-direction:column"
        yield "", _align("align-items", justify, _ACROSS) or "align-items:flex-start"
        yield "", _align("justify-content", level, _DOWN)


def _iterate_grid(found: ContainerLayout) -> Rules:
    columns, rows = _read_count(found.layout.get("columnCount")), _read_count(found.layout.get("rowCount"))
    width = found.layout.get("minimumColumnWidth")
    least = format_length(width)
    if columns and not least:
        yield "", f"grid-template-columns:repeat({columns},minmax(0,1fr))"
    else:
        least = f"min({least or _LEAST_WIDTH},100%)"
        if columns:
            space = _list_gaps(found)[1] or "var(--wp--style--block-gap,0.5em)"
            least = f"max({least},(100% - ({space} * {columns - 1})) / {columns})"
        yield "", f"grid-template-columns:repeat(auto-fill,minmax({least},1fr));container-type:inline-size"
    if columns and rows:
        yield "", f"grid-template-rows:repeat({rows},minmax(1rem,auto))"
    yield "", _format_gap(found)


def _iterate_child(child: Mapping[str, Any]) -> Rules:
    stretch, size = child.get("selfStretch"), format_length(child.get("flexSize"))
    if stretch == "fixed" and size:
        yield "", f"flex-basis:{size};box-sizing:border-box"
    elif stretch == "fill":
        yield "", "flex-grow:1"
    for axis in ("column", "row"):
        start, span = _read_count(child.get(f"{axis}Start")), _read_count(child.get(f"{axis}Span"))
        places = [str(start)] * bool(start) + [f"span {span}"] * bool(span)
        yield "", f"grid-{axis}:{' / '.join(places)}" if places else ""


def _join_rules(name: str, rules: Rules) -> str:
    """Return rules as CSS; those with the same selector that follow each other are one."""
    out: list[tuple[str, list[str]]] = []
    for selector, declarations in rules:
        if not declarations:
            continue
        if out and out[-1][0] == selector:
            out[-1][1].append(declarations)
        else:
            out.append((selector, [declarations]))
    return "".join(f".{name}{selector}{{{';'.join(parts)}}}" for selector, parts in out)


def _align(property: str, value: Any, allowed: frozenset[str]) -> str:
    return f"{property}:{_ALIGNMENTS[value]}" if isinstance(value, str) and value in allowed else ""


def _list_gaps(found: ContainerLayout) -> tuple[str, str]:
    """Return the space between rows and between columns, empty for the usual one."""
    if not isinstance(found.gap, dict):
        gap = format_length(found.gap)
        return gap, gap
    row, column = (format_length(found.gap.get(side)) or found.other_gap for side in ("top", "left"))
    return row, column


def _format_gap(found: ContainerLayout) -> str:
    row, column = _list_gaps(found)
    return f"gap:{row if row == column else f'{row} {column}'}" if row else ""


def _read_count(value: Any) -> int:
    """Return a number of columns or rows, 0 for anything else."""
    if isinstance(value, str) and value.isdecimal() and value.isascii() and len(value) < 4:
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _MAX_COUNT else 0


def _as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
