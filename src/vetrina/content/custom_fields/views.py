"""What a reader sees of own fields: their values under `meta` and `ext`, and links to what they refer to.

Not here: the schema of these members (schema.py beside this). Rules: docs/rules/custom_fields.md, 2, 5 and 6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from vetrina.content.blocks import dynamic_rendering
from vetrina.content.custom_fields import references
from vetrina.content.custom_fields.declaration import USERS
from vetrina.content.custom_fields.field_values import may_read_field
from vetrina.content.custom_fields.model import CustomField
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.frozen import thaw
from vetrina.rest.fields import EDIT
from vetrina.rest.serializer import build_link

_MAX_LINKS: Final = 100  # links of one field, as many as a page of a list has records at most
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


def build_reference_links(
    work: UnitOfWork, fields: Sequence[CustomField], stored: Mapping[str, Any]
) -> dict[str, list[dict[str, Any]]]:
    """Return the links to what fields refer to that the caller may see, by relation: `cms:meta-` and the field."""
    out: dict[str, list[dict[str, Any]]] = {}
    for field in fields:
        if field.name in stored and may_read_field(work.user, field):
            named = references.list_references(field, stored[field.name], "")
            urls = dict.fromkeys(_build_reference_url(work, one.field, one.id) for one in named)
            links = [build_link(url, embeddable=True) for url in urls if url]
            if links:
                out[f"cms:meta-{field.name}"] = links[:_MAX_LINKS]
    return out


def _build_reference_url(work: UnitOfWork, field: CustomField, id: int) -> str:
    if field.target == USERS:
        return work.api(f"/cms/v2/users/{id}")
    kind = work.site.types.get(field.target) or work.site.taxonomies.get(field.target)
    return work.api(f"{kind.path}/{id}") if kind is not None else ""


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
