"""Where a record hangs: the records above it, and those below."""

from __future__ import annotations

from sqlalchemy import bindparam, select, update

from vetrina.backends.database import Statement, Tx
from vetrina.backends.tables import record

__all__ = ["ancestors", "lift_children", "of_ancestors"]

_UP = Statement(select(record.c.parent, record.c.slug).where(record.c.id == bindparam("id")))
_LIFT = Statement(
    update(record)
    .where(record.c.parent == bindparam("of"), record.c.type == bindparam("kind"))
    .values(parent=bindparam("to"))
)
_HIGHEST = 100  # levels; a deeper chain is a loop that an import left


def _chain(tx: Tx, parent: int) -> list[tuple[int, str]]:
    out: list[tuple[int, str]] = []
    seen: set[int] = set()
    while parent and parent not in seen and len(out) < _HIGHEST:
        seen.add(parent)
        row = tx.first(_UP, id=parent)
        if row is None:
            break
        out.append((parent, row[1]))
        parent = row[0]
    return out


def ancestors(tx: Tx, parent: int) -> list[int]:
    """Return the numbers of a parent and of everything above it, the nearest first."""
    return [number for number, _ in _chain(tx, parent)]


def of_ancestors(tx: Tx, parent: int) -> list[str]:
    """Return the slugs from the top down to a parent."""
    return [slug for _, slug in reversed(_chain(tx, parent))]


def lift_children(tx: Tx, id: int, type: str, to: int) -> int:
    """Hang the children of a record that goes onto its parent; return how many."""
    return tx.run(_LIFT, of=id, kind=type, to=to)
