"""Who has a translation job: assigning it to a translator, taking it, giving it up.

Not here: which users are translators, and of which languages (multilingual/jobs/translators.py).
Rules: docs/rules/translation_jobs.md, 6 and docs/rules/translation_routes.md, 9.
"""

from __future__ import annotations

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.multilingual.jobs import mails as job_mails, model as job_model, translators as job_translators
from vetrina.multilingual.jobs.cancellation import capture_previous
from vetrina.multilingual.jobs.model import LOCAL, TranslationJob
from vetrina.multilingual.jobs.rules import apply_job_event
from vetrina.multilingual.jobs.states import TranslationJobEvent, TranslationJobState
from vetrina.multilingual.jobs.translators import TranslatorNotFound


def assign_named_job(work: UnitOfWork, number: int, translator: int) -> bool:
    """Assign a job to a translator, both by their ids, and return whether there are such.

    Raises IllegalJobTransition, TranslationJobOutdated.
    """
    found = job_model.find_job(work, number)
    if found is None:
        return False
    try:
        assign_job(work, found, translator)
    except TranslatorNotFound:
        return False
    return True


def assign_job(work: UnitOfWork, job: TranslationJob, translator: int) -> TranslationJob:
    """Assign a job to a translator of the site; without effect for the translator who has it.

    Both translators and the managers of the job are notified.
    Raises IllegalJobTransition, TranslationJobOutdated, TranslatorNotFound.
    """
    user = job_translators.get_translator(work, translator)
    if job.translator == translator:
        return job
    # Cancelling restores a completed translation.
    previous = capture_previous(job) if job.state is TranslationJobState.COMPLETE else job.previous
    new = apply_job_event(
        work, job, TranslationJobEvent.ASSIGNED, translator=translator, service=LOCAL, previous=previous
    )
    user = job_translators.grant_pair_of_job(work, user, job)
    if job.translator and job.state is not TranslationJobState.COMPLETE:
        job_mails.notify_withdrawn(work, job)
    job_mails.notify_assigned(work, [new], user)
    return new


def open_job(work: UnitOfWork, job: TranslationJob) -> TranslationJob:
    """Mark a job as begun; a free job becomes the caller's, a completed one stays complete.

    Raises IllegalJobTransition, TranslationJobOutdated.
    """
    if job.state is TranslationJobState.COMPLETE:
        return job
    return apply_job_event(
        work, job, TranslationJobEvent.OPENED, translator=job.translator or work.user.id, edited=work.now
    )


def resign_job(work: UnitOfWork, job: TranslationJob) -> TranslationJob:
    """Give up a job, for anybody to take; its managers are notified.

    Raises IllegalJobTransition, TranslationJobOutdated.
    """
    job_mails.notify_resigned(work, job)
    return apply_job_event(work, job, TranslationJobEvent.RESIGNED, translator=0)
