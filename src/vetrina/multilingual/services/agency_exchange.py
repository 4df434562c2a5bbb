"""The exchange of jobs with an agency: looked at, fetched, applied, its batches brought up to date.

The agency is asked between transactions (`open` opens one); each job is applied in one of its own. Not here: what is
asked of the agency (multilingual/services/agency_client.py). Rules: facts, 6.3 and 8, `tp/*`; OVERRIDES, 7.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam

from vetrina.backends.database import Statement
from vetrina.backends.tables.multilingual import status as status_table
from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import ApiError
from vetrina.multilingual import stored_values as multilingual_stored_values
from vetrina.multilingual.jobs import file_exchange
from vetrina.multilingual.jobs import model as job_model
from vetrina.multilingual.jobs import rules as jobs
from vetrina.multilingual.jobs.model import LOCAL, Job
from vetrina.multilingual.jobs.rules import JobUnknown
from vetrina.multilingual.jobs.states import OPEN, Event, State
from vetrina.multilingual.services.account import Open
from vetrina.multilingual.services.agency_client import Agency
from vetrina.multilingual.services.remote import ServiceFailed
from vetrina.multilingual.services.service import ServiceError
from vetrina.multilingual.xliff import reader as xliff_reader
from vetrina.multilingual.xliff.reader import Unit

__all__ = ["BatchesNotSynchronised", "JobIsLocal", "JobNotReady", "apply_all", "apply_named", "apply_of", "file_of",
           "queued", "synchronise", "units_of"]  # fmt: skip

_LOG = logging.getLogger("vetrina.mlang.agency")
_STATES: Final = frozenset({State.READY, State.COMPLETE})
PICKED_UP: Final = "last_picked_up"  # when an agency was last asked for texts, in seconds since 1970
_MOST: Final = 200  # jobs of a call
_SAID: Final = {"post": ("post", "package"), "st-batch_strings": ("string",), "tax": ("tax", "post", "string")}


class JobIsLocal(ApiError):
    """The job never left the house."""

    code = "mlang_job_is_local"
    message = "This is only a local job."

    def __init__(self) -> None:
        super().__init__(data={"number": 400})


class JobNotReady(ApiError):
    """The agency has not delivered the job yet."""

    status, code = 409, "mlang_job_not_ready"
    message = "Job's translation is not ready."

    def __init__(self) -> None:
        super().__init__(data={"number": 400})


class BatchesNotSynchronised(ServiceFailed):
    """The agency could not be asked about its batches."""

    code = "mlang_batches_not_synchronised"
    message = "Batch synchronization could not be initialized: {reason}"


_AWAY = Statement(
    job_model.selected()
    .where(status_table.c.service != LOCAL, status_table.c.status == bindparam("state"))
    .order_by(status_table.c.rid)
)


def file_of(frame: Frame, open: Open, rid: int, type: str) -> tuple[Job, str]:
    """Return a job that an agency translated, with its file.

    Raises JobUnknown, JobIsLocal, JobNotReady, ServiceFailed.
    """
    with open(True) as work:
        known = job_model.by_rid(work, rid)
    # Clients say `string` of a batch of strings and `package` of what is translated as a record here.
    if known is None or type not in _SAID.get(known.type, (known.type,)):
        raise JobUnknown(rid)
    if known.service == LOCAL:
        raise JobIsLocal
    if known.state not in _STATES:
        raise JobNotReady
    try:
        return known, Agency(frame).fetch(known.service_number)
    except ServiceError as error:
        raise ServiceFailed(error) from error


def units_of(known: Job, text: str) -> list[Unit]:
    """Return the texts of a job's file. Raises what reading it raises."""
    fitting = [one for one in xliff_reader.read(text) if one.number == known.number]
    return fitting[0].units if fitting else []


def apply_named(frame: Frame, open: Open, named: Iterable[tuple[int, str]]) -> list[dict[str, Any]]:
    """Fetch and apply jobs by row and type; the others of them are passed over. Raises ServiceFailed."""
    with open(True) as work:
        found = [one for rid, _ in named if (one := job_model.by_rid(work, rid)) is not None]
    return _applied(frame, open, found)


def apply_of(frame: Frame, open: Open, element_type: str, element: int) -> list[dict[str, Any]]:
    """Fetch and apply every job of a thing. Raises ServiceFailed."""
    with open(True) as work:
        found = job_model.of_thing(work, element_type, element)
    return _applied(frame, open, found)


def apply_all(frame: Frame, open: Open) -> list[dict[str, Any]]:
    """Fetch and apply every job that an agency delivered. Raises ServiceFailed."""
    with open(True) as work:
        found = [job_model.of_row(row) for row in work.tx.all(_AWAY, state=State.READY.value)]
    return _applied(frame, open, found)


def synchronise(frame: Frame, batches: Sequence[int]) -> list[int]:
    """Ask the agency to bring batches up to date, and return those that it queued. Raises BatchesNotSynchronised."""
    return _asked(lambda: Agency(frame).synchronise(batches))


def queued(frame: Frame) -> list[int]:
    """Return the batches that the agency is bringing up to date. Raises BatchesNotSynchronised."""
    return _asked(lambda: Agency(frame).queued())


def _asked(ask: Callable[[], list[int]]) -> list[int]:
    try:
        return ask()
    except ServiceError as error:
        raise BatchesNotSynchronised(error) from error


def _applied(frame: Frame, open: Open, found: Sequence[Job]) -> list[dict[str, Any]]:
    """Bring jobs up to date with the agency, apply those that it delivered, and say where each stands."""
    away = [one for one in found if one.service != LOCAL and one.service_number and one.state in OPEN][:_MOST]
    if not away:
        return []
    try:
        agency = Agency(frame)
        out = []
        for one in away:
            known = _looked_at(open, agency, one)
            if known.state is State.READY:
                known = _fetched(open, agency, known)
            if known.state in (State.COMPLETE, State.NOT_TRANSLATED):
                out.append({"id": known.rid, "type": known.type, "status": known.status})
    except ServiceError as error:
        raise ServiceFailed(error) from error
    with open(False) as work:
        multilingual_stored_values.write(work, PICKED_UP, work.now)
    return out


def _looked_at(open: Open, agency: Agency, one: Job) -> Job:
    """Return a job after asking the agency how far it is."""
    if one.state is State.READY:
        return one
    word = agency.word(one.service_number)
    with open(False) as work:
        known = jobs.existing(work, one.number)
        if known.state not in OPEN or not known.is_newest:
            return known
        known = job_model.store(work, known, msgspec.structs.replace(known, service_status=word))
        if word == "cancelled":
            jobs.cancel(work, known)
            # An earlier translation is what it was before; the job that was sent is none any more.
            return msgspec.structs.replace(known, status=State.NOT_TRANSLATED.value)
        if word in ("translation_ready", "delivered"):
            return jobs.move(work, known, Event.DELIVERED)
    return known


def _fetched(open: Open, agency: Agency, one: Job) -> Job:
    """Return a job with the agency's file applied; one that cannot be applied stays where it was."""
    text = agency.fetch(one.service_number)
    try:
        with open(False) as work:
            return file_exchange.taken(work, jobs.existing(work, one.number), text)
    except ApiError as error:
        _LOG.warning("job %s of the agency was not applied: %s", one.number, error)
        return one
