"""The schema of revisions and autosaves: their fields and the getters of these.

Not here: the routes (content/revisions/routes.py). Rules: docs/rules/revisions.md, 3 and 9.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.content.blocks import dynamic_rendering
from vetrina.content.custom_fields import schema as custom_field_schema, views as custom_field_views
from vetrina.content.records import meta as record_meta
from vetrina.content.records.model import Record
from vetrina.content.records.schema import build_record_fields
from vetrina.content.records.views import RecordView
from vetrina.content.revisions.rules import Revision
from vetrina.content.text import rendering as text_rendering
from vetrina.content.text.absolute_addresses import make_addresses_absolute
from vetrina.content.types.model import ContentType
from vetrina.core.site_context import SiteContext
from vetrina.kernel.times import format_iso
from vetrina.media.images import srcset
from vetrina.rest.fields import EDIT, EMBED, VIEW, Field, Integer, Object, String
from vetrina.rest.serializer import Serializer, read_attributes

PREVIEW_LINK: Final = "preview_link"  # of autosaves only
_ALL = (VIEW, EDIT, EMBED)
_SHOWN = (VIEW, EDIT)


def build_revision_serializer(site: SiteContext, type: ContentType, previewed: bool = False) -> Serializer:
    """Return the serializer of revisions of a type."""
    # Types whose records have no `guid` member do not restrict that of the revisions to the context `edit`.
    stored = (EDIT,) if type.room == "records" else _SHOWN
    fields: dict[str, Field] = {
        "author": Integer("Number of the user who saved it.", context=_ALL),
        "date": String("When it was saved, in the site's time zone.", format="date-time", nullable=True, context=_ALL),
        "date_gmt": String("When it was saved, in GMT.", format="date-time", nullable=True, context=_SHOWN),
        "guid": Object(
            "Globally unique identifier.",
            properties={
                "raw": String("The identifier as it is stored.", context=stored, readonly=True),
                "rendered": String("The identifier as it is shown.", context=_SHOWN, readonly=True),
            },
            context=_SHOWN, readonly=True,
        ),
        "id": Integer("Number of the revision.", context=_ALL),
        "modified": String("When it was last changed, in the site's time zone.", format="date-time", context=_SHOWN),
        "modified_gmt": String("When it was last changed, in GMT.", format="date-time", context=_SHOWN),
        "parent": Integer("Number of the record that it belongs to.", context=_ALL),
        "slug": String("Name of the revision.", context=_ALL),
    }  # fmt: skip
    of_record = build_record_fields(site, type)
    # Revisions show their content wherever the embedded record does, as that of a navigation.
    content = _ALL if EMBED in type.raw_in else _SHOWN
    for name, shown in (("title", _ALL), ("content", content), ("excerpt", _ALL)):
        if name in of_record:
            texts: dict[str, Field] = {
                "raw": String("Value as it is stored.", context=(EDIT,) if name == "excerpt" else type.raw_in),
                "rendered": String("Value as it is shown, as HTML.", context=shown, readonly=True),
            }
            fields[name] = Object(of_record[name].help, properties=texts, context=shown)
    registered = record_meta.build_meta_fields(site, type)
    fields["meta"] = Object("Registered extra fields.", properties=registered, context=_SHOWN)
    fields = custom_field_schema.add_field_members(site, type.name, fields)
    if previewed:
        fields[PREVIEW_LINK] = String("Address of a preview.", format="uri", context=(EDIT,), readonly=True)
    getters = {
        **read_attributes("author", "id", "parent", "slug"),
        "date": lambda r, v: None if _is_undated_draft(r) else format_iso(r.date),
        "date_gmt": lambda r, v: None if _is_undated_draft(r) else format_iso(r.date_gmt),
        "guid": lambda r, v: {"rendered": r.guid, "raw": r.guid},
        "modified": lambda r, v: format_iso(r.modified),
        "modified_gmt": lambda r, v: format_iso(r.modified_gmt),
        "title": lambda r, v: {"raw": r.title, "rendered": text_rendering.render_title(r.title, v.work.budget)},
        "content": lambda r, v: {"raw": r.content, "rendered": _render_markup(r.content, v)},
        "excerpt": lambda r, v: {"raw": r.excerpt, "rendered": _render_excerpt(r, v)},
        "meta": _serialize_meta,
        "ext": _serialize_own_fields,
    }
    return Serializer(fields, getters, nested=False)


def _serialize_meta(r: Record | Revision, v: RecordView) -> dict[str, Any]:
    out = record_meta.serialize_meta(v.work.site, v.type, r.meta)
    # The sync status belongs to the pattern, not to one of its revisions.
    status = {record_meta.SYNC_STATUS: None} if v.type.has("sync-status") else {}
    return {**out, **status, **_serialize_own_fields(r, v)}


def _serialize_own_fields(r: Record | Revision, v: RecordView) -> dict[str, Any]:
    return custom_field_views.serialize_field_values(
        v.work, v.own_fields, r.meta, v.context, lambda raw: _render_markup(raw, v)
    )


def _is_undated_draft(r: Record | Revision) -> bool:
    """Return whether it is the draft itself, saved by its own author, without a chosen date."""
    return isinstance(r, Record) and r.floating


def _render_markup(raw: str, view: Any) -> str:
    work = view.work
    html = srcset.add_image_sources(work, dynamic_rendering.render_live_content(work, raw))
    return make_addresses_absolute(html, f"{work.home()}/")


def _render_excerpt(r: Any, view: Any) -> str:
    """Return the rendered excerpt of a revision if it was written; none is made from the content."""
    if not r.excerpt.strip():
        return ""
    work = view.work
    return text_rendering.render_excerpt(r.excerpt, "", smilies=bool(work.option("use_smilies")), budget=work.budget)
