"""Locks between clients: one holder at a time, for some seconds, identified by a key that the holder sends again.

A lock expires, so a client that died blocks nobody for long. Rules: docs/rules/translation_services.md, 6.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import bindparam, delete, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import build_upsert
from vetrina.backends.tables.strings import mlang_lock
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.keys import generate_uuid, is_equal_secret

_LONGEST: Final = 100  # characters of a key

_HELD = Statement(select(mlang_lock.c.key, mlang_lock.c.until).where(mlang_lock.c.name == bindparam("lock")))
_PUT = Statement(
    build_upsert(
        mlang_lock,
        keys=("name",),
        values={"name": bindparam("lock"), "key": bindparam("owner"), "until": bindparam("end")},
        changes={"key": bindparam("owner"), "until": bindparam("end")},
    )
)
_FREE = Statement(
    delete(mlang_lock).where(mlang_lock.c.name == bindparam("lock"), mlang_lock.c.key == bindparam("owner"))
)


def acquire_lock(work: UnitOfWork, name: str, seconds: int, key: str | None = None) -> str | None:
    """Acquire a lock, or extend the one with this key, and return its key; None where another client holds it.

    The transaction writes, and writers are serialized, so nobody takes it in between.
    """
    held = work.tx.first(_HELD, lock=name)
    if held is not None and held[1] > work.now and not (key and is_equal_secret(held[0], key)):
        return None
    owner = key if key and len(key) <= _LONGEST else generate_uuid()
    work.tx.run(_PUT, lock=name, owner=owner, end=work.now + seconds)
    return owner


def release_lock(work: UnitOfWork, name: str, key: str) -> None:
    """Release a lock before it expires."""
    work.tx.run(_FREE, lock=name, owner=key)
