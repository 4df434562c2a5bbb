"""What a site does in the background: each kind of job with its function, and what is swept up.

A function is given the transaction that marks its job done, so its writes are kept once or not at all. Work outside
the database does not belong there: it would hold the write lock while it waits (docs/decisions/jobs.md). Errands have
such work: it is done before that transaction is opened.
Not here: jobs as rows (backends/queue.py), the loop (backends/consumer.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from vetrina.backends import search
from vetrina.backends.consumer import Consumer, Reader
from vetrina.backends.database import Database, Tx
from vetrina.backends.queue import Job
from vetrina.domain.content import lifecycle, scheduling
from vetrina.domain.mlang import courier, outdated, site_texts
from vetrina.domain.shop import prices, webhook_deliveries

from .work import Frame, Work

__all__ = ["ERRANDS", "HANDLERS", "SETTLING", "SWEEPS", "Errand", "Handler", "UnknownKind", "consumer"]

_BATCH = 100  # changes that the search index reads in one transaction

Handler = Callable[[Work, Mapping[str, Any]], None]

HANDLERS: dict[str, Handler] = {
    lifecycle.PUBLISH: scheduling.publish,
    prices.SALE: prices.begin_or_end,
}


class Errand(NamedTuple):
    """A kind of job that has to wait for something outside.

    ask: reads what it needs and returns the call that waits, None when there is nothing to do any more.
    keep: writes what the call returned.
    """

    ask: Callable[[Work, Mapping[str, Any]], Callable[[], Any] | None]
    keep: Callable[[Work, Mapping[str, Any], Any], None]


def _nothing(work: Work, arguments: Mapping[str, Any], found: Any) -> None:
    """What is kept of a call whose answer nobody needs."""


ERRANDS: dict[str, Errand] = {
    courier.SEND: Errand(courier.sent, courier.keep_sent),
    courier.FILL: Errand(courier.filled, courier.keep_filled),
    courier.CALL_OFF: Errand(courier.called_off, _nothing),
    webhook_deliveries.DELIVER: Errand(webhook_deliveries.sent, webhook_deliveries.keep_sent),
}

# Called at the end of every transaction that wrote, by whoever opened it: what higher rooms make of its notes.
SETTLING: tuple[Callable[[Work], None], ...] = (
    site_texts.settle, outdated.settle, webhook_deliveries.settle,
)  # fmt: skip

# Called at the start and every minute: they note jobs that should be there and are not, and texts that became strings.
SWEEPS: tuple[Callable[[Work], None], ...] = (
    scheduling.note_overdue, site_texts.sweep, webhook_deliveries.sweep,
)  # fmt: skip


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
        return _settled(work)

    def prepare(job: Job) -> Callable[[Tx, Job], Callable[[], None]]:
        errand = ERRANDS.get(job.kind)
        if errand is None:
            return carry_out
        with database.reading() as tx:
            call = errand.ask(_work(frame, tx), job.arguments)
        found = call() if call is not None else None

        def keep(tx: Tx, job: Job) -> Callable[[], None]:
            work = _work(frame, tx)
            if call is not None:
                errand.keep(work, job.arguments, found)
            return _settled(work)

        return keep

    def sweep(tx: Tx) -> None:
        work = _work(frame, tx)
        for note in SWEEPS:
            note(work)

    # Small batches: the index is written under the lock that every writer needs.
    indexer = Reader(search.backlog, lambda tx: search.catch_up(tx, list(frame.types), most=_BATCH))
    return Consumer(database, frame.clock, carry_out, sweep, indexer, prepare)


def _settled(work: Work) -> Callable[[], None]:
    for settle in SETTLING:
        settle(work)
    return work.finish


def _work(frame: Frame, tx: Tx) -> Work:
    """Return the unit of work of a job: nobody calls, and addresses are the site's own."""
    return Work(frame, tx, root=f"{frame.origin}/cms-json", origin=frame.origin)
