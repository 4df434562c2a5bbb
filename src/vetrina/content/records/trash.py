"""The trash: what a record becomes that is moved to it, and what it gets back when it leaves.

Not here: the save itself (content/records/rules.py), deleting for good (content/records/deletion.py). Rules:
docs/rules/statuses.md, 6, 8 and 10; docs/rules/kinds.md, 3.
"""

from __future__ import annotations

import msgspec

from vetrina.content.comments import rules as comments
from vetrina.content.records import deletion, slugs as record_slugs
from vetrina.content.records.model import Record
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError, Failure

TRASHED_SUFFIX = "__trashed"


class RecordAlreadyTrashed(ApiError):
    failure, code = Failure.GONE, "rest_already_trashed"
    message = "This record is in the trash already; send force=true to remove it for good."


def move_to_trash(work: UnitOfWork, type: ContentType, old: Record) -> Record:
    """Return a record as it is in the trash, where it frees its slug; its comments and settings go with it."""
    slug = record_slugs.find_free_slug(
        work.tx, type, build_trashed_slug(old.slug), language=old.language, parent=old.parent, id=old.id
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
    return new


def build_trashed_slug(slug: str) -> str:
    """Return the slug that a record has in the trash; it frees its old one."""
    return slugs.shorten_slug(slug, record_slugs.MAX_SLUG_BYTES - len(TRASHED_SUFFIX)) + TRASHED_SUFFIX


def is_restored(old: Record, new: Record) -> bool:
    """Return whether a save takes a record out of the trash: it gives it another status."""
    return old.status == "trash" and new.status != "trash"


def get_restored_slug(old: Record, new: Record) -> str:
    """Return the slug that a record had before the trash, where a save takes it out; otherwise an empty text."""
    return old.trashed_slug if is_restored(old, new) else ""


def leave_trash(work: UnitOfWork, type: ContentType, old: Record, new: Record) -> Record:
    """Return a record that a save takes out of the trash; its comments come back with it."""
    new = msgspec.structs.replace(new, trashed_status="", trashed_slug="")
    comments.unshelve_comments(work, old.id)
    work.tell(type.name, old.id, "restored")
    work.describe(type.name, old.id, new.title)
    return new
