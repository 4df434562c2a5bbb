"""Jobs that administrators start and that may take minutes: one of a kind at a time, with progress and a report.

Such a job is a row like any other, with its kind as its key. While it runs it notes how far it is among its own
arguments, in transactions of its own, so that every process of every machine can tell; and when it has ended, what
came of it. Taking the row away calls it off. Rules: docs/rules/server.md, 3.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from vetrina.backends import job_listing, job_queue
from vetrina.backends.database import Database
from vetrina.backends.job_queue import BackgroundJob
from vetrina.backends.site_folder import open_site_database
from vetrina.backends.transaction_retries import run_with_retries
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.keys import generate_key

SITE_BACKUP_JOB: Final = "site.backup"
SITE_CHECK_JOB: Final = "site.check"
SITE_IMPORT_JOB: Final = "site.import"
SITE_COMPARISON_JOB: Final = "site.comparison"
LONG_JOB_KINDS: Final = frozenset({SITE_BACKUP_JOB, SITE_CHECK_JOB, SITE_IMPORT_JOB, SITE_COMPARISON_JOB})
# Names among the arguments of such a job.
PROGRESS: Final = "progress"
REPORT: Final = "report"
RUN: Final = "run"  # what tells one start of it from the next

_NOTE_SECONDS: Final = 1.0  # between two notes of progress


class LongJobRunning(ApiError):
    failure, code = Failure.CONFLICT, "rest_job_running"
    message = "One is on its way already (job {id}). Wait until it has ended, or take it away."


class LongJobNotRunning(ApiError):
    failure, code = Failure.CONFLICT, "rest_job_not_running"
    message = "There is none that could be stopped: the last one has ended."


class LongJobCancelled(Exception):
    """The job was taken away while it ran."""


def find_long_job(work: UnitOfWork, kind: str) -> BackgroundJob | None:
    """Return the job of a kind, None where there was none yet."""
    work.forbid_storing()
    return job_listing.find_keyed_job(work.tx, kind)


def is_under_way(job: BackgroundJob | None) -> bool:
    """Return whether a job waits or runs."""
    return job is not None and job.state in ("waiting", "running")


def start_long_job(work: UnitOfWork, kind: str, arguments: Mapping[str, Any]) -> BackgroundJob:
    """Enqueue the job of a kind; what the last one found stays readable meanwhile. Raises LongJobRunning."""
    last = find_long_job(work, kind)
    if last is not None and is_under_way(last):
        raise LongJobRunning(id=last.id)
    kept = {REPORT: last.arguments[REPORT]} if last is not None and REPORT in last.arguments else {}
    values = {**arguments, **kept, RUN: generate_key()}
    job_queue.enqueue_job(work.tx, kind, values, due=work.now, now=work.now, key=kind)
    made = job_listing.find_keyed_job(work.tx, kind)
    assert made is not None, "it was written a line above"
    return made


def stop_long_job(work: UnitOfWork, kind: str, report: Mapping[str, Any]) -> None:
    """Let the job of a kind end as it is, with a report; the thread that runs it learns of that at its next step.

    Nothing that it was started with stays. Raises LongJobNotRunning.
    """
    last = find_long_job(work, kind)
    if last is None or not is_under_way(last):
        raise LongJobNotRunning
    job_listing.end_job(work.tx, kind, {REPORT: dict(report)}, work.now)


def save_report(work: UnitOfWork, kind: str, arguments: Mapping[str, Any], report: Mapping[str, Any]) -> None:
    """Store what came of the job of a kind, in the transaction that ends it."""
    kept = {name: value for name, value in arguments.items() if name not in (PROGRESS, RUN)}
    job_listing.save_job_arguments(work.tx, kind, {**kept, REPORT: dict(report)})


@contextmanager
def open_own_database(site: SiteContext) -> Iterator[Database]:
    """Open the database of a site for a job that reads and notes beside the consumer's transactions."""
    database = open_site_database(site.folder, site.settings)
    try:
        yield database
    finally:
        database.close()


class ProgressNotes:
    """Notes how far a job is, at most once a second.

    arguments: those that the job was started with.
    """

    def __init__(self, database: Database, kind: str, arguments: Mapping[str, Any]) -> None:
        self._database, self._kind = database, kind
        self._arguments = {name: value for name, value in arguments.items() if name != PROGRESS}
        self._last = -_NOTE_SECONDS

    def __call__(self, step: str, done: int, of: int) -> None:
        """Note a step and how much of it is done; of: how much there is, 0 where that is unknown.

        Raises LongJobCancelled where the job was taken away.
        """
        now = time.monotonic()
        if now - self._last < _NOTE_SECONDS:
            return
        self._last = now
        arguments = {**self._arguments, PROGRESS: {"step": step, "done": done, "of": of}}

        def note() -> bool:
            with self._database.begin_write() as tx:
                job = job_listing.find_keyed_job(tx, self._kind)
                # One that was stopped and started again is not this one.
                if job is None or job.state != "running" or job.arguments.get(RUN) != self._arguments.get(RUN):
                    return False
                job_listing.save_job_arguments(tx, self._kind, arguments)
                return True

        if not run_with_retries(note):
            raise LongJobCancelled
