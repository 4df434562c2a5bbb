"""The remote editor: jobs handed to it, looked at, synchronised, fetched, tried again and mended.

Some refuse everybody where the site's method of translation is not the remote editor
(multilingual/languages/preferences.py). Rules: facts of the multilingual layer, 9; OVERRIDES, 7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import ApiError, Fault, InvalidParam
from vetrina.multilingual.jobs.rules import JobUnknown
from vetrina.multilingual.languages import preferences as language_preferences
from vetrina.multilingual.permissions import Forbidden, exchangers, managers_alone, translators
from vetrina.multilingual.services import account as service_account
from vetrina.multilingual.services import editor_exchange
from vetrina.multilingual.services.account import Open
from vetrina.multilingual.services.editor_client import Editor
from vetrina.multilingual.services.editor_exchange import JobLocked, NotReceived
from vetrina.multilingual.services.remote import ServiceFailed
from vetrina.multilingual.services.service import ServiceError
from vetrina.rest.call import Call, Result
from vetrina.rest.coercion import boolean, integer
from vetrina.rest.fields import Array, Asked, Boolean, Field, Integer, Object, String
from vetrina.rest.response_fields import Free, Nothing
from vetrina.rest.route import READ, WRITE, Route

__all__ = ["routes"]

_PATH: Final = "/mlang/tm/v1/ate/jobs"
_MOST_NUMBERS: Final = 1000
_AS_IT_IS: Final = Free("What the remote editor answers, as it is.", of=())
_NUMBERS: Final = Array(items=Integer())
_SYNCHRONISED: Final = Object(properties={
    "lockKey": String("Key of the lock, for the next call; null while another call holds it."),
    "ateToken": String("Where the further pages are."),
    "nextPage": Integer("The next of them."),
    "numberOfPages": Integer("How many there are."),
    "downloadQueueSize": Integer("Jobs that wait to be downloaded."),
    "jobs": Array(items=Object(properties={
        "ateJobId": Integer("Number that the editor gave it."), "url": String("Where its file is."),
        "ateStatus": Integer("Where it stands, by the editor's number."), "jobId": Integer("Number of the job here."),
        "status": Integer("Where it stands here."), "isUnsolvable": Boolean(), "message": String(),
        "errorType": String(),
    })),
    "eta": Free("When the editor means to be done, as it says it."),
})  # fmt: skip
_DOWNLOADED: Final = Array(items=Object(properties={
    "ateJobId": Integer("Number that the editor gave it."), "url": Free("As it was sent.", of=()),
    "ateStatus": Free("As it was sent.", of=()), "jobId": Integer("Number of the job here."),
    "status": Integer("Where it stands here."), "needsReview": Boolean(), "automatic": Boolean(),
    "language_code": String(), "original_element_id": Integer(),
}))  # fmt: skip
_RETRIED: Final = Object(properties={
    "jobsToProcess": _NUMBERS.but(help="Jobs that are left for the next call."),
    "processed": _NUMBERS.but(help="Jobs that were sent again."),
})  # fmt: skip
_MENDED: Final = Object(properties={"completed": Boolean(), "error": Boolean()})


class NotAnObject(ApiError):
    code = "mlang_body_not_json"
    message = "Send what the remote editor expects as JSON."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the remote editor."""
    kept: dict[str, Field] = {
        "mlang_job_id": String("Number of the job.", required=True, check=_whole_number),
        "ate_job_data": Array("What the editor says of it.", required=True, lenient=True, check=_list_or_object),
    }
    asked: dict[str, Field] = {
        "lockKey": String("Key of the lock, as an earlier call answered it."),
        "ateToken": String("Where the answer is that has further pages."),
        "page": Integer("Page to ask for."),
        "numberOfPages": Integer("How many pages there are."),
    }
    at_editor = {"ateJobId": String("Number that the editor gave the job.", pattern=r"^\d+$")}
    return (
        Route(WRITE, f"{_PATH}/store", _store, kept, _with_editor(managers_alone), errors=(Forbidden, JobUnknown),
              answers=Boolean("Whether it is kept.")),
        _waiting(WRITE, _PATH, _hand, {}, _with_editor(managers_alone), _AS_IT_IS, NotAnObject),
        _waiting(WRITE, f"{_PATH}/sync", _synchronise, asked, exchangers, _SYNCHRONISED),
        _waiting(WRITE, f"{_PATH}/download", _download, {}, exchangers, _DOWNLOADED),
        _waiting(WRITE, f"{_PATH}/retry", _retry, {}, exchangers, _RETRIED),
        _waiting(READ, f"{_PATH}/receive/{{mlangJobId:\\d+}}", _receive,
                 {"mlangJobId": Integer("Number of the job.", required=True)}, _everybody, Nothing(), JobLocked,
                 NotReceived),
        _waiting(READ, f"{_PATH}/{{ateJobId:\\d+}}", _look, at_editor, _with_editor(translators), _AS_IT_IS),
        _waiting(READ, f"{_PATH}/{{ateJobId:\\d+}}/fix", _fix, at_editor, exchangers, _MENDED),
    )  # fmt: skip


def _everybody(call: Call) -> None:
    """Everybody: the editor itself asks, without an account."""


def _with_editor(allow: Callable[[Call], None]) -> Callable[[Call], None]:
    """Return a permission that nobody has where no remote editor is."""

    def allowed(call: Call) -> None:
        allow(call)
        if not language_preferences.in_editor(call.work):
            raise Forbidden(bool(call.work.user))

    allowed.__doc__ = f"{(allow.__doc__ or '').rstrip('.')}, where a remote editor is set."
    return allowed


def _waiting(
    methods: tuple[str, ...], path: str, ask: Callable[[Call, Open], Any], args: Mapping[str, Field],
    allow: Callable[[Call], None], answers: Field, *errors: type[ApiError],
) -> Route:  # fmt: skip
    """Return a route that waits for the editor; its steps open transactions of their own."""

    @contextmanager
    def asking(call: Call) -> Iterator[Any]:
        assert call.open is not None
        try:
            found = ask(call, call.open)
        except ServiceError as error:
            raise ServiceFailed(error) from error
        yield found

    prepare: Callable[[Call], AbstractContextManager[Any]] = asking
    return Route(methods, path, _told, args, allow, slow=True, read=True, prepare=prepare,
                 errors=(Forbidden, ServiceFailed, *errors), answers=answers, says=ask.__doc__ or "")  # fmt: skip


def _told(call: Call) -> Result:
    return Result(call.prepared)


# -- arguments


def _whole_number(value: Any, name: str, asked: Asked) -> Fault | None:
    fitting = isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 16
    return None if fitting else Fault("", f"{name} is not the number of a job.")


def _list_or_object(value: Any, name: str, asked: Asked) -> Fault | None:
    if isinstance(value, (list, dict)):
        return None
    return Fault("rest_invalid_type", f"{name} is not of type array.", {"param": name})


# -- what is done


def _store(call: Call) -> Result:
    """Keep the data that the remote editor holds about a job."""
    editor_exchange.store_data(call.work, int(call.args["mlang_job_id"]), call.args["ate_job_data"])
    return Result(True)


def _hand(call: Call, open: Open) -> Any:
    """Hand jobs to the remote editor."""
    if not call.request.body.strip():
        raise NotAnObject
    return _editor(call, open).handed(call.request.items or call.request.json)


def _look(call: Call, open: Open) -> Any:
    """Tell what the remote editor knows of a job."""
    return _editor(call, open).told(_number(call))


def _number(call: Call) -> int:
    """Return the editor's number in the path; one beyond all numbers is the largest."""
    return integer(call.args["ateJobId"]) or 0


def _editor(call: Call, open: Open) -> Editor:
    with open(True) as work:
        mine = service_account.account(work)
    return Editor(call.work.frame, mine)


def _synchronise(call: Call, open: Open) -> dict[str, Any]:
    """Ask the remote editor which jobs changed, a page at a time, under a lock."""
    args = call.args
    further = call.raw.get("nextPage")
    page = args.get("page") or (integer(further) if further is not None else None)
    return editor_exchange.synchronise(
        call.work.frame,
        open,
        key=args.get("lockKey") or None,
        token=args.get("ateToken") or None,
        pages=args.get("numberOfPages") or None,
        page=page if page and page > 0 else None,
        automatic_only=boolean(call.raw.get("includeManualAndLongstandingJobs")) is False,
    )


def _download(call: Call, open: Open) -> list[dict[str, Any]]:
    """Fetch the finished texts of jobs from the remote editor."""
    asked, key = call.raw.get("jobs"), call.raw.get("lockKey")
    return editor_exchange.download(
        call.work.frame, open, key if isinstance(key, str) else None, asked if isinstance(asked, list) else []
    )


def _retry(call: Call, open: Open) -> dict[str, list[int]]:
    """Hand jobs to the remote editor again that it did not take."""
    asked = call.raw.get("jobsToProcess")
    if asked is None:
        return editor_exchange.retry(call.work.frame, open, None)
    if not isinstance(asked, list) or any(integer(one) is None for one in asked):
        fault = Fault("rest_invalid_type", "jobsToProcess is not a list of numbers.", {"param": "jobsToProcess"})
        raise InvalidParam({"jobsToProcess": fault})
    numbers = [found for one in asked[:_MOST_NUMBERS] if (found := integer(one)) is not None]
    return editor_exchange.retry(call.work.frame, open, numbers)


def _receive(call: Call, open: Open) -> None:
    """Fetch the text of one job that the remote editor says is finished."""
    editor_exchange.receive(call.work.frame, open, call.args["mlangJobId"])


def _fix(call: Call, open: Open) -> dict[str, bool]:
    """Bring a job back in step with the remote editor."""
    number = integer(call.raw.get("jobId")) if call.raw.get("jobId") is not None else None
    return editor_exchange.fix(call.work.frame, open, _number(call), number)
