"""Media: uploaded files as records, with the routes that every record has and two of their own.

Arguments and schema: media/attachments/schema.py. Responses: media/attachments/views.py. Upload requests:
media/uploads/upload_arguments.py. Edit requests: media/images/edit_arguments.py. Rules: docs/rules/media.md, 5, 9 and
10 and docs/rules/images.md, 5 and 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

import msgspec

from vetrina.access.roles.capabilities import may_create_record, may_edit_record
from vetrina.content.records import model as record_model, rules as records
from vetrina.content.records.model import Record
from vetrina.content.records.permissions import (
    CannotAssignAuthor,
    CannotCreateRecord,
    CannotDeleteRecord,
    CannotEditRecord,
)
from vetrina.content.records.query import RecordQuery
from vetrina.content.records.routes import RecordRoutes
from vetrina.content.records.rules import InvalidRecordAuthor
from vetrina.content.records.statuses import CannotPublishRecord
from vetrina.content.records.views import RecordView
from vetrina.content.types.model import ContentType
from vetrina.content.types.registry import PAGE
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.errors import PermissionDenied, TooManyImages
from vetrina.media.attachments import rules as attachment_rules, schema as attachment_schema, store as attachment_store
from vetrina.media.attachments.rules import InvalidFeaturedMedia, NoFeaturedMedia, WrongAttachmentParent
from vetrina.media.attachments.store import MediaFile
from vetrina.media.attachments.usage_routes import build_usage_route
from vetrina.media.attachments.views import MediaView, build_media_links, build_media_serializer, build_media_view
from vetrina.media.images import edit_arguments
from vetrina.media.images.processing import ImageCropFailed, ImageTooLarge
from vetrina.media.images.rendition_routes import build_rendition_routes
from vetrina.media.uploads import rules as uploads, upload_arguments
from vetrina.media.uploads.filetypes import TYPE_OF_EXTENSION, FileRefused
from vetrina.media.uploads.replacement import ReplacedFile, ReplacementTypeDiffers
from vetrina.rest.call import Request, Result
from vetrina.rest.field_selection import parse_field_selection
from vetrina.rest.fields import EDIT, VIEW, Integer
from vetrina.rest.resource import Resource, TrashUnsupported
from vetrina.rest.route import WRITE, Route
from vetrina.rest.serializer import Serializer

_KNOWN_TYPES = frozenset(TYPE_OF_EXTENSION.values())


class CannotEditImage(PermissionDenied):
    """Editing an image requires the right to upload files."""

    code = "rest_cannot_edit_image"
    message = "You may not change images."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the types whose records are files."""
    types = [type for type in site.types.values() if type.room == "media"]
    return tuple(route for type in types for route in MediaRoutes(site, type).build_routes())


def _decodes_always(request: Request) -> bool:
    return True


class MediaRoutes(RecordRoutes):
    """The routes of one type of files."""

    def build_routes(self) -> tuple[Route, ...]:
        site, type = self.site, self.type
        item, of, schema = f"{type.path}/{{id}}", self.resource.build_routes_by_operation(), self.resource.build_schema
        one = {name: field for name, field in of["read"].args.items() if name != "password"}
        writing = (InvalidRecordAuthor, CannotAssignAuthor, CannotPublishRecord, WrongAttachmentParent)
        return (
            of["list"].replace(args=attachment_schema.build_list_arguments(site, type)),
            of["create"].replace(
                slow=True, prepare=self.prepare_upload, decodes=_decodes_always, files=True,
                body_bytes=site.profile.limits.upload_bytes,
                summary="Upload a file: its bytes as the body or as a part named `file`; "
                "sub-sizes of an image are made at once.",
                errors=(
                    CannotCreateRecord, FileRefused, TooManyImages, *upload_arguments.ERRORS, *writing, NoFeaturedMedia,
                    InvalidFeaturedMedia,
                ),
            ),
            of["read"].replace(args=one),
            of["update"].replace(errors=(CannotEditRecord, *writing)),
            of["delete"].replace(slow=True, errors=(CannotDeleteRecord, TrashUnsupported)),
            Route(
                WRITE, f"{item}/post-process", self.create_missing_sizes, attachment_schema.build_process_arguments(),
                self.require_update_permission, schema, False, slow=True, prepare=self.prepare_processing,
                decodes=_decodes_always, status=200,
                errors=(CannotEditRecord, uploads.UploadFileMissing, TooManyImages),
            ),
            Route(
                WRITE, f"{item}/edit", self.create_edited_copy, attachment_schema.build_edit_arguments(),
                self.require_image_edit_permission, schema, False, slow=True, prepare=self.prepare_editing,
                decodes=_decodes_always,
                errors=(
                    CannotEditImage, CannotEditRecord, ImageCropFailed, ImageTooLarge, TooManyImages,
                    uploads.UploadFileMissing, *edit_arguments.ERRORS, *writing,
                ),
            ),
            Route(
                WRITE, f"{item}/replace", self.replace_file,
                {"id": Integer("Number of the attachment.", early=True, null="keep")},
                self.require_replace_permission, schema, False, slow=True, prepare=self.prepare_replacement,
                decodes=_decodes_always, files=True, body_bytes=site.profile.limits.upload_bytes, status=200,
                errors=(
                    CannotEditRecord, CannotCreateRecord, FileRefused, ReplacementTypeDiffers, TooManyImages,
                    *upload_arguments.ERRORS,
                ),
            ),
            build_usage_route(
                item, self.require_update_permission, self._get_media_file, (CannotEditRecord, *of["read"].errors)
            ),
            *build_rendition_routes(
                item, self.require_read_permission, self.require_update_permission, self._get_media_file,
                of["read"].errors,
            ),
        )  # fmt: skip

    def build_resource(self) -> Resource[Record]:
        return replace(super().build_resource(), batch=False, trash_unsupported=TrashUnsupported)

    def build_serializer(self) -> Serializer:
        return build_media_serializer(self.site, self.type)

    def build_view(self, work: UnitOfWork, rows: Sequence[Record], context: str) -> MediaView:
        return build_media_view(work, self.type, rows, context)

    def build_links(self, view: RecordView, record: Record) -> dict[str, Any]:
        return build_media_links(view, record)

    def build_query(self, call: Call) -> RecordQuery:
        kinds, mime_types = call.args.get("media_type") or (), call.args.get("mime_type") or ()
        # A type that cannot be uploaded filters nothing, and neither does a type without its second half.
        known = tuple(one for one in mime_types if one in _KNOWN_TYPES)
        return msgspec.structs.replace(
            super().build_query(call), media_kinds=tuple(kinds), mime_types=known, in_names=True
        )

    # -- permissions

    def require_create_permission(self, call: Call) -> None:
        """Those who upload files (`upload_files`) and may edit the record that the file is attached to."""
        super().require_create_permission(call)
        post = call.args.get("post")
        if isinstance(post, int) and post:
            self._require_parent_edit_permission(call, post)

    def require_update_permission(self, call: Call) -> None:
        """Those who may edit this file, and the record that it is to be attached to."""
        super().require_update_permission(call)
        post = call.args.get("post")
        # An attachment's URL shows that of its parent, which may be restricted; without an existing parent it shows
        # none.
        if (
            isinstance(post, int)
            and post != self.get_record(call).parent
            and record_model.find_record(call.work.tx, post)
        ):
            self._require_parent_edit_permission(call, post)

    def require_image_edit_permission(self, call: Call) -> None:
        """Those who upload files (`upload_files`) and may edit this one."""
        if not self._may_upload(call):
            raise CannotEditImage(bool(call.work.user))
        self.require_update_permission(call)

    def require_replace_permission(self, call: Call) -> None:
        """Those who upload files (`upload_files`) and may edit this one."""
        self.require_update_permission(call)
        if not self._may_upload(call):
            raise CannotCreateRecord(bool(call.work.user))

    def _may_upload(self, call: Call) -> bool:
        """Return whether the caller may upload files in the language of the addressed one, any where there is none."""
        id = call.args.get("id")
        found = record_model.find_record(call.work.tx, id) if isinstance(id, int) and id > 0 else None
        return may_create_record(call.work.user, self.type, found.language if found else "")

    def _require_parent_edit_permission(self, call: Call, number: int) -> None:
        """Raise unless the caller may edit the record that a file is to be attached to."""
        work = call.work
        found = record_model.find_record(work.tx, number) if number > 0 else None
        type: ContentType | None = work.site.types.get(found.type) if found else None
        if found is None or type is None or not may_edit_record(work.user, type, found):
            raise CannotEditRecord(bool(work.user))

    # -- before the transaction

    def prepare_upload(self, call: Call) -> AbstractContextManager[upload_arguments.ReceivedUpload]:
        work = call.work
        attachment_rules.check_attachment_parent(work, call.args.get("post") or 0)
        above = record_model.find_record(work.tx, call.args.get("post") or 0)
        # The upload folder is that of the parent's month; a page's date says nothing.
        date = above.date if above and above.type != PAGE.name else work.local_now
        return upload_arguments.receive_upload(work.site, call.request, times.format_iso(date))

    def prepare_editing(self, call: Call) -> AbstractContextManager[uploads.StoredUpload]:
        work = call.work
        attachment_rules.check_attachment_parent(work, call.args.get("post") or 0)
        media = self._get_media_file(call)
        modifiers = edit_arguments.build_modifiers(call, media)
        return uploads.receive_edited_copy(
            work.site.files, work.site.profile, work.site.decoding, media.source_path, media.mime_type, modifiers,
            times.format_iso(work.local_now),
        )  # fmt: skip

    def prepare_processing(self, call: Call) -> AbstractContextManager[Any]:
        media = self._get_media_file(call)
        site = call.work.site
        missing = uploads.list_missing_sizes(site.profile, media.mime_type, media.size, media.sizes)
        if not missing:
            return nullcontext({})
        return uploads.create_missing_sizes(
            site.files, site.profile, site.decoding, media.source_path, media.mime_type, missing
        )

    def prepare_replacement(self, call: Call) -> AbstractContextManager[ReplacedFile]:
        media = self._get_media_file(call)
        return nullcontext(upload_arguments.receive_replacement(call.work.site, call.request, media.names))

    def _get_media_file(self, call: Call) -> MediaFile:
        found = attachment_store.find_media_file(call.work.tx, self.get_record(call).id)
        if found is None:
            raise records.RecordNotFound
        return found

    # -- what the routes do

    def create_record(self, call: Call) -> Record:
        received: upload_arguments.ReceivedUpload = call.prepared
        return attachment_rules.create_attachment(
            call.work, self.type, received.kept, self.extract_written_members(call), received.title
        )

    def update_record(self, call: Call, record: Record) -> Record:
        record = attachment_rules.update_attachment(
            call.work, self.type, record, self._get_media_file(call), self.extract_written_members(call)
        )
        call.lookups[self] = record
        return record

    def delete_record(self, call: Call, record: Record) -> None:
        attachment_rules.delete_attachment(call.work, self.type, record)
        call.lookups.pop(self)

    def create_missing_sizes(self, call: Call) -> Result:
        """Make the missing sub-sizes of an image."""
        record = self.get_record(call)
        attachment_rules.add_sub_sizes(call.work, self.type, record.id, call.prepared)
        return self._build_media_result(call, record, EDIT)

    def replace_file(self, call: Call) -> Result:
        """Put another file of the same type in the place of this one; number, address and texts stay."""
        record = attachment_rules.replace_attachment_file(
            call.work, self.type, self.get_record(call), self._get_media_file(call), call.prepared
        )
        return self._build_media_result(call, record, EDIT)

    def create_edited_copy(self, call: Call) -> Result:
        """Crop, rotate or flip an image; the result is a new file, the original stays."""
        written = self.extract_written_members(call).items()
        record = attachment_rules.create_edited_attachment(
            call.work, self.type, call.prepared, self.get_record(call), self._get_media_file(call),
            {name: value for name, value in written if name in edit_arguments.WRITABLE_MEMBERS},
        )  # fmt: skip
        result = self._build_media_result(call, record, VIEW)
        result.status, result.headers["Location"] = 201, call.work.api(f"{self.type.path}/{record.id}")
        return result

    def _build_media_result(self, call: Call, record: Record, context: str) -> Result:
        view = self.build_view(call.work, [record], context)
        body = self.serializer.serialize(record, view, context, parse_field_selection(call.request.raw("_fields")))
        return Result(body, rels=build_media_links(view, record))
