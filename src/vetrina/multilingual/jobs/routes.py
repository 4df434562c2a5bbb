"""Routes of translation jobs: list, create, assign, take, resign, review, cancel.

Not here: files of jobs (multilingual/xliff/routes.py), remote services (multilingual/services/editor_routes.py,
multilingual/services/agency_routes.py). Rules: docs/rules/translation_routes.md, 5 and 11; creating a job is our
own addition.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Fault
from vetrina.multilingual import stored_values as multilingual_stored_values
from vetrina.multilingual.jobs import (
    assignment,
    cancellation,
    listing as job_listing,
    requests as job_requests,
    rules as jobs,
    summary as job_summary,
)
from vetrina.multilingual.jobs.creation import SameTargetLanguage
from vetrina.multilingual.jobs.model import TranslationJob
from vetrina.multilingual.jobs.requests import CannotDuplicateTranslatable, RecipientNotFound
from vetrina.multilingual.jobs.rules import TranslationJobNotFound, TranslationJobOutdated
from vetrina.multilingual.jobs.schema import (
    JOB_FIELD,
    JOB_FILTER_FIELDS,
    parse_day_end,
    parse_job_filters,
    serialize_job,
)
from vetrina.multilingual.jobs.states import IllegalJobTransition, TranslationReview
from vetrina.multilingual.jobs.translators import TranslatorNotFound, list_workable
from vetrina.multilingual.permissions import (
    TranslationForbidden,
    require_any_translator_permission,
    require_manager_permission,
    require_translator_permission,
)
from vetrina.multilingual.services import dispatch
from vetrina.multilingual.translations.translatables import NotTranslatable, TranslatableNotFound
from vetrina.multilingual.xliff.reader import NotYourJob, require_job_right
from vetrina.rest import coercion
from vetrina.rest.call import Result
from vetrina.rest.fields import AnyOf, Array, Boolean, Field, Integer, Object, String, Untyped, ValidationContext
from vetrina.rest.response_fields import Either, Nothing
from vetrina.rest.route import READ, WRITE, Route

_PATH: Final = "/mlang/tm/v1/jobs"
_TYPES: Final = ("post", "tax", "package", "st-batch_strings", "string")
_MOST_ITEMS: Final = 1000


class JobListExpected(ApiError):
    """The body is not a JSON list."""

    code = "mlang_list_expected"
    message = "The body is a JSON list of jobs, each with `id` and `type`."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of jobs."""
    languages = site.profile.languages
    made: dict[str, Field] = {
        "items": Array(
            "What is to be translated, each with `type` (`post_page`, `tax_category`, `string` …) and `id`.",
            items=Object(
                properties={"type": String(required=True), "id": Integer(required=True, minimum=1)}, additional=False
            ),
            required=True, min_items=1, max_items=_MOST_ITEMS,
        ),
        "target_languages": Array("Into which languages.", items=String(enum=languages), required=True, min_items=1),
        "translator_id": Integer("Who translates; anybody when left out.", minimum=0),
        "deadline": String("The last day, as YYYY-MM-DD.", check=_check_day),
        "sent_to": String("`local`, a service's name, or a translator's login; `local` when left out."),
        "batch_name": String("What the jobs are called together; made of the date when left out.", max_length=200),
        "note": String("What translators should know.", max_length=10_000),
    }  # fmt: skip
    assigned: dict[str, Field] = {
        "jobId": Untyped("Number of the job.", required=True, check=_check_number),
        "type": Untyped("Type of the job; post when left out.", check=_check_type),
        "translatorId": Untyped("Number of the translator's account.", required=True, check=_check_number),
    }
    wrong = (
        TranslatableNotFound,
        NotTranslatable,
        SameTargetLanguage,
        TranslatorNotFound,
        RecipientNotFound,
        CannotDuplicateTranslatable,
        IllegalJobTransition,
        TranslationForbidden,
    )
    found = {"jobs": Array(items=JOB_FIELD), "total": Integer("How many there are in all.")}
    picked_up = {
        "last_picked_up_date": AnyOf("When translations were last fetched, false for never.", (Integer(), Boolean()))
    }
    named = Array(items=Object(properties={"id": Integer(), "type": String()}))
    one: dict[str, Field] = {"jobId": Integer("Number of the job.", required=True, minimum=1)}
    reviewed: dict[str, Field] = {
        **one,
        "review_status": String("How far the look at it is.", required=True, enum=("EDITING", "ACCEPTED")),
    }
    refused = (TranslationForbidden, TranslationJobNotFound, NotYourJob, IllegalJobTransition, TranslationJobOutdated)
    return (
        Route(
            READ, _PATH, _list_jobs, JOB_FILTER_FIELDS, require_any_translator_permission,
            errors=(TranslationForbidden,), answers=Object(properties={**found, **picked_up}),
        ),
        Route(
            WRITE, _PATH, _create_jobs, made, require_manager_permission, errors=wrong,
            answers=Object(properties=found), status=201,
        ),
        Route(
            WRITE, f"{_PATH}/assign", _assign_job, assigned, require_translator_permission,
            errors=(TranslationForbidden, IllegalJobTransition, TranslationJobOutdated),
            answers=Either(
                "Whether it is assigned; null where the job or the translator is unknown.",
                (Object(properties={"assigned": Boolean()}), Nothing()),
            ),
        ),
        Route(
            WRITE, f"{_PATH}/cancel", _cancel_jobs, {}, require_translator_permission,
            errors=(TranslationForbidden, JobListExpected, IllegalJobTransition, TranslationJobOutdated), answers=named,
        ),
        # Our additions: the reference does these on its admin pages.
        Route(
            WRITE, f"{_PATH}/take", _take_job, one, require_any_translator_permission, errors=refused,
            answers=JOB_FIELD,
        ),
        Route(
            WRITE, f"{_PATH}/resign", _resign_job, one, require_any_translator_permission, errors=refused,
            answers=JOB_FIELD,
        ),
        Route(
            WRITE, f"{_PATH}/review", _review_job, reviewed, require_any_translator_permission, errors=refused,
            answers=JOB_FIELD,
        ),
    )  # fmt: skip


def serialize_jobs(work: UnitOfWork, found: list[TranslationJob]) -> list[dict[str, Any]]:
    """Return jobs as JSON objects."""
    return [serialize_job(work, one) for one in job_summary.build_job_views(work, found)]


def _check_day(value: Any, name: str, asked: ValidationContext) -> Fault | None:
    if value == "" or parse_day_end(value) is not None:
        return None
    return Fault("rest_invalid_date", f"{name} is not a day: write YYYY-MM-DD.")


def _check_number(value: Any, name: str, asked: ValidationContext) -> Fault | None:
    return None if coercion.coerce_integer(value) is not None else Fault("", "Invalid parameter.")


def _check_type(value: Any, name: str, asked: ValidationContext) -> Fault | None:
    return None if value in _TYPES else Fault("", "Invalid parameter.")


def _list_jobs(call: Call) -> Result:
    """List translation jobs, filtered and sorted."""
    work = call.work
    filters = msgspec.structs.replace(parse_job_filters(work, call.args), workable=list_workable(work, work.user))
    found, total = job_listing.list_jobs(work, filters)
    picked_up = multilingual_stored_values.load_setting(work, "last_picked_up", False)
    work.uses("mlang_setting")
    return Result({"jobs": serialize_jobs(work, found), "total": total, "last_picked_up_date": picked_up})


def _create_jobs(call: Call) -> Result:
    """Send records to be translated: one job for each record and language."""
    work = call.work
    args = call.args
    to = job_requests.resolve_recipient(work, (args.get("sent_to") or "").strip(), args.get("translator_id") or 0)
    day = parse_day_end(args.get("deadline") or "")
    found = job_requests.create_requested_jobs(
        work, args["items"], args["target_languages"], to,
        deadline=work.zone.to_gmt(day) if day is not None else 0,
        batch_name=(args.get("batch_name") or "").strip(), note=args.get("note") or "",
    )  # fmt: skip
    return Result({"jobs": serialize_jobs(work, found), "total": len(found)}, status=201)


def _assign_job(call: Call) -> Result:
    """Give a job to a translator."""
    number, translator = coercion.coerce_integer(call.args["jobId"]), coercion.coerce_integer(call.args["translatorId"])
    assigned = assignment.assign_named_job(call.work, number or 0, translator or 0)
    return Result({"assigned": True} if assigned else None)


def _cancel_jobs(call: Call) -> Result:
    """Cancel jobs; existing translations stay."""
    work = call.work
    named = [
        (rid, item.get("type"))
        for item in _read_body_list(call)
        if isinstance(item, dict) and (rid := coercion.coerce_integer(item.get("id"))) is not None
    ]
    cancelled = cancellation.cancel_named_jobs(work, named)
    for one in cancelled:
        dispatch.call_off_job(work, one)
    return Result([{"id": one.rid, "type": one.type} for one in cancelled])


def _get_own_job(call: Call) -> TranslationJob:
    """Return the job that the call names. Requires that it is free or the caller's, or that they manage translation."""
    found = jobs.get_job(call.work, call.args["jobId"])
    require_job_right(call.work, found)
    return found


def _take_job(call: Call) -> Result:
    """Take a waiting job as the caller's own."""
    [members] = serialize_jobs(call.work, [assignment.open_job(call.work, _get_own_job(call))])
    return Result(members)


def _resign_job(call: Call) -> Result:
    """Give up a job that the caller had taken."""
    [members] = serialize_jobs(call.work, [assignment.resign_job(call.work, _get_own_job(call))])
    return Result(members)


def _review_job(call: Call) -> Result:
    """Set the outcome of the review of a job."""
    [members] = serialize_jobs(
        call.work, [jobs.set_job_review(call.work, _get_own_job(call), TranslationReview(call.args["review_status"]))]
    )
    return Result(members)


def _read_body_list(call: Call) -> list[Any]:
    """Return the body as a list; an empty body is an empty list."""
    if call.request.json or call.request.form:
        raise JobListExpected
    return call.request.items
