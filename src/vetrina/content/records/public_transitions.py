"""What everybody could see of a record before a write: the change feed tells it to those who can see it no longer.

Not here: the feed (system/changes/). It is worked out by a write that takes something away or adds it.
"""

from __future__ import annotations

from vetrina.content.records import model as record_model, permalinks
from vetrina.content.records.model import Record
from vetrina.content.records.visibility import INHERIT_STATUS
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork

_PUBLIC = "publish"
_ADDRESSED_BY = ("slug", "parent", "language", "date")  # the members of a record that its public link is made of


def describe_removed_record(work: UnitOfWork, type: ContentType, old: Record) -> dict[str, str] | None:
    """Return link and language of a record that is deleted, None where the public could not see it."""
    if not _is_public(work, type, old):
        return None
    return {"link": permalinks.build_permalink(work, type, old), "lang": old.language, "transition": "removed"}


def describe_saved_record(work: UnitOfWork, type: ContentType, old: Record, new: Record) -> dict[str, str] | None:
    """Return what a save did to what the public sees: its transition, with the link it had where that went away."""
    if old.status != _PUBLIC:
        return {"transition": "published"} if type.public and new.status == _PUBLIC else None
    if not type.public:
        return None
    if new.status != _PUBLIC:
        transition = "trashed" if new.status == "trash" else "unpublished"
    elif any(getattr(old, name) != getattr(new, name) for name in _ADDRESSED_BY):
        transition = "moved"
    else:
        return None
    return {"link": permalinks.build_permalink(work, type, old), "lang": old.language, "transition": transition}


def _is_public(work: UnitOfWork, type: ContentType, record: Record) -> bool:
    if not type.public:
        return False
    if record.status != INHERIT_STATUS or not record.parent:
        return record.status in (_PUBLIC, INHERIT_STATUS)
    parent = record_model.find_record(work.tx, record.parent)
    return parent is None or parent.status == _PUBLIC
