"""The tree of records: which parent a record may have, its ancestors and its children.

Rules: docs/rules/records.md, 13; docs/rules/statuses.md, 11.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement, Transaction
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.records import record
from vetrina.content.records import model as record_model, visibility
from vetrina.content.records.model import Record, row_to_record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError

_SELECT_PARENT = Statement(select(record.c.parent).where(record.c.id == bindparam("id")))
_SELECT_CHILDREN = Statement(select(record).where(record.c.parent == bindparam("of")).order_by(record.c.id))
_SELECT_BY_IDS = Statement(
    select(record.c.id, record.c.type, record.c.slug, record.c.parent).where(InList(record.c.id, "ids"))
)
_MAX_DEPTH = 100  # levels; a deeper chain is a loop left by an import


class RecordAncestor(NamedTuple):
    """An ancestor of a record, with what the URLs and links of its descendants need."""

    id: int
    type: str
    slug: str
    parent: int


def list_ancestor_ids(tx: Transaction, parent: int) -> list[int]:
    """Return the ids of a parent and of all its ancestors, nearest first."""
    out: list[int] = []
    while parent and parent not in out and len(out) < _MAX_DEPTH:
        above = tx.value(_SELECT_PARENT, id=parent)
        if above is None:
            break
        out.append(parent)
        parent = above
    return out


def list_ancestor_slugs(work: UnitOfWork, parent: int) -> list[str]:
    """Return the slugs from the root down to a parent."""
    return [one.slug for one in reversed(load_ancestor_trails(work, [parent])[parent])] if parent else []


def load_ancestor_trails(work: UnitOfWork, parents: Iterable[int]) -> dict[int, list[RecordAncestor]]:
    """Return the ancestors of records, nearest first, by parent id; one statement per level."""
    starts = {parent for parent in parents if parent}
    known: dict[int, RecordAncestor] = {}
    seen: set[int] = set()
    wanted = starts
    while wanted and len(seen) < _MAX_DEPTH * len(starts):
        seen |= wanted
        found = [RecordAncestor(*row) for row in work.tx.all(_SELECT_BY_IDS, ids=encode_list(wanted))]
        known.update((one.id, one) for one in found)
        for one in found:
            work.uses_items(one.type, (one.id,))
        if len(found) < len(wanted):
            # One that is missing may still come to be, of any type.
            work.uses(*work.site.types)
        wanted = {one.parent for one in found if one.parent} - seen
    return {start: _build_trail(known, start) for start in starts}


def _build_trail(known: dict[int, RecordAncestor], start: int) -> list[RecordAncestor]:
    out: list[RecordAncestor] = []
    at = known.get(start)
    while at is not None and at not in out and len(out) < _MAX_DEPTH:
        out.append(at)
        at = known.get(at.parent)
    return out


def list_child_records(tx: Transaction, id: int) -> list[Record]:
    """Return the direct children of a record, of every type."""
    return [row_to_record(row) for row in tx.all(_SELECT_CHILDREN, of=id)]


class ParentNotFound(ApiError):
    code = "rest_post_invalid_id"
    message = "There is no record with the number {id} that could be the parent."


def validate_parent(work: UnitOfWork, old: Record, parent: int) -> int:
    """Return the parent that a record may have: 0 where the record would be its own ancestor."""
    if parent == 0:
        return 0
    above = record_model.find_record(work.tx, parent) if parent > 0 else None
    # Below it, the record's permalink would reveal its slug to a caller who may not read it.
    if above is None or (parent != old.parent and not visibility.may_name_record(work, above)):
        raise ParentNotFound(id=parent)
    return 0 if old.id and old.id in list_ancestor_ids(work.tx, parent) else parent
