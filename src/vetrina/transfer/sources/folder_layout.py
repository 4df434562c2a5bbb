"""Where the records of a site are in a folder of JSON, and how a file of one is written.

    vetrina-export.json                       what the site holds, as a source describes it
    reports.json                              totals of the shop's reports
    records/cms/v2/posts/47.json              a record, as the interface shows it in neutral names
    records/cms/v2/media/11/harbour.jpg       the file of a record of the library
    records/shop/v3/orders/166/notes/7.json   a record below another
    records/cms/v2/settings.json              a collection that is one value

Members are in the order of their names, so that the same record is the same bytes. `_language` is what it was read in,
where the record doesn't say so itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote

import orjson

from vetrina.transfer.records import Record

MANIFEST: Final = "vetrina-export.json"
REPORTS: Final = "reports.json"
RECORDS: Final = "records"
FORMAT: Final = 1  # of the folder; grows when an older reader would misread it
UNFINISHED: Final = 0  # instead, until the first export is done
_LANGUAGE: Final = "_language"
_SUFFIX: Final = ".json"
_DOTS: Final = frozenset({".", ".."})


def encode_json(value: Any) -> bytes:
    """Return a value as the bytes of its file."""
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def encode_record(record: Record) -> bytes:
    """Return the bytes of the file of a record."""
    unsaid = bool(record.language) and record.values.get("lang") != record.language
    return encode_json({**record.values, _LANGUAGE: record.language} if unsaid else record.values)


def locate_record(record: Record) -> str:
    """Return the path of the file of a record in its folder, with slashes."""
    folder = locate_collection(record.resource, record.parent)
    return f"{folder}{_SUFFIX}" if record.id == "" else f"{folder}/{quote_segment(str(record.id))}{_SUFFIX}"


def locate_collection(resource: str, parent: int | str = "*") -> str:
    """Return the path of the folder of a collection; parent: the record that it lies below, `*` for any."""
    segments = resource.strip("/").split("/")
    named = (str(parent) if "{" in segment else segment for segment in segments)
    return "/".join((RECORDS, *(segment if segment == "*" else quote_segment(segment) for segment in named)))


def split_files(record: Record) -> list[Record]:
    """Return a record once for each of its files, of which each names one: a font face has several."""
    settings = record.values.get("font_face_settings")
    sources = settings.get("src") if isinstance(settings, Mapping) else None
    if not isinstance(sources, list):
        return [record]
    return [replace(record, values={"font_face_settings": {"src": source}}) for source in sources]


def quote_segment(text: str) -> str:
    """Return a text as the name of a file: no slashes, nor what means another folder."""
    return text.replace(".", "%2E") if text in _DOTS else quote(text, safe="~ ()@+,")


def decode_record(resource: str, path: Path, value: Mapping[str, Any]) -> Record:
    """Return the record of a file; path: of the file."""
    values = dict(value)
    language = str(values.pop(_LANGUAGE, "") or values.get("lang") or "")
    below = resource.partition("}")[2].strip("/")
    parent: int | str = 0
    if "{" in resource:
        parent = _read_id(path.parents[below.count("/") + 1 if below else 0].name)
    return Record(resource, _read_id(path.stem), values, language, parent)


def _read_id(name: str) -> int | str:
    text = unquote(name)
    return int(text) if text.isdecimal() and (text == "0" or text[0] != "0") else text
