"""Writing a source into a folder of JSON (transfer/sources/folder_layout.py), so that only what changed is touched."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from vetrina.transfer.comparable_source import ComparableSource
from vetrina.transfer.records import Record, SourceDescription
from vetrina.transfer.sources.folder_layout import (
    FORMAT,
    MANIFEST,
    RECORDS,
    REPORTS,
    UNFINISHED,
    encode_json,
    encode_record,
    locate_record,
    split_files,
)

_WITH_FILES: Final = frozenset({"/cms/v2/media", "/cms/v2/font-families/{font_family_id}/font-faces"})


class CannotExport(Exception):
    """The folder holds something else than an export."""


@dataclass
class ExportTotals:
    """What an export did, in files. missing: files of the library that the site doesn't give."""

    records: int = 0
    written: int = 0
    removed: int = 0
    files: int = 0
    missing: int = 0


def export_to_folder(
    source: ComparableSource,
    folder: Path,
    *,
    tell: Callable[[str, int, int | None], None] = lambda resource, done, total: None,
) -> ExportTotals:
    """Write all records of a source into a folder, new or of an earlier export, and return what was done.

    What the source no longer has is deleted. tell: (collection, records done, records there or None).
    Raises CannotExport, SourceError.
    """
    prepare_folder(folder)
    description = source.describe()
    totals = ExportTotals()
    kept: set[str] = set()
    writer = _FolderWriter(source, folder, totals, kept)
    for resource in description.resources:
        count = source.count_records(resource)
        for done, record in enumerate(source.read_records(resource), 1):
            writer.write(record)
            tell(resource, done, count)
    totals.removed = _remove_others(folder, kept)
    reports = source.read_reports()
    if reports:
        write_changed(folder / REPORTS, encode_json(reports))
    else:
        (folder / REPORTS).unlink(missing_ok=True)
    write_changed(folder / MANIFEST, encode_json(_describe(description)))
    return totals


def prepare_folder(folder: Path) -> None:
    """Make a folder for an export. Raises CannotExport where it is a file, or holds anything but an export."""
    if folder.exists() and not folder.is_dir():
        raise CannotExport(f"{folder} is no folder; name a new one, or one of an earlier export")
    there = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    # Hidden files are a repository's.
    if MANIFEST not in there and any(not name.startswith(".") for name in there):
        raise CannotExport(
            f"{folder} holds something else than an export; name a new folder, or one of an earlier export"
        )
    folder.mkdir(parents=True, exist_ok=True)
    if MANIFEST not in there:
        # An export that is interrupted goes on at the next run.
        (folder / MANIFEST).write_bytes(encode_json({"format": UNFINISHED}))


def _describe(description: SourceDescription) -> dict[str, object]:
    return {"format": FORMAT, **asdict(description)}


class _FolderWriter:
    """Writes records and their files; kept: the paths of what belongs to the export."""

    def __init__(self, source: ComparableSource, folder: Path, totals: ExportTotals, kept: set[str]) -> None:
        self._source, self._folder, self._totals, self._kept = source, folder, totals, kept

    def write(self, record: Record) -> None:
        """Write a record, where its file isn't it already; with the file of one of the library."""
        place = locate_record(record)
        self._kept.add(place)
        changed = write_changed(self._folder / place, encode_record(record))
        self._totals.records += 1
        self._totals.written += changed
        if record.resource in _WITH_FILES:
            self._fetch(record, place.removesuffix(".json"), changed)

    def _fetch(self, record: Record, place: str, changed: bool) -> None:
        beside = self._folder / place
        there = [path.name for path in beside.iterdir() if path.is_file()] if beside.is_dir() else []
        if changed or not there:
            beside.mkdir(parents=True, exist_ok=True)
            found = [self._source.fetch_file(one, beside) for one in split_files(record)]
            there = [path.name for path in found if path is not None]
            if not there:
                self._totals.missing += 1
                with suppress(OSError):
                    beside.rmdir()
                return
            self._totals.missing += len(found) - len(there)
        self._totals.files += len(there)
        self._kept.update(f"{place}/{name}" for name in there)


def write_changed(path: Path, content: bytes) -> bool:
    """Write a file that is there whole or not at all, and return whether it was another before."""
    try:
        if path.read_bytes() == content:
            return False
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(content)
    part.replace(path)
    return True


def _remove_others(folder: Path, kept: set[str]) -> int:
    """Delete the files and folders that no record has any more, and return how many files."""
    removed = 0
    for place, _, names in os.walk(folder / RECORDS, topdown=False):
        here = Path(place)
        for name in names:
            path = here / name
            if path.relative_to(folder).as_posix() not in kept:
                path.unlink()
                removed += 1
        with suppress(OSError):
            here.rmdir()
    return removed
