"""Dispatch of jobs to translation services: sent after the transaction that made them, filled, collected, called off.

All services, the local one among them, implement `TranslationProvider`. Calls that may wait for another server are
background jobs that wait between transactions (system/job_runner.py).
Not here: the exchange that a remote editor's own clients drive (multilingual/services/editor_exchange.py).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

import msgspec

from vetrina.backends import job_queue
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.multilingual.glossary.term_matching import build_term_finder
from vetrina.multilingual.jobs import cancellation, file_exchange, model as job_model, rules as jobs
from vetrina.multilingual.jobs.model import LOCAL, TranslationJob
from vetrina.multilingual.jobs.states import TranslationJobEvent, TranslationJobState, TranslationReview
from vetrina.multilingual.services import account as service_account, machine
from vetrina.multilingual.services.agency_client import AgencyClient
from vetrina.multilingual.services.editor_client import EditorClient
from vetrina.multilingual.services.local_service import LocalTranslationService
from vetrina.multilingual.services.remote import find_service_address
from vetrina.multilingual.services.service import (
    JobPayload,
    ServiceProgress,
    TranslationProvider,
    TranslationServiceError,
)
from vetrina.multilingual.strings import string_texts
from vetrina.multilingual.translations.translatables import STRINGS

_LOG = logging.getLogger("vetrina.mlang.courier")

# Kinds of background jobs.
SEND: Final = "mlang.send"
FILL: Final = "mlang.fill"
CALL_OFF: Final = "mlang.call_off"

ServiceFactory = Callable[[SiteContext, UnitOfWork], TranslationProvider]


def _build_editor(site: SiteContext, work: UnitOfWork) -> TranslationProvider:
    return EditorClient(site, service_account.load_account(work))


def _build_agency(site: SiteContext, work: UnitOfWork) -> TranslationProvider:
    return AgencyClient(site)


def list_services(site: SiteContext) -> Mapping[str, ServiceFactory | None]:
    """Return the services other than the site's translators, by the names that requests use."""
    config = site.profile.translation
    out: dict[str, ServiceFactory | None] = {}
    if config.machine:
        out["machine"] = None
    if find_service_address(site, "ate"):
        out["ate"] = _build_editor
    if config.tp_key and find_service_address(site, "tp"):
        out["agency"] = _build_agency
    return out


def dispatch_jobs(work: UnitOfWork, made: Sequence[TranslationJob]) -> list[TranslationJob]:
    """Send new jobs to their services, the local one at once and remote ones in the background; return the jobs."""
    _build_local_service(work).send([_build_payload(work, one) for one in made if _get_service_name(one) == LOCAL])
    out = []
    for one in made:
        if _get_service_name(one) != LOCAL:
            _enqueue_job(work, SEND, one)
        elif one.automatic:
            one = jobs.apply_job_event(work, one, TranslationJobEvent.OPENED)
            _enqueue_job(work, FILL, one)
        out.append(one)
    return out


def fill_job(work: UnitOfWork, job: TranslationJob, file: str | bytes, *, complete: bool = True) -> TranslationJob:
    """Fill a job with a file through the local service, and collect it from there.

    complete: whether this completes the job. Raises what `apply_job_file` raises.
    """
    if not complete:
        return file_exchange.apply_job_file(work, job, file, complete=False)
    house = _build_local_service(work)
    if house.state(job.number) is ServiceProgress.UNKNOWN:
        # A job of a remote service that is filled here anyway.
        house.send([_build_payload(work, job)])
    house.fill(job.number, file if isinstance(file, str) else file.decode("utf-8", "replace"))
    return collect_job(work, house, job, file, TranslationReview.ACCEPTED if job.in_review else TranslationReview.NONE)


def collect_job(
    work: UnitOfWork,
    service: TranslationProvider,
    job: TranslationJob,
    file: str | bytes = b"",
    review: TranslationReview = TranslationReview.NONE,
) -> TranslationJob:
    """Fetch a job that its service has finished, and complete it.

    file: the service's, where it was fetched already. Raises TranslationServiceError, and what `apply_job_file` raises.
    """
    text = file or service.fetch(job.number)
    # A draft that waited for its review is published by it.
    draft = (
        None
        if review is TranslationReview.ACCEPTED
        else work.site.profile.translation.review == "before" and bool(review)
    )
    return file_exchange.apply_job_file(work, job, text, review=review, draft=draft)


def call_off_job(work: UnitOfWork, job: TranslationJob) -> None:
    """Tell the service of a job that it is no longer wanted."""
    if job.element_type == STRINGS:
        string_texts.release_job_strings(work, job)
    _build_local_service(work).cancel(job.number)
    if _get_service_name(job) != LOCAL and (job.editor_job or job.service_number):
        _enqueue_job(work, CALL_OFF, job)


# -- in the background: read, call the service outside every transaction, store the result


def prepare_sending(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], Any] | None:
    """Return the call that sends a job to its remote service; None for a job that is not open any more."""
    job = job_model.find_job(work, arguments["job"])
    if (
        job is None
        or not job.is_newest
        or job.state not in (TranslationJobState.WAITING, TranslationJobState.IN_PROGRESS, TranslationJobState.RETRY)
    ):
        return None
    make = list_services(work.site).get(_get_service_name(job))
    if make is None:
        return lambda: TranslationServiceError(f"the site has no service {_get_service_name(job)!r} any more")
    try:
        service = make(work.site, work)
    except TranslationServiceError as error:
        failure = error
        return lambda: failure
    parcel = _build_payload(work, job, for_editor=True)

    def ask() -> Any:
        try:
            number = service.send([parcel])[parcel.number]
            return number, getattr(service, "batch", None)
        except TranslationServiceError as error:
            return error
        except KeyError:
            return TranslationServiceError("the service gave the job no number")

    return ask


def record_sending(work: UnitOfWork, arguments: Mapping[str, Any], found: Any) -> None:
    """Store the id that a service gave a job, or that it could not be reached."""
    job = job_model.find_job(work, arguments["job"])
    if job is None or not job.is_newest:
        return
    if isinstance(found, TranslationServiceError):
        _LOG.warning("job %s could not be sent: %s", job.number, found)
        if _get_service_name(job) == "agency":
            # Agencies are not retried automatically: the state before holds until somebody sends the job again.
            cancellation.cancel_job(work, job)
            call_off_job(work, job)
        else:
            jobs.apply_job_event(work, job, TranslationJobEvent.NOT_REACHED)
        return
    number, batch = found
    if _get_service_name(job) == "ate":
        jobs.apply_job_event(work, job, TranslationJobEvent.SENT_TO_EDITOR, editor_job=number)
        return
    jobs.apply_job_event(work, job, TranslationJobEvent.SENT_TO_AGENCY, service_number=number)
    own = job_model.find_batch(work, job.batch)
    if batch and own is not None and own.service_number != batch:
        job_model.save_batch(work, msgspec.structs.replace(own, service_number=batch, updated=work.now))


def prepare_machine_filling(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], Any] | None:
    """Return the call that lets a machine fill a job; None for a job that is not open any more."""
    job = job_model.find_job(work, arguments["job"])
    if (
        job is None
        or not job.is_newest
        or job.state not in (TranslationJobState.WAITING, TranslationJobState.IN_PROGRESS)
    ):
        return None
    site, text = work.site, _build_local_service(work).get_sent_file(job.number)
    find_terms = build_term_finder(work, job.source_language, job.target_language)
    return lambda: machine.fill_xliff(
        machine.load_machine_translator(site), text, job.source_language, job.target_language, find_terms
    )


def record_machine_filling(work: UnitOfWork, arguments: Mapping[str, Any], found: Any) -> None:
    """Complete a job with a machine's translation."""
    job = job_model.find_job(work, arguments["job"])
    if (
        job is None
        or not job.is_newest
        or job.state not in (TranslationJobState.WAITING, TranslationJobState.IN_PROGRESS)
    ):
        return
    house = _build_local_service(work)
    house.fill(job.number, found)
    review = TranslationReview.NONE if work.site.profile.translation.review == "none" else TranslationReview.NEEDED
    collect_job(work, house, job, review=review)


def prepare_calling_off(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], Any] | None:
    """Return the call that tells a remote service that a job is not wanted."""
    job = job_model.find_job(work, arguments["job"])
    make = list_services(work.site).get(_get_service_name(job)) if job is not None else None
    if job is None or make is None:
        return None
    service, number = make(work.site, work), job.editor_job or job.service_number
    return lambda: service.cancel(number)


def _get_service_name(job: TranslationJob) -> str:
    if job.editor == "ate":
        return "ate"
    # The jobs of an agency carry its id as their service.
    return job.service if job.service == LOCAL else "agency"


def _build_payload(work: UnitOfWork, job: TranslationJob, for_editor: bool = False) -> JobPayload:
    text = file_exchange.render_job_file(work, job, for_editor=for_editor)
    return JobPayload(job.number, text, job.source_language, job.target_language, job.automatic, job.title)


def _build_local_service(work: UnitOfWork) -> LocalTranslationService:
    def open(read: bool) -> AbstractContextManager[UnitOfWork]:
        return nullcontext(work)

    return LocalTranslationService(open)


def _enqueue_job(work: UnitOfWork, kind: str, job: TranslationJob) -> None:
    job_queue.enqueue_job(work.tx, kind, {"job": job.number}, due=work.now, now=work.now, key=f"{kind}.{job.number}")
