"""Attachments: the records of uploaded files; what a write makes of their texts, parents, twins and files.

The files themselves: media/uploads/rules.py. Their data: media/attachments/store.py. Responses:
media/attachments/views.py. Rules: docs/rules/media.md, 5 and 9; docs/rules/images.md, 9.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from vetrina.access.users import rules as users
from vetrina.content.records import deletion, model as record, rules as records, stored_texts
from vetrina.content.records.model import Record
from vetrina.content.records.visibility import INHERIT_STATUS
from vetrina.content.translations import record_translations
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError
from vetrina.kernel.tags import strip_scripts, strip_tags
from vetrina.media.attachments.store import (
    MediaFile,
    build_file_url,
    find_media_file,
    insert_media_file,
    is_file_shared,
    list_records_of_file,
    load_media_files,
    update_media_file,
)
from vetrina.media.images.pixel_sizes import SubSize
from vetrina.media.images.rendition_files import delete_renditions
from vetrina.media.uploads import filenames
from vetrina.media.uploads.replacement import ReplacedFile
from vetrina.media.uploads.rules import StoredUpload


class WrongAttachmentParent(ApiError):
    """A file is attached to a record, not to another file."""

    code = "rest_invalid_param"
    message = "An attachment cannot hang on another one; name a post, a page or a record of another type."


class NoFeaturedMedia(ApiError):
    """Only audio and video have a featured image."""

    code = "rest_no_featured_media"
    message = "Files of the type {mime} have no image that stands for them; leave `featured_media` out."


class InvalidFeaturedMedia(ApiError):
    """The featured image of a new file is not an image."""

    code = "rest_invalid_featured_media"
    message = "There is no image with the number {id} that could stand for this file."


_RECORD_TEXTS = {"description": "content", "caption": "excerpt"}
_OWN_MEMBERS = frozenset({"focal_point", "alt_text", "post", "description", "caption", "featured_media", "status"})
TWIN_META_KEY: Final = "_mlang_twin"  # meta key of a twin that was not edited since it was created
_PLAYABLE_KINDS = frozenset({"audio", "video"})  # kinds of files that have a featured image


def create_attachment(
    work: UnitOfWork,
    type: ContentType,
    upload: StoredUpload,
    given: Mapping[str, Any],
    title: str,
    *,
    details: Mapping[str, Any] = {},
    language: str = "",
    id: int = 0,
) -> Record:
    """Create the record of a stored file and return it.

    given: the values sent. title: the default title. details: further ones beside those of the file.
    language: of the record; by default that of its parent, or the site's, whatever the request's is.
    id: a free one that it takes, 0 for the next one.
    Raises what creating a record raises, WrongAttachmentParent, NoFeaturedMedia and InvalidFeaturedMedia.
    """
    if "featured_media" in given:
        _check_featured_media(work, upload.mime_type, given["featured_media"])
    words = dict(upload.words or {})
    members = _build_record_members(work, given, upload.mime_type.partition("/")[0])
    members.setdefault("status", INHERIT_STATUS)
    members.setdefault("ping_status", "closed")
    if members.get("author") and users.find_user(work.tx, members["author"]) is None:
        del members["author"]
    if not stored_texts.extract_raw_text("title", members.get("title")):
        own = str(words.get("title", ""))
        members["title"] = title if not own or slugs.slugify(own).isdecimal() else own
    if "excerpt" not in members and words.get("caption"):
        members["excerpt"] = words["caption"]
    above = record.find_record(work.tx, members["parent"]) if members.get("parent") else None
    language = language or (above.language if above and above.language else work.site.profile.default_language)
    media_details = dict(upload.details)
    if upload.cover:
        stands = create_attachment(work, type, upload.cover, {}, upload.cover.stem, language=language)
        members.setdefault("featured_media", stands.id)
        media_details["image"] = {"mime": upload.cover.mime_type, "width": upload.cover.size.width,
                                  "height": upload.cover.size.height}  # fmt: skip
    new = records.create_record(
        work,
        type,
        members,
        guid=build_file_url(work, upload.original or upload.file),
        language=language,
        id=id,
    )
    found = {"image_meta": words} if words else media_details
    media = MediaFile(
        new.id, upload.file, upload.original, upload.mime_type.partition("/")[0], upload.mime_type, *upload.size,
        upload.filesize, _clean_alt_text(given.get("alt_text", "")), dict(upload.sizes), {**found, **details},
    )  # fmt: skip
    insert_media_file(work.tx, media)
    record.update_search_names(work.tx, new.id, upload.original or upload.file)
    for hook in work.site.on_attachment:
        hook(work, type, new, media)
    return new


def _check_featured_media(work: UnitOfWork, mime: str, id: int) -> None:
    """Raise NoFeaturedMedia or InvalidFeaturedMedia unless a new file can have this featured image."""
    if mime.partition("/")[0] not in _PLAYABLE_KINDS:
        raise NoFeaturedMedia(mime=mime)
    found = find_media_file(work.tx, id)
    if id and (found is None or found.kind != "image"):
        raise InvalidFeaturedMedia(id=id)


def create_twin(
    work: UnitOfWork, type: ContentType, source: Record, media: MediaFile, language: str, *, id: int = 0
) -> Record:
    """Create a record of the same file in another language, with the texts of its source, and return it.

    id: a free one that it takes, 0 for the next one.
    """
    members = {
        "title": source.title, "content": source.content, "excerpt": source.excerpt, "status": INHERIT_STATUS,
        "author": source.author, "parent": source.parent, "ping_status": source.ping_status,
        "comment_status": source.comment_status,
    }  # fmt: skip
    for name in ("parent", "featured_media"):
        if number := getattr(source, name):
            members[name] = record_translations.translate_record_id(work, number, language)
    new = records.create_record(work, type, members, guid=source.guid, language=language, id=id)
    insert_media_file(work.tx, msgspec.structs.replace(media, record=new.id))
    record.update_search_names(work.tx, new.id, media.original_path)
    return new


def create_edited_attachment(
    work: UnitOfWork,
    type: ContentType,
    upload: StoredUpload,
    source: Record,
    source_media: MediaFile,
    given: Mapping[str, Any],
) -> Record:
    """Create the record of an edited copy of an image: its texts are the source's unless others are given."""
    own = {
        "title": source.title, "description": source.content, "caption": source.excerpt,
        "alt_text": source_media.alt_text,
    }  # fmt: skip
    texts = {
        name: value
        for name, value in given.items()
        if name == "post" or stored_texts.extract_raw_text(name, value) is not None
    }
    # Camera metadata stays true of the copy; only the orientation was applied by decoding it.
    words = {**(upload.words or {})}
    for name, value in source_media.details.get("image_meta", {}).items():
        if value and words.get(name) in ("", "0", [], None):
            words[name] = value
    if words.get("orientation") not in ("", "0", None):
        words["orientation"] = 1
    details = {
        "image_meta": words,
        "parent_image": {"attachment_id": str(source.id), "file": source_media.original_path},
    }
    return create_attachment(
        work, type, upload, {**own, **texts}, upload.stem, details=details, language=source.language
    )


def update_attachment(
    work: UnitOfWork, type: ContentType, old: Record, media: MediaFile, given: Mapping[str, Any]
) -> Record:
    """Store the given fields of an attachment and return its new state. Raises what updating a record raises."""
    if "alt_text" in given:
        changed = msgspec.structs.replace(media, alt_text=_clean_alt_text(given["alt_text"]))
        update_media_file(work.tx, media, changed)
    if "focal_point" in given:
        _update_focal_point(work, type, media, given["focal_point"])
    if TWIN_META_KEY in old.meta:
        own = msgspec.structs.replace(old, meta={key: value for key, value in old.meta.items() if key != TWIN_META_KEY})
        record.update_record_row(work, old, own)
        old = msgspec.structs.replace(own, version=old.version + 1)
    return records.update_record(work, type, old, _build_record_members(work, given, media.kind))


def _update_focal_point(
    work: UnitOfWork, type: ContentType, media: MediaFile, point: Mapping[str, float] | None
) -> None:
    """Store what stays in sight of a picture, for all records of its file. point: empty for its middle."""
    rows = list_records_of_file(work.tx, media.file)
    for one in load_media_files(work.tx, rows).values():
        details = {name: value for name, value in one.details.items() if name != "focal_point"}
        if point:
            details["focal_point"] = {"x": float(point.get("x", 0.5)), "y": float(point.get("y", 0.5))}
        update_media_file(work.tx, one, msgspec.structs.replace(one, details=details))
        work.note(type.name, one.record, "changed")


def replace_attachment_file(
    work: UnitOfWork, type: ContentType, old: Record, media: MediaFile, new: ReplacedFile
) -> Record:
    """Put another file in the place of an attachment's, for all records that share it, and return the record.

    What was known of the old picture, its focal point among it, goes with it; its texts stay.
    """
    for one in load_media_files(work.tx, list_records_of_file(work.tx, media.file)).values():
        changed = msgspec.structs.replace(
            one, original=new.original, mime_type=new.mime_type, width=new.size.width, height=new.size.height,
            filesize=new.filesize, sizes=dict(new.sizes), details=dict(new.details),
        )  # fmt: skip
        update_media_file(work.tx, one, changed)
        work.note(type.name, one.record, "changed")
    files = work.site.files
    work.run_after_commit(lambda: new.store(files))
    work.run_after_commit(lambda: delete_renditions(files, media.file))
    return records.update_record(work, type, old, {})


def add_sub_sizes(work: UnitOfWork, type: ContentType, id: int, sizes: Mapping[str, SubSize]) -> None:
    """Store sub-sizes that were made later."""
    media = find_media_file(work.tx, id)
    if media is not None and sizes:
        update_media_file(work.tx, media, msgspec.structs.replace(media, sizes={**media.sizes, **sizes}))
        work.note(type.name, id, "changed")


def delete_attachment(work: UnitOfWork, type: ContentType, old: Record) -> None:
    """Delete an attachment for good, and with an original its unedited twins.

    Its files are deleted after the commit, unless another record uses them.
    """
    media = find_media_file(work.tx, old.id)
    if not old.source_language:
        for one in record_translations.load_record_group(work, old).values():
            if one.id != old.id and TWIN_META_KEY in one.meta:
                delete_attachment(work, type, one)
    deletion.delete_record(work, type, old)
    if media is not None and not is_file_shared(work.tx, media.file, old.id):
        files = work.site.files
        names = [filenames.UPLOADS_FOLDER + path for path in media.paths]
        work.run_after_commit(lambda: [files.delete(name) for name in names])
        work.run_after_commit(lambda: delete_renditions(files, media.file))


def check_attachment_parent(work: UnitOfWork, id: int) -> None:
    """Raise WrongAttachmentParent if a file cannot be attached to a record; an unknown id is accepted."""
    found = record.find_record(work.tx, id) if id > 0 else None
    type = work.site.types.get(found.type) if found else None
    if type is not None and type.address == "attached":
        raise WrongAttachmentParent


def _build_record_members(work: UnitOfWork, given: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Return the given values under the names of record fields."""
    out = {name: value for name, value in given.items() if name not in _OWN_MEMBERS}
    for name, own in _RECORD_TEXTS.items():
        if name in given and (text := stored_texts.extract_raw_text(name, given[name])) is not None:
            out[own] = text
    if given.get("status"):
        out["status"] = "private" if given["status"] == "private" else INHERIT_STATUS
    if "post" in given:
        check_attachment_parent(work, given["post"])
        out["parent"] = given["post"]
    if "featured_media" in given and kind in _PLAYABLE_KINDS:
        out["featured_media"] = given["featured_media"]
    return out


def _clean_alt_text(text: str) -> str:
    return " ".join(strip_tags(strip_scripts(text)).split())
