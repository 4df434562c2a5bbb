"""The remote editor: jobs handed to it, looked at, synchronised, fetched, tried again and mended.

Some refuse everybody where the site's method of translation is not the remote editor (domain/mlang/preferences.py).
Rules: facts of the multilingual layer, 9; OVERRIDES, 7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from vetrina.declare.call import Call, Result
from vetrina.declare.coerce import boolean, integer
from vetrina.declare.fields import Array, Asked, Field, Integer, String
from vetrina.declare.route import READ, WRITE, Route
from vetrina.domain.mlang import accounts, editor_exchange, preferences
from vetrina.domain.mlang.accounts import Open
from vetrina.domain.mlang.editor_client import Editor
from vetrina.domain.mlang.editor_exchange import JobLocked, NotReceived
from vetrina.domain.mlang.jobs import JobUnknown
from vetrina.domain.mlang.remote import ServiceFailed
from vetrina.domain.mlang.services import ServiceError
from vetrina.domain.work import Frame
from vetrina.kernel.errors import ApiError, Fault, InvalidParam

from .access import Forbidden, exchangers, managers_alone, translators

__all__ = ["routes"]

_PATH: Final = "/mlang/tm/v1/ate/jobs"
_MOST_NUMBERS: Final = 1000


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
        Route(WRITE, f"{_PATH}/store", _store, kept, _with_editor(managers_alone), errors=(Forbidden, JobUnknown)),
        _waiting(WRITE, _PATH, _hand, {}, _with_editor(managers_alone), NotAnObject),
        _waiting(WRITE, f"{_PATH}/sync", _synchronise, asked, exchangers),
        _waiting(WRITE, f"{_PATH}/download", _download, {}, exchangers),
        _waiting(WRITE, f"{_PATH}/retry", _retry, {}, exchangers),
        _waiting(READ, f"{_PATH}/receive/{{mlangJobId:\\d+}}", _receive,
                 {"mlangJobId": Integer("Number of the job.", required=True)}, _everybody, JobLocked, NotReceived),
        _waiting(READ, f"{_PATH}/{{ateJobId:\\d+}}", _look, at_editor, _with_editor(translators)),
        _waiting(READ, f"{_PATH}/{{ateJobId:\\d+}}/fix", _fix, at_editor, exchangers),
    )  # fmt: skip


def _everybody(call: Call) -> None:
    """The editor itself asks, without an account."""


def _with_editor(allow: Callable[[Call], None]) -> Callable[[Call], None]:
    """Return a permission that nobody has where no remote editor is."""

    def allowed(call: Call) -> None:
        allow(call)
        if not preferences.in_editor(call.work):
            raise Forbidden(bool(call.work.user))

    return allowed


def _waiting(
    methods: tuple[str, ...], path: str, ask: Callable[[Call, Open], Any], args: Mapping[str, Field],
    allow: Callable[[Call], None], *errors: type[ApiError],
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
                 errors=(Forbidden, ServiceFailed, *errors))  # fmt: skip


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
    editor_exchange.store_data(call.work, int(call.args["mlang_job_id"]), call.args["ate_job_data"])
    return Result(True)


def _hand(call: Call, open: Open) -> Any:
    if not call.request.body.strip():
        raise NotAnObject
    return _editor(call, open).handed(call.request.items or call.request.json)


def _look(call: Call, open: Open) -> Any:
    return _editor(call, open).told(_number(call))


def _number(call: Call) -> int:
    """Return the editor's number in the path; one beyond all numbers is the largest."""
    return integer(call.args["ateJobId"]) or 0


def _editor(call: Call, open: Open) -> Editor:
    with open(True) as work:
        mine = accounts.account(work)
    return Editor(call.work.frame, mine)


def _synchronise(call: Call, open: Open) -> dict[str, Any]:
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
    asked, key = call.raw.get("jobs"), call.raw.get("lockKey")
    return editor_exchange.download(
        call.work.frame, open, key if isinstance(key, str) else None, asked if isinstance(asked, list) else []
    )


def _retry(call: Call, open: Open) -> dict[str, list[int]]:
    asked = call.raw.get("jobsToProcess")
    if asked is None:
        return editor_exchange.retry(call.work.frame, open, None)
    if not isinstance(asked, list) or any(integer(one) is None for one in asked):
        fault = Fault("rest_invalid_type", "jobsToProcess is not a list of numbers.", {"param": "jobsToProcess"})
        raise InvalidParam({"jobsToProcess": fault})
    numbers = [found for one in asked[:_MOST_NUMBERS] if (found := integer(one)) is not None]
    return editor_exchange.retry(call.work.frame, open, numbers)


def _receive(call: Call, open: Open) -> None:
    editor_exchange.receive(call.work.frame, open, call.args["mlangJobId"])


def _fix(call: Call, open: Open) -> dict[str, bool]:
    number = integer(call.raw.get("jobId")) if call.raw.get("jobId") is not None else None
    return editor_exchange.fix(call.work.frame, open, _number(call), number)
