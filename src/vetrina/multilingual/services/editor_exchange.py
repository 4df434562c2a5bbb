"""The exchange of jobs with the remote editor: asked how far they are, fetched, applied, acknowledged, tried again.

One caller at a time has it, by a lock whose key it sends along. The editor is asked between transactions (`open` opens
one), and each job is applied in one of its own, so that one that fails undoes no other. A file is fetched from where
the editor said, never from where the caller says. Not here: what is asked of the editor
(multilingual/services/editor_client.py), what a file becomes (multilingual/xliff/reader.py,
multilingual/jobs/rules.py). Rules: facts, 9, `ate/jobs/*`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.multilingual import status as status_table
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError
from vetrina.multilingual import stored_values as multilingual_stored_values
from vetrina.multilingual.jobs import file_exchange
from vetrina.multilingual.jobs import model as job_model
from vetrina.multilingual.jobs import rules as jobs
from vetrina.multilingual.jobs.model import Job
from vetrina.multilingual.jobs.states import OPEN, Event, Review, State
from vetrina.multilingual.services import account as service_account
from vetrina.multilingual.services import locks as service_locks
from vetrina.multilingual.services.account import Open
from vetrina.multilingual.services.editor_client import Editor, Page, RemoteJob, is_number
from vetrina.multilingual.services.remote import ServiceFailed
from vetrina.multilingual.services.service import Parcel, ServiceError

__all__ = ["JobLocked", "NotReceived", "download", "fix", "receive", "retry", "store_data",
           "synchronise"]  # fmt: skip

_LOG = logging.getLogger("vetrina.mlang.editor")
_LOCK: Final = "ate_jobs"
_PUBLIC: Final = "publicReceive"
_RETRIED: Final = "ate.retried"
_RETRY_AFTER: Final = 600  # seconds between two rounds that nobody asked for by number
_MOST_RETRIED: Final = 10
_MOST_FETCHED: Final = 200
_SYNC_ERROR: Final = "SyncError"
# What this server notes for itself beside what the editor says of a job.
_URL, _APPLIED, _ASKED = "delivered_url", "applied_digest", "asked_at"
_OWN: Final = frozenset({_URL, _APPLIED, _ASKED})
_ASKED_AGAIN: Final = 5  # seconds until strangers may ask for the same job again


class JobLocked(ApiError):
    """Somebody else has the exchange with the editor now."""

    status, code = 423, "mlang_exchange_locked"
    message = "Another exchange with the remote editor is under way. Try again in a minute."

    def __init__(self) -> None:
        super().__init__(data={"number": 423})


class NotReceived(ApiError):
    """The job cannot be received: there is none, somebody edits it, or the editor gave nothing that can be applied."""

    status, code = 422, "mlang_job_not_received"
    message = "The job cannot be received now."

    def __init__(self) -> None:
        super().__init__(data={"number": 422})


_AT_EDITOR = Statement(
    job_model.selected()
    .where(status_table.c.editor == "ate", Among(status_table.c.status, "statuses"))
    .order_by(status_table.c.rid)
)
_WAITING_FOR_RETRY = Statement(
    job_model.selected()
    .where(status_table.c.status == bindparam("to_retry"), status_table.c.editor == "ate")
    .order_by(status_table.c.rid)
)


def store_data(work: Work, number: int, data: Any) -> None:
    """Keep what the editor says of a job beside it. Raises JobUnknown."""
    known = jobs.existing(work, number)
    given = data if isinstance(data, dict) else {str(at): one for at, one in enumerate(data)}
    # A file is fetched from where it was found: that must not be written from outside.
    told = {name: value for name, value in given.items() if name not in _OWN}
    changes: dict[str, Any] = {"service_data": {**known.service_data, **told}}
    editor_job = given.get("ate_job_id")
    if is_number(editor_job):
        changes |= {"editor_job": editor_job, "editor": "ate"}
    job_model.store(work, known, msgspec.structs.replace(known, **changes))


# -- asked how far they are


def synchronise(
    frame: Frame, open: Open, *, key: str | None = None, token: str | None = None, pages: int | None = None,
    page: int | None = None, automatic_only: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Ask the editor about every open job, or for a further page of its answer, and note what it says.

    key: of the lock, as an earlier call answered it. token, pages, page: likewise, for a further page.
    Raises ServiceFailed.
    """
    with open(False) as work:
        held = service_locks.take(work, _LOCK, frame.profile.translation.lock_seconds, key)
        if held is None:
            return _synchronised(None, None, None, None, 0, [])
        mine = service_account.account(work)
        waiting = [one for one in _at_editor(work) if one.automatic or not automatic_only]
    if not waiting and not token:
        return _synchronised(held, None, None, None, 0, [])
    try:
        editor = Editor(frame, mine)
        found = editor.next_page(token, page or 1) if token else editor.look([one.editor_job for one in waiting])
    except ServiceError as error:
        with open(False) as work:
            service_locks.free(work, _LOCK, held)
        raise ServiceFailed(error) from error
    with open(False) as work:
        told = [shown for one in found.jobs if (shown := _noted(work, one)) is not None]
        queue = sum(one.state is State.READY for one in _at_editor(work))
    token, pages, following = _following(found, token, pages, page)
    return _synchronised(held, token, pages, following, queue, told, found.eta)


def _following(
    found: Page, token: str | None, pages: int | None, page: int | None
) -> tuple[str | None, int | None, int | None]:
    """Return token, number and next number of the pages that are left, None for each where none is."""
    if token is None:
        return found.token, found.pages, 1 if found.token else None
    last = found.pages or pages or 1
    now = page or 1
    return (token, last, now + 1) if now < last else (None, None, None)


def _synchronised(
    key: str | None, token: str | None, pages: int | None, page: int | None, queue: int, told: list[dict[str, Any]],
    eta: dict[str, Any] | None = None,
) -> dict[str, Any]:  # fmt: skip
    return {
        "lockKey": key, "ateToken": token, "nextPage": page, "numberOfPages": pages, "downloadQueueSize": queue,
        "jobs": told, "eta": eta,
    }  # fmt: skip


def _noted(work: Work, one: RemoteJob) -> dict[str, Any] | None:
    """Note what the editor says of a job, and return it; None for one that is not open here."""
    known = job_model.by_editor_number(work, one.ate_job_id)
    if known is None or not known.is_newest or known.state not in OPEN:
        return None
    data = {**known.service_data, "status_id": one.status_id, **({_URL: one.url} if one.url else {})}
    known = job_model.store(
        work, known, msgspec.structs.replace(known, synchronised=known.synchronised + 1, service_data=data)
    )
    if one.is_delivered and known.state in (State.WAITING, State.IN_PROGRESS):
        known = jobs.move(work, known, Event.DELIVERED)
    elif known.state is State.WAITING:
        known = jobs.move(work, known, Event.SENT_TO_EDITOR)
    return {
        "ateJobId": one.ate_job_id, "url": one.url, "ateStatus": one.status_id, "jobId": known.number,
        # For those who ask, a job that is delivered is complete: its text comes with the download.
        "status": (State.COMPLETE if one.is_delivered else State.IN_PROGRESS).value,
        "isUnsolvable": one.unsolvable, "message": one.message, "errorType": _SYNC_ERROR if one.unsolvable else None,
    }  # fmt: skip


def _at_editor(work: Work) -> list[Job]:
    open_states = listed(state.value for state in OPEN if state is not State.RETRY)
    return [
        found for row in work.tx.all(_AT_EDITOR, statuses=open_states) if (found := job_model.of_row(row)).editor_job
    ]


# -- fetched and applied


def download(frame: Frame, open: Open, key: str | None, asked: Sequence[Any]) -> list[dict[str, Any]]:
    """Fetch and apply jobs that a synchronisation found delivered; those that fail are logged and left out."""
    with open(False) as work:
        held = service_locks.take(work, _LOCK, frame.profile.translation.lock_seconds, key)
        if held is None:
            return []
        mine = service_account.account(work)
        waiting = [found for one in asked[:_MOST_FETCHED] if (found := _asked_for(work, one)) is not None]
    out, arrived = [], []
    try:
        editor = Editor(frame, mine) if waiting else None
        for given, known in waiting:
            assert editor is not None
            try:
                done = _fetched(open, editor, known, held)
            except (ServiceError, ApiError) as error:
                _LOG.warning("job %s was not applied: %s", known.number, error)
                continue
            arrived.append(known.editor_job)
            out.append(_applied(given, done))
        if editor is not None and arrived:
            _confirm(editor, arrived)
    except ServiceError as error:
        raise ServiceFailed(error) from error
    finally:
        with open(False) as work:
            service_locks.free(work, _LOCK, held)
    return out


def _asked_for(work: Work, one: Any) -> tuple[dict[str, Any], Job] | None:
    number = one.get("ateJobId") if isinstance(one, dict) else None
    if not is_number(number):
        return None
    known = job_model.by_editor_number(work, number)
    fitting = known is not None and known.is_newest and known.state in OPEN - {State.RETRY}
    return (one, known) if fitting and known is not None else None


def _fetched(open: Open, editor: Editor, known: Job, key: str) -> Job:
    """Return a job with what the editor made of it. Raises ServiceError, ApiError."""
    url = known.service_data.get(_URL)
    text = editor.file(url) if isinstance(url, str) and url else editor.fetch(known.editor_job)
    with open(False) as work:
        service_locks.take(work, _LOCK, work.frame.profile.translation.lock_seconds, key)
        return _apply(work, jobs.existing(work, known.number), text)


def _apply(work: Work, known: Job, text: str) -> Job:
    """Apply a delivered file; the same one again changes nothing."""
    digest = blake2b(text.encode(), digest_size=16).hexdigest()
    if known.state is State.COMPLETE and known.service_data.get(_APPLIED) == digest:
        return known
    mode = work.frame.profile.translation.review
    review = Review.NEEDED if known.automatic and mode != "none" else Review.NONE
    done = file_exchange.taken(work, known, text, review=review, draft=review is not Review.NONE and mode == "before")
    data = {**done.service_data, _APPLIED: digest}
    return job_model.store(work, done, msgspec.structs.replace(done, service_data=data))


def _applied(given: Mapping[str, Any], done: Job) -> dict[str, Any]:
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


def _confirm(editor: Editor, numbers: Sequence[int]) -> None:
    try:
        editor.confirm(numbers)
    except ServiceError as error:
        # The texts are stored; the editor will offer them again, and the same file changes nothing.
        _LOG.warning("the remote editor was not told that jobs arrived: %s", error)


def receive(frame: Frame, open: Open, number: int) -> None:
    """Fetch and apply one job now, as the editor itself asks. Raises JobLocked, NotReceived."""
    with open(True) as work:
        # Strangers cannot hold the lock by asking for what is not there, nor by asking again and again.
        if not _is_receivable(job_model.by_number(work, number), work.now):
            raise NotReceived
    with open(False) as work:
        if service_locks.take(work, _LOCK, frame.profile.translation.lock_seconds, _PUBLIC) is None:
            raise JobLocked
        known, mine = jobs.existing(work, number), service_account.account(work)
        data = {**known.service_data, _ASKED: work.now}
        known = job_model.store(work, known, msgspec.structs.replace(known, service_data=data))
    try:
        editor = Editor(frame, mine)
        text = editor.fetch(known.editor_job)
        with open(False) as work:
            _apply(work, jobs.existing(work, number), text)
        _confirm(editor, [known.editor_job])
    except (ServiceError, ApiError) as error:
        # Anybody may ask, so nobody is told more than that it failed.
        _LOG.warning("job %s was not received: %s", number, error)
        raise NotReceived from error
    finally:
        with open(False) as work:
            service_locks.free(work, _LOCK, _PUBLIC)


def _is_receivable(known: Job | None, now: int) -> bool:
    if known is None or not known.editor_job or not known.is_newest or known.review == Review.EDITING:
        return False
    asked = known.service_data.get(_ASKED)
    return not isinstance(asked, int) or now - asked >= _ASKED_AGAIN


def fix(frame: Frame, open: Open, editor_job: int, number: int | None) -> dict[str, bool]:
    """Ask the editor for a job, fetch its file and apply it; say whether that was done, or failed.

    number: the job's own, where the caller knows it; another one is a failure.
    """
    with open(True) as work:
        known, mine = job_model.by_editor_number(work, editor_job), service_account.account(work)
    try:
        if known is None or (number is not None and known.number != number):
            return {"completed": False, "error": True}
        editor = Editor(frame, mine)
        found = editor.job(editor_job)
        if not found.is_delivered or not found.url:
            return {"completed": False, "error": False}
        text = editor.file(found.url)
        with open(False) as work:
            done = _apply(work, jobs.existing(work, known.number), text)
        _confirm(editor, [editor_job])
    except (ServiceError, ApiError) as error:
        _LOG.warning("job %s of the remote editor was not mended: %s", editor_job, error)
        return {"completed": False, "error": True}
    return {"completed": done.state is State.COMPLETE, "error": False}


# -- tried again


def retry(frame: Frame, open: Open, asked: Iterable[int] | None) -> dict[str, list[int]]:
    """Send jobs again that the editor could not be given, ten a call; the rest is named for the next one.

    asked: the jobs' own numbers; empty or None for all, once in ten minutes. A call is done with every number that it
    takes: whoever asks on until none is left must come to an end, whatever became of the jobs.
    """
    with open(False) as work:
        rows = work.tx.all(_WAITING_FOR_RETRY, to_retry=State.RETRY.value)
        waiting = {one.number: one for one in map(job_model.of_row, rows)}
        numbers = list(dict.fromkeys(asked or ()))
        if not numbers:
            if work.now - int(multilingual_stored_values.read(work, _RETRIED, 0)) < _RETRY_AFTER:
                return {"jobsToProcess": [], "processed": []}
            numbers = list(waiting)
        taken, rest = numbers[:_MOST_RETRIED], numbers[_MOST_RETRIED:]
        now = [number for number in taken if number in waiting]
        if now:
            multilingual_stored_values.write(work, _RETRIED, work.now)
        mine = service_account.account(work)
        parcels = [_packed(work, waiting[number]) for number in now]
    given: Mapping[int, int] = {}
    if parcels:
        try:
            given = Editor(frame, mine).send(parcels)
        except ServiceError as error:
            _LOG.warning("the remote editor could not be given jobs again: %s", error)
    with open(False) as work:
        for number in now:
            known = jobs.existing(work, number)
            if known.state is not State.RETRY:
                continue
            if number in given:
                jobs.move(work, known, Event.REACHED, editor_job=given[number])
            else:
                job_model.store(work, known, msgspec.structs.replace(known, retries=known.retries + 1))
    return {"jobsToProcess": rest, "processed": taken}


def _packed(work: Work, one: Job) -> Parcel:
    text = file_exchange.written(work, one, for_editor=True)
    return Parcel(one.number, text, one.source_language, one.target_language, one.automatic, one.title)
