"""Translation jobs: fill, complete and review; every event of a job, and the errors of jobs.

Every transition is looked up in multilingual/jobs/states.py. Not here: new jobs (multilingual/jobs/creation.py), who
has a job (multilingual/jobs/assignment.py), cancelling (multilingual/jobs/cancellation.py), the texts of each kind of
item (multilingual/translations/element_types.py), exchange files (multilingual/xliff), outdated sources
(multilingual/jobs/outdated.py), services (multilingual/services/dispatch.py).
Rules: docs/rules/translation_jobs.md, 6 and 8; docs/rules/translation_routes.md, 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.multilingual.jobs import mails as job_mails, model as job_model
from vetrina.multilingual.jobs.model import TranslationJob, TranslationJobField
from vetrina.multilingual.jobs.states import TranslationJobEvent, TranslationReview, get_next_state
from vetrina.multilingual.translations.element_types import get_translatable_kind
from vetrina.multilingual.translations.word_count import has_words


class TranslationJobNotFound(ApiError):
    """No job has this id."""

    failure, code = Failure.NOT_FOUND, "mlang_job_not_found"
    message = "Cannot find job {number}."

    def __init__(self, number: object) -> None:
        super().__init__(number=number, data={"number": Failure.INVALID})


class TranslationJobOutdated(ApiError):
    """A later job replaced this one; only the newest job of a translation can be filled."""

    failure, code = Failure.CONFLICT, "mlang_job_outdated"
    message = "Job {number} was followed by job {newest}. Fill that one."

    def __init__(self, number: int, newest: int) -> None:
        super().__init__(number=number, newest=newest, data={"newest": newest})


class TranslationJobIncomplete(ApiError):
    """A delivery lacks translations that the job requires."""

    code = "mlang_job_incomplete"
    message = "{count} text(s) have no translation, the first of them {name!r}. Send them, or save the job unfinished."

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(count=len(names), name=names[0], data={"fields": list(names)})


def get_job(work: UnitOfWork, number: int) -> TranslationJob:
    """Return a job by its own id. Raises TranslationJobNotFound."""
    found = job_model.find_job(work, number)
    if found is None:
        raise TranslationJobNotFound(number)
    return found


def apply_job_event(
    work: UnitOfWork, job: TranslationJob, event: TranslationJobEvent, **changes: Any
) -> TranslationJob:
    """Apply an event to a job, with further changed members. Raises IllegalJobTransition, TranslationJobOutdated."""
    require_newest(work, job)
    return job_model.update_job(
        work, job, msgspec.structs.replace(job, **{"status": get_next_state(job.state, event).value, **changes})
    )


def save_job_texts(work: UnitOfWork, job: TranslationJob, texts: Mapping[str, str]) -> TranslationJob:
    """Store some translations of a job without completing it. texts: by field name.

    Raises IllegalJobTransition, TranslationJobOutdated.
    """
    new = apply_job_event(work, job, TranslationJobEvent.SAVED, translated=False, edited=work.now)
    _save_targets(work, job, texts)
    return new


def complete_job(
    work: UnitOfWork,
    job: TranslationJob,
    texts: Mapping[str, str],
    *,
    review: TranslationReview = TranslationReview.NONE,
    draft: bool | None = False,
) -> TranslationJob:
    """Complete a job: store its translations, write and link the translated item.

    texts: by field name; unknown names are ignored, and missing ones keep the reused translation of the same text.
    review: the review that the translation still needs. draft: whether a new translation is created as a draft; None
    where an existing draft is published. Raises IllegalJobTransition, TranslationJobOutdated, TranslationJobIncomplete,
    and what writing the item raises.
    """
    require_newest(work, job)
    get_next_state(job.state, TranslationJobEvent.COMPLETED)
    filled = _fill_fields(work, job, texts)
    missing = [one.name for one in filled if one.wanted and not one.target and has_words(one.source)]
    if missing:
        raise TranslationJobIncomplete(missing)
    job_model.update_job_fields(
        work, job, [msgspec.structs.replace(one, finished=True) for one in filled if one.wanted]
    )
    kind = get_translatable_kind(job.element_type)
    translation = kind.apply(work, job, filled, draft=draft)
    finisher = 0 if job.automatic else work.user.id
    done = apply_job_event(
        work,
        job,
        TranslationJobEvent.COMPLETED,
        translation=translation,
        translated=True,
        completed=work.now,
        edited=work.now,
        needs_update=False,
        review=review,
        previous={},
        translator=job.translator or finisher,
    )
    job_mails.notify_completed(work, done)
    return _flag_if_outdated(work, done)


def set_job_review(work: UnitOfWork, job: TranslationJob, state: TranslationReview) -> TranslationJob:
    """Set the review state of a machine translation. Raises IllegalJobTransition."""
    return apply_job_event(work, job, TranslationJobEvent.REVIEWED, review=state)


# -- status rows and jobs


def require_newest(work: UnitOfWork, job: TranslationJob) -> None:
    if not job.is_newest:
        newest = job_model.find_job_by_rid(work, job.rid)
        raise TranslationJobOutdated(job.number, newest.number if newest else 0)


# -- texts


def _fill_fields(work: UnitOfWork, job: TranslationJob, texts: Mapping[str, str]) -> list[TranslationJobField]:
    """Return the fields of a job with new translations."""
    out = []
    for one in job_model.list_job_fields(work, job):
        if one.wanted and texts.get(one.name):
            one = msgspec.structs.replace(one, target=texts[one.name])
        elif one.wanted and one.reused == "leveraged-tm" and not one.finished:
            # Reused from a text that has changed since: nobody confirmed that it still holds.
            one = msgspec.structs.replace(one, target="")
        if one.wanted and not one.target and not has_words(one.source):
            # No file asks for it (multilingual/xliff/writer.py): punctuation alone is the same in every language.
            one = msgspec.structs.replace(one, target=one.source)
        out.append(one)
    return out


def _save_targets(work: UnitOfWork, job: TranslationJob, texts: Mapping[str, str]) -> None:
    fields = {one.name: one for one in job_model.list_job_fields(work, job) if one.wanted}
    kept = [
        msgspec.structs.replace(fields[name], target=target, finished=bool(target))
        for name, target in texts.items()
        if name in fields
    ]
    job_model.update_job_fields(work, job, kept)


def _flag_if_outdated(work: UnitOfWork, job: TranslationJob) -> TranslationJob:
    """Flag a completed job whose source changed while it was open."""
    kind = get_translatable_kind(job.element_type)
    try:
        thing = kind.get_translatable(work, job.element_type, job.element)
    except ApiError:
        return job
    now = kind.fingerprint(work, thing)
    if now == job.md5:
        return job
    return job_model.update_job(work, job, msgspec.structs.replace(job, md5=now, needs_update=True))
