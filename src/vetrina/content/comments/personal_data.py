"""What comments say about the person who wrote them, by account or by mail address; reviews are comments, too.

Rules: docs/rules/personal_data.md, 3 and 4.
"""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import bindparam, or_, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.comments import comment as table
from vetrina.content.comments.model import STORE, Comment
from vetrina.core.account_part import DataSection, DataSubject
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.times import format_iso

_OF_PERSON = Statement(
    select(*STORE.columns)
    .where(
        or_(
            (table.c.author != 0) & (table.c.author == bindparam("account")),
            (table.c.author == 0) & (table.c.email_key != "") & (table.c.email_key == bindparam("email")),
        )
    )
    .order_by(table.c.id)
)
_ERASED: Final = {"author": 0, "author_name": "", "author_email": "", "author_url": "", "author_ip": "",
                  "author_user_agent": ""}  # fmt: skip


def export_comments(work: UnitOfWork, subject: DataSubject) -> DataSection:
    """Return the comments of a person."""
    items = [
        {
            "id": one.id, "type": one.type, "record": one.post, "date_gmt": format_iso(one.date_gmt),
            "status": one.status, "name": one.author_name, "email": one.author_email, "url": one.author_url,
            "address": one.author_ip, "browser": one.author_user_agent, "content": one.content,
        }
        for one in _list_comments(work, subject)
    ]  # fmt: skip
    return DataSection("comments", "Comments and reviews", items)


def erase_comment_authors(work: UnitOfWork, subject: DataSubject) -> None:
    """Take the person off their comments; what they wrote stays, as others have answered it."""
    for one in _list_comments(work, subject):
        STORE.update(work.tx, one, msgspec.structs.replace(one, **_ERASED))
        work.note("comment", one.id, "changed")


def _list_comments(work: UnitOfWork, subject: DataSubject) -> list[Comment]:
    return STORE.of_rows(work.tx.all(_OF_PERSON, account=subject.account, email=subject.guest_email))
