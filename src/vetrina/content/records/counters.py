"""How many records there are of each type, status, language and author: known, not counted.

A list without other filters shows its total at once, with a thousand records or a million. The tally moves in the
transaction that moves the record. Not here: totals of filtered lists (content/records/listing.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, func, select

from vetrina.backends.database import Statement, Tx
from vetrina.backends.statement_cache import Among, listed, upsert
from vetrina.backends.tables.core import tally

if TYPE_CHECKING:
    from vetrina.content.records.model import Record

__all__ = ["moved", "total"]

_PLACE = ("type", "status", "language", "author")

_ADD = Statement(
    upsert(
        tally,
        keys=_PLACE,
        values={name: bindparam(name) for name in (*_PLACE, "count")},
        changes={"count": tally.c.count + bindparam("count")},
    )
)
_ALL = select(func.coalesce(func.sum(tally.c.count), 0)).where(
    tally.c.type == bindparam("type"),
    tally.c.language == bindparam("language"),
    Among(tally.c.status, "statuses"),
)
_TOTAL = Statement(_ALL)
_OF_AUTHORS = Statement(_ALL.where(Among(tally.c.author, "authors")))


def moved(tx: Tx, old: Record | None, new: Record | None) -> None:
    """Note that a record came (old is None), went (new is None) or changed what the tally is kept by."""
    before, after = (_place(record) for record in (old, new))
    if before == after:
        return
    for place, count in ((before, -1), (after, 1)):
        if place is not None:
            tx.run(_ADD, **dict(zip(_PLACE, place, strict=True)), count=count)


def total(tx: Tx, type: str, statuses: Iterable[str], language: str, authors: Iterable[int] = ()) -> int:
    """Return how many records of a type have one of the statuses, in a language; authors: of these alone."""
    values = {"type": type, "language": language, "statuses": listed(statuses)}
    of = tuple(authors)
    return int(tx.value(_OF_AUTHORS, **values, authors=listed(of)) if of else tx.value(_TOTAL, **values))


def _place(record: Record | None) -> tuple[str, str, str, int] | None:
    return (record.type, record.status, record.language, record.author) if record else None
