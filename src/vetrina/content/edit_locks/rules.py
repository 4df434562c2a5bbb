"""Edit locks: who has one, how long it holds, how another takes over.

A lock keeps nobody from writing over the interface; it tells people of each other. What is written meanwhile is found
by `If-Match`. Rules: docs/rules/edit_locks.md, 1 and 2.
"""

from __future__ import annotations

from typing import Final

from vetrina.content.edit_locks import store
from vetrina.content.edit_locks.store import EditLock
from vetrina.core.unit_of_work import UnitOfWork

HELD_SECONDS: Final = 60  # that a lock holds unless it is renewed


def find_lock(work: UnitOfWork, record: int) -> EditLock | None:
    """Return the lock that holds on a record now, None where nobody edits it."""
    found = store.find_lock(work.tx, record)
    return found if found is not None and found.until > work.now else None


def acquire_lock(work: UnitOfWork, record: int, *, take_over: bool = False) -> EditLock:
    """Give the caller the lock of a record, or renew it, and return the lock that holds then.

    It is another account's where that edits the record, unless the caller takes over.
    """
    held, account = find_lock(work, record), work.user.id
    if held is not None and held.account != account and not take_over:
        return held
    since = held.since if held is not None and held.account == account else work.now
    lock = EditLock(record, account, since, work.now + HELD_SECONDS)
    store.save_lock(work.tx, lock)
    return lock


def release_lock(work: UnitOfWork, record: int) -> None:
    """End the caller's lock of a record; another account's stays."""
    store.delete_lock(work.tx, record, work.user.id)


def delete_expired_locks(work: UnitOfWork) -> None:
    """Delete the locks of those who went without a word."""
    store.delete_locks_expired_before(work.tx, work.now)
