"""Who may read a record, where that depends on another one: a file is as visible as what it hangs on.

Not here: rights over a record by itself (access/roles/capabilities.py).
Rules: facts of the interface, "Media": visibility follows the parent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vetrina.access.roles.capabilities import may_edit, may_read
from vetrina.content.records import model as record
from vetrina.content.records.model import Record
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import Work

__all__ = ["INHERITED", "parents_of", "readable"]

INHERITED = "inherit"  # the status of a record that is as visible as its parent


def parents_of(work: Work, records: Iterable[Record]) -> dict[int, Record]:
    """Return what records hang on, by number; asks once."""
    wanted = {one.parent for one in records if one.parent}
    found = record.by_ids(work.tx, sorted(wanted))
    work.uses(*(parent.type for parent in found.values()))
    if len(found) < len(wanted):
        # A parent that is not there may still come, and be of any type.
        work.uses(*work.frame.types)
    return found


def readable(work: Work, type: ContentType, record: Record, parents: Mapping[int, Record] | None = None) -> bool:
    """Say whether the caller may see a record outside the editing view.

    parents: those of `parents_of`, where somebody has looked.
    """
    if record.status != INHERITED:
        return may_read(work.user, type, record)
    if not record.parent:
        return True
    parent = (parents if parents is not None else parents_of(work, [record])).get(record.parent)
    if parent is None:
        return True
    above = work.frame.types.get(parent.type)
    if above is not None and parent.status != INHERITED and may_read(work.user, above, parent):
        return True
    return bool(work.user) and (record.author == work.user.id or may_edit(work.user, type, record))
