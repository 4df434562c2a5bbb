"""The settings of a widget in the forms in which they are sent and returned.

Rules: docs/rules/themes.md, 9.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design.widgets import rules as widgets
from vetrina.design.widgets.rules import InvalidWidgetSettings
from vetrina.design.widgets.widget_types import WidgetType
from vetrina.rest import query_strings


def parse_settings(work: UnitOfWork, type: WidgetType, args: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the settings that a request gives in one of three forms, None for none. Raises InvalidWidgetSettings."""
    instance = args.get("instance")
    if instance is not None:
        if isinstance(instance.get("raw"), dict):
            return type.clean_settings(work, instance["raw"])
        if "encoded" in instance:
            return type.clean_settings(
                work, widgets.decode_settings(work.site, instance["encoded"], instance.get("hash"))
            )
        raise InvalidWidgetSettings(reason="The settings need either `raw`, or `encoded` and `hash`.")
    if isinstance(form := args.get("form_data"), str):
        return type.clean_settings(work, parse_form_settings(type, form) or {})
    return None


def parse_form_settings(type: WidgetType, form: str) -> Mapping[str, Any] | None:
    """Return the settings in form data, whatever the widget number in it; None if it has none of this type."""
    numbered = query_strings.parse_query(form).get(f"widget-{type.id}")
    values = list(numbered.values()) if isinstance(numbered, dict) else numbered
    first = values[0] if isinstance(values, list) and values else None
    return first if isinstance(first, dict) else None


def serialize_instance(work: UnitOfWork, settings: Mapping[str, Any]) -> dict[str, Any]:
    word, hash = widgets.encode_settings(work.site, settings)
    return {"encoded": word, "hash": hash, "raw": dict(settings)}
