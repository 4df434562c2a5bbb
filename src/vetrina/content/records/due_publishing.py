"""Scheduled records: published by a job when their date has come.

Not here: which save schedules a record and enqueues the job (content/records/scheduling.py), what runs jobs
(system/job_runner.py). Rules: docs/rules/statuses.md, 2; a published record keeps its date, text and `modified`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import bindparam, literal_column, select

from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.tables.records import record as table
from vetrina.content.records import model as record_model, rules as records
from vetrina.content.records.scheduling import PUBLISH_RECORD_JOB
from vetrina.core.unit_of_work import UnitOfWork

# Worded like the condition of the partial index `record_due`, which SQLite only uses for the same text.
_OVERDUE = Statement(
    select(table.c.id, table.c.type, table.c.date_gmt).where(
        table.c.status + literal_column("''") == literal_column("'future'"), table.c.date_gmt <= bindparam("now")
    )
)


def publish_due_record(work: UnitOfWork, arguments: Mapping[str, Any]) -> None:
    """Publish a record whose date has come; one that is gone, no longer scheduled or due later is left alone.

    arguments: `record`, its id.
    """
    found = record_model.find_record(work.tx, arguments["record"])
    if found is None or found.status != "future" or found.date_gmt > work.now:
        return
    type = work.site.types.get(found.type)
    # A type that left the profile comes back with its records; until then nobody sees them.
    if type is not None:
        records.publish_record(work, type, found)


def enqueue_overdue_records(work: UnitOfWork) -> None:
    """Enqueue the job of every overdue record where it is missing or set for later.

    It never should be; this is for sites that were restored, copied, or changed by hand.
    """
    for id, type, date in work.tx.all(_OVERDUE, now=work.now):
        if type in work.site.types:
            job_queue.enqueue_missing_job(
                work.tx, PUBLISH_RECORD_JOB, {"record": id}, due=date, now=work.now, key=f"{PUBLISH_RECORD_JOB}:{id}"
            )
