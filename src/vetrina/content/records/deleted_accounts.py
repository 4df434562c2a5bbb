"""The records of an account that is deleted: they get another author, or move to the trash.

Not here: deleting the account (access/users/rules.py). Rules: docs/rules/users.md, 5.
"""

from __future__ import annotations

import msgspec
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.records import record as record_table
from vetrina.content.records import (
    model as record_model,
    rules as records,
)
from vetrina.core.unit_of_work import UnitOfWork

_OF_AUTHOR = Statement(select(record_table).where(record_table.c.author == bindparam("author")))


def reassign_records(work: UnitOfWork, from_id: int, to_id: int) -> None:
    """Give every record of one author to another."""
    for row in work.tx.all(_OF_AUTHOR, author=from_id):
        old = record_model.row_to_record(row)
        record_model.update_record_row(work, old, msgspec.structs.replace(old, author=to_id))
        work.note(old.type, old.id, "changed")


def trash_records_of_author(work: UnitOfWork, author_id: int) -> None:
    """Move every record of an author to the trash; those of types without a trash pass to the caller."""
    for row in work.tx.all(_OF_AUTHOR, author=author_id):
        old = record_model.row_to_record(row)
        type = work.site.types.get(old.type)
        if type is not None and not type.trash:
            record_model.update_record_row(work, old, msgspec.structs.replace(old, author=work.user.id))
            work.note(old.type, old.id, "changed")
        elif type is not None and old.status != "trash":
            records.trash_record(work, type, old)
