"""The source that reads a folder of JSON, as `vetrina export` writes it (transfer/sources/folder_layout.py)."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson

from vetrina.transfer.records import IdKind, Record, SourceDescription, SourceError
from vetrina.transfer.sources.address.parents_first import order_parents_first
from vetrina.transfer.sources.address.site_description import list_collections
from vetrina.transfer.sources.address.site_source import list_file_urls, name_file
from vetrina.transfer.sources.folder_layout import (
    FORMAT,
    MANIFEST,
    RECORDS,
    REPORTS,
    UNFINISHED,
    decode_record,
    locate_collection,
    locate_record,
)


class FolderSource:
    """A folder of an export as a source of records. Raises SourceError where it is none."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        if not (folder / MANIFEST).is_file():
            raise SourceError(f"{folder} is no export: there is no {MANIFEST} in it")

    @property
    def key(self) -> str:
        """The folder's absolute path."""
        return str(self._folder.resolve())

    @cached_property
    def _description(self) -> SourceDescription:
        value = self._load(self._folder / MANIFEST)
        if value.get("format") == UNFINISHED:
            raise SourceError(f"the export in {self._folder} was not finished; run it again")
        if value.get("format") != FORMAT:
            raise SourceError(f"{self._folder} has the format {value.get('format')!r}; this version reads {FORMAT}")
        try:
            return SourceDescription(
                value["title"],
                tuple(value["urls"]),
                tuple(value["resources"]),
                value["types"],
                value["taxonomies"],
                tuple(value["languages"]),
                value["unreadable"],
            )
        except (KeyError, TypeError) as error:
            raise SourceError(f"{self._folder / MANIFEST} is damaged: {error!r}") from error

    def describe(self) -> SourceDescription:
        """Return what the exported site held. Raises SourceError."""
        return self._description

    def find_greatest_ids(self) -> Mapping[IdKind, int]:
        """Return the greatest ids by kind, as the files are named. Raises SourceError."""
        description = self._description
        found: dict[IdKind, int] = {}
        for one in list_collections(description.types, description.taxonomies):
            if one.kind and one.resource in description.resources:
                files = self._list_files(one.resource)
                if one.number_member or one.form == "value":
                    ids = [self._read_number(path, one.number_member or "id") for path in files]
                else:
                    ids = [int(path.stem) for path in files if path.stem.isdecimal()]
                found[one.kind] = max(found.get(one.kind, 0), max(ids, default=0))
        return found

    def count_records(self, resource: str, since: datetime | None = None) -> int | None:
        """Return how many records there are."""
        return len(self._list_files(resource))

    def read_records(self, resource: str, since: datetime | None = None) -> Iterator[Record]:
        """Give all records of a collection, in the order of their ids, parents before children. Raises SourceError."""
        records = (decode_record(resource, path, self._load(path)) for path in self._list_files(resource))
        if (self._folder / f"{locate_collection(resource)}.json").is_file():
            yield from (Record(one.resource, "", one.values, one.language) for one in records)
        else:
            yield from records if "{" in resource else order_parents_first(records)

    def fetch_file(self, record: Record, folder: Path) -> Path | None:
        """Copy the file of a media record or a font face into a folder; None where it was not to be had."""
        beside = self._folder / locate_record(record).removesuffix(".json")
        files = [path for path in sorted(beside.glob("*")) if path.is_file()] if beside.is_dir() else []
        named = [path for path in files if path.name in {name_file(url) for url in list_file_urls(record.values)}]
        # A face has several files, each of which is asked for; another record has one, whatever it is called.
        is_face = "font_face_settings" in record.values
        found = next(iter(named or (() if is_face else files)), None)
        return Path(shutil.copyfile(found, folder / found.name)) if found is not None else None

    def read_reports(self) -> dict[str, Any]:
        """Return the totals of the shop's reports, by their paths."""
        path = self._folder / REPORTS
        return self._load(path) if path.is_file() else {}

    def _list_files(self, resource: str) -> list[Path]:
        place = locate_collection(resource)
        value = self._folder / f"{place}.json"
        if value.is_file():
            return [value]
        found: Iterable[Path] = (
            self._folder.glob(f"{place}/*.json") if "*" in place else (self._folder / place).glob("*.json")
        )
        return sorted(found, key=_order_by_id)

    def _read_number(self, path: Path, member: str) -> int:
        number = self._load(path).get(member)
        return number if isinstance(number, int) else 0

    def _load(self, path: Path) -> dict[str, Any]:
        try:
            value = orjson.loads(path.read_bytes())
        except (OSError, orjson.JSONDecodeError) as error:
            raise SourceError(f"{path} can't be read: {error}") from error
        if not isinstance(value, dict):
            raise SourceError(f"{path} holds no object")
        return value


def _order_by_id(path: Path) -> tuple[tuple[int, int | str], ...]:
    """Return what paths are sorted by: numbers as numbers, before names."""
    parts = path.parts[len(path.parts) - 1 - path.parts[::-1].index(RECORDS) + 1 :]
    names = (part.removesuffix(".json") for part in parts)
    return tuple((0, int(name)) if name.isdecimal() else (1, name) for name in names)
