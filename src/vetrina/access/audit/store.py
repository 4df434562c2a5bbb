"""Entries as rows: written once, deleted when they are old, never changed. Rules: docs/rules/audit.md, 4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import bindparam, delete, insert, select

from vetrina.access.audit.model import AuditEntry
from vetrina.backends.database import Statement, Transaction
from vetrina.backends.store import JSON, Store
from vetrina.backends.tables.audit import audit_entry as table

STORE: Final = Store(table, AuditEntry, {"changes": JSON})
_COLUMNS: Final = tuple(name for name in STORE.names if name != "id")
_INSERT = Statement(insert(table).values({name: bindparam(name) for name in _COLUMNS}).inline())
# The oldest are first by number too; of these few, those that are old enough.
_OLDEST = select(table.c.id).order_by(table.c.id).limit(bindparam("most"))
_DELETE_OLD = Statement(delete(table).where(table.c.id.in_(_OLDEST), table.c.at < bindparam("before")))


def insert_entries(tx: Transaction, entries: Sequence[AuditEntry]) -> None:
    """Write new entries, which get their numbers from the database."""
    for one in entries:
        row = {name: JSON.encode(one.changes) if name == "changes" else getattr(one, name) for name in _COLUMNS}
        tx.insert_later(table, _INSERT, **row)


def find_entry(tx: Transaction, id: int) -> AuditEntry | None:
    """Return an entry, None where there is none."""
    return STORE.find(tx, id)


def delete_entries_before(tx: Transaction, before: int, most: int) -> int:
    """Delete the oldest entries from before a moment, at most so many, and return how many those were."""
    return int(tx.run_and_count(_DELETE_OLD, before=before, most=most))
