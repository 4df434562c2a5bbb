"""Maintained counts of records by type, status, language and author.

A list without other filters gets its total in constant time. The counters change in the transaction that changes the
record. Not here: totals of filtered lists (content/records/totals.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, func, select

from vetrina.backends.database import Statement, Transaction
from vetrina.backends.statement_cache import InList, build_upsert, encode_list
from vetrina.backends.tables.records import tally

if TYPE_CHECKING:
    from vetrina.content.records.model import Record


_PLACE = ("type", "status", "language", "author")

_ADD = Statement(
    build_upsert(
        tally,
        keys=_PLACE,
        values={name: bindparam(name) for name in (*_PLACE, "count")},
        changes={"count": tally.c.count + bindparam("count")},
    )
)
_ALL = select(func.coalesce(func.sum(tally.c.count), 0)).where(
    tally.c.type == bindparam("type"),
    tally.c.language == bindparam("language"),
    InList(tally.c.status, "statuses"),
)
_TOTAL = Statement(_ALL)
_FILLED = Statement(
    select(tally.c.status)
    .where(tally.c.type == bindparam("type"), InList(tally.c.status, "statuses"), tally.c.count > 0)
    .distinct()
)
_OF_AUTHORS = Statement(_ALL.where(InList(tally.c.author, "authors")))


def update_counters(tx: Transaction, old: Record | None, new: Record | None) -> None:
    """Count a record that was inserted (old is None), deleted (new is None) or changed in a counted column."""
    before, after = (_build_counter_key(record) for record in (old, new))
    if before == after:
        return
    for place, count in ((before, -1), (after, 1)):
        if place is not None:
            tx.add_later(tally, _ADD, "count", **dict(zip(_PLACE, place, strict=True)), count=count)


def sum_counters(
    tx: Transaction, type: str, statuses: Iterable[str], language: str, authors: Iterable[int] = ()
) -> int:
    """Return how many records of a type have one of the statuses, in a language; authors: only theirs."""
    values = {"type": type, "language": language, "statuses": encode_list(statuses)}
    of = tuple(authors)
    return int(tx.value(_OF_AUTHORS, **values, authors=encode_list(of)) if of else tx.value(_TOTAL, **values))


def select_filled_statuses(tx: Transaction, type: str, statuses: Sequence[str]) -> tuple[str, ...]:
    """Return those of some statuses that records of a type have, in any language."""
    filled = {row[0] for row in tx.all(_FILLED, type=type, statuses=encode_list(statuses))}
    return tuple(status for status in statuses if status in filled)


def _build_counter_key(record: Record | None) -> tuple[str, str, str, int] | None:
    return (record.type, record.status, record.language, record.author) if record else None
