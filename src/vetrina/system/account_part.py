"""What every site stores about a person beside the account, and what is done with it.

Rules: docs/rules/personal_data.md, 3 and 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlalchemy import bindparam, select

from vetrina.access.app_passwords import rules as app_passwords
from vetrina.backends.database import Statement
from vetrina.backends.tables.records import record
from vetrina.content.comments import personal_data as comments
from vetrina.content.records import deleted_accounts
from vetrina.core.account_part import AccountPart, DataSection, DataSubject
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.times import format_iso

_RECORDS = Statement(
    select(record.c.id, record.c.type, record.c.status, record.c.title, record.c.date_gmt)
    .where(record.c.author == bindparam("account"))
    .order_by(record.c.id)
)


def _export(work: UnitOfWork, subject: DataSubject) -> Iterator[DataSection]:
    if subject.account:
        yield DataSection("application-passwords", "Application passwords", [
            {
                "name": one.name, "created_gmt": format_iso(one.created), "last_ip": one.last_ip,
                "last_used_gmt": None if one.last_used is None else format_iso(one.last_used),
            }
            for one in app_passwords.list_app_passwords(work.tx, subject.account)
        ])  # fmt: skip
        yield DataSection("records", "What you published or uploaded", [
            {"id": id, "type": type, "status": status, "title": title, "date_gmt": format_iso(date)}
            for id, type, status, title, date in work.tx.all(_RECORDS, account=subject.account)
        ])  # fmt: skip
    yield comments.export_comments(work, subject)


def _erase(work: UnitOfWork, subject: DataSubject, heir: int) -> None:
    comments.erase_comment_authors(work, subject)
    if not subject.account:
        return
    if heir:
        deleted_accounts.reassign_records(work, subject.account, heir)
    else:
        deleted_accounts.trash_records_of_author(work, subject.account)


ACCOUNT_PART: Final = AccountPart(export=_export, erase=_erase)
