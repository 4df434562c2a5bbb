"""Integrity checks of uploads: attachments and their files."""

from __future__ import annotations

from collections.abc import Iterator

import orjson
from sqlalchemy import exists, select

from vetrina.backends.tables.records import media, record
from vetrina.content.types.registry import ATTACHMENT
from vetrina.core.integrity.rule import IntegrityRule, build_row_iterator, build_select_rule
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.media.uploads import orphan_files
from vetrina.media.uploads.filenames import UPLOADS_FOLDER

_FILES = build_row_iterator(
    select(media.c.record, media.c.file, media.c.original, media.c.sizes, media.c.filesize), media.c.record
)


def _iterate_missing_files(work: UnitOfWork) -> Iterator[str]:
    files = work.site.files
    # Asking a remote store for one file after the other would take too long.
    listed = None if files.near else {one.name for one in files.list_files(UPLOADS_FOLDER)}
    for id, file, original, sizes, bytes in _FILES(work):
        folder = file.rpartition("/")[0]
        beside = [f"{folder}/{one['file']}" for one in orjson.loads(sizes).values()]
        for path in dict.fromkeys((file, original, *beside)):
            if not path:
                continue
            size = files.size(UPLOADS_FOLDER + path) if listed is None else None
            if size is None and (listed is None or UPLOADS_FOLDER + path not in listed):
                yield f"the file {path} of attachment {id} is missing"
            elif size is not None and path == file and size != bytes:
                yield f"the file {path} of attachment {id} has {size} bytes instead of {bytes}"


def _iterate_orphaned_files(work: UnitOfWork) -> Iterator[str]:
    return (f"the file {name} belongs to no record" for name in orphan_files.iterate_orphaned_files(work))


RULES: tuple[IntegrityRule, ...] = (
    build_select_rule(
        "attachments",
        "An attachment knows its file.",
        select(record.c.id).where(record.c.type == ATTACHMENT.name, ~exists().where(media.c.record == record.c.id)),
        "attachment {0} has no file",
        "Remove the attachment, or put a backup back.",
    ),
    IntegrityRule(
        "files",
        "The files of attachments are there, and whole.",
        _iterate_missing_files,
        "Put the files of a backup back, or remove the attachment.",
        quick=False,
    ),
    IntegrityRule(
        "orphaned-files",
        "Files belong to records.",
        _iterate_orphaned_files,
        "`--repair` removes those that are older than an hour.",
        lambda work: orphan_files.delete_orphaned_files(work.site, list(orphan_files.iterate_orphaned_files(work))),
        quick=False,
    ),
)
