"""The ways between jobs and services: handed over after the transaction that made them, filled, fetched, called off.

One client for all services, the one of the house among them: what it does is `Service` alone. Calls that may wait for
another server are background jobs whose waiting is done between transactions (system/job_runner.py).
Not here: the exchange that a remote editor's own clients drive (multilingual/services/editor_exchange.py).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

import msgspec

from vetrina.backends import job_queue
from vetrina.core.unit_of_work import Frame, Work
from vetrina.multilingual.jobs import file_exchange
from vetrina.multilingual.jobs import model as job_model
from vetrina.multilingual.jobs import rules as jobs
from vetrina.multilingual.jobs.model import LOCAL, Job
from vetrina.multilingual.jobs.states import Event, Review, State
from vetrina.multilingual.services import account as service_account
from vetrina.multilingual.services import machine
from vetrina.multilingual.services.agency_client import Agency
from vetrina.multilingual.services.editor_client import Editor
from vetrina.multilingual.services.local_service import LocalService
from vetrina.multilingual.services.remote import address
from vetrina.multilingual.services.service import Parcel, Progress, Service, ServiceError
from vetrina.multilingual.strings import string_texts
from vetrina.multilingual.translations.translatables import STRINGS

__all__ = [
    "CALL_OFF", "FILL", "SEND", "call_off", "called_off", "collect", "fill", "filled", "hand_over", "keep_filled",
    "keep_sent", "sent", "services",
]  # fmt: skip

_LOG = logging.getLogger("vetrina.mlang.courier")

# Kinds of background jobs.
SEND: Final = "mlang.send"
FILL: Final = "mlang.fill"
CALL_OFF: Final = "mlang.call_off"

Make = Callable[[Frame, Work], Service]


def _editor(frame: Frame, work: Work) -> Service:
    return Editor(frame, service_account.account(work))


def _agency(frame: Frame, work: Work) -> Service:
    return Agency(frame)


def services(frame: Frame) -> Mapping[str, Make | None]:
    """Return the services beside the people of the house, by the names that requests send jobs to."""
    told = frame.profile.translation
    out: dict[str, Make | None] = {}
    if told.machine:
        out["machine"] = None
    if address(frame, "ate"):
        out["ate"] = _editor
    if told.tp_key and address(frame, "tp"):
        out["agency"] = _agency
    return out


def hand_over(work: Work, made: Sequence[Job]) -> list[Job]:
    """Give new jobs to their services, to the one of the house at once and to remote ones afterwards; return them."""
    _house(work).send([_packed(work, one) for one in made if _service_of(one) == LOCAL])
    out = []
    for one in made:
        if _service_of(one) != LOCAL:
            _later(work, SEND, one)
        elif one.automatic:
            one = jobs.move(work, one, Event.OPENED)
            _later(work, FILL, one)
        out.append(one)
    return out


def fill(work: Work, job: Job, file: str | bytes, *, complete: bool = True) -> Job:
    """Give a file that somebody filled to the service of the house, and fetch it from there.

    complete: whether the job is finished by it. Raises what exchange.taken raises.
    """
    if not complete:
        return file_exchange.taken(work, job, file, complete=False)
    house = _house(work)
    if house.state(job.number) is Progress.UNKNOWN:
        # A job of a remote service that somebody fills here all the same.
        house.send([_packed(work, job)])
    house.fill(job.number, file if isinstance(file, str) else file.decode("utf-8", "replace"))
    return collect(work, house, job, file, Review.ACCEPTED if job.in_review else Review.NONE)


def collect(work: Work, service: Service, job: Job, file: str | bytes = b"", review: Review = Review.NONE) -> Job:
    """Fetch a job that its service is done with, and finish it.

    file: the service's, where it was fetched already. Raises ServiceError, and what exchange.taken raises.
    """
    text = file or service.fetch(job.number)
    # What somebody has looked at is published, if it waited for that.
    draft = None if review is Review.ACCEPTED else work.frame.profile.translation.review == "before" and bool(review)
    return file_exchange.taken(work, job, text, review=review, draft=draft)


def call_off(work: Work, job: Job) -> None:
    """Tell the service of a job that it is not wanted any more."""
    if job.element_type == STRINGS:
        string_texts.released(work, job)
    _house(work).cancel(job.number)
    if _service_of(job) != LOCAL and (job.editor_job or job.service_number):
        _later(work, CALL_OFF, job)


# -- in the background: what is looked up, what is asked outside every transaction, what is kept


def sent(work: Work, arguments: Mapping[str, Any]) -> Callable[[], Any] | None:
    """Return the call that hands a job to its remote service; None for a job that is not open any more."""
    job = job_model.by_number(work, arguments["job"])
    if job is None or not job.is_newest or job.state not in (State.WAITING, State.IN_PROGRESS, State.RETRY):
        return None
    make = services(work.frame).get(_service_of(job))
    if make is None:
        return lambda: ServiceError(f"the site has no service {_service_of(job)!r} any more")
    try:
        service = make(work.frame, work)
    except ServiceError as error:
        failure = error
        return lambda: failure
    parcel = _packed(work, job, for_editor=True)

    def ask() -> Any:
        try:
            number = service.send([parcel])[parcel.number]
            return number, getattr(service, "batch", None)
        except ServiceError as error:
            return error
        except KeyError:
            return ServiceError("the service gave the job no number")

    return ask


def keep_sent(work: Work, arguments: Mapping[str, Any], found: Any) -> None:
    """Note the number that a service gave a job, or that it could not be reached."""
    job = job_model.by_number(work, arguments["job"])
    if job is None or not job.is_newest:
        return
    if isinstance(found, ServiceError):
        _LOG.warning("job %s could not be sent: %s", job.number, found)
        if _service_of(job) == "agency":
            # Nobody tries an agency again by himself: what was there before holds until somebody sends it anew.
            jobs.cancel(work, job)
            call_off(work, job)
        else:
            jobs.move(work, job, Event.NOT_REACHED)
        return
    number, batch = found
    if _service_of(job) == "ate":
        jobs.move(work, job, Event.SENT_TO_EDITOR, editor_job=number)
        return
    jobs.move(work, job, Event.SENT_TO_AGENCY, service_number=number)
    own = job_model.batch(work, job.batch)
    if batch and own is not None and own.service_number != batch:
        job_model.store_batch(work, msgspec.structs.replace(own, service_number=batch, updated=work.now))


def filled(work: Work, arguments: Mapping[str, Any]) -> Callable[[], Any] | None:
    """Return the call that lets a machine fill a job; None for a job that is not open any more."""
    job = job_model.by_number(work, arguments["job"])
    if job is None or not job.is_newest or job.state not in (State.WAITING, State.IN_PROGRESS):
        return None
    frame, text = work.frame, _house(work).sent(job.number)
    return lambda: machine.filled(machine.translator(frame), text, job.source_language, job.target_language)


def keep_filled(work: Work, arguments: Mapping[str, Any], found: Any) -> None:
    """Finish a job with what a machine wrote."""
    job = job_model.by_number(work, arguments["job"])
    if job is None or not job.is_newest or job.state not in (State.WAITING, State.IN_PROGRESS):
        return
    house = _house(work)
    house.fill(job.number, found)
    review = Review.NONE if work.frame.profile.translation.review == "none" else Review.NEEDED
    collect(work, house, job, review=review)


def called_off(work: Work, arguments: Mapping[str, Any]) -> Callable[[], Any] | None:
    """Return the call that tells a remote service that a job is not wanted."""
    job = job_model.by_number(work, arguments["job"])
    make = services(work.frame).get(_service_of(job)) if job is not None else None
    if job is None or make is None:
        return None
    service, number = make(work.frame, work), job.editor_job or job.service_number
    return lambda: service.cancel(number)


def _service_of(job: Job) -> str:
    if job.editor == "ate":
        return "ate"
    # An agency's jobs bear its number.
    return job.service if job.service == LOCAL else "agency"


def _packed(work: Work, job: Job, for_editor: bool = False) -> Parcel:
    text = file_exchange.written(work, job, for_editor=for_editor)
    return Parcel(job.number, text, job.source_language, job.target_language, job.automatic, job.title)


def _house(work: Work) -> LocalService:
    def open(read: bool) -> AbstractContextManager[Work]:
        return nullcontext(work)

    return LocalService(open)


def _later(work: Work, kind: str, job: Job) -> None:
    job_queue.put(work.tx, kind, {"job": job.number}, due=work.now, now=work.now, key=f"{kind}.{job.number}")
