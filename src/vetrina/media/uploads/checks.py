"""Rules of uploads: attachments, and the files that they have."""

from __future__ import annotations

from collections.abc import Iterator

import orjson
from sqlalchemy import exists, select

from vetrina.backends.tables.core import media, record
from vetrina.content.types.registry import ATTACHMENT
from vetrina.core.integrity.rule import Rule, by_parts, selecting
from vetrina.core.unit_of_work import Work
from vetrina.media.uploads import orphan_files
from vetrina.media.uploads.filenames import FOLDER

__all__ = ["RULES"]

_FILES = by_parts(
    select(media.c.record, media.c.file, media.c.original, media.c.sizes, media.c.filesize), media.c.record
)


def _missing(work: Work) -> Iterator[str]:
    files = work.frame.files
    # To ask another machine for one file after the other would take too long.
    listed = None if files.near else {one.name for one in files.listed(FOLDER)}
    for id, file, original, sizes, bytes in _FILES(work):
        folder = file.rpartition("/")[0]
        beside = [f"{folder}/{one['file']}" for one in orjson.loads(sizes).values()]
        for path in dict.fromkeys((file, original, *beside)):
            if not path:
                continue
            size = files.size(FOLDER + path) if listed is None else None
            if size is None and (listed is None or FOLDER + path not in listed):
                yield f"the file {path} of attachment {id} is missing"
            elif size is not None and path == file and size != bytes:
                yield f"the file {path} of attachment {id} has {size} bytes instead of {bytes}"


def _orphans(work: Work) -> Iterator[str]:
    return (f"the file {name} belongs to no record" for name in orphan_files.orphans(work))


RULES: tuple[Rule, ...] = (
    selecting(
        "attachments",
        "An attachment knows its file.",
        select(record.c.id).where(record.c.type == ATTACHMENT.name, ~exists().where(media.c.record == record.c.id)),
        "attachment {0} has no file",
        "Remove the attachment, or put a backup back.",
    ),
    Rule(
        "files",
        "The files of attachments are there, and whole.",
        _missing,
        "Put the files of a backup back, or remove the attachment.",
        quick=False,
    ),
    Rule(
        "orphaned-files",
        "Files belong to records.",
        _orphans,
        "`--repair` removes those that are older than an hour.",
        lambda work: orphan_files.sweep(work.frame, list(orphan_files.orphans(work))),
        quick=False,
    ),
)
