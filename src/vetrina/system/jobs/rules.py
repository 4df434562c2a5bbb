"""Background jobs for whoever looks after the server: list, one, try again, take away.

Rules: docs/rules/server.md, 2 and 3. Jobs as rows: backends/job_queue.py, backends/job_listing.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from vetrina.backends import job_listing, job_queue
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.redaction import MASK
from vetrina.system.jobs.long_jobs import LONG_JOB_KINDS, PROGRESS, REPORT, RUN

BackgroundJob: TypeAlias = job_queue.BackgroundJob
JOB_STATES: Final = job_queue.JOB_STATES
JOB_ORDERS: Final = job_listing.JOB_ORDERS
MAX_ATTEMPTS: Final = job_queue.MAX_ATTEMPTS

_MAX_NUMBER: Final = 2**31 - 1
# Arguments whose texts are names that the program gave; a text of any other may be somebody's address or a token.
_PLAIN_ARGUMENTS: Final = frozenset({"type", "taxonomy", "kind", "language", "topic", "report", "after"})
_MAX_PLAIN_LENGTH: Final = 64
_MAX_LISTED: Final = 20


class JobNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_job_invalid_id"
    message = "There is no background job with the number {id}; jobs that are done are kept for seven days."


class CannotRetryJob(ApiError):
    failure, code = Failure.CONFLICT, "rest_job_cannot_retry"
    message = "The job {id} is {state}; only a job that waits or was given up can be tried again."


class CannotDeleteJob(ApiError):
    failure, code = Failure.CONFLICT, "rest_job_cannot_cancel"
    message = (
        "The job {id} is {state}, and other parts of the site count on it. "
        "Only jobs that were given up can be taken away, and backups and checks that have not ended."
    )


def list_jobs(
    work: UnitOfWork, states: Sequence[str], kinds: Sequence[str], order: str, direction: str, offset: int, most: int
) -> tuple[list[BackgroundJob], int]:
    """Return the jobs of a page, and how many there are in all. states, kinds: empty for all."""
    work.forbid_storing()
    return job_listing.list_job_page(work.tx, states, kinds, order, direction, offset, most)


def list_kinds(work: UnitOfWork) -> list[str]:
    """Return the kinds of the jobs that there are now."""
    work.forbid_storing()
    return job_listing.list_job_kinds(work.tx)


def get_job(work: UnitOfWork, id: int) -> BackgroundJob:
    """Return a job. Raises JobNotFound."""
    work.forbid_storing()
    found = job_listing.find_job(work.tx, id) if id <= _MAX_NUMBER else None
    if found is None:
        raise JobNotFound(id=id)
    return found


def retry_job(work: UnitOfWork, job: BackgroundJob) -> BackgroundJob:
    """Make a job due at once, with all its attempts. Raises CannotRetryJob."""
    if not can_retry(job) or not job_queue.retry_job(work.tx, job.id, work.now):
        raise CannotRetryJob(id=job.id, state=job.state)
    return get_job(work, job.id)


def delete_job(work: UnitOfWork, job: BackgroundJob) -> None:
    """Take a job away that nothing else counts on. Raises CannotDeleteJob."""
    if not can_delete(job):
        raise CannotDeleteJob(id=job.id, state=job.state)
    job_listing.delete_job(work.tx, job.id)


def can_retry(job: BackgroundJob) -> bool:
    """Return whether a job can be tried again."""
    return job.state in ("waiting", "failed")


def can_delete(job: BackgroundJob) -> bool:
    """Return whether a job can be taken away."""
    return job.state == "failed" or (job.kind in LONG_JOB_KINDS and job.state in ("waiting", "running"))


def show_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a job as they may be told: numbers and names of the program; the rest is masked."""
    return {
        name: _show_argument(name, value) for name, value in arguments.items() if name not in (PROGRESS, REPORT, RUN)
    }  # fmt: skip


def _show_argument(name: str, value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, (bool, int)):
        return value
    if isinstance(value, str) and name in _PLAIN_ARGUMENTS and len(value) <= _MAX_PLAIN_LENGTH:
        return value
    if isinstance(value, list) and len(value) <= _MAX_LISTED and all(isinstance(one, int) for one in value):
        return value
    return MASK
