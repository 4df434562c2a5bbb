"""Routes of jobs at an agency behind the translation proxy: files, translations to apply, batches.

Rules: docs/rules/translation_services.md, 1, 2 and 3; docs/rules/translation_routes.md, 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Fault
from vetrina.multilingual.jobs.rules import TranslationJobNotFound
from vetrina.multilingual.permissions import TranslationForbidden, require_translator_permission
from vetrina.multilingual.services import agency_exchange
from vetrina.multilingual.services.account import OpenUnitOfWork
from vetrina.multilingual.services.agency_exchange import BatchesNotSynchronized, JobIsLocal, JobNotReady
from vetrina.multilingual.services.remote import TranslationServiceFailed
from vetrina.multilingual.xliff.reader import InvalidXliff, NotXmlFile
from vetrina.multilingual.xliff.writer import MEDIA_TYPE
from vetrina.rest.call import Result
from vetrina.rest.coercion import coerce_integer
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String, Untyped, ValidationContext
from vetrina.rest.route import READ, WRITE, Route

_PATH: Final = "/mlang/tm/v1/tp"
_TEXTS: Final = Object(properties={
    "source_language": String(), "target_language": String(),
    "translations": Array(items=Object(properties={"field": String(), "source": String(), "target": String()})),
})  # fmt: skip
_APPLIED: Final = Array("Jobs that are done with.", items=Object(properties={
    "id": Integer("Number of the row."), "type": String(), "status": Integer("Where it stands, by its number."),
}))  # fmt: skip
_BATCHES: Final = Array("Numbers of batches that the agency is bringing up to date.", items=Integer())


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of agencies."""
    one: dict[str, Field] = {
        "job_id": Untyped("Number of the job's row.", required=True),
        "job_type": Untyped("Type of the job.", required=True),
        "json": Boolean("Whether the texts are answered as JSON."),
    }
    batches = {"batchId": Untyped("Numbers of the agency's batches.", required=True, check=_check_number_list)}
    return (
        _build_waiting_route(
            READ,
            f"{_PATH}/xliff/download/{{job_id:\\d+}}/{{job_type:\\w+}}",
            _read_job_file,
            one,
            _TEXTS,
            TranslationJobNotFound,
            JobIsLocal,
            JobNotReady,
            NotXmlFile,
            InvalidXliff,
        ).replace(kinds=(MEDIA_TYPE,)),
        _build_waiting_route(WRITE, f"{_PATH}/apply-translations", _apply_translations, {}, _APPLIED),
        _build_waiting_route(
            WRITE, f"{_PATH}/batches/sync", _synchronize_batches, batches, _BATCHES, BatchesNotSynchronized
        ),
        _build_waiting_route(
            READ, f"{_PATH}/batches/status", _list_queued_batches, {}, _BATCHES, BatchesNotSynchronized
        ),
    )


def _build_waiting_route(
    methods: tuple[str, ...], path: str, ask: Callable[[Call, OpenUnitOfWork], Result], args: Mapping[str, Field],
    answers: Field, *errors: type[ApiError],
) -> Route:  # fmt: skip
    """Return a route that waits for the agency; its steps open their own transactions."""

    @contextmanager
    def asking(call: Call) -> Iterator[Result]:
        assert call.open is not None
        yield ask(call, call.open)

    return Route(
        methods, path, _return_prepared, args, require_translator_permission, slow=True, read=True, prepare=asking,
        errors=(TranslationForbidden, TranslationServiceFailed, *errors), answers=answers, summary=ask.__doc__ or "",
    )  # fmt: skip


def _return_prepared(call: Call) -> Result:
    found: Result = call.prepared
    return found


def _check_number_list(value: Any, name: str, asked: ValidationContext) -> Fault | None:
    if isinstance(value, list) and all(coerce_integer(one) is not None for one in value):
        return None
    return Fault("rest_invalid_type", f"{name} is not a list of numbers.", {"param": name})


def _read_job_file(call: Call, open: OpenUnitOfWork) -> Result:
    """Read the file of a job that the agency is to translate."""
    number = coerce_integer(call.args["job_id"]) or 0
    known, text = agency_exchange.fetch_job_file(call.work.site, open, number, call.args["job_type"])
    if not call.args.get("json"):
        disposition = f'attachment; filename="job-{known.rid}.xliff"'
        return Result(None, headers={"Content-Disposition": disposition}, raw_content=(MEDIA_TYPE, text.encode()))
    units = agency_exchange.parse_job_units(known, text)
    return Result(
        {
            "source_language": known.source_language,
            "target_language": known.target_language,
            "translations": [{"field": unit.name, "source": unit.source, "target": unit.target} for unit in units],
        }
    )


def _apply_translations(call: Call, open: OpenUnitOfWork) -> Result:
    """Apply the texts of jobs that the agency has finished."""
    site = call.work.site
    if call.request.body.lstrip()[:1] == b"[":
        named = [
            (number, str(one.get("type", "post")))
            for one in call.request.items
            if isinstance(one, dict) and (number := coerce_integer(one.get("id"))) is not None
        ]
        return Result(agency_exchange.apply_named_jobs(site, open, named))
    element = (
        coerce_integer(call.raw.get("original_element_id")) if call.raw.get("original_element_id") is not None else None
    )
    element_type = call.raw.get("element_type")
    if element is not None and isinstance(element_type, str):
        return Result(agency_exchange.apply_translatable_jobs(site, open, element_type, element))
    return Result(agency_exchange.apply_delivered_jobs(site, open))


def _synchronize_batches(call: Call, open: OpenUnitOfWork) -> Result:
    """Ask the agency to synchronize its batches."""
    numbers = [found for one in call.args["batchId"] if (found := coerce_integer(one)) is not None]
    return Result(agency_exchange.synchronize_batches(call.work.site, numbers))


def _list_queued_batches(call: Call, open: OpenUnitOfWork) -> Result:
    """List the agency's batches that wait to be synchronized."""
    return Result(agency_exchange.list_queued_batches(call.work.site))
