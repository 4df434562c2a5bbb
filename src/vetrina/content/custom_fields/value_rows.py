"""The rows by which lists are filtered and sorted by own fields: written with every record whose values they are.

Not here: what a row holds of a value (value_keys.py beside this), which lists read them (value_conditions.py), how
values that are stored already become rows (reindexing.py). Rules: docs/rules/custom_field_lists.md, 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

from sqlalchemy import bindparam, delete, insert, select, update

from vetrina.backends.database import Statement, Transaction
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.fields import field_value
from vetrina.content.custom_fields.model import CustomField
from vetrina.content.custom_fields.value_keys import encode_values


class IndexedRecord(Protocol):
    """What of a record its rows follow from."""

    @property
    def id(self) -> int: ...
    @property
    def type(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def date(self) -> int: ...
    @property
    def meta(self) -> Mapping[str, Any]: ...


COPIED: Final = ("type", "status", "language", "date")  # columns of the record that each of its rows repeats
FieldValueRow = tuple[Any, ...]  # field, value, then what is copied

_ROW: Final = ("field", "value", *COPIED)
_COLUMNS = tuple(field_value.c[name] for name in _ROW)
_INSERT = Statement(insert(field_value).values({name: bindparam(name) for name in ("record", *_ROW)}))
_DELETE = Statement(delete(field_value).where(field_value.c.record == bindparam("of")))
_DELETE_FIELDS = Statement(
    delete(field_value).where(InList(field_value.c.record, "records"), InList(field_value.c.field, "fields"))
)
_MOVE = Statement(
    update(field_value)
    .where(field_value.c.record == bindparam("of"))
    .values({name: bindparam(name) for name in COPIED})
)
_OF_RECORDS = Statement(select(field_value.c.record, *_COLUMNS).where(InList(field_value.c.record, "records")))


def select_indexed_fields(fields: Iterable[CustomField]) -> tuple[CustomField, ...]:
    """Return the fields by which lists can be filtered."""
    return tuple(field for field in fields if field.value_kind)


def build_rows(fields: Iterable[CustomField], of: IndexedRecord) -> Iterator[FieldValueRow]:
    """Yield the rows that a record should have, without its id."""
    copies = tuple(getattr(of, name) for name in COPIED)
    for field in fields:
        if field.value_kind:
            for key in encode_values(field, of.meta):
                yield (field.name, key, *copies)


def insert_values(tx: Transaction, fields: Sequence[CustomField], records: Iterable[IndexedRecord]) -> None:
    """Insert the rows of new records."""
    rows = [
        dict(zip(("record", *_ROW), (of.id, *row), strict=True)) for of in records for row in build_rows(fields, of)
    ]
    if rows:
        tx.run_each(_INSERT, rows)


def update_values(tx: Transaction, fields: Sequence[CustomField], old: IndexedRecord, new: IndexedRecord) -> None:
    """Write what differs between two states of a record."""
    if old.meta != new.meta and any(
        encode_values(field, old.meta) != encode_values(field, new.meta) for field in fields if field.value_kind
    ):
        rewrite_values(tx, fields, new)
    elif any(getattr(old, name) != getattr(new, name) for name in COPIED):
        tx.run(_MOVE, of=new.id, **{name: getattr(new, name) for name in COPIED})


def rewrite_values(tx: Transaction, fields: Sequence[CustomField], of: IndexedRecord) -> None:
    """Write all rows of a record again."""
    tx.run(_DELETE, of=of.id)
    insert_values(tx, fields, (of,))


def replace_values(
    tx: Transaction, fields: Sequence[CustomField], names: Iterable[str], records: Sequence[IndexedRecord]
) -> None:
    """Write the rows of some fields of records again. names: of the fields, those that are no longer declared too."""
    tx.run(_DELETE_FIELDS, records=encode_list(of.id for of in records), fields=encode_list(names))
    insert_values(tx, fields, records)


def load_rows(tx: Transaction, ids: Iterable[int]) -> dict[int, set[FieldValueRow]]:
    """Return the stored rows of records, without their ids, by id."""
    found: dict[int, set[FieldValueRow]] = {}
    for id, *row in tx.all(_OF_RECORDS, records=encode_list(ids)):
        found.setdefault(id, set()).add(tuple(row))
    return found
