"""What is moved in the background: imports and comparisons that were started from a browser.

What they need is imported when one runs: every consumer of jobs would be larger by it otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from vetrina.core.background_work import BackgroundTasks, ExternalTask
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.system.jobs.long_jobs import SITE_COMPARISON_JOB, SITE_IMPORT_JOB
from vetrina.transfer.import_job.uploaded_files import delete_old_uploads

if TYPE_CHECKING:
    from vetrina.transfer.job_calls import JobEnd


def _prepare_import(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], JobEnd | None]:
    from vetrina.transfer.import_job import running

    return running.prepare_import(work, arguments)


def _save_import(work: UnitOfWork, arguments: Mapping[str, Any], end: JobEnd | None) -> None:
    from vetrina.transfer.import_job import running

    running.save_import(work, arguments, end)


def _prepare_comparison(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], JobEnd | None]:
    from vetrina.transfer.comparison_job import running

    return running.prepare_comparison(work, arguments)


def _save_comparison(work: UnitOfWork, arguments: Mapping[str, Any], end: JobEnd | None) -> None:
    from vetrina.transfer.comparison_job import running

    running.save_comparison(work, arguments, end)


BACKGROUND = BackgroundTasks(
    external_tasks={
        SITE_IMPORT_JOB: ExternalTask(_prepare_import, _save_import),
        SITE_COMPARISON_JOB: ExternalTask(_prepare_comparison, _save_comparison),
    },
    periodic_jobs=(delete_old_uploads,),
)
