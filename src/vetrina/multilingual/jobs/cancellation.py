"""Cancelling translation jobs: who is told, and the earlier translation that returns to its state before the job.

Rules: docs/rules/translation_jobs.md, 7 and docs/rules/translation_routes.md, 10.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.multilingual.jobs import mails as job_mails, model as job_model
from vetrina.multilingual.jobs.model import TranslationJob
from vetrina.multilingual.jobs.rules import require_newest
from vetrina.multilingual.jobs.states import TranslationJobEvent, get_next_state


def cancel_named_jobs(work: UnitOfWork, named: Iterable[tuple[int, Any]]) -> list[TranslationJob]:
    """Cancel jobs by row id and type, and return those that were, as they were; others, and single strings, are left.

    Raises IllegalJobTransition.
    """
    cancelled = []
    for rid, type in named:
        found = job_model.find_job_by_rid(work, rid)
        if found is not None and found.type == type != "string":
            cancel_job(work, found)
            cancelled.append(found)
    return cancelled


def cancel_job(
    work: UnitOfWork, job: TranslationJob, event: TranslationJobEvent = TranslationJobEvent.CANCELLED
) -> TranslationJob:
    """Cancel a job; an earlier translation returns to its state before the job.

    Raises IllegalJobTransition, TranslationJobOutdated.
    """
    job_mails.notify_withdrawn(work, job)
    return withdraw_job(work, job, event)


def withdraw_job(
    work: UnitOfWork, job: TranslationJob, event: TranslationJobEvent = TranslationJobEvent.CANCELLED
) -> TranslationJob:
    """Cancel a job as `cancel_job` does, but send no notice."""
    require_newest(work, job)
    after = get_next_state(job.state, event)
    if event is TranslationJobEvent.CANCELLED and job.previous:
        return _restore_previous(work, job)
    return job_model.update_job(
        work, job, msgspec.structs.replace(job, status=after.value, needs_update=False, review="")
    )


def capture_previous(old: TranslationJob) -> dict[str, Any]:
    """Return what cancelling a job restores of the job before it."""
    names = ("status", "needs_update", "md5", "service", "service_number", "service_status", "review", "batch")
    return {**{name: getattr(old, name) for name in names}, "job": old.number}


def _restore_previous(work: UnitOfWork, job: TranslationJob) -> TranslationJob:
    """Restore the job before a cancelled one as the newest, and return it."""
    before = dict(job.previous)
    older = job_model.find_job(work, before.pop("job"))
    if older is None:
        return job_model.update_job(work, job, msgspec.structs.replace(job, **before, previous={}))
    job_model.retire_job(work, job)
    job_model.revive_job(work, older)
    older = msgspec.structs.replace(older, revision=None)
    job_model.set_newest_job(work, older)
    return job_model.update_job(work, older, msgspec.structs.replace(older, **before, previous={}))
