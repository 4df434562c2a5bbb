"""Scheduling: a record that is saved with a later date waits for it, and a job publishes it then.

Not here: the job (content/records/due_publishing.py), dates that are sent (content/records/dates.py). Rules:
docs/rules/statuses.md, 2; docs/rules/dates.md, 4.
"""

from __future__ import annotations

from typing import Final

from vetrina.backends import job_queue
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import UnitOfWork

PUBLISH_RECORD_JOB: Final = "publish"  # the job that publishes a record at its date
_SCHEDULE_AHEAD_SECONDS: Final = 60  # a date closer than that is now


def resolve_status(status: str, date_gmt: int, now: int) -> str:
    """Return the status that follows from a date: `publish` with a future date becomes `future`, and the reverse."""
    if status not in ("publish", "future"):
        return status
    return "future" if date_gmt - now >= _SCHEDULE_AHEAD_SECONDS else "publish"


def schedule_publication(work: UnitOfWork, old: Record | None, new: Record) -> None:
    """Enqueue the job that publishes a record at its date, if this save scheduled it or moved its date.

    A record that is no longer scheduled keeps its job, which then does nothing.
    """
    if new.status == "future" and (old is None or (old.status, old.date_gmt) != (new.status, new.date_gmt)):
        job_queue.enqueue_job(
            work.tx,
            PUBLISH_RECORD_JOB,
            {"record": new.id},
            due=new.date_gmt,
            now=work.now,
            key=f"{PUBLISH_RECORD_JOB}:{new.id}",
        )
