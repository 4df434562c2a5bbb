"""The consumer of a site's jobs, over all that the modules of its profile do in the background.

A function is given the transaction that marks its job done, so its writes are kept once or not at all. Work outside the
database does not belong there: it would hold the write lock while it waits (docs/decisions/jobs.md). Errands have such
work: it is done before that transaction is opened. Not here: jobs as rows (backends/job_queue.py), the loop
(backends/job_consumer.py), what the translation and the shop do (multilingual/background_work.py,
shop/background_work.py).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from vetrina.access.passwords import reset as password_reset
from vetrina.access.passwords import reset_mail
from vetrina.backends import search_index
from vetrina.backends.database import Database, Tx
from vetrina.backends.job_consumer import Consumer, Reader
from vetrina.backends.job_queue import Job
from vetrina.content.feeds import rules as feeds
from vetrina.content.records import lifecycle, rerendering, scheduling
from vetrina.core.background_work import Background, Errand, Handler, joined
from vetrina.core.unit_of_work import Frame, Work

__all__ = ["UnknownKind", "background", "consumer"]

_BATCH = 100  # changes that the search index reads in one transaction

_CONTENT = Background(
    handlers={lifecycle.PUBLISH: scheduling.publish, rerendering.JOB: rerendering.carry_on},
    errands={
        feeds.FETCH: Errand(feeds.to_fetch, feeds.keep),
        # A shop has an errand of its own in its place.
        password_reset.ASKED: Errand(reset_mail.send_mail, password_reset.keep),
    },
    sweeps=(scheduling.note_overdue, feeds.sweep, rerendering.sweep),
)


class UnknownKind(LookupError):
    """No function carries out this kind of job; another version of the program may have noted it."""


def background(modules: Collection[str]) -> Background:
    """Return what a site with these modules does in the background; a module that it lacks is not loaded."""
    parts = [_CONTENT]
    if "multilingual" in modules:
        from vetrina.multilingual import background_work as multilingual_background_work

        parts.append(multilingual_background_work.BACKGROUND)
    if "shop" in modules:
        from vetrina.analytics import background_work as analytics_background_work
        from vetrina.shop import background_work as shop_background_work

        parts += [analytics_background_work.BACKGROUND, shop_background_work.BACKGROUND]
    if "connector" in modules:
        from vetrina.connector import background_work as connector_background_work

        parts.append(connector_background_work.BACKGROUND)
    return joined(parts)


def consumer(frame: Frame, database: Database, handlers: Mapping[str, Handler] | None = None) -> Consumer:
    """Return the consumer of a site's jobs; handlers: kind → function, those of its modules when left out."""
    does = background(frame.profile.modules)
    known = does.handlers if handlers is None else handlers

    def carry_out(tx: Tx, job: Job) -> Callable[[], None]:
        handler = known.get(job.kind)
        if handler is None:
            raise UnknownKind(f"there is no job of the kind {job.kind!r}; known: {', '.join(sorted(known))}")
        work = _work(frame, tx)
        handler(work, job.arguments)
        return settled(work)

    def prepare(job: Job) -> Callable[[Tx, Job], Callable[[], None]]:
        errand = does.errands.get(job.kind)
        if errand is None:
            return carry_out
        with database.reading() as tx:
            call = errand.ask(_work(frame, tx), job.arguments)
        found = call() if call is not None else None

        def keep(tx: Tx, job: Job) -> Callable[[], None]:
            work = _work(frame, tx)
            if call is not None:
                errand.keep(work, job.arguments, found)
            return settled(work)

        return keep

    def sweep(tx: Tx) -> None:
        work = _work(frame, tx)
        for note in does.sweeps:
            note(work)

    def settled(work: Work) -> Callable[[], None]:
        for settle in does.settling:
            settle(work)
        return work.finish

    # Small batches: the index is written under the lock that every writer needs.
    indexer = Reader(search_index.backlog, lambda tx: search_index.catch_up(tx, list(frame.types), most=_BATCH))
    return Consumer(database, frame.clock, carry_out, sweep, indexer, prepare)


def _work(frame: Frame, tx: Tx) -> Work:
    """Return the unit of work of a job: nobody calls, and addresses are the site's own."""
    return Work(frame, tx, root=f"{frame.origin}/cms-json", origin=frame.origin)
