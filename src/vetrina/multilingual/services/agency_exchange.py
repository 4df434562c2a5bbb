"""Exchange of jobs with an agency: read, fetch and apply jobs, update batches.

The agency is called between transactions (`open` opens a unit of work); each job is applied in its own transaction.
Not here: the calls themselves (multilingual/services/agency_client.py). Rules: docs/rules/translation_jobs.md, 8,
docs/rules/translation_services.md, 1, 2 and 3 and docs/rules/translation_routes.md, 3.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam

from vetrina.backends.database import Statement
from vetrina.backends.tables.multilingual import mlang_status as status_table
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Failure
from vetrina.multilingual import stored_values as multilingual_stored_values
from vetrina.multilingual.jobs import cancellation, file_exchange, model as job_model, rules as jobs
from vetrina.multilingual.jobs.model import LOCAL, TranslationJob
from vetrina.multilingual.jobs.rules import TranslationJobNotFound
from vetrina.multilingual.jobs.states import OPEN, TranslationJobEvent, TranslationJobState
from vetrina.multilingual.services.account import OpenUnitOfWork
from vetrina.multilingual.services.agency_client import AgencyClient
from vetrina.multilingual.services.remote import TranslationServiceFailed
from vetrina.multilingual.services.service import TranslationServiceError
from vetrina.multilingual.xliff import reader as xliff_reader
from vetrina.multilingual.xliff.reader import XliffUnit

_LOG = logging.getLogger("vetrina.mlang.agency")
_DELIVERED_STATES: Final = frozenset({TranslationJobState.READY, TranslationJobState.COMPLETE})
PICKED_UP: Final = "last_picked_up"  # when an agency's translations were last fetched, in seconds since 1970
_MOST: Final = 200  # jobs in one call
_REQUESTED_TYPES: Final = {
    "post": ("post", "package"),
    "st-batch_strings": ("string",),
    "tax": ("tax", "post", "string"),
}


class JobIsLocal(ApiError):
    """The job was not sent to an agency."""

    code = "mlang_job_is_local"
    message = "This is only a local job."

    def __init__(self) -> None:
        super().__init__(data={"number": Failure.INVALID})


class JobNotReady(ApiError):
    """The agency has not delivered the job yet."""

    failure, code = Failure.CONFLICT, "mlang_job_not_ready"
    message = "Job's translation is not ready."

    def __init__(self) -> None:
        super().__init__(data={"number": Failure.INVALID})


class BatchesNotSynchronized(TranslationServiceFailed):
    """The agency could not be asked about its batches."""

    code = "mlang_batches_not_synchronised"
    message = "Batch synchronization could not be initialized: {reason}"


_JOBS_AT_AGENCY = Statement(
    job_model.select_newest_jobs()
    .where(status_table.c.service != LOCAL, status_table.c.status == bindparam("state"))
    .order_by(status_table.c.rid)
)


def fetch_job_file(site: SiteContext, open: OpenUnitOfWork, rid: int, type: str) -> tuple[TranslationJob, str]:
    """Return a job that an agency translated, with its file.

    Raises TranslationJobNotFound, JobIsLocal, JobNotReady, TranslationServiceFailed.
    """
    with open(True) as work:
        known = job_model.find_job_by_rid(work, rid)
    # Clients say `string` for a batch of strings, and `package` for what is a record here.
    if known is None or type not in _REQUESTED_TYPES.get(known.type, (known.type,)):
        raise TranslationJobNotFound(rid)
    if known.service == LOCAL:
        raise JobIsLocal
    if known.state not in _DELIVERED_STATES:
        raise JobNotReady
    try:
        return known, AgencyClient(site).fetch(known.service_number)
    except TranslationServiceError as error:
        raise TranslationServiceFailed(error) from error


def parse_job_units(job: TranslationJob, text: str) -> list[XliffUnit]:
    """Return the units of a job's file. Raises what `parse_xliff` raises."""
    fitting = [one for one in xliff_reader.parse_xliff(text) if one.number == job.number]
    return fitting[0].units if fitting else []


def apply_named_jobs(site: SiteContext, open: OpenUnitOfWork, named: Iterable[tuple[int, str]]) -> list[dict[str, Any]]:
    """Fetch and apply jobs by row id and type; jobs that do not match are skipped. Raises TranslationServiceFailed."""
    with open(True) as work:
        found = [one for rid, _ in named if (one := job_model.find_job_by_rid(work, rid)) is not None]
    return _apply_jobs(site, open, found)


def apply_translatable_jobs(
    site: SiteContext, open: OpenUnitOfWork, element_type: str, element: int
) -> list[dict[str, Any]]:
    """Fetch and apply every job of an item. Raises TranslationServiceFailed."""
    with open(True) as work:
        found = job_model.list_jobs_of_translatable(work, element_type, element)
    return _apply_jobs(site, open, found)


def apply_delivered_jobs(site: SiteContext, open: OpenUnitOfWork) -> list[dict[str, Any]]:
    """Fetch and apply every job that an agency delivered. Raises TranslationServiceFailed."""
    with open(True) as work:
        found = [
            job_model.row_to_job(row) for row in work.tx.all(_JOBS_AT_AGENCY, state=TranslationJobState.READY.value)
        ]
    return _apply_jobs(site, open, found)


def synchronize_batches(site: SiteContext, batches: Sequence[int]) -> list[int]:
    """Ask the agency to update batches, and return the ids of those queued. Raises BatchesNotSynchronized."""
    return _ask_about_batches(lambda: AgencyClient(site).synchronize_batches(batches))


def list_queued_batches(site: SiteContext) -> list[int]:
    """Return the ids of the batches that the agency is updating. Raises BatchesNotSynchronized."""
    return _ask_about_batches(lambda: AgencyClient(site).list_queued_batches())


def _ask_about_batches(ask: Callable[[], list[int]]) -> list[int]:
    try:
        return ask()
    except TranslationServiceError as error:
        raise BatchesNotSynchronized(error) from error


def _apply_jobs(site: SiteContext, open: OpenUnitOfWork, found: Sequence[TranslationJob]) -> list[dict[str, Any]]:
    """Update jobs from the agency, apply those that it delivered, and return the state of each."""
    away = [one for one in found if one.service != LOCAL and one.service_number and one.state in OPEN][:_MOST]
    if not away:
        return []
    try:
        agency = AgencyClient(site)
        out = []
        for one in away:
            known = _refresh_job(open, agency, one)
            if known.state is TranslationJobState.READY:
                known = _fetch_job(open, agency, known)
            if known.state in (TranslationJobState.COMPLETE, TranslationJobState.NOT_TRANSLATED):
                out.append({"id": known.rid, "type": known.type, "status": known.status})
    except TranslationServiceError as error:
        raise TranslationServiceFailed(error) from error
    with open(False) as work:
        multilingual_stored_values.save_setting(work, PICKED_UP, work.now)
    return out


def _refresh_job(open: OpenUnitOfWork, agency: AgencyClient, job: TranslationJob) -> TranslationJob:
    """Return a job after updating its state from the agency."""
    if job.state is TranslationJobState.READY:
        return job
    word = agency.fetch_status_word(job.service_number)
    with open(False) as work:
        known = jobs.get_job(work, job.number)
        if known.state not in OPEN or not known.is_newest:
            return known
        known = job_model.update_job(work, known, msgspec.structs.replace(known, service_status=word))
        if word == "cancelled":
            cancellation.cancel_job(work, known)
            # An earlier translation returned to its previous state; the job that was sent is cancelled.
            return msgspec.structs.replace(known, status=TranslationJobState.NOT_TRANSLATED.value)
        if word in ("translation_ready", "delivered"):
            return jobs.apply_job_event(work, known, TranslationJobEvent.DELIVERED)
    return known


def _fetch_job(open: OpenUnitOfWork, agency: AgencyClient, job: TranslationJob) -> TranslationJob:
    """Return a job with the agency's file applied; one that cannot be applied stays unchanged."""
    text = agency.fetch(job.service_number)
    try:
        with open(False) as work:
            return file_exchange.apply_job_file(work, jobs.get_job(work, job.number), text)
    except ApiError as error:
        _LOG.warning("job %s of the agency was not applied: %s", job.number, error)
        return job
