"""Font families and faces of the source; the files of a face are stored here, as those that are uploaded are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from vetrina.content.types.registry import FONT_FACE, FONT_FAMILY
from vetrina.core.site_context import SiteContext
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


def write_face(one: IncomingRecord, files: Mapping[str, str] | None) -> Written:
    """Write a face; files: the names of its stored files, by their addresses in the source.

    A face cannot be changed: one that came before stays as it is. Raises ReferenceMissing, RecordSkipped,
    DuplicateFontFace.
    """
    old = find_earlier(one, FONT_FACE)
    if old is not None:
        return Written(old.id)
    family = fonts.find_family(one.work, one.require(RECORD, one.record.parent, "font family"))
    if family is None:
        raise RecordSkipped("its family is not here any more")
    text, stored = _encode_settings(one, "font_face_settings", font_settings.find_face_fault), files or {}
    if any(source not in stored for source in font_settings.list_sources(font_settings.parse_face(text))):
        one.notes["some of its files stay where they are"] += 1
    return Written(fonts.create_face(one.work, family, text, stored, id=choose_record_id(one)).id)


@contextmanager
def receive_font_files(site: SiteContext, record: Record, fetch: FileFetcher) -> Iterator[dict[str, str]]:
    """Fetch and store the files of a face, and yield their names by their addresses; those that are to be had.

    They are deleted again if the block raises.
    """
    settings: Any = record.values.get("font_face_settings")
    has_files = isinstance(settings, Mapping) and settings.get("src")
    sources: list[Any] = [*font_settings.list_sources(settings)] if has_files else []
    stored: dict[str, str] = {}
    try:
        for source in sources:
            if isinstance(source, str) and (name := _receive_file(site, record, fetch, source)):
                stored[source] = name
        yield stored
    except BaseException:
        for name in stored.values():
            site.files.delete(name)
        raise


def _receive_file(site: SiteContext, record: Record, fetch: FileFetcher, source: str) -> str:
    """Return the name of a stored file of a face, empty where it is not to be had or no font."""
    alone = replace(record, values={"font_face_settings": {"src": source}})
    with TemporaryDirectory(prefix="vetrina-import-") as folder:
        path = fetch(alone, Path(folder))
        if path is None:
            return ""
        try:
            kind = fonts.detect_font_kind(path, path.name)
        except fonts.InvalidFontFileType:
            return ""
        stem = filenames.clean_file_stem(filenames.split_file_name(path.name)[0])
        return fonts.store_font_file(site, path, stem, kind)


def _encode_settings(one: IncomingRecord, member: str, find_fault: Any) -> str:
    """Return the settings of a font as the rules take them. Raises RecordSkipped."""
    settings = one.values.get(member)
    if not isinstance(settings, Mapping):
        raise RecordSkipped("its settings are not shown")
    text = orjson.dumps(settings).decode()
    if find_fault(text, member) is not None:
        raise RecordSkipped("its settings mean nothing here")
    return text
