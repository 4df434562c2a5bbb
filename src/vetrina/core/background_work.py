"""What a module does in the background: jobs, external tasks, periodic jobs, hooks before a commit.

Each module declares its own in `background_work.py`; system/job_runner.py merges and runs them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from vetrina.backends.job_consumer import BacklogReader
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.webhooks.model import WebhookResource

JobHandler = Callable[[UnitOfWork, Mapping[str, Any]], None]


class ExternalTask(NamedTuple):
    """A kind of job that waits for something outside the process, between two transactions.

    read: reads what it needs and returns the call that waits, None when there is nothing left to do.
    save: writes what the call returned.
    """

    read: Callable[[UnitOfWork, Mapping[str, Any]], Callable[[], Any] | None]
    save: Callable[[UnitOfWork, Mapping[str, Any], Any], None]


class BackgroundTasks(NamedTuple):
    """What a module does in the background.

    handlers, external_tasks: by kind of job.
    before_commit: called before the commit of every transaction that logged changes, so that a higher module can react
    to what lower ones wrote. last_before_commit: after those of every module, for what tells others of all changes;
    not called for what an import writes. expect_hook_reads: (work, kind, item), called with the first change that a
    transaction logs: what those hooks will read of it is expected, so that it costs no round trip of its own.
    periodic_jobs: called at the start and every minute; they enqueue jobs that should exist and do not, and delete
    what has expired. backlog_readers: read the change log in the background, as indexes of searches do.
    """

    handlers: Mapping[str, JobHandler] = {}
    external_tasks: Mapping[str, ExternalTask] = {}
    before_commit: tuple[Callable[[UnitOfWork], None], ...] = ()
    periodic_jobs: tuple[Callable[[UnitOfWork], None], ...] = ()
    webhook_resources: tuple[Callable[[SiteContext], tuple[WebhookResource, ...]], ...] = ()
    last_before_commit: tuple[Callable[[UnitOfWork], None], ...] = ()
    expect_hook_reads: tuple[Callable[[UnitOfWork, str, str], None], ...] = ()
    backlog_readers: tuple[BacklogReader, ...] = ()


def merge_background_tasks(parts: Iterable[BackgroundTasks]) -> BackgroundTasks:
    """Return the merged tasks of several modules, in order; a later one replaces an earlier one of the same kind."""
    parts = tuple(parts)
    return BackgroundTasks(
        {kind: handler for part in parts for kind, handler in part.handlers.items()},
        {kind: task for part in parts for kind, task in part.external_tasks.items()},
        tuple(hook for part in parts for hook in part.before_commit),
        tuple(periodic for part in parts for periodic in part.periodic_jobs),
        tuple(build for part in parts for build in part.webhook_resources),
        tuple(hook for part in parts for hook in part.last_before_commit),
        tuple(expect for part in parts for expect in part.expect_hook_reads),
        tuple(reader for part in parts for reader in part.backlog_readers),
    )


def discard_result(work: UnitOfWork, arguments: Mapping[str, Any], result: Any) -> None:
    """Discard the result of an external task that nobody needs."""
