"""The consumer of a site's jobs, for everything that the modules of its profile do in the background.

A function is given the transaction that marks its job done, so its writes are kept once or not at all. Work outside the
database does not belong there: it would hold the write lock while it waits (docs/decisions/jobs.md). Errands have such
work: it is done before that transaction is opened. Not here: jobs as rows (backends/job_queue.py), the loop
(backends/job_consumer.py), what the modules do (`background_work.py` in the folder of each).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from vetrina.backends import search_index
from vetrina.backends.database import Database, Transaction
from vetrina.backends.job_consumer import BacklogReader, JobConsumer
from vetrina.backends.job_queue import BackgroundJob
from vetrina.core.background_work import BackgroundTasks, JobHandler, merge_background_tasks
from vetrina.core.change_source import ChangeSource, SourceKind
from vetrina.core.module import Module
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.system.jobs.long_jobs import LONG_JOB_KINDS

_INDEX_BATCH = 100  # changes that are indexed in one transaction


class UnknownJobKind(LookupError):
    """No handler for this kind of job; another version of the program may have enqueued it."""


def collect_background_tasks(modules: Iterable[Module]) -> BackgroundTasks:
    """Return what a site with these modules does in the background."""
    return merge_background_tasks(module.load_background() for module in modules)


def build_consumer(
    site: SiteContext, database: Database, handlers: Mapping[str, JobHandler] | None = None
) -> JobConsumer:
    """Return the consumer of a site's jobs; handlers: kind → function, those of its modules when left out."""
    tasks = collect_background_tasks(site.modules)
    known = tasks.handlers if handlers is None else handlers

    def run_job(tx: Transaction, job: BackgroundJob) -> Callable[[], None]:
        handler = known.get(job.kind)
        if handler is None:
            raise UnknownJobKind(f"there is no job of the kind {job.kind!r}; known: {', '.join(sorted(known))}")
        work = _build_unit_of_work(site, tx, job.kind)
        handler(work, job.arguments)
        return run_hooks(work)

    def prepare(job: BackgroundJob) -> Callable[[Transaction, BackgroundJob], Callable[[], None]]:
        task = tasks.external_tasks.get(job.kind)
        if task is None:
            return run_job
        with database.begin_read() as tx:
            call = task.read(_build_unit_of_work(site, tx, job.kind), job.arguments)
        result = call() if call is not None else None

        def save_result(tx: Transaction, job: BackgroundJob) -> Callable[[], None]:
            work = _build_unit_of_work(site, tx, job.kind)
            if call is not None:
                task.save(work, job.arguments, result)
            return run_hooks(work)

        return save_result

    def run_periodic_jobs(tx: Transaction) -> Callable[[], None]:
        steps: list[Callable[[], None]] = []
        for periodic_job in tasks.periodic_jobs:
            work = _build_unit_of_work(site, tx, _name_periodic_job(periodic_job))
            periodic_job(work)
            # What it changed is told like every other change: in reports, in the audit trail, outside.
            steps.append(run_hooks(work) if work.changes else work.finish)

        def finish() -> None:
            for step in steps:
                step()

        return finish

    def run_hooks(work: UnitOfWork) -> Callable[[], None]:
        for hook in (*tasks.before_commit, *tasks.last_before_commit):
            hook(work)
        return work.finish

    # Small batches: the index is written under the lock that every writer needs.
    indexer = BacklogReader(
        search_index.count_unindexed_changes,
        lambda tx: search_index.index_changes(tx, list(site.types), most=_INDEX_BATCH),
    )
    readers = indexer, *tasks.backlog_readers
    reader = BacklogReader(
        lambda tx: sum(one.count_pending(tx) for one in readers),
        lambda tx: sum(one.read_batch(tx) for one in readers),
    )
    return JobConsumer(database, site.clock, run_job, run_periodic_jobs, reader, prepare, LONG_JOB_KINDS)


def _name_periodic_job(job: Callable[[UnitOfWork], None]) -> str:
    """Return the name of a periodic job: its module, and what it does."""
    return f"{job.__module__.split('.')[1]}.{job.__name__}"


def _build_unit_of_work(site: SiteContext, tx: Transaction, name: str) -> UnitOfWork:
    """Return the unit of work of a job: without a caller, and with the site's own URLs. name: of the job."""
    source = ChangeSource(SourceKind.JOB, name)
    return UnitOfWork(site, tx, root=f"{site.origin}/cms-json", origin=site.origin, source=source)
