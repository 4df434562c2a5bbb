"""How an attachment is shown: its members and links beyond those of every record.

Not here: which members there are (media/attachments/schema.py). Rules: facts, "Media", "Record".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from vetrina.content.records import permalinks, visibility
from vetrina.content.records.model import Record
from vetrina.content.records.views import View, links, record_shape
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import Frame, Work
from vetrina.media.attachments import markup as attachment_markup
from vetrina.media.attachments import store as attachment_store
from vetrina.media.attachments.schema import media_fields
from vetrina.media.attachments.store import Media
from vetrina.media.uploads import rules as uploads
from vetrina.rest.serializer import CURIES, Shape, link

__all__ = ["MediaView", "media_links", "media_shape", "media_view"]

_NOT_THEIRS = ("cms:attachment", "cms:action-publish", "curies")
_NO_FILE = Media(0, "", "", "", "", 0, 0, 0, "", {}, {})


@dataclass(slots=True)
class MediaView(View):
    """What showing attachments needs to know beside their records.

    media: by the record's number. folder: address of the folder of uploads, with a stroke at its end.
    addresses: of what files hang on.
    """

    media: dict[int, Media] = field(default_factory=dict)
    folder: str = ""
    addresses: dict[int, str | None] = field(default_factory=dict)

    def file(self, record: Record) -> Media:
        return self.media.get(record.id, _NO_FILE)

    def url(self, path: str) -> str:
        return self.folder + path

    def link(self, record: Record) -> str:
        found = self.links.get(record.id)
        if found is None:
            found = self.links[record.id] = permalinks.attached(self.work, record, self._above(record))
        return found

    def _above(self, record: Record) -> str | None:
        """Return the address of what a file hangs on; empty for nothing, None for what is not there."""
        if not record.parent:
            return ""
        if record.parent not in self.addresses:
            self.addresses[record.parent] = permalinks.above(self.work, self.parents.get(record.parent))
        return self.addresses[record.parent]


def media_view(work: Work, type: ContentType, records: Sequence[Record], context: str) -> MediaView:
    """Return the view of some attachments; their files and parents are read at once."""
    work.uses(type.name)
    return MediaView(
        work,
        type,
        context,
        records=records,
        parents=visibility.parents_of(work, records),
        media=attachment_store.of_records(work.tx, [record.id for record in records]),
        folder=attachment_store.url(work, ""),
    )


def media_shape(frame: Frame, type: ContentType) -> Shape:
    """Return how attachments are shown."""
    getters = {
        **record_shape(frame, type).getters,
        "alt_text": lambda r, v: v.file(r).alt_text,
        "caption": _caption,
        "description": _description,
        "media_type": lambda r, v: "image" if v.file(r).kind == "image" else "file",
        "mime_type": lambda r, v: v.file(r).mime_type,
        "media_details": lambda r, v: _details(v.file(r), v),
        "post": lambda r, v: r.parent or None,
        "source_url": lambda r, v: v.url(v.file(r).file),
        "missing_image_sizes": lambda r, v: _missing(v.file(r), v),
    }
    return Shape(media_fields(frame, type), getters)


def media_links(view: View, record: Record) -> dict[str, Any]:
    """Return the `_links` of an attachment."""
    out = {name: value for name, value in links(view, record).items() if name not in _NOT_THEIRS}
    parent = view.parents.get(record.parent)
    type = view.work.frame.types.get(parent.type) if parent else None
    if parent is not None and type is not None:
        href = view.work.api(f"{type.path}/{parent.id}")
        out["cms:attached-to"] = [link(href, embeddable=True, post_type=parent.type, id=parent.id)]
    if any(name.startswith("cms:") for name in out):
        out["curies"] = CURIES
    return out


def _caption(r: Record, v: MediaView) -> dict[str, str]:
    shown = attachment_markup.caption(v.file(r), r.title, r.excerpt, r.excerpt_html, r.content_html, v.work.budget)
    return {"raw": r.excerpt, "rendered": shown}


def _description(r: Record, v: MediaView) -> dict[str, str]:
    shown = v.work.budget.answer(r.content_html)
    return {"raw": r.content, "rendered": attachment_markup.preface(v.file(r), r.title, v.url) + shown}


def _missing(media: Media, view: MediaView) -> list[str]:
    return uploads.missing_sizes(view.work.frame.profile, media.mime_type, media.size, media.sizes)


def _details(media: Media, view: MediaView) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if media.width and media.kind == "image":
        out |= {"width": media.width, "height": media.height, "file": media.file}
    out |= {"filesize": media.filesize, "sizes": {}, **media.details}
    folder = media.file.rpartition("/")[0] + "/"
    for name, one in media.sizes.items():
        out["sizes"][name] = {
            "file": one.file, "width": one.width, "height": one.height, "filesize": one.filesize,
            "mime_type": one.mime_type, "source_url": view.url(folder + one.file),
        }  # fmt: skip
    if media.sizes:
        out["sizes"]["full"] = {
            "file": media.file.rpartition("/")[2], "width": media.width, "height": media.height,
            "mime_type": media.mime_type, "source_url": view.url(media.file),
        }  # fmt: skip
    if media.original:
        out["original_image"] = media.original.rpartition("/")[2]
    return out
