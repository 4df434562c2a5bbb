"""Exchange of jobs with the remote editor: poll, fetch, apply, confirm, retry.

One caller at a time has it, by a lock whose key the caller sends. The editor is called between transactions (`open`
opens a unit of work), and each job is applied in its own, so that a failure undoes no other. A file is fetched from the
URL that the editor gave, never from one that the caller gives. Not here: the calls themselves
(multilingual/services/editor_client.py). Rules: docs/rules/translation_services.md, 5, 6, 7, 8, 9 and 10;
docs/rules/translation_jobs.md, 8.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.multilingual import mlang_status as status_table
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.multilingual import stored_values as multilingual_stored_values
from vetrina.multilingual.jobs import file_exchange, model as job_model, rules as jobs
from vetrina.multilingual.jobs.model import TranslationJob
from vetrina.multilingual.jobs.states import OPEN, TranslationJobEvent, TranslationJobState, TranslationReview
from vetrina.multilingual.services import account as service_account, locks as service_locks
from vetrina.multilingual.services.account import OpenUnitOfWork
from vetrina.multilingual.services.editor_client import EditorClient, EditorJob, EditorJobPage, is_job_number
from vetrina.multilingual.services.remote import TranslationServiceFailed
from vetrina.multilingual.services.service import JobPayload, TranslationServiceError

_LOG = logging.getLogger("vetrina.mlang.editor")
_LOCK: Final = "ate_jobs"
_PUBLIC: Final = "publicReceive"
_RETRIED: Final = "ate.retried"
_RETRY_AFTER: Final = 600  # seconds between two retries of all jobs
_MOST_RETRIED: Final = 10
_MOST_FETCHED: Final = 200
_SYNC_ERROR: Final = "SyncError"
# Stored by this server next to what the editor reports of a job.
_URL, _APPLIED, _ASKED = "delivered_url", "applied_digest", "asked_at"
_OWN: Final = frozenset({_URL, _APPLIED, _ASKED})
_ASKED_AGAIN: Final = 5  # seconds until anonymous callers may ask for the same job again


class ExchangeLocked(ApiError):
    """Another caller has the exchange with the editor now."""

    failure, code = Failure.LOCKED, "mlang_exchange_locked"
    message = "Another exchange with the remote editor is under way. Try again in a minute."

    def __init__(self) -> None:
        super().__init__(data={"number": Failure.LOCKED})


class JobNotReceived(ApiError):
    """The job cannot be received: it is missing or being edited, or the editor sent nothing that can be applied."""

    failure, code = Failure.UNPROCESSABLE, "mlang_job_not_received"
    message = "The job cannot be received now."

    def __init__(self) -> None:
        super().__init__(data={"number": Failure.UNPROCESSABLE})


_AT_EDITOR = Statement(
    job_model.select_newest_jobs()
    .where(status_table.c.editor == "ate", InList(status_table.c.status, "statuses"))
    .order_by(status_table.c.rid)
)
_WAITING_FOR_RETRY = Statement(
    job_model.select_newest_jobs()
    .where(status_table.c.status == bindparam("to_retry"), status_table.c.editor == "ate")
    .order_by(status_table.c.rid)
)


def save_editor_data(work: UnitOfWork, number: int, data: Any) -> None:
    """Store what the editor reports of a job. Raises TranslationJobNotFound."""
    known = jobs.get_job(work, number)
    given = data if isinstance(data, dict) else {str(at): one for at, one in enumerate(data)}
    # A file is fetched from the stored URL, so clients must not be able to set it.
    stored = {name: value for name, value in given.items() if name not in _OWN}
    changes: dict[str, Any] = {"service_data": {**known.service_data, **stored}}
    editor_job = given.get("ate_job_id")
    if is_job_number(editor_job):
        changes |= {"editor_job": editor_job, "editor": "ate"}
    job_model.update_job(work, known, msgspec.structs.replace(known, **changes))


# -- polling


def synchronize_jobs(
    site: SiteContext,
    open: OpenUnitOfWork,
    *,
    key: str | None = None,
    token: str | None = None,
    pages: int | None = None,
    page: int | None = None,
    automatic_only: bool = False,
) -> dict[str, Any]:
    """Poll the editor for every open job, or read a further page of its response, and store what it reports.

    key: of the lock, from an earlier response. token, pages, page: likewise, for a further page.
    Raises TranslationServiceFailed.
    """
    with open(False) as work:
        held = service_locks.acquire_lock(work, _LOCK, site.profile.translation.lock_seconds, key)
        if held is None:
            return _serialize_sync_result(None, None, None, None, 0, [])
        account = service_account.load_account(work)
        waiting = [one for one in _list_jobs_at_editor(work) if one.automatic or not automatic_only]
    if not waiting and not token:
        return _serialize_sync_result(held, None, None, None, 0, [])
    try:
        editor = EditorClient(site, account)
        found = (
            editor.fetch_next_page(token, page or 1)
            if token
            else editor.fetch_first_page([one.editor_job for one in waiting])
        )
    except TranslationServiceError as error:
        with open(False) as work:
            service_locks.release_lock(work, _LOCK, held)
        raise TranslationServiceFailed(error) from error
    with open(False) as work:
        reports = [report for one in found.jobs if (report := _record_editor_state(work, one)) is not None]
        queue = sum(one.state is TranslationJobState.READY for one in _list_jobs_at_editor(work))
    token, pages, following = _compute_next_page(found, token, pages, page)
    return _serialize_sync_result(held, token, pages, following, queue, reports, found.eta)


def _compute_next_page(
    found_page: EditorJobPage, token: str | None, pages: int | None, page: int | None
) -> tuple[str | None, int | None, int | None]:
    """Return the token, the number of pages and the next page; None for each where no page is left."""
    if token is None:
        return found_page.token, found_page.pages, 1 if found_page.token else None
    last = found_page.pages or pages or 1
    now = page or 1
    return (token, last, now + 1) if now < last else (None, None, None)


def _serialize_sync_result(
    key: str | None, token: str | None, pages: int | None, page: int | None, queue: int, reports: list[dict[str, Any]],
    eta: dict[str, Any] | None = None,
) -> dict[str, Any]:  # fmt: skip
    return {
        "lockKey": key, "ateToken": token, "nextPage": page, "numberOfPages": pages, "downloadQueueSize": queue,
        "jobs": reports, "eta": eta,
    }  # fmt: skip


def _record_editor_state(work: UnitOfWork, report: EditorJob) -> dict[str, Any] | None:
    """Store what the editor reports of a job, and return it; None for a job that is not open here."""
    known = job_model.find_job_by_editor_number(work, report.ate_job_id)
    if known is None or not known.is_newest or known.state not in OPEN:
        return None
    data = {**known.service_data, "status_id": report.status_id, **({_URL: report.url} if report.url else {})}
    known = job_model.update_job(
        work, known, msgspec.structs.replace(known, synchronised=known.synchronised + 1, service_data=data)
    )
    if report.is_delivered and known.state in (TranslationJobState.WAITING, TranslationJobState.IN_PROGRESS):
        known = jobs.apply_job_event(work, known, TranslationJobEvent.DELIVERED)
    elif known.state is TranslationJobState.WAITING:
        known = jobs.apply_job_event(work, known, TranslationJobEvent.SENT_TO_EDITOR)
    return {
        "ateJobId": report.ate_job_id, "url": report.url, "ateStatus": report.status_id, "jobId": known.number,
        # To clients a delivered job is complete: its text comes with the download.
        "status": (TranslationJobState.COMPLETE if report.is_delivered else TranslationJobState.IN_PROGRESS).value,
        "isUnsolvable": report.unsolvable, "message": report.message,
        "errorType": _SYNC_ERROR if report.unsolvable else None,
    }  # fmt: skip


def _list_jobs_at_editor(work: UnitOfWork) -> list[TranslationJob]:
    open_states = encode_list(state.value for state in OPEN if state is not TranslationJobState.RETRY)
    return [
        found
        for row in work.tx.all(_AT_EDITOR, statuses=open_states)
        if (found := job_model.row_to_job(row)).editor_job
    ]


# -- fetching and applying


def download_jobs(
    site: SiteContext, open: OpenUnitOfWork, key: str | None, requested: Sequence[Any]
) -> list[dict[str, Any]]:
    """Fetch and apply jobs that a synchronization found delivered; those that fail are logged and left out."""
    with open(False) as work:
        held = service_locks.acquire_lock(work, _LOCK, site.profile.translation.lock_seconds, key)
        if held is None:
            return []
        account = service_account.load_account(work)
        waiting = [found for one in requested[:_MOST_FETCHED] if (found := _find_requested_job(work, one)) is not None]
    out, arrived = [], []
    try:
        editor = EditorClient(site, account) if waiting else None
        for given, known in waiting:
            assert editor is not None
            try:
                done = _fetch_job(open, editor, known, held)
            except (TranslationServiceError, ApiError) as error:
                _LOG.warning("job %s was not applied: %s", known.number, error)
                continue
            arrived.append(known.editor_job)
            out.append(_serialize_applied_job(given, done))
        if editor is not None and arrived:
            _confirm_jobs(editor, arrived)
    except TranslationServiceError as error:
        raise TranslationServiceFailed(error) from error
    finally:
        with open(False) as work:
            service_locks.release_lock(work, _LOCK, held)
    return out


def _find_requested_job(work: UnitOfWork, requested: Any) -> tuple[dict[str, Any], TranslationJob] | None:
    number = requested.get("ateJobId") if isinstance(requested, dict) else None
    if not is_job_number(number):
        return None
    known = job_model.find_job_by_editor_number(work, number)
    fitting = known is not None and known.is_newest and known.state in OPEN - {TranslationJobState.RETRY}
    return (requested, known) if fitting and known is not None else None


def _fetch_job(open: OpenUnitOfWork, editor: EditorClient, job: TranslationJob, key: str) -> TranslationJob:
    """Return a job with the editor's translation applied. Raises TranslationServiceError, ApiError."""
    url = job.service_data.get(_URL)
    text = editor.fetch_file(url) if isinstance(url, str) and url else editor.fetch(job.editor_job)
    with open(False) as work:
        service_locks.acquire_lock(work, _LOCK, work.site.profile.translation.lock_seconds, key)
        return _apply_file(work, jobs.get_job(work, job.number), text)


def _apply_file(work: UnitOfWork, job: TranslationJob, text: str) -> TranslationJob:
    """Apply a delivered file; applying the same file again changes nothing."""
    digest = blake2b(text.encode(), digest_size=16).hexdigest()
    if job.state is TranslationJobState.COMPLETE and job.service_data.get(_APPLIED) == digest:
        return job
    mode = work.site.profile.translation.review
    review = TranslationReview.NEEDED if job.automatic and mode != "none" else TranslationReview.NONE
    done = file_exchange.apply_job_file(
        work, job, text, review=review, draft=review is not TranslationReview.NONE and mode == "before"
    )
    data = {**done.service_data, _APPLIED: digest}
    return job_model.update_job(work, done, msgspec.structs.replace(done, service_data=data))


def _serialize_applied_job(given: Mapping[str, Any], done: TranslationJob) -> dict[str, Any]:
    return {
        "ateJobId": done.editor_job,
        "url": given.get("url", ""),
        "ateStatus": given.get("ateStatus"),
        "jobId": done.number,
        "status": done.status,
        "needsReview": done.in_review,
        "automatic": done.automatic,
        "language_code": done.target_language,
        "original_element_id": done.element,
    }


def _confirm_jobs(editor: EditorClient, numbers: Sequence[int]) -> None:
    try:
        editor.confirm(numbers)
    except TranslationServiceError as error:
        # The texts are stored; the editor will offer them again, and the same file changes nothing.
        _LOG.warning("the remote editor was not told that jobs arrived: %s", error)


def receive_job(site: SiteContext, open: OpenUnitOfWork, number: int) -> None:
    """Fetch and apply one job now, at the editor's request. Raises ExchangeLocked, JobNotReceived."""
    with open(True) as work:
        # Anonymous callers cannot hold the lock by asking for missing jobs, or by repeating their request.
        if not _is_receivable(job_model.find_job(work, number), work.now):
            raise JobNotReceived
    with open(False) as work:
        if service_locks.acquire_lock(work, _LOCK, site.profile.translation.lock_seconds, _PUBLIC) is None:
            raise ExchangeLocked
        known, account = jobs.get_job(work, number), service_account.load_account(work)
        data = {**known.service_data, _ASKED: work.now}
        known = job_model.update_job(work, known, msgspec.structs.replace(known, service_data=data))
    try:
        editor = EditorClient(site, account)
        text = editor.fetch(known.editor_job)
        with open(False) as work:
            _apply_file(work, jobs.get_job(work, number), text)
        _confirm_jobs(editor, [known.editor_job])
    except (TranslationServiceError, ApiError) as error:
        # Anonymous callers learn only that it failed.
        _LOG.warning("job %s was not received: %s", number, error)
        raise JobNotReceived from error
    finally:
        with open(False) as work:
            service_locks.release_lock(work, _LOCK, _PUBLIC)


def _is_receivable(job: TranslationJob | None, now: int) -> bool:
    if job is None or not job.editor_job or not job.is_newest or job.review == TranslationReview.EDITING:
        return False
    asked_at = job.service_data.get(_ASKED)
    return not isinstance(asked_at, int) or now - asked_at >= _ASKED_AGAIN


def repair_job(site: SiteContext, open: OpenUnitOfWork, editor_job: int, number: int | None) -> dict[str, bool]:
    """Read a job from the editor, fetch its file and apply it; return whether it was completed, or failed.

    number: the job's own id, where the caller knows it; a different one is a failure.
    """
    with open(True) as work:
        known, account = job_model.find_job_by_editor_number(work, editor_job), service_account.load_account(work)
    try:
        if known is None or (number is not None and known.number != number):
            return {"completed": False, "error": True}
        editor = EditorClient(site, account)
        found = editor.fetch_job(editor_job)
        if not found.is_delivered or not found.url:
            return {"completed": False, "error": False}
        text = editor.fetch_file(found.url)
        with open(False) as work:
            done = _apply_file(work, jobs.get_job(work, known.number), text)
        _confirm_jobs(editor, [editor_job])
    except (TranslationServiceError, ApiError) as error:
        _LOG.warning("job %s of the remote editor was not repaired: %s", editor_job, error)
        return {"completed": False, "error": True}
    return {"completed": done.state is TranslationJobState.COMPLETE, "error": False}


# -- retrying


def retry_jobs(site: SiteContext, open: OpenUnitOfWork, requested: Iterable[int] | None) -> dict[str, list[int]]:
    """Send jobs again that could not be sent to the editor, ten a call; the response lists the rest for the next call.

    requested: job ids; empty or None for all, once in ten minutes. Every id that a call takes is done with, whatever
    became of the job: a client that repeats the call until none is left must come to an end.
    """
    with open(False) as work:
        rows = work.tx.all(_WAITING_FOR_RETRY, to_retry=TranslationJobState.RETRY.value)
        waiting = {one.number: one for one in map(job_model.row_to_job, rows)}
        numbers = list(dict.fromkeys(requested or ()))
        if not numbers:
            if work.now - int(multilingual_stored_values.load_setting(work, _RETRIED, 0)) < _RETRY_AFTER:
                return {"jobsToProcess": [], "processed": []}
            numbers = list(waiting)
        taken, rest = numbers[:_MOST_RETRIED], numbers[_MOST_RETRIED:]
        now = [number for number in taken if number in waiting]
        if now:
            multilingual_stored_values.save_setting(work, _RETRIED, work.now)
        account = service_account.load_account(work)
        parcels = [_build_payload(work, waiting[number]) for number in now]
    given: Mapping[int, int] = {}
    if parcels:
        try:
            given = EditorClient(site, account).send(parcels)
        except TranslationServiceError as error:
            _LOG.warning("the remote editor could not be given jobs again: %s", error)
    with open(False) as work:
        for number in now:
            known = jobs.get_job(work, number)
            if known.state is not TranslationJobState.RETRY:
                continue
            if number in given:
                jobs.apply_job_event(work, known, TranslationJobEvent.REACHED, editor_job=given[number])
            else:
                job_model.update_job(work, known, msgspec.structs.replace(known, retries=known.retries + 1))
    return {"jobsToProcess": rest, "processed": taken}


def _build_payload(work: UnitOfWork, job: TranslationJob) -> JobPayload:
    text = file_exchange.render_job_file(work, job, for_editor=True)
    return JobPayload(job.number, text, job.source_language, job.target_language, job.automatic, job.title)
