"""Who may see a record, and name it in one of theirs; a file is as visible as its parent.

Not here: the rights that this follows from (access/roles/capabilities.py), what a list shows
(content/records/visibility_filters.py). Rules: docs/rules/statuses.md, 4; docs/rules/media.md, 9;
docs/rules/passwords.md, 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vetrina.access.roles.capabilities import is_read_by_all, may_edit_record, may_read_record
from vetrina.content.records import model as record
from vetrina.content.records.model import Record
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork

INHERIT_STATUS = "inherit"  # the status of a record that is as visible as its parent


def load_parents(work: UnitOfWork, records: Iterable[Record]) -> dict[int, Record]:
    """Return the parents of records, by id; one statement."""
    wanted = {one.parent for one in records if one.parent}
    found = record.find_records(work.tx, sorted(wanted))
    for parent in found.values():
        work.uses_items(parent.type, (parent.id,))
    if len(found) < len(wanted):
        # A missing parent may still be created, of any type.
        work.uses(*work.site.types)
    return found


def is_public(work: UnitOfWork, record: Record, parents: Mapping[int, Record]) -> bool:
    """Return whether everybody may see a record; parents: those of `load_parents`."""
    type = work.site.types.get(record.type)
    if type is None or record.status != INHERIT_STATUS:
        return type is not None and record.status == "publish"
    parent = parents.get(record.parent) if record.parent else None
    return parent is None or parent.status in ("publish", INHERIT_STATUS)


def may_view_record(
    work: UnitOfWork, type: ContentType, record: Record, parents: Mapping[int, Record] | None = None
) -> bool:
    """Return whether the caller may see a record outside the editing view.

    parents: those of `load_parents`, if loaded.
    """
    if is_read_by_all(type, record):
        return True  # whoever asks
    if work.previewed and work.is_previewed("record", record.id):
        return True
    if record.status != INHERIT_STATUS:
        return may_read_record(work.user, type, record)
    if not record.parent:
        return True
    parent = (parents if parents is not None else load_parents(work, [record])).get(record.parent)
    if parent is None:
        return True
    above = work.site.types.get(parent.type)
    if above is not None and parent.status != INHERIT_STATUS and may_read_record(work.user, above, parent):
        return True
    return bool(work.user) and (record.author == work.user.id or may_edit_record(work.user, type, record))


def may_name_record(work: UnitOfWork, other: Record) -> bool:
    """Return whether the caller may refer to another record in one of theirs, that is, whether they may read it."""
    type = work.site.types.get(other.type)
    return type is None or may_view_record(work, type, other)
