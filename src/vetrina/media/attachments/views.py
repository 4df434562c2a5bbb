"""Attachments in responses: their fields and links beyond those of every record.

Rules: docs/rules/media.md, 6 and 7 and docs/rules/images.md, 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from vetrina.content.records import permalinks, visibility
from vetrina.content.records.model import Record
from vetrina.content.records.views import RecordView, build_record_links, build_record_serializer
from vetrina.content.types.model import ContentType
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.media.attachments import markup as attachment_markup, store as attachment_store
from vetrina.media.attachments.schema import build_media_fields
from vetrina.media.attachments.store import MediaFile
from vetrina.media.uploads import rules as uploads
from vetrina.rest.serializer import CURIES, Serializer, build_link

_OMITTED_LINKS = ("cms:attachment", "cms:action-publish", "curies")
_NO_FILE = MediaFile(0, "", "", "", "", 0, 0, 0, "", {}, {})


@dataclass(slots=True)
class MediaView(RecordView):
    """What serializing attachments needs beside their records.

    media: by record id. folder: URL of the uploads folder, with a trailing slash.
    addresses: URLs of the parents.
    """

    media: dict[int, MediaFile] = field(default_factory=dict)
    folder: str = ""
    addresses: dict[int, str | None] = field(default_factory=dict)

    def get_file(self, record: Record) -> MediaFile:
        return self.media.get(record.id, _NO_FILE)

    def build_url(self, path: str) -> str:
        return self.folder + path

    def get_link(self, record: Record) -> str:
        found = self.links.get(record.id)
        if found is None:
            found = self.links[record.id] = permalinks.build_attached_url(
                self.work, record, self._get_parent_url(record)
            )
        return found

    def _get_parent_url(self, record: Record) -> str | None:
        """Return the URL of a file's parent; empty without a parent, None if it does not exist."""
        if not record.parent:
            return ""
        if record.parent not in self.addresses:
            self.addresses[record.parent] = permalinks.find_parent_url(self.work, self.parents.get(record.parent))
        return self.addresses[record.parent]


def build_media_view(work: UnitOfWork, type: ContentType, records: Sequence[Record], context: str) -> MediaView:
    """Return the view of some attachments; their files and parents are loaded at once."""
    work.uses_items(type.name, (record.id for record in records))
    return MediaView(
        work,
        type,
        context,
        records=records,
        parents=visibility.load_parents(work, records),
        media=attachment_store.load_media_files(work.tx, [record.id for record in records]),
        folder=attachment_store.build_file_url(work, ""),
    )


def build_media_serializer(site: SiteContext, type: ContentType) -> Serializer:
    """Return the serializer of attachments."""
    getters = {
        **build_record_serializer(site, type).getters,
        "alt_text": lambda r, v: v.get_file(r).alt_text,
        "caption": _serialize_caption,
        "description": _serialize_description,
        "media_type": lambda r, v: "image" if v.get_file(r).kind == "image" else "file",
        "mime_type": lambda r, v: v.get_file(r).mime_type,
        "media_details": lambda r, v: _serialize_details(v.get_file(r), v),
        "post": lambda r, v: r.parent or None,
        "source_url": lambda r, v: v.build_url(v.get_file(r).file),
        "missing_image_sizes": lambda r, v: _list_missing_sizes(v.get_file(r), v),
    }
    return Serializer(build_media_fields(site, type), getters)


def build_media_links(view: RecordView, record: Record) -> dict[str, Any]:
    """Return the `_links` of an attachment."""
    out = {name: value for name, value in build_record_links(view, record).items() if name not in _OMITTED_LINKS}
    parent = view.parents.get(record.parent)
    type = view.work.site.types.get(parent.type) if parent else None
    if parent is not None and type is not None:
        href = view.work.api(f"{type.path}/{parent.id}")
        out["cms:attached-to"] = [build_link(href, embeddable=True, post_type=parent.type, id=parent.id)]
    if any(name.startswith("cms:") for name in out):
        out["curies"] = CURIES
    return out


def _serialize_caption(r: Record, v: MediaView) -> dict[str, str]:
    rendered = attachment_markup.render_caption(
        v.get_file(r), r.title, r.excerpt, r.excerpt_html, r.content_html, v.work.budget
    )
    return {"raw": r.excerpt, "rendered": rendered}


def _serialize_description(r: Record, v: MediaView) -> dict[str, str]:
    rendered = v.work.budget.take_cached_html(r.content_html)
    return {
        "raw": r.content,
        "rendered": attachment_markup.render_preface(v.get_file(r), r.title, v.build_url) + rendered,
    }


def _list_missing_sizes(media: MediaFile, view: MediaView) -> list[str]:
    return uploads.list_missing_sizes(view.work.site.profile, media.mime_type, media.size, media.sizes)


def _serialize_details(media: MediaFile, view: MediaView) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if media.width and media.kind == "image":
        out |= {"width": media.width, "height": media.height, "file": media.file}
    out |= {"filesize": media.filesize, "sizes": {}, **media.details}
    folder = media.file.rpartition("/")[0] + "/"
    for name, one in media.sizes.items():
        out["sizes"][name] = {
            "file": one.file, "width": one.width, "height": one.height, "filesize": one.filesize,
            "mime_type": one.mime_type, "source_url": view.build_url(folder + one.file),
        }  # fmt: skip
    if media.sizes:
        out["sizes"]["full"] = {
            "file": media.file.rpartition("/")[2], "width": media.width, "height": media.height,
            "mime_type": media.mime_type, "source_url": view.build_url(media.file),
        }  # fmt: skip
    if media.original:
        out["original_image"] = media.original.rpartition("/")[2]
    return out
