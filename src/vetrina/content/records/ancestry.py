"""Where a record hangs: the records above it, and those below."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement, Tx
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.core import record
from vetrina.content.records.model import Record, of_row

__all__ = ["Above", "ancestors", "children", "of_ancestors", "trails"]

_UP = Statement(select(record.c.parent, record.c.slug).where(record.c.id == bindparam("id")))
_BELOW = Statement(select(record).where(record.c.parent == bindparam("of")).order_by(record.c.id))
_THESE = Statement(select(record.c.id, record.c.type, record.c.slug, record.c.parent).where(Among(record.c.id, "ids")))
_HIGHEST = 100  # levels; a deeper chain is a loop that an import left


class Above(NamedTuple):
    """A record that others hang below: what their addresses and links need of it."""

    id: int
    type: str
    slug: str
    parent: int


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


def trails(tx: Tx, parents: Iterable[int]) -> dict[int, list[Above]]:
    """Return what stands above records, the nearest first, by the number of their parent; asks once a level."""
    starts = {parent for parent in parents if parent}
    known: dict[int, Above] = {}
    seen: set[int] = set()
    wanted = starts
    while wanted and len(seen) < _HIGHEST * len(starts):
        seen |= wanted
        found = [Above(*row) for row in tx.all(_THESE, ids=listed(wanted))]
        known.update((one.id, one) for one in found)
        wanted = {one.parent for one in found if one.parent} - seen
    return {start: _trail(known, start) for start in starts}


def _trail(known: dict[int, Above], start: int) -> list[Above]:
    out: list[Above] = []
    at = known.get(start)
    while at is not None and at not in out and len(out) < _HIGHEST:
        out.append(at)
        at = known.get(at.parent)
    return out


def children(tx: Tx, id: int) -> list[Record]:
    """Return the records of every type that hang directly below a record."""
    return [of_row(row) for row in tx.all(_BELOW, of=id)]
