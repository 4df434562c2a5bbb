"""The change log: every write is a row of its own transaction; whoever follows the site reads it."""

from __future__ import annotations

from sqlalchemy import bindparam, func, insert, select

from .database import Statement, Tx
from .tables import change

__all__ = ["latest", "note"]

_NOTE = Statement(
    insert(change).values(
        kind=bindparam("kind"), item=bindparam("item"), action=bindparam("action"), at=bindparam("at")
    )
)
_LATEST = Statement(select(func.max(change.c.sequence)))


def note(tx: Tx, kind: str, item: object, action: str, at: int) -> None:
    """Note that something changed.

    kind: post, page, category, user, option …; item: its number or name; action: created, changed, removed.
    at: seconds since 1970.
    """
    tx.run(_NOTE, kind=kind, item=str(item), action=action, at=at)
    tx.noted += 1


def latest(tx: Tx) -> int:
    """Return the number of the last change."""
    return int(tx.value(_LATEST) or 0)
