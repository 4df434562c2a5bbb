"""Widgets of the source, in the order of their sidebars; where a sidebar is missing here they are inactive."""

from __future__ import annotations

from collections.abc import Mapping

from vetrina.design.widgets import rules as widgets
from vetrina.design.widgets.rules import INACTIVE_SIDEBAR
from vetrina.design.widgets.widget_types import WIDGET_TYPES

from .addresses import rewrite_content, rewrite_value
from .incoming_record import IncomingRecord, RecordSkipped
from .outcome import Written


def write_widget(one: IncomingRecord) -> Written:
    """Write a widget. Raises RecordSkipped."""
    work, values = one.work, one.values
    type = WIDGET_TYPES.get(one.get_text("id_base"))
    if type is None:
        raise RecordSkipped(f"there are no widgets of the type {one.get_text('id_base')!r}")
    instance = values.get("instance")
    raw = instance.get("raw") if isinstance(instance, Mapping) else None
    if not isinstance(raw, Mapping):
        raise RecordSkipped("its settings are not shown")
    settings = {
        name: rewrite_content(one, value) if isinstance(value, str) else rewrite_value(one, value)
        for name, value in raw.items()
    }
    sidebar = one.get_text("sidebar")
    if widgets.find_sidebar(work.site, sidebar) is None:
        one.notes[f"the sidebar {sidebar!r} is not here: inactive"] += 1
        sidebar = INACTIVE_SIDEBAR
    old = widgets.find_widget(work, f"{type.id}-{one.target}") if one.target else None
    if old is not None:
        return Written(widgets.move_widget(work, widgets.update_widget(work, old, settings), sidebar).number)
    return Written(widgets.create_widget(work, type, settings, sidebar).number)
