"""What several languages have to do with people: translations of an author's name, and the jobs of translators.

Rules: docs/rules/personal_data.md, 3 and 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlalchemy import bindparam, delete, or_, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.multilingual import mlang_job
from vetrina.backends.tables.strings import mlang_string
from vetrina.core.account_part import AccountPart, DataSection, DataSubject
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.times import format_iso
from vetrina.multilingual.strings.model import note_change
from vetrina.multilingual.strings.site_texts import AUTHORS, name_person_strings

_JOBS = Statement(
    select(mlang_job.c.id, mlang_job.c.title, mlang_job.c.words, mlang_job.c.sent, mlang_job.c.completed)
    .where(or_(mlang_job.c.translator == bindparam("account"), mlang_job.c.manager == bindparam("account")))
    .order_by(mlang_job.c.id)
)
_DELETE_STRINGS = Statement(
    delete(mlang_string).where(mlang_string.c.domain == AUTHORS, InList(mlang_string.c.name, "names"))
)


def _export(work: UnitOfWork, subject: DataSubject) -> Iterator[DataSection]:
    if subject.account:
        yield DataSection("translation-jobs", "Translation jobs", [
            {
                "id": id, "title": title, "words": words, "sent_gmt": format_iso(sent) if sent else None,
                "completed_gmt": format_iso(completed) if completed else None,
            }
            for id, title, words, sent, completed in work.tx.all(_JOBS, account=subject.account)
        ])  # fmt: skip


def _erase(work: UnitOfWork, subject: DataSubject, heir: int) -> None:
    if subject.account:
        names = name_person_strings(subject.account)
        if work.tx.run_and_count(_DELETE_STRINGS, names=encode_list(names)):
            note_change(work, AUTHORS, "changed")


ACCOUNT_PART: Final = AccountPart(export=_export, erase=_erase)
