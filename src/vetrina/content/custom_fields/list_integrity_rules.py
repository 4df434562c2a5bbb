"""Integrity rule of the rows by which lists are filtered and sorted by own fields: they follow from the records."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final, NamedTuple

import orjson
from sqlalchemy import select

from vetrina.backends.tables.records import record
from vetrina.content.custom_fields import reindexing, value_rows
from vetrina.content.records import model as record_model
from vetrina.core.integrity.rule import IntegrityRule, build_row_iterator
from vetrina.core.unit_of_work import UnitOfWork

_PART: Final = 500  # records that are compared at a time


class _StoredRecord(NamedTuple):
    """What of a record its rows follow from."""

    id: int
    type: str
    status: str
    language: str
    date: int
    meta: dict[str, Any]


_RECORDS = build_row_iterator(select(*(record.c[name] for name in _StoredRecord._fields)), record.c.id)


def _iterate_records(work: UnitOfWork, types: frozenset[str]) -> Iterator[_StoredRecord]:
    for id, type, status, language, date, meta in _RECORDS(work):
        if type in types:
            yield _StoredRecord(id, type, status, language, date, _decode_meta(meta))


def _decode_meta(text: str) -> dict[str, Any]:
    try:
        return dict(orjson.loads(text))
    except orjson.JSONDecodeError:
        return {}  # another rule says so


def _iterate_wrong_records(work: UnitOfWork) -> Iterator[tuple[int, str]]:
    """Yield the ids of records whose rows do not follow from them, each with a sentence."""
    # What is being indexed is not compared: the job will write it.
    waiting = {type: reindexing.find_stale_fields(work, type) for type in work.site.types}
    fields = {
        type: [one for one in work.site.custom_fields.get(type, ()) if one.name not in waiting[type]]
        for type in work.site.types
    }
    records = _iterate_records(work, frozenset(fields))
    while part := list(islice(records, _PART)):
        stored = value_rows.load_rows(work.tx, [of.id for of in part])
        for of in part:
            wanted = set(value_rows.build_rows(fields[of.type], of))
            found = {row for row in stored.get(of.id, ()) if row[0] not in waiting[of.type]}
            for row in sorted(wanted - found):
                yield of.id, f"{of.type} {of.id} is not found by its field {row[0]}"
            for row in sorted(found - wanted):
                yield of.id, f"{of.type} {of.id} is found by a value of {row[0]} that it does not have"


def _index_again(work: UnitOfWork) -> None:
    wrong = sorted({id for id, _ in _iterate_wrong_records(work)})
    for at in range(0, len(wrong), _PART):
        for id, of in record_model.find_records(work.tx, wrong[at : at + _PART]).items():
            value_rows.rewrite_values(work.tx, work.site.custom_fields.get(of.type, ()), of)
            work.note(of.type, id, "changed")


RULES: tuple[IntegrityRule, ...] = (
    IntegrityRule(
        "field-values",
        "Lists find records by the own fields that they have.",
        lambda work: (line for _, line in _iterate_wrong_records(work)),
        "`--repair` writes what lists read again.",
        _index_again,
    ),
)
