"""The rows of edit locks: at most one a record."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, delete, select

from vetrina.backends.database import Statement, Transaction
from vetrina.backends.statement_cache import build_upsert
from vetrina.backends.tables.records import edit_lock as table


class EditLock(msgspec.Struct, frozen=True):
    """Who edits a record. record, account: their numbers. since, until: seconds since 1970."""

    record: int
    account: int
    since: int
    until: int


_COLUMNS: Final = tuple(table.c[name] for name in EditLock.__struct_fields__)
_VALUES: Final[dict[str, Any]] = {column.name: bindparam(column.name) for column in _COLUMNS}

_FIND = Statement(select(*_COLUMNS).where(table.c.record == bindparam("record")))
_SAVE = Statement(build_upsert(table, keys=("record",), values=_VALUES, changes=_VALUES))
_DELETE = Statement(delete(table).where(table.c.record == bindparam("of"), table.c.account == bindparam("by")))
_DELETE_EXPIRED = Statement(delete(table).where(table.c.until <= bindparam("before")))


def find_lock(tx: Transaction, record: int) -> EditLock | None:
    """Return the lock of a record, an expired one too."""
    row = tx.first(_FIND, record=record)
    return None if row is None else EditLock(*row)


def save_lock(tx: Transaction, lock: EditLock) -> None:
    """Store a lock in place of the record's former one."""
    tx.run(_SAVE, **msgspec.structs.asdict(lock))


def delete_lock(tx: Transaction, record: int, account: int) -> None:
    """Delete the lock that an account has on a record, if it has it."""
    tx.run(_DELETE, of=record, by=account)


def delete_locks_expired_before(tx: Transaction, before: int) -> None:
    """Delete the locks that expired before an instant, in seconds since 1970."""
    tx.run(_DELETE_EXPIRED, before=before)
