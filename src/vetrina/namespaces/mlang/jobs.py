"""Translation jobs: listed, made, assigned, taken, given back, reviewed, cancelled.

Not here: the files that carry their texts (xliff.py), remote services (ate.py, agency.py).
Rules: facts of the multilingual layer, "Routes of `mlang/tm/v1`: jobs"; making a job is an addition of ours.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.declare import coerce
from vetrina.declare.call import Call, Result
from vetrina.declare.fields import AnyOf, Array, Asked, Boolean, Field, Integer, Object, String, Untyped
from vetrina.declare.route import READ, WRITE, Route
from vetrina.declare.shown import Either, Nothing
from vetrina.domain.mlang import courier, job_list, job_view, requests, stored
from vetrina.domain.mlang import jobs as domain
from vetrina.domain.mlang.job import Job
from vetrina.domain.mlang.jobs import JobOutdated, JobUnknown, SameLanguage
from vetrina.domain.mlang.requests import NotDuplicable, RecipientUnknown
from vetrina.domain.mlang.states import IllegalMove, Review
from vetrina.domain.mlang.things import ItemUnknown, NotTranslatable
from vetrina.domain.mlang.translators import TranslatorUnknown
from vetrina.domain.mlang.xliff_in import NotYours, require_right
from vetrina.domain.work import Frame, Work
from vetrina.kernel.errors import ApiError, Fault

from .access import Forbidden, managers_alone, translators
from .job_schema import FILTERS, JOB, day_end, filters, shown

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
    return [shown(work, one) for one in job_view.seen(work, found)]


def _is_day(value: Any, name: str, asked: Asked) -> Fault | None:
    if value == "" or day_end(value) is not None:
        return None
    return Fault("rest_invalid_date", f"{name} is not a day: write YYYY-MM-DD.")


def _is_number(value: Any, name: str, asked: Asked) -> Fault | None:
    return None if coerce.integer(value) is not None else Fault("", "Invalid parameter.")


def _is_type(value: Any, name: str, asked: Asked) -> Fault | None:
    return None if value in _TYPES else Fault("", "Invalid parameter.")


def _listed(call: Call) -> Result:
    """List translation jobs, filtered and sorted."""
    work: Work = call.work
    found, total = job_list.found(work, filters(work, call.args))
    picked_up = stored.read(work, "last_picked_up", False)
    work.uses("mlang_setting")
    return Result({"jobs": job_body(work, found), "total": total, "last_picked_up_date": picked_up})


def _made(call: Call) -> Result:
    """Send records to be translated: one job for each record and language."""
    work: Work = call.work
    args = call.args
    to = requests.recipient(work, (args.get("sent_to") or "").strip(), args.get("translator_id") or 0)
    day = day_end(args.get("deadline") or "")
    found = requests.sent(
        work, args["items"], args["target_languages"], to,
        deadline=work.zone.to_gmt(day) if day is not None else 0,
        batch_name=(args.get("batch_name") or "").strip(), note=args.get("note") or "",
    )  # fmt: skip
    return Result({"jobs": job_body(work, found), "total": len(found)}, status=201)


def _assigned(call: Call) -> Result:
    """Give a job to a translator."""
    work: Work = call.work
    number, translator = coerce.integer(call.args["jobId"]), coerce.integer(call.args["translatorId"])
    found = domain.by_number(work, number or 0)
    if found is None:
        return Result(None)
    try:
        domain.assign(work, found, translator or 0)
    except TranslatorUnknown:
        return Result(None)
    return Result({"assigned": True})


def _cancelled(call: Call) -> Result:
    """Cancel jobs; what was translated already stays."""
    work: Work = call.work
    cancelled = []
    for item in _list(call):
        rid = coerce.integer(item.get("id")) if isinstance(item, dict) else None
        if rid is None or item.get("type") not in _TYPES or item["type"] == "string":
            continue
        found = domain.by_rid(work, rid)
        if found is None or found.type != item["type"]:
            continue
        domain.cancel(work, found)
        courier.call_off(work, found)
        cancelled.append({"id": rid, "type": item["type"]})
    return Result(cancelled)


def _own(call: Call) -> Job:
    """Return the job that a call names, where it is nobody's or the caller's, or he manages translation."""
    found = domain.existing(call.work, call.args["jobId"])
    require_right(call.work, found)
    return found


def _taken(call: Call) -> Result:
    """Take a waiting job as the caller's own."""
    [shown] = job_body(call.work, [domain.opened(call.work, _own(call))])
    return Result(shown)


def _resigned(call: Call) -> Result:
    """Give a job back that the caller had taken."""
    [shown] = job_body(call.work, [domain.resign(call.work, _own(call))])
    return Result(shown)


def _reviewed(call: Call) -> Result:
    """Say what the review of a job came to."""
    [shown] = job_body(call.work, [domain.review(call.work, _own(call), Review(call.args["review_status"]))])
    return Result(shown)


def _list(call: Call) -> list[Any]:
    """Return the list that the body is; none is an empty one."""
    if call.request.json or call.request.form:
        raise ListExpected
    return call.request.items
