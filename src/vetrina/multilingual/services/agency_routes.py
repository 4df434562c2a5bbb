"""Jobs at an agency, behind the translation proxy: files looked at, translations applied, batches brought up to date.

Rules: facts of the multilingual layer, 8, `tp/*`; OVERRIDES, 6 and 7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import ApiError, Fault
from vetrina.multilingual.jobs.rules import JobUnknown
from vetrina.multilingual.permissions import Forbidden, translators
from vetrina.multilingual.services import agency_exchange
from vetrina.multilingual.services.account import Open
from vetrina.multilingual.services.agency_exchange import BatchesNotSynchronised, JobIsLocal, JobNotReady
from vetrina.multilingual.services.remote import ServiceFailed
from vetrina.multilingual.xliff.reader import Invalid, NotXmlFile
from vetrina.multilingual.xliff.writer import MEDIA_TYPE
from vetrina.rest.call import Call, Result
from vetrina.rest.coercion import integer
from vetrina.rest.fields import Array, Asked, Boolean, Field, Integer, Object, String, Untyped
from vetrina.rest.route import READ, WRITE, Route

__all__ = ["routes"]

_PATH: Final = "/mlang/tm/v1/tp"
_TEXTS: Final = Object(properties={
    "source_language": String(), "target_language": String(),
    "translations": Array(items=Object(properties={"field": String(), "source": String(), "target": String()})),
})  # fmt: skip
_APPLIED: Final = Array("Jobs that are done with.", items=Object(properties={
    "id": Integer("Number of the row."), "type": String(), "status": Integer("Where it stands, by its number."),
}))  # fmt: skip
_BATCHES: Final = Array("Numbers of batches that the agency is bringing up to date.", items=Integer())


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of agencies."""
    one: dict[str, Field] = {
        "job_id": Untyped("Number of the job's row.", required=True),
        "job_type": Untyped("Type of the job.", required=True),
        "json": Boolean("Whether the texts are answered as JSON."),
    }
    batches = {"batchId": Untyped("Numbers of the agency's batches.", required=True, check=_list_of_numbers)}
    return (
        _waiting(READ, f"{_PATH}/xliff/download/{{job_id:\\d+}}/{{job_type:\\w+}}", _file, one, _TEXTS,
                 JobUnknown, JobIsLocal, JobNotReady, NotXmlFile, Invalid).but(kinds=(MEDIA_TYPE,)),
        _waiting(WRITE, f"{_PATH}/apply-translations", _apply, {}, _APPLIED),
        _waiting(WRITE, f"{_PATH}/batches/sync", _synchronise, batches, _BATCHES, BatchesNotSynchronised),
        _waiting(READ, f"{_PATH}/batches/status", _queued, {}, _BATCHES, BatchesNotSynchronised),
    )  # fmt: skip


def _waiting(
    methods: tuple[str, ...], path: str, ask: Callable[[Call, Open], Result], args: Mapping[str, Field],
    answers: Field, *errors: type[ApiError],
) -> Route:  # fmt: skip
    """Return a route that waits for the agency; its steps open transactions of their own."""

    @contextmanager
    def asking(call: Call) -> Iterator[Result]:
        assert call.open is not None
        yield ask(call, call.open)

    return Route(methods, path, _told, args, translators, slow=True, read=True, prepare=asking,
                 errors=(Forbidden, ServiceFailed, *errors), answers=answers, says=ask.__doc__ or "")  # fmt: skip


def _told(call: Call) -> Result:
    found: Result = call.prepared
    return found


def _list_of_numbers(value: Any, name: str, asked: Asked) -> Fault | None:
    if isinstance(value, list) and all(integer(one) is not None for one in value):
        return None
    return Fault("rest_invalid_type", f"{name} is not a list of numbers.", {"param": name})


def _file(call: Call, open: Open) -> Result:
    """Read the file of a job that the agency is to translate."""
    number = integer(call.args["job_id"]) or 0
    known, text = agency_exchange.file_of(call.work.frame, open, number, call.args["job_type"])
    if not call.args.get("json"):
        disposition = f'attachment; filename="job-{known.rid}.xliff"'
        return Result(None, headers={"Content-Disposition": disposition}, bare=(MEDIA_TYPE, text.encode()))
    units = agency_exchange.units_of(known, text)
    return Result(
        {
            "source_language": known.source_language,
            "target_language": known.target_language,
            "translations": [{"field": unit.name, "source": unit.source, "target": unit.target} for unit in units],
        }
    )


def _apply(call: Call, open: Open) -> Result:
    """Take the texts of jobs that the agency has finished."""
    frame = call.work.frame
    if call.request.body.lstrip()[:1] == b"[":
        named = [
            (number, str(one.get("type", "post")))
            for one in call.request.items
            if isinstance(one, dict) and (number := integer(one.get("id"))) is not None
        ]
        return Result(agency_exchange.apply_named(frame, open, named))
    element = integer(call.raw.get("original_element_id")) if call.raw.get("original_element_id") is not None else None
    element_type = call.raw.get("element_type")
    if element is not None and isinstance(element_type, str):
        return Result(agency_exchange.apply_of(frame, open, element_type, element))
    return Result(agency_exchange.apply_all(frame, open))


def _synchronise(call: Call, open: Open) -> Result:
    """Ask the agency about its batches and take over what changed."""
    numbers = [found for one in call.args["batchId"] if (found := integer(one)) is not None]
    return Result(agency_exchange.synchronise(call.work.frame, numbers))


def _queued(call: Call, open: Open) -> Result:
    """Tell whether the agency's batches wait to be asked about."""
    return Result(agency_exchange.queued(call.work.frame))
