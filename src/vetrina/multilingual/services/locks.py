"""Locks between callers: one at a time, for some seconds, known by a key that its holder sends again.

A lock ends by itself, so a caller that died blocks nobody for long.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import bindparam, delete, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import upsert
from vetrina.backends.tables.strings import lock
from vetrina.core.unit_of_work import Work
from vetrina.kernel.keys import new_uuid, same

__all__ = ["free", "take"]

_LONGEST: Final = 100  # signs of a key

_HELD = Statement(select(lock.c.key, lock.c.until).where(lock.c.name == bindparam("lock")))
_PUT = Statement(
    upsert(
        lock,
        keys=("name",),
        values={"name": bindparam("lock"), "key": bindparam("owner"), "until": bindparam("end")},
        changes={"key": bindparam("owner"), "until": bindparam("end")},
    )
)
_FREE = Statement(delete(lock).where(lock.c.name == bindparam("lock"), lock.c.key == bindparam("owner")))


def take(work: Work, name: str, seconds: int, key: str | None = None) -> str | None:
    """Take a lock, or prolong the one that has this key, and return its key; None where somebody else has it.

    The transaction writes, and writers come one after another, so nobody takes it in between.
    """
    held = work.tx.first(_HELD, lock=name)
    if held is not None and held[1] > work.now and not (key and same(held[0], key)):
        return None
    mine = key if key and len(key) <= _LONGEST else new_uuid()
    work.tx.run(_PUT, lock=name, owner=mine, end=work.now + seconds)
    return mine


def free(work: Work, name: str, key: str) -> None:
    """Give a lock back before its time."""
    work.tx.run(_FREE, lock=name, owner=key)
