"""The settings of a widget in the forms in which they are sent and shown.

Rules: facts, "Themes, plugins, blocks, widgets, health, helpers, abilities".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vetrina.core.unit_of_work import Work
from vetrina.design.widgets import rules as widgets
from vetrina.design.widgets.rules import InvalidWidget
from vetrina.design.widgets.widget_types import WidgetType
from vetrina.rest import query_strings

__all__ = ["given", "instance", "of_form"]


def given(work: Work, type: WidgetType, args: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the settings that a request gives in one of three forms, None for none. Raises InvalidWidget."""
    instance = args.get("instance")
    if instance is not None:
        if isinstance(instance.get("raw"), dict):
            return type.settled(work, instance["raw"])
        if "encoded" in instance:
            return type.settled(work, widgets.decoded(work.frame, instance["encoded"], instance.get("hash")))
        raise InvalidWidget(reason="The settings need either `raw`, or `encoded` and `hash`.")
    if isinstance(form := args.get("form_data"), str):
        return type.settled(work, of_form(type, form) or {})
    return None


def of_form(type: WidgetType, form: str) -> Mapping[str, Any] | None:
    """Return the settings of a form, under whatever number they stand in it; None where it has none of this kind."""
    numbered = query_strings.parse(form).get(f"widget-{type.id}")
    values = list(numbered.values()) if isinstance(numbered, dict) else numbered
    first = values[0] if isinstance(values, list) and values else None
    return first if isinstance(first, dict) else None


def instance(work: Work, settings: Mapping[str, Any]) -> dict[str, Any]:
    word, hash = widgets.encoded(work.frame, settings)
    return {"encoded": word, "hash": hash, "raw": dict(settings)}
