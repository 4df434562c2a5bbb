"""Scheduled records: published when their date has come, by a job that the save noted.

Not here: which save makes a record wait and notes the job (content/records/lifecycle.py), who carries jobs out
(system/job_runner.py). Rules: interface.md, "States and transitions"; a published record keeps its date, its text and
when it was modified.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import bindparam, literal_column, select

from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.tables.core import record as table
from vetrina.content.records import model as record_model
from vetrina.content.records import rules as records
from vetrina.content.records.lifecycle import PUBLISH
from vetrina.core.unit_of_work import Work

__all__ = ["note_overdue", "publish"]

# Written as the condition of the index `record_due` is, which SQLite uses only when it sees the same text.
_OVERDUE = Statement(
    select(table.c.id, table.c.type, table.c.date_gmt).where(
        table.c.status + literal_column("''") == literal_column("'future'"), table.c.date_gmt <= bindparam("now")
    )
)


def publish(work: Work, arguments: Mapping[str, Any]) -> None:
    """Publish a record whose date has come; one that is gone, no longer waits or waits for later is left alone.

    arguments: `record`, its number.
    """
    found = record_model.by_id(work.tx, arguments["record"])
    if found is None or found.status != "future" or found.date_gmt > work.now:
        return
    type = work.frame.types.get(found.type)
    # A type that left the profile comes back with its records; until then nobody sees them.
    if type is not None:
        records.publish(work, type, found)


def note_overdue(work: Work) -> None:
    """Note the job of every record that waits for a date in the past, where it is missing or set for later.

    It never should be; this is for sites that were restored, copied, or changed by hand.
    """
    for id, type, date in work.tx.all(_OVERDUE, now=work.now):
        if type in work.frame.types:
            job_queue.bring_forward(work.tx, PUBLISH, {"record": id}, due=date, now=work.now, key=f"{PUBLISH}:{id}")
