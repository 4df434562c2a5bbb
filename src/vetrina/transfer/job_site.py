"""A site as a background job opens it: its context and a database of the job's own, beside the consumer's transactions.

A served site is opened by site.py, which joins far more; a job has no requests.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from vetrina.backends.database import Database
from vetrina.core.change_source import IMPORT_SOURCE, ChangeSource, SourceKind
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import NOBODY, User
from vetrina.system import job_runner


class JobSite:
    """A site that an import writes into and a comparison reads (target/writing.py, OpenSite). kind: of the job."""

    def __init__(self, context: SiteContext, database: Database, kind: str) -> None:
        self.context, self.database = context, database
        self._source = ChangeSource(SourceKind.JOB, kind)
        self._tasks = job_runner.collect_background_tasks(context.modules)

    @contextmanager
    def work(self, user: User = NOBODY, read: bool = False, quiet: bool = False) -> Iterator[UnitOfWork]:
        """Open a unit of work. quiet: nobody is told what it writes."""
        site = self.context
        with self.database.begin_read() if read else self.database.begin_write() as tx:
            work = UnitOfWork(
                site, tx, user, root=f"{site.origin}/cms-json", origin=site.origin,
                source=IMPORT_SOURCE if quiet else self._source,
            )  # fmt: skip
            yield work
            if work.changes:
                for hook in (*self._tasks.before_commit, *(() if quiet else self._tasks.last_before_commit)):
                    hook(work)
        work.finish()
