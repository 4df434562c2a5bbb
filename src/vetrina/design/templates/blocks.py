"""Blocks that render parts of the theme: patterns, template parts, sidebars and single widgets.

Rules: observed on public pages. A pattern or part inside itself renders nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from vetrina.content.blocks.block_context import BlockContext, BlockRenderFunction
from vetrina.content.blocks.grammar import parse_kept_blocks
from vetrina.content.blocks.page_styles import note_content_styles
from vetrina.content.blocks.wrapper import render_wrapper_attributes
from vetrina.content.text.media_shortcodes import escape_attribute
from vetrina.content.types.registry import TEMPLATE_PART
from vetrina.design.templates import rules as templates
from vetrina.design.themes import active_theme
from vetrina.design.themes.translations import translate_theme_markup
from vetrina.design.widgets import rules as widgets
from vetrina.design.widgets.widget_types import WIDGET_TYPES

_TAGS: Final = frozenset(("div", "header", "main", "section", "article", "aside", "footer"))
_WIDGET_AREA: Final = "wp-block-widget-area"
_TAG_OF_AREA: Final = {"header": "header", "footer": "footer"}


def _render_pattern(context: BlockContext) -> str:
    name, theme = context.attributes.get("slug"), active_theme.load_active_theme(context.work)
    found = next((one for one in theme.patterns if one.name == name), None)
    if found is None:
        return ""
    return _render_blocks(context, translate_theme_markup(theme, context.work.language, found.content))


def _render_blocks(context: BlockContext, raw: str) -> str:
    note_content_styles(context.work, raw)
    return context.inner(parse_kept_blocks(raw))


def _render_template_part(context: BlockContext) -> str:
    attributes, work = context.attributes, context.work
    slug, theme = attributes.get("slug"), attributes.get("theme") or active_theme.load_active_theme(work).name
    if not slug:
        return ""
    work.uses(TEMPLATE_PART.name)
    found = templates.find_template(work, TEMPLATE_PART, f"{theme}//{slug}")
    if found is None:
        return ""
    tag = attributes.get("tagName")
    tag = tag if tag in _TAGS else _TAG_OF_AREA.get(found.area, "div")
    html = _render_blocks(context, templates.get_translated_content(work, found))
    return f"<{tag}{render_wrapper_attributes(context.type, attributes)}>{html}</{tag}>" if html else ""


def _render_widget_area(context: BlockContext) -> str:
    """Render the widgets of a sidebar, of all sidebars where the block names none; an empty one is not there."""
    work, asked = context.work, context.attributes.get("id")
    parts = []
    for sidebar in widgets.list_sidebars(work.site):
        if not sidebar.is_active or (asked and asked != sidebar.id):
            continue
        html = "".join(widgets.render_widget(work, one) for one in widgets.list_sidebar_widgets(work, sidebar.id))
        if html:
            own = f'aria-label="{escape_attribute(sidebar.name)}"'
            parts.append(context.element("section", html, _WIDGET_AREA, *sidebar.css_class.split(), own=own))
    return "".join(parts)


def _render_legacy_widget(context: BlockContext) -> str:
    """Render a placed widget by its name, or one of a type with settings encoded by this server."""
    attributes, work = context.attributes, context.work
    if attributes.get("id"):
        found = widgets.find_widget(work, attributes["id"])
        return widgets.render_widget(work, found) if found is not None else ""
    type, given = WIDGET_TYPES.get(attributes.get("idBase") or ""), attributes.get("instance")
    if type is None or not isinstance(given, dict):
        return ""
    try:
        settings = widgets.decode_settings(work.site, given.get("encoded"), given.get("hash"))
    except widgets.InvalidWidgetSettings:
        return ""
    return type.render(work, settings)


BLOCKS: Final[Mapping[str, BlockRenderFunction]] = {
    "core/legacy-widget": _render_legacy_widget,
    "core/pattern": _render_pattern,
    "core/template-part": _render_template_part,
    "core/widget-area": _render_widget_area,
}
