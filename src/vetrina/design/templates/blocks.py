"""Blocks that show something of the theme: its patterns and the parts of its templates, and single widgets.

Rules: observed on public pages. A pattern or part inside itself ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from vetrina.content.blocks.dynamic_rendering import Maker, Place
from vetrina.content.blocks.grammar import parse
from vetrina.content.blocks.wrapper import wrapper
from vetrina.content.types.registry import TEMPLATE_PART
from vetrina.design.templates import rules as templates
from vetrina.design.themes import rules as themes
from vetrina.design.widgets import rules as widgets
from vetrina.design.widgets.widget_types import TYPES

__all__ = ["BLOCKS"]

_TAGS: Final = frozenset(("div", "header", "main", "section", "article", "aside", "footer"))
_OF_AREA: Final = {"header": "header", "footer": "footer"}


def _pattern(place: Place) -> str:
    name = place.attributes.get("slug")
    found = next((one for one in themes.active(place.work.frame).patterns if one.name == name), None)
    return place.inner(parse(found.content)) if found is not None else ""


def _part(place: Place) -> str:
    asked, work = place.attributes, place.work
    slug, theme = asked.get("slug"), asked.get("theme") or themes.active(work.frame).name
    if not slug:
        return ""
    work.uses(TEMPLATE_PART.name)
    found = templates.find(work, TEMPLATE_PART, f"{theme}//{slug}")
    if found is None:
        return ""
    tag = asked.get("tagName")
    tag = tag if tag in _TAGS else _OF_AREA.get(found.area, "div")
    html = place.inner(parse(found.content))
    return f"<{tag}{wrapper(place.type, asked)}>{html}</{tag}>" if html else ""


def _widget(place: Place) -> str:
    """Show a widget that stands in a place by its name, or one of a kind with settings that this server encoded."""
    asked, work = place.attributes, place.work
    if asked.get("id"):
        found = widgets.by_id(work, asked["id"])
        return widgets.rendered(work, found) if found is not None else ""
    type, given = TYPES.get(asked.get("idBase") or ""), asked.get("instance")
    if type is None or not isinstance(given, dict):
        return ""
    try:
        settings = widgets.decoded(work.frame, given.get("encoded"), given.get("hash"))
    except widgets.InvalidWidget:
        return ""
    return type.markup(work, settings)


BLOCKS: Final[Mapping[str, Maker]] = {
    "core/legacy-widget": _widget,
    "core/pattern": _pattern,
    "core/template-part": _part,
}
