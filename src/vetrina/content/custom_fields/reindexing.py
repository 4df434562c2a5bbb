"""Values that were stored before their field could be filtered by: made rows in the background, a few at a time.

A counter for each field says as what it is indexed. Where the profile declares it again, or otherwise, a job writes
the rows of all records again; until it is done, lists refuse filters and orders by that field and say when to ask
again. Rows of fields that are gone are deleted the same way. Rules: docs/rules/custom_field_lists.md, 6.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, delete, select

from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, UnindexedColumn, build_upsert, encode_list
from vetrina.backends.tables.records import counter, record as table
from vetrina.content.custom_fields import value_rows
from vetrina.content.custom_fields.model import CustomField
from vetrina.content.records import model as record_model
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.frozen import thaw

REINDEX_FIELDS_JOB: Final = "fields.index"
_BATCH_SIZE: Final = 500  # records per transaction
_PREFIX: Final = "field "  # of the counters, before the type and the name of a field
_WAIT: Final = 5  # seconds after which a list may be asked again

_MARKS = Statement(
    select(counter.c.name, counter.c.value).where(
        counter.c.name >= bindparam("first"), counter.c.name < bindparam("end")
    )
)
_SET_MARK = Statement(
    build_upsert(
        counter,
        keys=("name",),
        values={"name": bindparam("name"), "value": bindparam("value")},
        changes={"value": bindparam("value")},
    )
)
_DELETE_MARKS = Statement(delete(counter).where(InList(counter.c.name, "names")))
_NEXT_RECORDS = Statement(
    select(table.c.id)
    .where(table.c.id > bindparam("after"), UnindexedColumn(table.c.type) == bindparam("type"))
    .order_by(table.c.id)
    .limit(bindparam("most"))
)


class FieldsBeingIndexed(ApiError):
    """The profile declares a new field, and the values that are stored are not all indexed yet."""

    failure, code = Failure.UNAVAILABLE, "rest_fields_being_indexed"
    message = (
        "{names} cannot be filtered or sorted by yet: stored values are being indexed. Ask again in {wait} seconds."
    )

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(names=", ".join(names), wait=_WAIT)
        self.headers["Retry-After"] = str(_WAIT)


def mark_fields_indexed(work: UnitOfWork) -> None:
    """Record for a new site that all fields are indexed: it has no values yet."""
    for type in work.site.types:
        for name, mark in _compute_marks(work.site.custom_fields.get(type, ())).items():
            work.tx.run(_SET_MARK, name=_build_counter_name(type, name), value=mark)


def require_indexed_fields(work: UnitOfWork, type: str, names: Iterable[str]) -> None:
    """Raise FieldsBeingIndexed where one of these fields is not indexed as it is declared."""
    stale = find_stale_fields(work, type)
    if waiting := sorted(set(names) & stale.keys()):
        raise FieldsBeingIndexed(f"meta.{name}" for name in waiting)


def enqueue_stale_fields(work: UnitOfWork) -> None:
    """Enqueue the job of each type whose fields are not indexed as they are declared."""
    for type in work.site.types:
        if stale := find_stale_fields(work, type):
            arguments = {"type": type, "fields": stale, "after": 0}
            job_queue.enqueue_missing_job(
                work.tx, REINDEX_FIELDS_JOB, arguments, due=work.now, now=work.now, key=f"{REINDEX_FIELDS_JOB}:{type}"
            )


def run_reindex_job(work: UnitOfWork, arguments: Mapping[str, Any], batch_size: int = _BATCH_SIZE) -> None:
    """Write the rows of the next records of a type, and mark its fields as indexed after the last one.

    arguments: `type`; `fields`, name → the mark of its declaration, 0 for one that is gone; `after`, the last id.
    batch_size: records of one transaction.
    """
    type, stale = arguments["type"], find_stale_fields(work, arguments["type"])
    if not stale:
        return
    # Declared otherwise in the meantime: from the start.
    after = arguments["after"] if stale == arguments["fields"] else 0
    ids = [int(id) for id in work.tx.column(_NEXT_RECORDS, type=type, after=after, most=batch_size)]
    fields = [one for one in work.site.custom_fields.get(type, ()) if one.name in stale]
    records = list(record_model.find_records(work.tx, ids).values())
    value_rows.replace_values(work.tx, fields, stale, records)
    if len(ids) == batch_size:
        again = {"type": type, "fields": stale, "after": ids[-1]}
        key = f"{REINDEX_FIELDS_JOB}:{type}"
        job_queue.enqueue_job(work.tx, REINDEX_FIELDS_JOB, again, due=work.now, now=work.now, key=key)
        return
    gone = [_build_counter_name(type, name) for name, mark in stale.items() if not mark]
    work.tx.run(_DELETE_MARKS, names=encode_list(gone))
    for name, mark in stale.items():
        if mark:
            work.tx.run(_SET_MARK, name=_build_counter_name(type, name), value=mark)


def find_stale_fields(work: UnitOfWork, type: str) -> dict[str, int]:
    """Return the fields of a type that are not indexed as they are declared, with the marks that they will have."""
    declared = _compute_marks(work.site.custom_fields.get(type, ()))
    first = _build_counter_name(type, "")
    # The character after the dot ends what begins so.
    known = {
        name.removeprefix(first): mark for name, mark in work.tx.all(_MARKS, first=first, end=f"{first[:-1]}/")
    }  # fmt: skip
    return {name: declared.get(name, 0) for name in declared | known if declared.get(name) != known.get(name)}


def _build_counter_name(type: str, field: str) -> str:
    return f"{_PREFIX}{type}.{field}"


def _compute_marks(fields: Iterable[CustomField]) -> dict[str, int]:
    """Return for each indexed field a number that changes with what its rows follow from."""
    out = {}
    for one in value_rows.select_indexed_fields(fields):
        told = orjson.dumps([one.type, one.is_list, thaw(one.default)], option=orjson.OPT_SORT_KEYS)
        out[one.name] = int.from_bytes(hashlib.blake2b(told, digest_size=7).digest(), "big") | 1
    return out
