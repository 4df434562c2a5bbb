"""Layout classes of container blocks.

Not here: the style sheets behind the classes, rendering itself (content/blocks/rendering.py). A container gets
`is-layout-…` and the same with its own name in front; one with layout attributes of its own also gets a class with a
digest of these, so that equal blocks share their rules. The theme pads the page's sides and supports block gaps.
Rules: docs/rules/markup.md, 9; classes as observed on public sites.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class _BlockContainer:
    """The default layout of a kind of container block."""

    layout: Mapping[str, Any]
    gap: str = "0.5em"  # a side of the gap when only the other is given
    own_gap: bool = False  # the block renders its gap itself


_FLOW: Final = _BlockContainer({})
_ROW: Final = _BlockContainer({"type": "flex"})

CONTAINER_BLOCKS: Final[Mapping[str, _BlockContainer]] = {
    "core/accordion": _FLOW, "core/accordion-item": _FLOW, "core/accordion-panel": _FLOW, "core/buttons": _ROW,
    "core/column": _FLOW, "core/columns": _BlockContainer({"type": "flex", "flexWrap": "nowrap"}, gap="2em"),
    "core/cover": _FLOW, "core/details": _FLOW, "core/gallery": _BlockContainer({"type": "flex"}, own_gap=True),
    "core/group": _FLOW, "core/quote": _FLOW, "core/social-links": _ROW,
}  # fmt: skip

# Containers that show site data; their rendering gives them the classes of their kind.
_LIVE_CONTAINERS: Final[Mapping[str, _BlockContainer]] = {
    "core/comments-pagination": _ROW, "core/navigation": _ROW, "core/post-content": _FLOW,
    "core/post-template": _BlockContainer({}, gap="1.25em"), "core/query-pagination": _ROW,
    "core/term-template": _BlockContainer({}, gap="1.25em"),
}  # fmt: skip

_CLASSES: Final = {
    "default": "is-layout-flow", "constrained": "is-layout-constrained", "flex": "is-layout-flex",
    "grid": "is-layout-grid",
}  # fmt: skip
_CHILD_KEYS: Final = ("selfStretch", "flexSize", "columnStart", "columnSpan", "rowStart", "rowSpan")
_PARENT_KEYS: Final = ("minimumColumnWidth", "columnCount")
_COLUMNS: Final = re.compile(r"[0-9]{1,2}", re.ASCII)
_UNSAFE: Final = ("\\", "(", "&", "=", "}", "/*")


@dataclass(frozen=True, slots=True)
class ContainerLayout:
    """How one container lays out its inner blocks.

    layout: with its type. gap: the space between them, a text or one for each direction, None for the usual one; where
    only one direction is given, `other_gap` is the other. own_class: of the rules that this container needs beyond
    those of its kind; empty for none.
    """

    layout: Mapping[str, Any]
    gap: Any
    other_gap: str
    spacing: Any
    own_class: str


def resolve_layout(name: str, attributes: Mapping[str, Any]) -> ContainerLayout | None:
    """Return the layout of a container block, static or live, None for other blocks."""
    container = CONTAINER_BLOCKS.get(name) or _LIVE_CONTAINERS.get(name)
    if container is None:
        return None
    given = _as_mapping(attributes.get("layout"))
    layout = dict(given if "layout" in attributes else container.layout)
    if layout.get("inherit") or layout.get("contentSize"):
        layout["type"] = "constrained"
    spacing = _as_mapping(attributes.get("style")).get("spacing")
    gap = _sanitize_gap(_as_mapping(spacing).get("blockGap"))
    shown, own_class = None if container.own_gap else gap, ""
    if _needs_layout_rules(layout, shown, spacing):
        digest = _compute_digest([layout, True, gap, container.own_gap, container.gap, spacing])
        own_class = f"wp-container-{name.replace('/', '-')}-is-layout-{digest}"
    return ContainerLayout(layout, shown, container.gap, spacing, own_class)


def build_layout_classes(name: str, attributes: Mapping[str, Any]) -> list[str]:
    """Return the classes of the element around a static container's inner blocks, none for other blocks."""
    found = resolve_layout(name, attributes) if name in CONTAINER_BLOCKS else None
    if found is None:
        return []
    given = _as_mapping(attributes.get("layout"))
    kind = found.layout.get("type", "default")
    classes = ["has-global-padding"] if kind == "constrained" else []
    if given.get("orientation"):
        classes.append(f"is-{_slugify_value(given['orientation'])}")
    if given.get("justifyContent"):
        classes.append(f"is-content-justification-{_slugify_value(given['justifyContent'])}")
    if given.get("flexWrap") == "nowrap":
        classes.append("is-nowrap")
    layout_class = _CLASSES.get(kind, "") if isinstance(kind, str) else ""
    if layout_class:
        classes.append(layout_class)
    if found.own_class:
        classes.append(found.own_class)
    classes.append(f"wp-block-{name.rpartition('/')[2]}-{layout_class}")
    return classes


def build_child_classes(attributes: Mapping[str, Any], parent: Mapping[str, Any]) -> list[str]:
    """Return the class of a block that sets its own position or size in its parent's layout.

    parent: the attributes of the enclosing block.
    """
    child = _as_mapping(_as_mapping(attributes.get("style")).get("layout"))
    stretch = child.get("selfStretch")
    placed = any(child.get(key) is not None for key in ("columnSpan", "rowSpan", "columnStart", "rowStart"))
    if not placed and stretch != "fill" and not (stretch == "fixed" and child.get("flexSize")):
        return []
    around = _as_mapping(parent.get("layout"))
    values = {
        "layout": {key: value for key, value in child.items() if key in _CHILD_KEYS},
        "parentLayout": {key: value for key, value in around.items() if key in _PARENT_KEYS},
    }
    return [f"wp-container-content-{_compute_digest(values)}"]


def _needs_layout_rules(layout: Mapping[str, Any], gap: Any, spacing: Any) -> bool:
    """Return whether a layout needs rules beyond those of its kind."""
    kind, justified = layout.get("type", "default"), layout.get("justifyContent")
    if kind == "grid":
        return True
    if kind in ("default", "constrained") and isinstance(gap, dict):
        gap = gap.get("top")
    if gap is not None and kind in ("default", "constrained", "flex"):
        return True
    if kind == "constrained":
        padding = _as_mapping(_as_mapping(spacing).get("padding"))
        sized = layout.get("contentSize") or layout.get("wideSize") or padding.get("left") or padding.get("right")
        return bool(sized) or justified in ("left", "right")
    if kind != "flex":
        return False
    if layout.get("flexWrap") == "nowrap" or layout.get("orientation", "horizontal") != "horizontal":
        return True
    return justified in ("left", "right", "center", "space-between") or layout.get("verticalAlignment") in (
        "top", "center", "bottom", "stretch",
    )  # fmt: skip


def _sanitize_gap(gap: Any) -> Any:
    if isinstance(gap, dict):
        return {side: None if _is_unsafe_value(value) else value for side, value in gap.items()}
    return None if _is_unsafe_value(gap) else gap


def _is_unsafe_value(value: Any) -> bool:
    return isinstance(value, str) and any(sign in value for sign in _UNSAFE)


def _as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _slugify_value(value: Any) -> str:
    return "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in str(value).lower()).strip("-")


def _compute_digest(values: Any) -> str:
    try:
        # Empty objects count as empty lists, or the digests would differ from the reference's.
        listed = json.loads(json.dumps(values), object_hook=lambda item: item or [])
        text = json.dumps(listed, separators=(",", ":")).replace("/", "\\/")
    except RecursionError:
        text = ""
    # Not for security: it names a style rule, and existing sites and style sheets contain these names.
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:8]


def build_list_layout_classes(attributes: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Return the layout classes of what a query repeats, or of its page links. name: the class of the block."""
    layout = attributes.get("layout")
    given: Mapping[str, Any] = layout if isinstance(layout, dict) else {}
    kind = _CLASSES.get(str(given.get("type")), _CLASSES["default"])
    columns = str(given.get("columnCount") or "")
    grid = (f"columns-{columns}",) if kind == "is-layout-grid" and _COLUMNS.fullmatch(columns) else ()
    return (*grid, kind, f"{name}-{kind}")
