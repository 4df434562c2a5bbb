"""Links of a response to the records, files, terms and users that the values of own fields refer to.

Not here: what a value refers to (references.py beside this). Rules: docs/rules/custom_fields.md, 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from vetrina.content.custom_fields import references
from vetrina.content.custom_fields.declaration import USERS
from vetrina.content.custom_fields.field_values import may_read_field
from vetrina.content.custom_fields.model import CustomField
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.rest.serializer import build_link

_MAX_LINKS: Final = 100  # links of one field, as many as a page of a list has records at most


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
