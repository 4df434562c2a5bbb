"""Background jobs as rows: enqueued in the caller's transaction, taken by one consumer, then done or failed.

A job is `waiting` until it is due, `running` while a consumer has it, then `done`, or `failed` after its last attempt.
If the consumer dies, the job stays `running` until its lease expires, then it waits again. Who takes jobs and when:
backends/job_consumer.py. What each kind does: system/job_runner.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import orjson
from sqlalchemy import ColumnElement, and_, bindparam, case, delete, func, insert, not_, null, or_, select, update

from vetrina.backends.statement_cache import InList, build_upsert, encode_list
from vetrina.backends.tables.jobs import job

from .database import ChangeWatcher, Row, Statement, Transaction

JOB_STATES = ("waiting", "running", "done", "failed")
MAX_ATTEMPTS = 10  # attempts before a job is given up; with the delays, a good hour
LASTING_KEYS = "site."  # jobs whose keys begin so stay when they have ended: people ask what the last one found
LEASE_SECONDS = 300  # seconds after which a job that was taken and never finished is free again, but for lasting ones

_FIRST_DELAY = 5  # seconds
_MAX_DELAY = 3600  # seconds
_DIED_MESSAGE = "the process that carried it out ended in the middle"
_MAX_ERROR_LENGTH = 2000  # characters


class BackgroundJob(msgspec.Struct, frozen=True):
    """One job; the fields are the columns of its table, in order.

    due, created, started, finished: seconds since 1970. attempts: how often it was taken since it was last enqueued.
    key: identifies a job that exists only once; empty for none.
    """

    id: int
    kind: str
    arguments: dict[str, Any]
    due: int
    state: str
    attempts: int
    last_error: str
    created: int
    started: int | None
    finished: int | None
    key: str


_COLUMNS = [column.name for column in job.c]
assert tuple(_COLUMNS) == BackgroundJob.__struct_fields__, "Job and its table name the same members in the same order"

# The state of a job when it is enqueued, for the first time or again.
_NEW_JOB_VALUES: dict[str, Any] = {
    "kind": bindparam("kind"),
    "arguments": bindparam("arguments"),
    "due": bindparam("due"),
    "state": "waiting",
    "attempts": 0,
    "last_error": "",
    "created": bindparam("now"),
    "started": null(),
    "finished": null(),
}
_PUT = Statement(insert(job).values(_NEW_JOB_VALUES))
_PUT_KEY = Statement(
    build_upsert(job, keys=("key",), values={**_NEW_JOB_VALUES, "key": bindparam("key")}, changes=_NEW_JOB_VALUES)
)
_idle: ColumnElement[bool] = or_(
    job.c.state == "done",
    and_(job.c.state == "waiting", job.c.attempts == 0, job.c.due > bindparam("due")),
)
_STATE_OF_KEY = Statement(select(job.c.id, _idle).where(job.c.key == bindparam("key")))

_first_due = (
    select(job.c.id)
    .where(job.c.state == "waiting", job.c.due <= bindparam("now"))
    .order_by(job.c.due, job.c.id)
    .limit(1)
    # SQLite has one writer at a time and leaves this out; on PostgreSQL two consumers skip each other's rows.
    .with_for_update(skip_locked=True)
)
_TAKE = Statement(
    update(job)
    .where(job.c.id == _first_due.scalar_subquery())
    .values(state="running", attempts=job.c.attempts + 1, started=bindparam("now"))
    .returning(*job.c)
)
_held: ColumnElement[bool] = and_(
    job.c.id == bindparam("id"),
    job.c.state == "running",
    job.c.attempts == bindparam("attempt"),
    job.c.started == bindparam("since"),
)
_FINISH = Statement(
    update(job).where(_held).values(state="done", finished=bindparam("now"), last_error="").returning(*job.c)
)
_FAIL = Statement(
    update(job)
    .where(_held)
    .values(
        state=bindparam("state"), due=bindparam("due"), finished=bindparam("finished"), last_error=bindparam("error")
    )
)
_passing: ColumnElement[bool] = or_(job.c.key.is_(None), not_(job.c.key.startswith(LASTING_KEYS, autoescape=True)))
_reclaim = (
    update(job)
    .where(job.c.state == "running", job.c.started <= bindparam("before"))
    .values(
        state=case((job.c.attempts >= MAX_ATTEMPTS, "failed"), else_="waiting"),
        finished=case((job.c.attempts >= MAX_ATTEMPTS, bindparam("now")), else_=null()),
        last_error=_DIED_MESSAGE,
    )
)
# A backup may take longer than any lease, while others are taken; only the consumer that follows a dead one frees it.
_RECLAIM, _RECLAIM_EXPIRED = Statement(_reclaim), Statement(_reclaim.where(_passing))
_RETRY = Statement(
    update(job)
    .where(job.c.id == bindparam("id"), or_(job.c.state == "waiting", job.c.state == "failed"))
    .values(state="waiting", attempts=0, due=bindparam("now"), finished=null())
)
_restart = (
    update(job)
    .where(job.c.state == "running", job.c.kind == bindparam("kind"))
    .values(state="waiting", attempts=0, due=bindparam("due"), started=null())
)
_RESTART_KIND, _RESTART_KEYS = Statement(_restart), Statement(_restart.where(InList(job.c.key, "keys")))
_FORGET = Statement(
    delete(job).where(
        job.c.state == bindparam("state"),
        job.c.finished <= bindparam("before"),
        _passing,
    )
)
_NEXT = Statement(
    select(
        select(func.min(job.c.due)).where(job.c.state == "waiting").scalar_subquery(),
        select(func.min(job.c.started)).where(job.c.state == "running", _passing).scalar_subquery(),
    )
)
_COUNT = Statement(select(job.c.state, func.count(), func.min(job.c.due)).group_by(job.c.state))
_DUE = Statement(select(func.count()).where(job.c.state == "waiting", job.c.due <= bindparam("now")))
_LIST = {
    state: Statement(
        select(job)
        .where(job.c.state == state if state else job.c.id > 0)
        .order_by(job.c.due, job.c.id)
        .limit(bindparam("most"))
    )
    for state in ("", *JOB_STATES)
}


def enqueue_job(tx: Transaction, kind: str, arguments: dict[str, Any], *, due: int, now: int, key: str = "") -> None:
    """Enqueue a job in the caller's transaction: it runs after the commit, or never if that is rolled back.

    arguments: JSON values. due, now: seconds since 1970.
    key: only one job has it; enqueuing it again moves that job to the new due time, whatever its state.
    """
    values = {"kind": kind, "arguments": orjson.dumps(arguments).decode(), "due": due, "now": now}
    if key:
        tx.run(_PUT_KEY, **values, key=key)
    else:
        tx.run(_PUT, **values)


def enqueue_missing_job(tx: Transaction, kind: str, arguments: dict[str, Any], *, due: int, now: int, key: str) -> None:
    """Enqueue a job that should exist already; one that is being retried or was given up is left alone."""
    row = tx.first(_STATE_OF_KEY, key=key, due=due)
    if row is None or row[1]:
        enqueue_job(tx, kind, arguments, due=due, now=now, key=key)


def take_job(tx: Transaction, now: int) -> BackgroundJob | None:
    """Take the job that has been due longest, None if there is none; frees jobs with an expired lease first."""
    tx.run(_RECLAIM_EXPIRED, before=now - LEASE_SECONDS, now=now)
    row = tx.first(_TAKE, now=now)
    return row_to_job(row) if row else None


def finish_job(tx: Transaction, job: BackgroundJob, now: int) -> BackgroundJob | None:
    """Mark a taken job done and return its current row, None if this consumer no longer owns it.

    Call it in the transaction that runs the job, before anything else: then the work is committed together with the
    mark or not at all, and the job may enqueue itself again.
    """
    row = tx.first(_FINISH, id=job.id, attempt=job.attempts, since=job.started, now=now)
    return row_to_job(row) if row else None


def fail_job(tx: Transaction, job: BackgroundJob, error: str, now: int, chance: float) -> int | None:
    """Record a failed attempt and return when the next is due, None if there is none.

    chance: a random number from 0 to 1, the jitter that keeps jobs which failed together from retrying together.
    """
    last = job.attempts >= MAX_ATTEMPTS
    due = job.due if last else now + compute_retry_delay(job.attempts, chance)
    tx.run(
        _FAIL, id=job.id, attempt=job.attempts, since=job.started, error=error[:_MAX_ERROR_LENGTH],
        state="failed" if last else "waiting", due=due, finished=now if last else None,
    )  # fmt: skip
    return None if last else due


def compute_retry_delay(attempts: int, chance: float) -> int:
    """Return the seconds before the next attempt: doubled each time, give or take a quarter by chance."""
    longest = min(_MAX_DELAY, _FIRST_DELAY << (attempts - 1))
    return max(1, round(longest * (0.75 + chance / 2)))


def reclaim_jobs(tx: Transaction, before: int, now: int) -> int:
    """Let jobs taken until `before` wait again, or fail after their last attempt; return their number."""
    return tx.run_and_count(_RECLAIM, before=before, now=now)


def find_next_due(source: Transaction | ChangeWatcher) -> int | None:
    """Return when the next job is due, None if nothing waits and nothing runs."""
    [(waiting, started)] = source.all(_NEXT)
    dates = [date for date in (waiting, None if started is None else started + LEASE_SECONDS) if date is not None]
    return min(dates, default=None)


def count_jobs(tx: Transaction, now: int) -> tuple[dict[str, int], int]:
    """Return the number of jobs by state, and the seconds by which the oldest waiting job is late.

    Waiting jobs are counted as `due` or, for later, as `scheduled`.
    """
    found = {str(state): (int(count), int(due)) for state, count, due in tx.all(_COUNT)}
    waiting, first = found.pop("waiting", (0, now))
    due = int(tx.value(_DUE, now=now))
    counts = {"due": due, "scheduled": waiting - due}
    counts |= {state: found.get(state, (0, 0))[0] for state in JOB_STATES if state != "waiting"}
    return counts, max(0, now - first)


def list_jobs(tx: Transaction, state: str = "", most: int = 1_000_000) -> list[BackgroundJob]:
    """Return jobs by due time; state: one of STATES, empty for all."""
    return [row_to_job(row) for row in tx.all(_LIST[state], most=most)]


def retry_job(tx: Transaction, id: int, now: int) -> bool:
    """Make a waiting or failed job due at once, with all its attempts; return whether it exists."""
    return tx.run_and_count(_RETRY, id=id, now=now) > 0


def restart_running_jobs(tx: Transaction, kind: str, due: int, keys: Iterable[str] | None = None) -> None:
    """Let running jobs of a kind start again: what they read has changed since, so what they would write is refused.

    due: seconds since 1970. keys: only the jobs with these keys, None for all.
    """
    if keys is None:
        tx.run(_RESTART_KIND, kind=kind, due=due)
    else:
        tx.run(_RESTART_KEYS, kind=kind, due=due, keys=encode_list(keys))


def delete_ended_jobs(tx: Transaction, state: str, before: int) -> int:
    """Delete the jobs that ended in a state until `before`, and return their number."""
    return tx.run_and_count(_FORGET, state=state, before=before)


def row_to_job(row: Row) -> BackgroundJob:
    """Return the job of a row of all columns."""
    members = [*row[:2], orjson.loads(row[2]), *row[3:-1], row[-1] or ""]
    return BackgroundJob(*members)
