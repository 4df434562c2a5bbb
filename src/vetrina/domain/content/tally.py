"""How many records there are of each type, status and language: known, not counted.

A list without filters shows its total at once, with a thousand records or a million. The tally moves in the transaction
that moves the record. Not here: totals of filtered lists (record_list.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, func, select

from vetrina.backends.database import Statement, Tx
from vetrina.backends.shapes import Among, listed, upsert
from vetrina.backends.tables import tally

if TYPE_CHECKING:
    from .record import Record

__all__ = ["moved", "total"]

_ADD = Statement(
    upsert(
        tally,
        keys=("type", "status", "language"),
        values={name: bindparam(name) for name in ("type", "status", "language", "count")},
        changes={"count": tally.c.count + bindparam("count")},
    )
)
_TOTAL = Statement(
    select(func.coalesce(func.sum(tally.c.count), 0)).where(
        tally.c.type == bindparam("type"),
        tally.c.language == bindparam("language"),
        Among(tally.c.status, "statuses"),
    )
)


def moved(tx: Tx, old: Record | None, new: Record | None) -> None:
    """Note that a record came (old is None), went (new is None) or changed its status or language."""
    before, after = (_place(record) for record in (old, new))
    if before == after:
        return
    for place, count in ((before, -1), (after, 1)):
        if place is not None:
            type, status, language = place
            tx.run(_ADD, type=type, status=status, language=language, count=count)


def total(tx: Tx, type: str, statuses: Iterable[str], language: str) -> int:
    """Return how many records of a type have one of the statuses, in a language."""
    return int(tx.value(_TOTAL, type=type, language=language, statuses=listed(statuses)))


def _place(record: Record | None) -> tuple[str, str, str] | None:
    return (record.type, record.status, record.language) if record else None
