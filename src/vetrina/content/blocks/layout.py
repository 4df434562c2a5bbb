"""Layout of blocks: the classes that container blocks get when they are rendered.

Not here: the style sheets behind the classes, rendering itself (content/blocks/rendering.py).
Rules: observed on rendered content and on public sites. A container gets `is-layout-…` and the same with its own name
in front; one whose attributes ask for rules of their own gets a class with a digest of these attributes as well, so
that equal blocks share their rules. The theme pads the page's sides and lets blocks choose their gaps.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class _Container:
    """How a kind of block lays out what is in it, unless its attributes say otherwise."""

    layout: Mapping[str, Any]
    gap: str = "0.5em"  # what a side of the gap is when only the other is given
    own_gap: bool = False  # the block writes its gap itself


_FLOW: Final = _Container({})
_ROW: Final = _Container({"type": "flex"})

CONTAINERS: Final[Mapping[str, _Container]] = {
    "core/accordion": _FLOW, "core/accordion-item": _FLOW, "core/accordion-panel": _FLOW, "core/buttons": _ROW,
    "core/column": _FLOW, "core/columns": _Container({"type": "flex", "flexWrap": "nowrap"}, gap="2em"),
    "core/cover": _FLOW, "core/details": _FLOW, "core/gallery": _Container({"type": "flex"}, own_gap=True),
    "core/group": _FLOW, "core/quote": _FLOW, "core/social-links": _ROW,
}  # fmt: skip

_CLASSES: Final = {
    "default": "is-layout-flow", "constrained": "is-layout-constrained", "flex": "is-layout-flex",
    "grid": "is-layout-grid",
}  # fmt: skip
_CHILD_KEYS: Final = ("selfStretch", "flexSize", "columnStart", "columnSpan", "rowStart", "rowSpan")
_PARENT_KEYS: Final = ("minimumColumnWidth", "columnCount")
_UNSAFE: Final = ("\\", "(", "&", "=", "}", "/*")


def layout_classes(name: str, attributes: Mapping[str, Any]) -> list[str]:
    """Return the classes for the element around a container's inner blocks, none for other blocks."""
    container = CONTAINERS.get(name)
    if container is None:
        return []
    given = _mapping(attributes.get("layout"))
    layout = dict(given if "layout" in attributes else container.layout)
    if layout.get("inherit") or layout.get("contentSize"):
        layout["type"] = "constrained"
    kind = layout.get("type", "default")
    classes = ["has-global-padding"] if kind == "constrained" else []
    if given.get("orientation"):
        classes.append(f"is-{_slug(given['orientation'])}")
    if given.get("justifyContent"):
        classes.append(f"is-content-justification-{_slug(given['justifyContent'])}")
    if given.get("flexWrap") == "nowrap":
        classes.append("is-nowrap")
    layout_class = _CLASSES.get(kind, "") if isinstance(kind, str) else ""
    if layout_class:
        classes.append(layout_class)
    spacing = _mapping(attributes.get("style")).get("spacing")
    gap = _safe(_mapping(spacing).get("blockGap"))
    if _has_rules(layout, None if container.own_gap else gap, spacing):
        digest = _digest([layout, True, gap, container.own_gap, container.gap, spacing])
        classes.append(f"wp-container-{name.replace('/', '-')}-is-layout-{digest}")
    classes.append(f"wp-block-{name.rpartition('/')[2]}-{layout_class}")
    return classes


def child_classes(attributes: Mapping[str, Any], parent: Mapping[str, Any]) -> list[str]:
    """Return the class of a block that sets its own place or size in its parent's layout.

    parent: the attributes of the block around it.
    """
    child = _mapping(_mapping(attributes.get("style")).get("layout"))
    stretch = child.get("selfStretch")
    placed = any(child.get(key) is not None for key in ("columnSpan", "rowSpan", "columnStart", "rowStart"))
    if not placed and stretch != "fill" and not (stretch == "fixed" and child.get("flexSize")):
        return []
    around = _mapping(parent.get("layout"))
    values = {
        "layout": {key: value for key, value in child.items() if key in _CHILD_KEYS},
        "parentLayout": {key: value for key, value in around.items() if key in _PARENT_KEYS},
    }
    return [f"wp-container-content-{_digest(values)}"]


def _has_rules(layout: Mapping[str, Any], gap: Any, spacing: Any) -> bool:
    """Return whether a layout needs rules beyond those of its kind."""
    kind, justified = layout.get("type", "default"), layout.get("justifyContent")
    if kind == "grid":
        return True
    if kind in ("default", "constrained") and isinstance(gap, dict):
        gap = gap.get("top")
    if gap is not None and kind in ("default", "constrained", "flex"):
        return True
    if kind == "constrained":
        padding = _mapping(_mapping(spacing).get("padding"))
        sized = layout.get("contentSize") or layout.get("wideSize") or padding.get("left") or padding.get("right")
        return bool(sized) or justified in ("left", "right")
    if kind != "flex":
        return False
    if layout.get("flexWrap") == "nowrap" or layout.get("orientation", "horizontal") != "horizontal":
        return True
    return justified in ("left", "right", "center", "space-between") or layout.get("verticalAlignment") in (
        "top", "center", "bottom", "stretch",
    )  # fmt: skip


def _safe(gap: Any) -> Any:
    if isinstance(gap, dict):
        return {side: None if _unsafe(value) else value for side, value in gap.items()}
    return None if _unsafe(gap) else gap


def _unsafe(value: Any) -> bool:
    return isinstance(value, str) and any(sign in value for sign in _UNSAFE)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _slug(value: Any) -> str:
    return "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in str(value).lower()).strip("-")


def _digest(values: Any) -> str:
    try:
        # Empty objects count as empty lists: the digest has always been made so.
        listed = json.loads(json.dumps(values), object_hook=lambda item: item or [])
        text = json.dumps(listed, separators=(",", ":")).replace("/", "\\/")
    except RecursionError:
        text = ""
    # It names a style rule and guards nothing; sites and style sheets out there hold the names that it gives.
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:8]
