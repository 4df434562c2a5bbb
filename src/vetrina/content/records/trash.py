"""The trash: what becomes of a record that is moved to it.

Not here: what a record that leaves it gets back (content/records/rules.py, content/records/slugs.py), deleting for good
(content/records/deletion.py). Rules: docs/rules/statuses.md, 6 and 8; docs/rules/kinds.md, 3.
"""

from __future__ import annotations

import msgspec

from vetrina.content.comments import rules as comments
from vetrina.content.records import deletion, rules as records, slugs as record_slugs
from vetrina.content.records.model import Record
from vetrina.content.translations import record_translations
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure


class RecordAlreadyTrashed(ApiError):
    failure, code = Failure.GONE, "rest_already_trashed"
    message = "This record is in the trash already; send force=true to remove it for good."


def trash_record(work: UnitOfWork, type: ContentType, old: Record) -> Record:
    """Move a record to the trash, where it frees its slug; its translations too where they go together.

    Raises RecordAlreadyTrashed.
    """
    if old.status == "trash":
        raise RecordAlreadyTrashed
    together = record_translations.list_joint_removals(work, type, old)
    trashed = _trash_one(work, type, old)
    for one in together:
        if one.status != "trash":
            _trash_one(work, type, one)
    return trashed


def _trash_one(work: UnitOfWork, type: ContentType, old: Record) -> Record:
    slug = record_slugs.find_free_slug(
        work.tx, type, record_slugs.build_trashed_slug(old.slug), language=old.language, parent=old.parent, id=old.id
    )
    new = msgspec.structs.replace(
        old,
        status="trash",
        trashed_status=old.status,
        trashed_slug=old.slug,
        slug=slug,
        sticky=False,
        modified=work.local_now,
        modified_gmt=work.now,
    )
    comments.shelve_comments(work, old.id)
    deletion.forget_settings(work, old)
    work.tell(type.name, old.id, "trashed")
    work.describe(type.name, old.id, old.title)
    return records.save_record(work, type, old, new, {})
