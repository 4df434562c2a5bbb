"""Files of the source: each is stored as an upload is, with the sizes that this site makes of pictures.

The file is fetched and stored before the transaction that writes its record, and deleted again where that fails.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import bindparam, or_, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.records import media as media_table
from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record as ContentRecord
from vetrina.content.translations.modes import build_element_name
from vetrina.content.types.model import ContentType
from vetrina.content.types.registry import ATTACHMENT
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.times import format_iso, is_date_time
from vetrina.media.attachments import rules as attachment_rules, store as attachments
from vetrina.media.uploads import filenames, rules as uploads
from vetrina.media.uploads.filetypes import FileRefused
from vetrina.media.uploads.rules import StoredUpload
from vetrina.transfer.records import FileFetcher, Record

from .addresses import normalize_address, rewrite_addresses
from .content import (
    build_dates,
    choose_record_id,
    find_earlier,
    find_slug,
    get_guid,
    link_translations,
    resolve_author,
    update_placed,
)
from .incoming_record import IncomingRecord, RecordSkipped
from .journal import RECORD, ImportJournal
from .outcome import Written

_WITH_FILE: Final = Statement(
    select(media_table.c.record)
    .where(or_(media_table.c.file == bindparam("file"), media_table.c.original == bindparam("file")))
    .limit(1)
)


@contextmanager
def receive_file(
    site: SiteContext,
    open_snapshot: Callable[[], AbstractContextManager[UnitOfWork]],
    journal: ImportJournal,
    record: Record,
    fetch: FileFetcher,
) -> Iterator[StoredUpload | None]:
    """Fetch and store the file of a record; None where it is here already, as that of another language.

    It is deleted again if the block raises. Raises RecordSkipped.
    """
    with open_snapshot() as work:
        shared = _find_shared_file(work, journal, record)
    if shared is not None:
        yield None
        return
    with TemporaryDirectory(prefix="vetrina-import-") as folder:
        path = fetch(record, Path(folder))
        if path is None:
            raise RecordSkipped("its file is not to be had")
        date = _choose_folder_date(site, record)
        with open_snapshot() as work:
            _remove_leftover(work, path.name, date)
        try:
            with uploads.receive_upload(site.files, site.profile, site.decoding, path, path.name, date) as stored:
                yield stored
        except FileRefused as error:
            raise RecordSkipped(f"its file is refused: {error.reason}") from None


def write_media(one: IncomingRecord, upload: StoredUpload | None) -> Written:
    """Write the record of a file; upload: the stored file, None for one that is here already. Raises RecordSkipped."""
    type = one.work.site.types[ATTACHMENT.name]
    old = find_earlier(one, type)
    given: dict[str, Any] = {
        "title": one.get_text("title"), "caption": rewrite_addresses(one, one.get_text("caption")),
        "description": rewrite_addresses(one, one.get_text("description")), "alt_text": one.get_text("alt_text"),
    }  # fmt: skip
    if old is not None:
        media = attachments.find_media_file(one.work.tx, old.id)
        if media is None:
            raise RecordSkipped("its record here has no file")
        changed = attachment_rules.update_attachment(one.work, type, old, media, given)
        return Written(_place_media(one, type, changed).id)
    id, language = choose_record_id(one), one.choose_language(build_element_name(type))
    shared = _find_shared_file(one.work, one.journal, one.record)
    if shared is not None:
        twin = attachment_rules.create_twin(one.work, type, *shared, language, id=id)
        media = attachments.find_media_file(one.work.tx, twin.id)
        assert media is not None, "it was just written"
        new = attachment_rules.update_attachment(one.work, type, twin, media, given)
    elif upload is not None:
        new = attachment_rules.create_attachment(
            one.work, type, upload, {**given, "slug": one.get_text("slug")}, upload.stem, language=language, id=id
        )
    else:
        raise RecordSkipped("its file is not to be had")
    return Written(link_translations(one, _place_media(one, type, new)).id)


def _find_shared_file(
    work: UnitOfWork, journal: ImportJournal, record: Record
) -> tuple[ContentRecord, attachments.MediaFile] | None:
    """Return the record here that has the file of another one of the source, in another language, and its file."""
    id, _, _ = journal.find_by_address(work.tx, normalize_address(str(record.values.get("source_url") or "")))
    found = record_model.find_record(work.tx, id) if id else None
    media = attachments.find_media_file(work.tx, id) if id else None
    return (found, media) if found is not None and media is not None else None


def _place_media(one: IncomingRecord, type: ContentType, old: ContentRecord) -> ContentRecord:
    """Return a file's record with everything that is as it was in the source, written."""
    status = "private" if one.values.get("status") == "private" else "inherit"
    parent = one.resolve(RECORD, one.values.get("post") or one.values.get("parent"), "post")
    new = msgspec.structs.replace(
        old, **build_dates(one, status, old), status=status, parent=parent, author=resolve_author(one),
        guid=get_guid(one) or old.guid,
    )  # fmt: skip
    new = msgspec.structs.replace(new, slug=find_slug(one, type, new, old.slug))
    return update_placed(one, type, old, new)


def _choose_folder_date(site: SiteContext, record: Record) -> str:
    """Return the date whose folder the file goes to: that of its path in the source, or else of the record."""
    parts = PurePosixPath(urlsplit(str(record.values.get("source_url") or "")).path).parts
    if len(parts) > 3 and parts[-3].isdecimal() and parts[-2].isdecimal() and len(parts[-3]) == 4:
        return f"{parts[-3]}-{parts[-2]:0>2}-01T00:00:00"
    date = str(record.values.get("date") or "").replace(" ", "T")
    return date if is_date_time(date) else format_iso(site.clock.now())


def _remove_leftover(work: UnitOfWork, name: str, date: str) -> None:
    """Delete a file that an import left which was killed between storing the file and writing its record.

    With it go the sizes that were made of it: one that stays would take the name from those of the file that comes.
    """
    files, folder = work.site.files, filenames.build_date_folder(date)
    stem, ending = filenames.split_file_name(name)
    stem = filenames.clean_file_stem(stem)
    left = f"{folder}{stem}.{ending}"
    if files.size(filenames.UPLOADS_FOLDER + left) is None or work.tx.value(_WITH_FILE, file=left) is not None:
        return
    derived = re.compile(rf"{re.escape(folder + stem)}-(?:\d+x\d+|scaled|rotated|converted)[.][a-z0-9]+")
    for entry in files.list_files(filenames.UPLOADS_FOLDER + folder):
        file = entry.name.removeprefix(filenames.UPLOADS_FOLDER)
        if derived.fullmatch(file) and work.tx.value(_WITH_FILE, file=file) is None:
            files.delete(entry.name)
    # Last, since it is what the sizes are looked for by.
    files.delete(filenames.UPLOADS_FOLDER + left)
