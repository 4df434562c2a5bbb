"""Background jobs as their operator sees them: pages of a list, one by its number or key, and what one has to say.

Their life: backends/job_queue.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson
from sqlalchemy import ColumnElement, bindparam, delete, func, select, update

from vetrina.backends.job_queue import BackgroundJob, row_to_job
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.jobs import job

from .database import Statement, Transaction

_DESCENDING: Final = "desc"
_ORDERS: Final[Mapping[str, ColumnElement[Any]]] = {
    "due": job.c.due,
    "id": job.c.id,
    "attempts": job.c.attempts,
    # What happened to it last; one that was never taken comes by the time when it was enqueued.
    "changed": func.coalesce(job.c.finished, job.c.started, job.c.created),
}
JOB_ORDERS: Final = tuple(_ORDERS)


def _build_conditions(by_state: bool, by_kind: bool) -> list[ColumnElement[bool]]:
    return [
        *([InList(job.c.state, "states")] if by_state else []),
        *([InList(job.c.kind, "kinds")] if by_kind else []),
    ]


def _build_list(order: str, direction: str, by_state: bool, by_kind: bool) -> Statement:
    column = _ORDERS[order]
    both = (column.desc(), job.c.id.desc()) if direction == _DESCENDING else (column, job.c.id)
    return Statement(
        select(*job.c)
        .where(*_build_conditions(by_state, by_kind))
        .order_by(*both)
        .limit(bindparam("most"))
        .offset(bindparam("offset"))
    )


_SHAPES: Final = [(state, kind) for state in (False, True) for kind in (False, True)]
_LISTS: Final = {
    (order, direction, *shape): _build_list(order, direction, *shape)
    for order in _ORDERS
    for direction in ("asc", _DESCENDING)
    for shape in _SHAPES
}
_COUNTS: Final = {
    shape: Statement(select(func.count()).select_from(job).where(*_build_conditions(*shape))) for shape in _SHAPES
}
_KINDS: Final = Statement(select(job.c.kind).distinct().order_by(job.c.kind))
_BY_ID: Final = Statement(select(*job.c).where(job.c.id == bindparam("id")))
_BY_KEY: Final = Statement(select(*job.c).where(job.c.key == bindparam("key")))
_DELETE: Final = Statement(delete(job).where(job.c.id == bindparam("id")))
_SAVE_ARGUMENTS: Final = Statement(
    update(job).where(job.c.key == bindparam("key")).values(arguments=bindparam("arguments"))
)
_END: Final = Statement(
    update(job)
    .where(job.c.key == bindparam("key"))
    .values(state="done", finished=bindparam("now"), last_error="", arguments=bindparam("arguments"))
)


def list_job_page(
    tx: Transaction, states: Sequence[str], kinds: Sequence[str], order: str, direction: str, offset: int, most: int
) -> tuple[list[BackgroundJob], int]:
    """Return the jobs of a page, and how many there are in all.

    states, kinds: only jobs that are in one of them; empty for all. order: one of JOB_ORDERS. direction: asc or desc.
    """
    shape = bool(states), bool(kinds)
    given = {
        **({"states": encode_list(states)} if states else {}),
        **({"kinds": encode_list(kinds)} if kinds else {}),
    }
    rows = tx.all(_LISTS[order, direction, *shape], **given, offset=offset, most=most)
    return [row_to_job(row) for row in rows], int(tx.value(_COUNTS[shape], **given))


def list_job_kinds(tx: Transaction) -> list[str]:
    """Return the kinds of jobs that there are now."""
    return [str(kind) for (kind,) in tx.all(_KINDS)]


def find_job(tx: Transaction, id: int) -> BackgroundJob | None:
    """Return a job, None where there is none of this number."""
    row = tx.first(_BY_ID, id=id)
    return row_to_job(row) if row else None


def find_keyed_job(tx: Transaction, key: str) -> BackgroundJob | None:
    """Return the job of a key, None where there is none."""
    row = tx.first(_BY_KEY, key=key)
    return row_to_job(row) if row else None


def delete_job(tx: Transaction, id: int) -> None:
    """Delete a job, whatever its state; what runs for it is not kept then."""
    tx.run(_DELETE, id=id)


def save_job_arguments(tx: Transaction, key: str, arguments: Mapping[str, Any]) -> None:
    """Replace the arguments of the job of a key, where it tells how far it is."""
    tx.run(_SAVE_ARGUMENTS, key=key, arguments=orjson.dumps(arguments).decode())


def end_job(tx: Transaction, key: str, arguments: Mapping[str, Any], now: int) -> None:
    """End the job of a key, whatever its state, and replace its arguments; what runs for it is not kept then."""
    tx.run(_END, key=key, arguments=orjson.dumps(arguments).decode(), now=now)
