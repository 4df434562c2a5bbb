"""Routes of the remote editor: send, read, synchronize, download, retry and repair jobs.

Some refuse every caller where the site's translation method is not the remote editor
(multilingual/languages/preferences.py). Rules: docs/rules/translation_services.md, 4, 5, 7, 8, 9 and 10;
docs/rules/translation_routes.md, 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Fault, InvalidParam
from vetrina.multilingual.jobs.rules import TranslationJobNotFound
from vetrina.multilingual.languages import preferences as language_preferences
from vetrina.multilingual.permissions import (
    TranslationForbidden,
    require_exchange_permission,
    require_manager_permission,
    require_translator_permission,
)
from vetrina.multilingual.services import account as service_account, editor_exchange
from vetrina.multilingual.services.account import OpenUnitOfWork
from vetrina.multilingual.services.editor_client import EditorClient
from vetrina.multilingual.services.editor_exchange import ExchangeLocked, JobNotReceived
from vetrina.multilingual.services.remote import TranslationServiceFailed
from vetrina.multilingual.services.service import TranslationServiceError
from vetrina.rest.call import Result
from vetrina.rest.coercion import coerce_boolean, coerce_integer
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String, ValidationContext
from vetrina.rest.response_fields import Free, Nothing
from vetrina.rest.route import READ, WRITE, Route

_PATH: Final = "/mlang/tm/v1/ate/jobs"
_MOST_NUMBERS: Final = 1000
_RAW_ANSWER: Final = Free("What the remote editor answers, as it is.", of=())
_NUMBERS: Final = Array(items=Integer())
_SYNCHRONISED: Final = Object(properties={
    "lockKey": String("Key of the lock, for the next call; null while another call holds it.", unset=(None,)),
    "ateToken": String("Where the further pages are; null where there are none.", unset=(None,)),
    "nextPage": Integer("The next of them.", unset=(None,)),
    "numberOfPages": Integer("How many there are.", unset=(None,)),
    "downloadQueueSize": Integer("Jobs that wait to be downloaded."),
    "jobs": Array(items=Object(properties={
        "ateJobId": Integer("Number that the editor gave it."), "url": String("Where its file is."),
        "ateStatus": Integer("Where it stands, by the editor's number."), "jobId": Integer("Number of the job here."),
        "status": Integer("Where it stands here."), "isUnsolvable": Boolean(), "message": String(),
        "errorType": String(),
    })),
    "eta": Free("When the editor means to be done, as it says it.", unset=(None,)),
})  # fmt: skip
_DOWNLOADED: Final = Array(items=Object(properties={
    "ateJobId": Integer("Number that the editor gave it."), "url": Free("As it was sent.", of=()),
    "ateStatus": Free("As it was sent.", of=()), "jobId": Integer("Number of the job here."),
    "status": Integer("Where it stands here."), "needsReview": Boolean(), "automatic": Boolean(),
    "language_code": String(), "original_element_id": Integer(),
}))  # fmt: skip
_RETRIED: Final = Object(properties={
    "jobsToProcess": _NUMBERS.replace(help="Jobs that are left for the next call."),
    "processed": _NUMBERS.replace(help="Jobs that were sent again."),
})  # fmt: skip
_REPAIRED: Final = Object(properties={"completed": Boolean(), "error": Boolean()})


class BodyNotJson(ApiError):
    code = "mlang_body_not_json"
    message = "Send what the remote editor expects as JSON."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the remote editor."""
    data_arguments: dict[str, Field] = {
        "mlang_job_id": String("Number of the job.", required=True, check=_check_job_number),
        "ate_job_data": Array("What the editor says of it.", required=True, lenient=True, check=_check_list_or_object),
    }
    sync_arguments: dict[str, Field] = {
        "lockKey": String("Key of the lock, as an earlier call answered it."),
        "ateToken": String("Where the answer is that has further pages."),
        "page": Integer("Page to ask for."),
        "numberOfPages": Integer("How many pages there are."),
    }
    at_editor = {"ateJobId": String("Number that the editor gave the job.", pattern=r"^\d+$")}
    return (
        Route(
            WRITE, f"{_PATH}/store", _save_job_data, data_arguments, _require_editor_and(require_manager_permission),
            errors=(TranslationForbidden, TranslationJobNotFound), answers=Boolean("Whether it is kept."),
        ),
        _build_waiting_route(
            WRITE, _PATH, _forward_jobs, {}, _require_editor_and(require_manager_permission), _RAW_ANSWER, BodyNotJson
        ),
        _build_waiting_route(
            WRITE, f"{_PATH}/sync", _synchronize_jobs, sync_arguments, require_exchange_permission, _SYNCHRONISED
        ),
        _build_waiting_route(WRITE, f"{_PATH}/download", _download_jobs, {}, require_exchange_permission, _DOWNLOADED),
        _build_waiting_route(WRITE, f"{_PATH}/retry", _retry_jobs, {}, require_exchange_permission, _RETRIED),
        _build_waiting_route(
            READ,
            f"{_PATH}/receive/{{mlangJobId:\\d+}}",
            _receive_job,
            {"mlangJobId": Integer("Number of the job.", required=True)},
            _allow_everybody,
            Nothing(),
            ExchangeLocked,
            JobNotReceived,
        ),
        _build_waiting_route(
            READ,
            f"{_PATH}/{{ateJobId:\\d+}}",
            _read_editor_job,
            at_editor,
            _require_editor_and(require_translator_permission),
            _RAW_ANSWER,
        ),
        _build_waiting_route(
            READ, f"{_PATH}/{{ateJobId:\\d+}}/fix", _repair_job, at_editor, require_exchange_permission, _REPAIRED
        ),
    )  # fmt: skip


def _allow_everybody(call: Call) -> None:
    """Everybody: the editor itself calls, without an account."""


def _require_editor_and(allow: Callable[[Call], None]) -> Callable[[Call], None]:
    """Return a permission that also requires that the site uses the remote editor."""

    def allowed(call: Call) -> None:
        allow(call)
        if not language_preferences.uses_remote_editor(call.work):
            raise TranslationForbidden(bool(call.work.user))

    allowed.__doc__ = f"{(allow.__doc__ or '').rstrip('.')}, where a remote editor is set."
    return allowed


def _build_waiting_route(
    methods: tuple[str, ...], path: str, ask: Callable[[Call, OpenUnitOfWork], Any], args: Mapping[str, Field],
    allow: Callable[[Call], None], answers: Field, *errors: type[ApiError],
) -> Route:  # fmt: skip
    """Return a route that waits for the editor; its steps open their own transactions."""

    @contextmanager
    def asking(call: Call) -> Iterator[Any]:
        assert call.open is not None
        try:
            found = ask(call, call.open)
        except TranslationServiceError as error:
            raise TranslationServiceFailed(error) from error
        yield found

    prepare: Callable[[Call], AbstractContextManager[Any]] = asking
    return Route(
        methods, path, _return_prepared, args, allow, slow=True, read=True, prepare=prepare,
        errors=(TranslationForbidden, TranslationServiceFailed, *errors), answers=answers, summary=ask.__doc__ or "",
    )  # fmt: skip


def _return_prepared(call: Call) -> Result:
    return Result(call.prepared)


# -- arguments


def _check_job_number(value: Any, name: str, asked: ValidationContext) -> Fault | None:
    fitting = isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 16
    return None if fitting else Fault("", f"{name} is not the number of a job.")


def _check_list_or_object(value: Any, name: str, asked: ValidationContext) -> Fault | None:
    if isinstance(value, (list, dict)):
        return None
    return Fault("rest_invalid_type", f"{name} is not of type array.", {"param": name})


# -- handlers


def _save_job_data(call: Call) -> Result:
    """Store the data that the remote editor holds about a job."""
    editor_exchange.save_editor_data(call.work, int(call.args["mlang_job_id"]), call.args["ate_job_data"])
    return Result(True)


def _forward_jobs(call: Call, open: OpenUnitOfWork) -> Any:
    """Send jobs to the remote editor."""
    if not call.request.body.strip():
        raise BodyNotJson
    return _build_editor(call, open).forward_jobs(call.request.items or call.request.json)


def _read_editor_job(call: Call, open: OpenUnitOfWork) -> Any:
    """Read what the remote editor knows of a job."""
    return _build_editor(call, open).fetch_job_answer(_get_editor_job_id(call))


def _get_editor_job_id(call: Call) -> int:
    """Return the editor's job id from the path, capped at the largest integer."""
    return coerce_integer(call.args["ateJobId"]) or 0


def _build_editor(call: Call, open: OpenUnitOfWork) -> EditorClient:
    with open(True) as work:
        account = service_account.load_account(work)
    return EditorClient(call.work.site, account)


def _synchronize_jobs(call: Call, open: OpenUnitOfWork) -> dict[str, Any]:
    """Ask the remote editor which jobs changed, a page at a time, under a lock."""
    args = call.args
    further = call.raw.get("nextPage")
    page = args.get("page") or (coerce_integer(further) if further is not None else None)
    return editor_exchange.synchronize_jobs(
        call.work.site,
        open,
        key=args.get("lockKey") or None,
        token=args.get("ateToken") or None,
        pages=args.get("numberOfPages") or None,
        page=page if page and page > 0 else None,
        automatic_only=coerce_boolean(call.raw.get("includeManualAndLongstandingJobs")) is False,
    )


def _download_jobs(call: Call, open: OpenUnitOfWork) -> list[dict[str, Any]]:
    """Fetch the finished texts of jobs from the remote editor."""
    requested, key = call.raw.get("jobs"), call.raw.get("lockKey")
    return editor_exchange.download_jobs(
        call.work.site, open, key if isinstance(key, str) else None, requested if isinstance(requested, list) else []
    )


def _retry_jobs(call: Call, open: OpenUnitOfWork) -> dict[str, list[int]]:
    """Send jobs again that the remote editor did not take."""
    requested = call.raw.get("jobsToProcess")
    if requested is None:
        return editor_exchange.retry_jobs(call.work.site, open, None)
    if not isinstance(requested, list) or any(coerce_integer(one) is None for one in requested):
        fault = Fault("rest_invalid_type", "jobsToProcess is not a list of numbers.", {"param": "jobsToProcess"})
        raise InvalidParam({"jobsToProcess": fault})
    numbers = [found for one in requested[:_MOST_NUMBERS] if (found := coerce_integer(one)) is not None]
    return editor_exchange.retry_jobs(call.work.site, open, numbers)


def _receive_job(call: Call, open: OpenUnitOfWork) -> None:
    """Fetch the text of one job that the remote editor says is finished."""
    editor_exchange.receive_job(call.work.site, open, call.args["mlangJobId"])


def _repair_job(call: Call, open: OpenUnitOfWork) -> dict[str, bool]:
    """Synchronize a job with the remote editor again."""
    number = coerce_integer(call.raw.get("jobId")) if call.raw.get("jobId") is not None else None
    return editor_exchange.repair_job(call.work.site, open, _get_editor_job_id(call), number)
