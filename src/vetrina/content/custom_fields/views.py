"""What a reader sees of own fields: their values under `meta` and `ext`.

Not here: the schema of these members (schema.py beside this), links to what they refer to (reference_links.py beside
this). Rules: docs/rules/custom_fields.md, 2 and 6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from vetrina.content.blocks import dynamic_rendering
from vetrina.content.custom_fields.field_values import may_read_field
from vetrina.content.custom_fields.model import CustomField
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.frozen import thaw
from vetrina.rest.fields import EDIT

Renderer = Callable[[str], str]


def serialize_field_values(
    work: UnitOfWork,
    fields: Sequence[CustomField],
    stored: Mapping[str, Any],
    context: str,
    render: Renderer | None = None,
) -> dict[str, Any]:
    """Return the values of the fields that the caller may see, by name; a default where nothing was written.

    render: makes HTML of a text with markup; by default without the record that it stands in.
    """
    if not fields:
        return {}
    shown = _ShownValues(context == EDIT, render or (lambda raw: dynamic_rendering.render_live_content(work, raw)))
    user = work.user
    return {one.name: shown.show(one, stored.get(one.name)) for one in fields if may_read_field(user, one)}


class _ShownValues:
    """How stored values are shown in one response. raw: whether texts with markup are also shown as stored."""

    def __init__(self, raw: bool, render: Renderer) -> None:
        self.raw, self.render = raw, render

    def show(self, field: CustomField, stored: Any) -> Any:
        value = thaw(field.default) if stored is None else stored
        if field.is_list:
            return [self._show_one(field, one) for one in value] if isinstance(value, list) else []
        return self._show_one(field, value)

    def _show_one(self, field: CustomField, value: Any) -> Any:
        if field.type in ("rich_text", "blocks"):
            text = value if isinstance(value, str) else ""
            out = {"raw": text} if self.raw else {}
            return {**out, "rendered": self.render(text) if text else ""}
        if field.type in ("group", "repeater"):
            members = value if isinstance(value, Mapping) else {}
            return {one.name: self.show(one, members.get(one.name)) for one in field.fields}
        return value
