"""Background jobs as rows: noted in the caller's transaction, taken by one, done or failed for all to see.

A job is `waiting` until it is due, `running` while somebody has taken it, then `done`, or `failed` when its last
attempt was. A taker that dies leaves its job running; when the lease is over, it waits again.
Not here: who takes jobs and when (backends/job_consumer.py), what the kinds do (system/job_runner.py).
"""

from __future__ import annotations

from typing import Any

import msgspec
import orjson
from sqlalchemy import ColumnElement, and_, bindparam, case, delete, func, insert, null, or_, select, update

from vetrina.backends.statement_cache import upsert
from vetrina.backends.tables.core import job

from .database import Row, Statement, Tx, Watch

__all__ = [
    "ATTEMPTS", "LEASE", "STATES", "Job", "bring_forward", "counted", "delay", "fail", "finish", "forget", "listed",
    "next_due", "put", "reclaim", "retry", "take",
]  # fmt: skip

STATES = ("waiting", "running", "done", "failed")
ATTEMPTS = 10  # how often a job is tried before it is given up; with the delays, for a good hour
LEASE = 300  # seconds after which a job that was taken and never finished is free again

_FIRST_DELAY = 5  # seconds
_LONGEST_DELAY = 3600  # seconds
_DIED = "the process that carried it out ended in the middle"
_ERROR_LENGTH = 2000  # characters


class Job(msgspec.Struct, frozen=True):
    """One job. The members are the columns of its table, in their order.

    due, created, started, finished: seconds since 1970. attempts: how often it was taken since it was last put.
    key: what there is only one job for; empty for none.
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
assert tuple(_COLUMNS) == Job.__struct_fields__, "Job and its table name the same members in the same order"

# What a job is when it is put, for the first time or again.
_FRESH: dict[str, Any] = {
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
_PUT = Statement(insert(job).values(_FRESH))
_PUT_KEY = Statement(upsert(job, keys=("key",), values={**_FRESH, "key": bindparam("key")}, changes=_FRESH))
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
    # SQLite has one writer at a time and leaves this out; elsewhere two takers pass each other by.
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
_RECLAIM = Statement(
    update(job)
    .where(job.c.state == "running", job.c.started <= bindparam("before"))
    .values(
        state=case((job.c.attempts >= ATTEMPTS, "failed"), else_="waiting"),
        finished=case((job.c.attempts >= ATTEMPTS, bindparam("now")), else_=null()),
        last_error=_DIED,
    )
)
_RETRY = Statement(
    update(job)
    .where(job.c.id == bindparam("id"), or_(job.c.state == "waiting", job.c.state == "failed"))
    .values(state="waiting", attempts=0, due=bindparam("now"), finished=null())
)
_FORGET = Statement(delete(job).where(job.c.state == bindparam("state"), job.c.finished <= bindparam("before")))
_NEXT = Statement(
    select(
        select(func.min(job.c.due)).where(job.c.state == "waiting").scalar_subquery(),
        select(func.min(job.c.started)).where(job.c.state == "running").scalar_subquery(),
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
    for state in ("", *STATES)
}


def put(tx: Tx, kind: str, arguments: dict[str, Any], *, due: int, now: int, key: str = "") -> None:
    """Note a job in the caller's transaction: it is carried out after that, or never when that is undone.

    arguments: what JSON can say. due, now: seconds since 1970.
    key: there is one job with it; putting it again moves that job to the new date, whatever has become of it.
    """
    values = {"kind": kind, "arguments": orjson.dumps(arguments).decode(), "due": due, "now": now}
    if key:
        tx.run(_PUT_KEY, **values, key=key)
    else:
        tx.run(_PUT, **values)


def bring_forward(tx: Tx, kind: str, arguments: dict[str, Any], *, due: int, now: int, key: str) -> None:
    """Note a job that should be there already; one that is tried, or was given up, is left alone."""
    row = tx.first(_STATE_OF_KEY, key=key, due=due)
    if row is None or row[1]:
        put(tx, kind, arguments, due=due, now=now, key=key)


def take(tx: Tx, now: int) -> Job | None:
    """Take the job that is due longest, None when there is none; jobs of takers that died wait again first."""
    reclaim(tx, now - LEASE, now)
    row = tx.first(_TAKE, now=now)
    return _of_row(row) if row else None


def finish(tx: Tx, taken: Job, now: int) -> Job | None:
    """Mark a taken job done and return it as it stands now, None when it is no longer this taker's.

    Called in the transaction that carries the job out, before anything else in it: then the work is kept together
    with the mark or not at all, and the job may put itself again.
    """
    row = tx.first(_FINISH, id=taken.id, attempt=taken.attempts, since=taken.started, now=now)
    return _of_row(row) if row else None


def fail(tx: Tx, taken: Job, error: str, now: int, chance: float) -> int | None:
    """Note that an attempt failed and return when the next is due, None when there is none.

    chance: a random number from 0 to 1, which keeps jobs that failed together from coming back together.
    """
    last = taken.attempts >= ATTEMPTS
    due = taken.due if last else now + delay(taken.attempts, chance)
    tx.run(
        _FAIL, id=taken.id, attempt=taken.attempts, since=taken.started, error=error[:_ERROR_LENGTH],
        state="failed" if last else "waiting", due=due, finished=now if last else None,
    )  # fmt: skip
    return None if last else due


def delay(attempts: int, chance: float) -> int:
    """Return the seconds to wait after so many attempts: doubled each time, give or take a quarter by chance."""
    longest = min(_LONGEST_DELAY, _FIRST_DELAY << (attempts - 1))
    return max(1, round(longest * (0.75 + chance / 2)))


def reclaim(tx: Tx, before: int, now: int) -> int:
    """Let jobs that were taken until `before` wait again, or fail after their last attempt; return their number."""
    return tx.run(_RECLAIM, before=before, now=now)


def next_due(source: Tx | Watch) -> int | None:
    """Return when there is something to take next, None when nothing waits and nothing runs."""
    [(waiting, started)] = source.all(_NEXT)
    dates = [date for date in (waiting, None if started is None else started + LEASE) if date is not None]
    return min(dates, default=None)


def counted(tx: Tx, now: int) -> tuple[dict[str, int], int]:
    """Return how many jobs there are by state, and the seconds by which the oldest that waits is late.

    Those that wait are told as `due` and as `scheduled` for later.
    """
    found = {str(state): (int(count), int(due)) for state, count, due in tx.all(_COUNT)}
    waiting, first = found.pop("waiting", (0, now))
    due = int(tx.value(_DUE, now=now))
    counts = {"due": due, "scheduled": waiting - due}
    counts |= {state: found.get(state, (0, 0))[0] for state in STATES if state != "waiting"}
    return counts, max(0, now - first)


def listed(tx: Tx, state: str = "", most: int = 1_000_000) -> list[Job]:
    """Return jobs by their date; state: one of STATES, empty for all."""
    return [_of_row(row) for row in tx.all(_LIST[state], most=most)]


def retry(tx: Tx, id: int, now: int) -> bool:
    """Let a waiting or failed job be tried at once, with all its attempts; say whether there is such a job."""
    return tx.run(_RETRY, id=id, now=now) > 0


def forget(tx: Tx, state: str, before: int) -> int:
    """Remove the jobs that ended in a state until `before`, and return their number."""
    return tx.run(_FORGET, state=state, before=before)


def _of_row(row: Row) -> Job:
    members = [*row[:2], orjson.loads(row[2]), *row[3:-1], row[-1] or ""]
    return Job(*members)
