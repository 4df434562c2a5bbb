"""Media: uploaded files as records, with the routes that every record has and two of their own.

Not here: arguments and schema (media/attachments/schema.py), how an attachment is shown (media/attachments/views.py),
what a request must bring to upload a file (media/uploads/upload_arguments.py), what an edit asks for
(media/images/edit_arguments.py). Rules: interface.md, "Content routes" and "Media processing"; facts, "Media".
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import msgspec

from vetrina.access.roles.capabilities import may_edit
from vetrina.content.records import model as record_model
from vetrina.content.records import rules as records
from vetrina.content.records import schema as record_schema
from vetrina.content.records.input import InvalidAuthor
from vetrina.content.records.lifecycle import CannotPublish
from vetrina.content.records.model import Record
from vetrina.content.records.precondition_arguments import check as check_preconditions
from vetrina.content.records.query import RecordQuery
from vetrina.content.records.routes import CannotCreate, CannotDelete, CannotEdit, CannotEditOthers, RecordRoutes
from vetrina.content.records.views import View
from vetrina.content.types.model import ContentType
from vetrina.content.types.registry import PAGE
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Refused, TooManyImages
from vetrina.media.attachments import schema as attachment_schema
from vetrina.media.attachments import store as attachment_store
from vetrina.media.attachments.store import InvalidFeaturedMedia, Media, NoFeaturedMedia, WrongParent
from vetrina.media.attachments.views import MediaView, media_links, media_shape, media_view
from vetrina.media.images import edit_arguments
from vetrina.media.images.processing import CropFailed, TooManyPixels
from vetrina.media.uploads import rules as uploads
from vetrina.media.uploads import upload_arguments
from vetrina.media.uploads.filetypes import TYPES, FileRefused
from vetrina.rest.call import Call, Request, Result
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Shape, choice

__all__ = ["MediaRoutes", "NoTrash", "routes"]

_KNOWN_TYPES = frozenset(TYPES.values())


class NoTrash(ApiError):
    status, code = 501, "rest_trash_not_supported"
    message = "Files have no trash. Send force=true to remove this one for good."


class CannotEditImage(Refused):
    """Images are changed by those who may upload."""

    code = "rest_cannot_edit_image"
    message = "You may not change images."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the types whose records are files."""
    types = [type for type in frame.types.values() if type.room == "media"]
    return tuple(route for type in types for route in MediaRoutes(frame, type).all())


def _always(request: Request) -> bool:
    return True


class MediaRoutes(RecordRoutes):
    """The routes of one type of files."""

    def all(self) -> tuple[Route, ...]:
        frame, type, limits = self.frame, self.type, self.frame.profile.limits
        item = f"{type.path}/{{id}}"
        one = record_schema.item_arguments(type)
        one.pop("password")
        writes = record_schema.write_arguments(type, self.shape.fields)
        writing = (InvalidAuthor, CannotEditOthers, CannotPublish, WrongParent)
        return (
            Route(
                READ,
                type.path,
                self.listed,
                attachment_schema.list_arguments(frame, type),
                self.may_list,
                self.schema,
                batch=False,
            ),
            Route(
                WRITE,
                type.path,
                self.created,
                writes,
                self.may_create,
                self.schema,
                batch=False,
                slow=True,
                prepare=self.prepare_upload,
                decodes=_always,
                files=True,
                body_bytes=limits.upload_bytes,
                errors=(
                    CannotCreate,
                    FileRefused,
                    TooManyImages,
                    *upload_arguments.ERRORS,
                    *writing,
                    NoFeaturedMedia,
                    InvalidFeaturedMedia,
                ),
            ),
            Route(READ, item, self.read, one, self.may_read, self.schema, batch=False),
            Route(
                CHANGE,
                item,
                self.changed,
                {"id": one["id"], **writes},
                self.may_change,
                self.schema,
                batch=False,
                errors=(CannotEdit, *writing),
            ),
            Route(
                REMOVE,
                item,
                self.removed,
                record_schema.delete_arguments(),
                self.may_remove,
                self.schema,
                batch=False,
                slow=True,
                errors=(CannotDelete, NoTrash),
            ),
            Route(
                WRITE,
                f"{item}/post-process",
                self.processed,
                attachment_schema.process_arguments(),
                self.may_change,
                self.schema,
                batch=False,
                slow=True,
                prepare=self.prepare_processing,
                decodes=_always,
                status=200,
                errors=(CannotEdit, uploads.FileGone, TooManyImages),
            ),
            Route(
                WRITE,
                f"{item}/edit",
                self.edited,
                attachment_schema.edit_arguments(),
                self.may_edit_image,
                self.schema,
                batch=False,
                slow=True,
                prepare=self.prepare_editing,
                decodes=_always,
                errors=(
                    CannotEditImage,
                    CannotEdit,
                    CropFailed,
                    TooManyPixels,
                    TooManyImages,
                    uploads.FileGone,
                    *edit_arguments.ERRORS,
                    *writing,
                ),
            ),
        )

    def shaped(self) -> Shape:
        return media_shape(self.frame, self.type)

    def view_of(self, work: Work, rows: Sequence[Record], context: str) -> MediaView:
        return media_view(work, self.type, rows, context)

    def links_of(self, view: View, record: Record) -> dict[str, Any]:
        return media_links(view, record)

    def query_of(self, call: Call) -> RecordQuery:
        kinds, asked = call.args.get("media_type") or (), call.args.get("mime_type") or ()
        # A type that nobody can upload filters nothing, as half a type does.
        known = tuple(one for one in asked if one in _KNOWN_TYPES)
        return msgspec.structs.replace(
            super().query_of(call), media_kinds=tuple(kinds), mime_types=known, in_names=True
        )

    # -- what may be done

    def may_create(self, call: Call) -> None:
        """Those who upload files (`upload_files`) and may change the record that the file hangs on."""
        super().may_create(call)
        post = call.args.get("post")
        if isinstance(post, int) and post:
            self._may_hang_on(call, post)

    def may_change(self, call: Call) -> None:
        """Those who may change this file, and the record that it is to hang on."""
        super().may_change(call)
        post = call.args.get("post")
        # Beneath a record its address shows that one's, which may be for few; beneath none that there is it shows none.
        if isinstance(post, int) and post != self.record_of(call).parent and record_model.by_id(call.work.tx, post):
            self._may_hang_on(call, post)

    def may_edit_image(self, call: Call) -> None:
        """Those who upload files (`upload_files`) and may change this one."""
        if not call.work.user.can("upload_files"):
            raise CannotEditImage(bool(call.work.user))
        self.may_change(call)

    def _may_hang_on(self, call: Call, number: int) -> None:
        """Raise CannotEdit unless the caller may change the record that a file is to hang on."""
        work: Work = call.work
        found = record_model.by_id(work.tx, number) if number > 0 else None
        type: ContentType | None = work.frame.types.get(found.type) if found else None
        if found is None or type is None or not may_edit(work.user, type, found):
            raise CannotEdit(bool(work.user))

    # -- before the transaction

    def prepare_upload(self, call: Call) -> AbstractContextManager[upload_arguments.Received]:
        work: Work = call.work
        attachment_store.check_parent(work, call.args.get("post") or 0)
        above = record_model.by_id(work.tx, call.args.get("post") or 0)
        # What hangs on a record lies in its month; a page's date says nothing.
        date = above.date if above and above.type != PAGE.name else work.local_now
        return upload_arguments.received(self.frame, call.request, times.iso(date))

    def prepare_editing(self, call: Call) -> AbstractContextManager[uploads.Kept]:
        work: Work = call.work
        attachment_store.check_parent(work, call.args.get("post") or 0)
        media = self._media(call)
        modifiers = edit_arguments.modifiers_of(call, media)
        return uploads.receive_edited(
            self.frame.files, self.frame.profile, self.frame.decoding, media.source, media.mime_type, modifiers,
            times.iso(work.local_now),
        )  # fmt: skip

    def prepare_processing(self, call: Call) -> AbstractContextManager[Any]:
        media = self._media(call)
        profile = self.frame.profile
        missing = uploads.missing_sizes(profile, media.mime_type, media.size, media.sizes)
        if not missing:
            return nullcontext({})
        frame = self.frame
        return uploads.restore_sizes(frame.files, profile, frame.decoding, media.source, media.mime_type, missing)

    def _media(self, call: Call) -> Media:
        found = attachment_store.of_record(call.work.tx, self.record_of(call).id)
        if found is None:
            raise records.RecordUnknown
        return found

    # -- what is done

    def created(self, call: Call) -> Result:
        """Upload a file: its bytes as the body or as a part named `file`; sub-sizes of an image are made at once."""
        received: upload_arguments.Received = call.prepared
        record = attachment_store.create(call.work, self.type, received.kept, self.given(call), received.title)
        return self._made(call, record, "edit")

    def changed(self, call: Call) -> Result:
        record = self.record_of(call)
        check_preconditions(call, record)
        record = attachment_store.change(call.work, self.type, record, self._media(call), self.given(call))
        call.kept[self] = record
        return self.shown(call, record)

    def removed(self, call: Call) -> Result:
        record = self.record_of(call)
        check_preconditions(call, record)
        if not call.args["force"]:
            raise NoTrash
        previous = self.shown(call, record).body
        attachment_store.remove(call.work, self.type, record)
        call.kept.pop(self)
        return Result({"deleted": True, "previous": previous})

    def processed(self, call: Call) -> Result:
        """Make the sub-sizes of an image that are missing."""
        record = self.record_of(call)
        attachment_store.add_sizes(call.work, self.type, record.id, call.prepared)
        return self.shown(call, record)

    def edited(self, call: Call) -> Result:
        """Crop, turn or flip an image; the outcome is a new file, the old one stays."""
        given = {name: value for name, value in self.given(call).items() if name in edit_arguments.MEMBERS}
        record = attachment_store.create_edited(
            call.work, self.type, call.prepared, self.record_of(call), self._media(call), given
        )
        return self._made(call, record, "view")

    def _made(self, call: Call, record: Record, context: str) -> Result:
        """Return the answer about a new attachment."""
        wanted = choice(call.request.raw("_fields"))
        view = self.view_of(call.work, [record], context)
        result = Result(self.shape.members(record, view, context, wanted), status=201, rels=media_links(view, record))
        result.headers["Location"] = call.work.api(f"{self.type.path}/{record.id}")
        return result
