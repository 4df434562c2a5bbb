"""Font families and faces of the source; the file of a face is stored here, as one that is uploaded is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from vetrina.content.types.registry import FONT_FACE, FONT_FAMILY
from vetrina.core.unit_of_work import SiteContext
from vetrina.design import site_records
from vetrina.design.fonts import rules as fonts, settings as font_settings
from vetrina.media.uploads import filenames
from vetrina.transfer.records import FileFetcher, Record

from .content import choose_record_id, find_earlier
from .incoming_record import IncomingRecord, RecordSkipped
from .journal import RECORD
from .outcome import Written


def write_family(one: IncomingRecord) -> Written:
    """Write a family; one whose slug is here already stays as it is. Raises RecordSkipped."""
    work, text = one.work, _encode_settings(one, "font_family_settings", font_settings.find_family_fault)
    old = find_earlier(one, FONT_FAMILY)
    if old is not None:
        changes = {name: value for name, value in orjson.loads(text).items() if name != "slug"}
        return Written(fonts.update_family(work, old, orjson.dumps(changes).decode()).id)
    known = site_records.list_entries_by_slug(work, FONT_FAMILY, font_settings.parse_family(text)["slug"])
    if known:
        return Written(known[0].id, adopted=True)
    return Written(fonts.create_family(work, text, id=choose_record_id(one)).id)


def write_face(one: IncomingRecord, file: str | None) -> Written:
    """Write a face; file: the name of its stored file, None where it has none here.

    A face cannot be changed: one that came before stays as it is. Raises ReferenceMissing, RecordSkipped,
    DuplicateFontFace.
    """
    old = find_earlier(one, FONT_FACE)
    if old is not None:
        return Written(old.id)
    family = fonts.find_family(one.work, one.require(RECORD, one.record.parent, "font family"))
    if family is None:
        raise RecordSkipped("its family is not here any more")
    text = _encode_settings(one, "font_face_settings", font_settings.find_face_fault)
    first, *others = font_settings.list_sources(font_settings.parse_face(text))
    if file is None or others:
        one.notes["some of its files stay where they are"] += 1
    files = {first: file} if file else {}
    return Written(fonts.create_face(one.work, family, text, files, id=choose_record_id(one)).id)


@contextmanager
def receive_font_file(site: SiteContext, record: Record, fetch: FileFetcher) -> Iterator[str | None]:
    """Fetch and store the file of a face, and yield its name; None where it is not to be had.

    It is deleted again if the block raises. Raises InvalidFontFileType.
    """
    with TemporaryDirectory(prefix="vetrina-import-") as folder:
        path = fetch(record, Path(folder))
        if path is None:
            yield None
            return
        kind = fonts.detect_font_kind(path, path.name)
        stem = filenames.clean_file_stem(filenames.split_file_name(path.name)[0])
        name = fonts.store_font_file(site, path, stem, kind)
    try:
        yield name
    except BaseException:
        site.files.delete(name)
        raise


def _encode_settings(one: IncomingRecord, member: str, find_fault: Any) -> str:
    """Return the settings of a font as the rules take them. Raises RecordSkipped."""
    settings = one.values.get(member)
    if not isinstance(settings, Mapping):
        raise RecordSkipped("its settings are not shown")
    text = orjson.dumps(settings).decode()
    if find_fault(text, member) is not None:
        raise RecordSkipped("its settings mean nothing here")
    return text
