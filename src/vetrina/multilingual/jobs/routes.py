"""Translation jobs: listed, made, assigned, taken, given back, reviewed, cancelled.

Not here: the files that carry their texts (multilingual/xliff/routes.py), remote services
(multilingual/services/editor_routes.py, multilingual/services/agency_routes.py). Rules: facts of the multilingual
layer, "Routes of `mlang/tm/v1`: jobs"; making a job is an addition of ours.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError, Fault
from vetrina.multilingual import stored_values as multilingual_stored_values
from vetrina.multilingual.jobs import listing as job_listing
from vetrina.multilingual.jobs import requests as job_requests
from vetrina.multilingual.jobs import rules as jobs
from vetrina.multilingual.jobs import summary as job_summary
from vetrina.multilingual.jobs.model import Job
from vetrina.multilingual.jobs.requests import NotDuplicable, RecipientUnknown
from vetrina.multilingual.jobs.rules import JobOutdated, JobUnknown, SameLanguage
from vetrina.multilingual.jobs.schema import FILTERS, JOB, day_end, filters, shown
from vetrina.multilingual.jobs.states import IllegalMove, Review
from vetrina.multilingual.jobs.translators import TranslatorUnknown
from vetrina.multilingual.permissions import Forbidden, managers_alone, translators
from vetrina.multilingual.services import dispatch
from vetrina.multilingual.translations.translatables import ItemUnknown, NotTranslatable
from vetrina.multilingual.xliff.reader import NotYours, require_right
from vetrina.rest import coercion
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import AnyOf, Array, Asked, Boolean, Field, Integer, Object, String, Untyped
from vetrina.rest.response_fields import Either, Nothing
from vetrina.rest.route import READ, WRITE, Route

__all__ = ["ListExpected", "job_body", "routes"]

_PATH: Final = "/mlang/tm/v1/jobs"
_TYPES: Final = ("post", "tax", "package", "st-batch_strings", "string")
_MOST_ITEMS: Final = 1000


class ListExpected(ApiError):
    """The body is no JSON list."""

    code = "mlang_list_expected"
    message = "The body is a JSON list of jobs, each with `id` and `type`."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of jobs."""
    languages = frame.profile.languages
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
        "deadline": String("The last day, as YYYY-MM-DD.", check=_is_day),
        "sent_to": String("`local`, a service's name, or a translator's login; `local` when left out."),
        "batch_name": String("What the jobs are called together; made of the date when left out.", max_length=200),
        "note": String("What translators should know.", max_length=10_000),
    }  # fmt: skip
    assigned: dict[str, Field] = {
        "jobId": Untyped("Number of the job.", required=True, check=_is_number),
        "type": Untyped("Type of the job; post when left out.", check=_is_type),
        "translatorId": Untyped("Number of the translator's account.", required=True, check=_is_number),
    }
    wrong = (
        ItemUnknown, NotTranslatable, SameLanguage, TranslatorUnknown, RecipientUnknown, NotDuplicable, IllegalMove,
        Forbidden,
    )  # fmt: skip
    found = {"jobs": Array(items=JOB), "total": Integer("How many there are in all.")}
    picked_up = {
        "last_picked_up_date": AnyOf("When translations were last fetched, false for never.", (Integer(), Boolean()))
    }
    named = Array(items=Object(properties={"id": Integer(), "type": String()}))
    one: dict[str, Field] = {"jobId": Integer("Number of the job.", required=True, minimum=1)}
    reviewed: dict[str, Field] = {
        **one,
        "review_status": String("How far the look at it is.", required=True, enum=("EDITING", "ACCEPTED")),
    }
    refused = (Forbidden, JobUnknown, NotYours, IllegalMove, JobOutdated)
    return (
        Route(
            READ, _PATH, _listed, FILTERS, translators, errors=(Forbidden,),
            answers=Object(properties={**found, **picked_up}),
        ),
        Route(
            WRITE, _PATH, _made, made, managers_alone, errors=wrong, answers=Object(properties=found), status=201
        ),
        Route(
            WRITE, f"{_PATH}/assign", _assigned, assigned, translators, errors=(Forbidden, IllegalMove, JobOutdated),
            answers=Either(
                "Whether it is assigned; null where the job or the translator is unknown.",
                (Object(properties={"assigned": Boolean()}), Nothing()),
            ),
        ),
        Route(
            WRITE, f"{_PATH}/cancel", _cancelled, {}, translators,
            errors=(Forbidden, ListExpected, IllegalMove, JobOutdated), answers=named,
        ),
        # Additions of ours: what the reference does on its own pages.
        Route(WRITE, f"{_PATH}/take", _taken, one, translators, errors=refused, answers=JOB),
        Route(WRITE, f"{_PATH}/resign", _resigned, one, translators, errors=refused, answers=JOB),
        Route(WRITE, f"{_PATH}/review", _reviewed, reviewed, translators, errors=refused, answers=JOB),
    )  # fmt: skip


def job_body(work: Work, found: list[Job]) -> list[dict[str, Any]]:
    """Return jobs as answers show them."""
    return [shown(work, one) for one in job_summary.seen(work, found)]


def _is_day(value: Any, name: str, asked: Asked) -> Fault | None:
    if value == "" or day_end(value) is not None:
        return None
    return Fault("rest_invalid_date", f"{name} is not a day: write YYYY-MM-DD.")


def _is_number(value: Any, name: str, asked: Asked) -> Fault | None:
    return None if coercion.integer(value) is not None else Fault("", "Invalid parameter.")


def _is_type(value: Any, name: str, asked: Asked) -> Fault | None:
    return None if value in _TYPES else Fault("", "Invalid parameter.")


def _listed(call: Call) -> Result:
    """List translation jobs, filtered and sorted."""
    work: Work = call.work
    found, total = job_listing.found(work, filters(work, call.args))
    picked_up = multilingual_stored_values.read(work, "last_picked_up", False)
    work.uses("mlang_setting")
    return Result({"jobs": job_body(work, found), "total": total, "last_picked_up_date": picked_up})


def _made(call: Call) -> Result:
    """Send records to be translated: one job for each record and language."""
    work: Work = call.work
    args = call.args
    to = job_requests.recipient(work, (args.get("sent_to") or "").strip(), args.get("translator_id") or 0)
    day = day_end(args.get("deadline") or "")
    found = job_requests.sent(
        work, args["items"], args["target_languages"], to,
        deadline=work.zone.to_gmt(day) if day is not None else 0,
        batch_name=(args.get("batch_name") or "").strip(), note=args.get("note") or "",
    )  # fmt: skip
    return Result({"jobs": job_body(work, found), "total": len(found)}, status=201)


def _assigned(call: Call) -> Result:
    """Give a job to a translator."""
    work: Work = call.work
    number, translator = coercion.integer(call.args["jobId"]), coercion.integer(call.args["translatorId"])
    found = jobs.by_number(work, number or 0)
    if found is None:
        return Result(None)
    try:
        jobs.assign(work, found, translator or 0)
    except TranslatorUnknown:
        return Result(None)
    return Result({"assigned": True})


def _cancelled(call: Call) -> Result:
    """Cancel jobs; what was translated already stays."""
    work: Work = call.work
    cancelled = []
    for item in _list(call):
        rid = coercion.integer(item.get("id")) if isinstance(item, dict) else None
        if rid is None or item.get("type") not in _TYPES or item["type"] == "string":
            continue
        found = jobs.by_rid(work, rid)
        if found is None or found.type != item["type"]:
            continue
        jobs.cancel(work, found)
        dispatch.call_off(work, found)
        cancelled.append({"id": rid, "type": item["type"]})
    return Result(cancelled)


def _own(call: Call) -> Job:
    """Return the job that a call names, where it is nobody's or the caller's, or he manages translation."""
    found = jobs.existing(call.work, call.args["jobId"])
    require_right(call.work, found)
    return found


def _taken(call: Call) -> Result:
    """Take a waiting job as the caller's own."""
    [shown] = job_body(call.work, [jobs.opened(call.work, _own(call))])
    return Result(shown)


def _resigned(call: Call) -> Result:
    """Give a job back that the caller had taken."""
    [shown] = job_body(call.work, [jobs.resign(call.work, _own(call))])
    return Result(shown)


def _reviewed(call: Call) -> Result:
    """Say what the review of a job came to."""
    [shown] = job_body(call.work, [jobs.review(call.work, _own(call), Review(call.args["review_status"]))])
    return Result(shown)


def _list(call: Call) -> list[Any]:
    """Return the list that the body is; none is an empty one."""
    if call.request.json or call.request.form:
        raise ListExpected
    return call.request.items
