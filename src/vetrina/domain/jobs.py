"""What a site does in the background: each kind of job with its function, and what is swept up.

A function is given the transaction that marks its job done, so its writes are kept once or not at all. Work outside
the database does not belong there: it would hold the write lock while it waits (docs/decisions/jobs.md).
Not here: jobs as rows (backends/queue.py), the loop (backends/consumer.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from vetrina.backends import search
from vetrina.backends.consumer import Consumer, Reader
from vetrina.backends.database import Database, Tx
from vetrina.backends.queue import Job
from vetrina.domain.content import lifecycle, scheduling

from .work import Frame, Work

__all__ = ["HANDLERS", "SWEEPS", "Handler", "UnknownKind", "consumer"]

_BATCH = 100  # changes that the search index reads in one transaction

Handler = Callable[[Work, Mapping[str, Any]], None]

HANDLERS: dict[str, Handler] = {
    lifecycle.PUBLISH: scheduling.publish,
}

# Called at the start and every minute: they note jobs that should be there and are not.
SWEEPS: tuple[Callable[[Work], None], ...] = (scheduling.note_overdue,)


class UnknownKind(LookupError):
    """No function carries out this kind of job; another version of the program may have noted it."""


def consumer(frame: Frame, database: Database, handlers: Mapping[str, Handler] = HANDLERS) -> Consumer:
    """Return the consumer of a site's jobs; handlers: kind → function."""

    def carry_out(tx: Tx, job: Job) -> Callable[[], None]:
        handler = handlers.get(job.kind)
        if handler is None:
            raise UnknownKind(f"there is no job of the kind {job.kind!r}; known: {', '.join(sorted(handlers))}")
        work = _work(frame, tx)
        handler(work, job.arguments)
        return work.finish

    def sweep(tx: Tx) -> None:
        work = _work(frame, tx)
        for note in SWEEPS:
            note(work)

    # Small batches: the index is written under the lock that every writer needs.
    indexer = Reader(search.backlog, lambda tx: search.catch_up(tx, list(frame.types), most=_BATCH))
    return Consumer(database, frame.clock, carry_out, sweep, indexer)


def _work(frame: Frame, tx: Tx) -> Work:
    """Return the unit of work of a job: nobody calls, and addresses are the site's own."""
    return Work(frame, tx, root=f"{frame.origin}/cms-json", origin=frame.origin)
