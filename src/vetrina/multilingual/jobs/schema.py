"""Translation jobs in answers and arguments: the members that a list shows, the filters that it takes.

Rules: facts of the multilingual layer, "Routes of `mlang/tm/v1`: jobs"; the undocumented filters are declared too.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any, Final

from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import Fault
from vetrina.kernel.times import iso
from vetrina.multilingual.jobs.listing import COLUMNS, Filters
from vetrina.multilingual.jobs.summary import Seen
from vetrina.multilingual.languages.names import name_of
from vetrina.rest import coercion
from vetrina.rest.fields import AnyOf, Asked, Boolean, Field, Integer, Object, String, Untyped
from vetrina.rest.list_limits import refuse_many

__all__ = ["FILTERS", "JOB", "day_end", "day_start", "filters", "shown"]

_DAY: Final = 86_400  # seconds
_PER_PAGE: Final = 100  # jobs of a list that names no limit
_EPOCH: Final = date(1970, 1, 1).toordinal()
_WRITTEN = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_SCOPES: Final = ("local", "remote", "all", "ate")


def day_start(text: str) -> int | None:
    """Return the first second of a day, in local seconds; None for what is no day."""
    if not _WRITTEN.fullmatch(text):
        return None
    try:
        return (date.fromisoformat(text).toordinal() - _EPOCH) * _DAY
    except ValueError:
        return None


def day_end(text: str) -> int | None:
    """Return the last second of a day."""
    start = day_start(text)
    return None if start is None else start + _DAY - 1


def _fault(name: str) -> Fault:
    # The interface tells no reason beside the parameter, and no detail.
    return Fault("", "Invalid parameter.")


def _is_day(value: Any, name: str, asked: Asked) -> Fault | None:
    return None if value == "" or (isinstance(value, str) and day_start(value) is not None) else _fault(name)


def _is_number(value: Any, name: str, asked: Asked) -> Fault | None:
    return None if coercion.integer(value) is not None else _fault(name)


def _is_object(value: Any, name: str, asked: Asked) -> Fault | None:
    return None if isinstance(value, dict) else _fault(name)


def _one_of(*words: str) -> Any:
    def check(value: Any, name: str, asked: Asked) -> Fault | None:
        return None if value in words else _fault(name)

    return check


def _numbers(value: Any, name: str, asked: Asked) -> Fault | None:
    return None if coercion.array(value) is not None else _fault(name)


FILTERS: Final[dict[str, Field]] = {
    "local_job_ids": String("Only the jobs with these numbers (`id`), with commas between them.", parted=True),
    "scope": String("Which jobs: local, remote, ate or all.", check=_one_of(*_SCOPES), alone=True),
    "id": Integer("Only the job with this number.", check=_is_number, alone=True),
    "title": String("Only jobs whose title has one of these texts, with commas between them.", parted=True),
    "source_language": String("Only jobs from this language."),
    "target_language": String("Only jobs into one of these languages, with commas between them.", parted=True),
    "status": String("Only jobs in one of these states, as numbers with commas between them.", parted=True),
    "needs_update": String(
        "`include`: only jobs whose source changed since; `exclude`: only the others.",
        check=_one_of("include", "exclude"), alone=True,
    ),
    "limit": Integer("How many jobs at most.", check=_is_number, alone=True),
    "offset": Integer("How many jobs to pass over first.", check=_is_number, alone=True),
    "sorting": Untyped("Columns to sort by, each with asc or desc.", check=_is_object),
    "translated_by": String("Only jobs of this translator, by his number, or of this service."),
    "sent_from": String("Only jobs that were sent on this day or later.", check=_is_day, alone=True),
    "sent_to": String("Only jobs that were sent on this day or earlier.", check=_is_day, alone=True),
    "deadline_from": String("Only jobs that are due on this day or later.", check=_is_day, alone=True),
    "deadline_to": String("Only jobs that are due on this day or earlier.", check=_is_day, alone=True),
    "ids": Untyped("Only the jobs with these numbers.", check=_numbers, parted=True),
    "batch_name": String("Only jobs of batches whose name has one of these texts, parted by commas.", parted=True),
    "element_type": String("Only jobs of this kind of thing, as `post_page`."),
    "only_automatic": Untyped("Only jobs that a machine translates."),
    "pageName": Untyped("The page that asks; it changes nothing."),
    "includeTranslationServiceJobs": Untyped("Whether jobs of other services are listed too; true if left out."),
}  # fmt: skip


def _words(*names: str) -> Object:
    return Object(properties={name: String() for name in names})


JOB: Final = Object(
    "A translation job: the newest of a thing and a target language.",
    properties={
        "id": Integer("Number of the row, which later jobs of the same thing and language share."),
        "original_element_id": String("Number of what is translated."),
        "type": String("What it is: post, tax, package, st-batch_strings or string."),
        "tp_id": Integer("Number that an agency gave it, 0 for none."),
        "status": Integer("Where it stands, by its number."),
        "needs_update": Boolean("Whether the source changed since it was translated."),
        "review_status": String("How far the look at a machine's translation is.", nullable=True),
        "language_codes": _words("source", "target"),
        "languages": _words("source", "target"),
        "translation_service_id": String(),
        "translation_service": String(),
        "sent_date": String(),
        "deadline": String("The last day, empty for none."),
        "ts_status": String(),
        "element": Object(properties={
            "name": String(), "url": String(), "status": String(), "type": _words("value", "label"),
        }),
        "translator_name": String(),
        "translator_id": AnyOf("Number of the translator's account, empty for none.", (Integer(), String())),
        "is_ate_job": Boolean(),
        "automatic": Boolean(),
        "progress": String("How much is translated, for jobs that are under way here."),
        "batch": Object(properties={
            "id": Integer(), "name": String(), "tp_id": Integer("Number that the agency gave it."),
        }),
        "extra_data": Object(properties={
            "icl_translate_job_id": Integer("The job's own number."),
            "editor_job_id": Integer("Number that the remote editor gave it, 0 for none."),
        }),
        "edit_url": String(),
        "view_url": String(),
        "view_original_url": String(),
    },
)  # fmt: skip


def filters(work: Work, args: Any) -> Filters:
    """Return what the arguments of a list ask for."""
    limit = args.get("limit")
    offset = args.get("offset") or 0
    scope = args.get("scope") or "all"
    if scope == "all" and coercion.boolean(args.get("includeTranslationServiceJobs")) is False:
        scope = "local"
    return Filters(
        scope=scope,
        rids=_rids(args),
        titles=_joined(work, args, "title"),
        batches=_joined(work, args, "batch_name"),
        source_language=args.get("source_language") or "",
        target_languages=_parts(args.get("target_language")),
        statuses=tuple(_state(part) for part in _parts(args["status"])) if args.get("status") else None,
        needs_update={"include": True, "exclude": False}.get(args.get("needs_update") or ""),
        translated_by=args.get("translated_by") or "",
        element_type=args.get("element_type") or "",
        automatic=bool(coercion.boolean(args.get("only_automatic"))),
        sent=_span(work, args, "sent"),
        deadline=_span(work, args, "deadline"),
        sorting=_sorting(args.get("sorting")),
        limit=limit if limit and limit > 0 else _PER_PAGE,
        offset=max(0, offset) if limit and limit > 0 else 0,
    )


def _parts(text: Any) -> tuple[str, ...]:
    return tuple(part for one in str(text).split(",") if (part := one.strip())) if text else ()


def _joined(work: Work, args: Any, name: str) -> tuple[str, ...]:
    """Return the texts of a filter of which any is enough. Raises InvalidParam for too many."""
    found = tuple(dict.fromkeys(_parts(args.get(name))))
    refuse_many(name, len(found), work.frame.profile.limits.filter_terms)
    return found


def _state(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


def _rids(args: Any) -> tuple[int, ...] | None:
    found: list[int] | None = None
    if args.get("id"):
        found = [args["id"]]
    for name in ("local_job_ids", "ids"):
        if args.get(name):
            numbers = [
                number for one in coercion.array(args[name]) or () if (number := coercion.integer(one)) is not None
            ]
            known = set(numbers)
            found = numbers if found is None else [number for number in found if number in known]
    return None if found is None else tuple(found)


def _span(work: Work, args: Any, name: str) -> tuple[int, int] | None:
    """Return the instants between which a date lies; None for all. A span that ends before it begins is none."""
    first, last = day_start(args.get(f"{name}_from") or ""), day_end(args.get(f"{name}_to") or "")
    if first is None and last is None:
        return None
    if first is not None and last is not None and first > last:
        return None
    zone = work.zone
    # A date that is not set is no date before another one.
    return (1 if first is None else zone.to_gmt(first), 1 << 60 if last is None else zone.to_gmt(last))


def _sorting(given: Any) -> tuple[tuple[str, bool], ...]:
    if not isinstance(given, dict):
        return ()
    return tuple((name, str(way).lower() != "desc") for name, way in given.items() if name in COLUMNS)


def shown(work: Work, one: Seen) -> dict[str, Any]:
    """Return a job as answers show it."""
    job = one.job
    language = work.language
    edit = f"{work.origin}/cms-admin/admin.php?page=tm/menu/translations-queue.php&job_id={job.number}"
    return {
        "id": job.rid,
        "original_element_id": str(job.element),
        "type": job.type,
        "tp_id": job.service_number,
        "status": job.state.value,
        "needs_update": job.needs_update,
        "review_status": job.review or None,
        "language_codes": {"source": job.source_language, "target": job.target_language},
        "languages": {
            "source": name_of(job.source_language, language),
            "target": name_of(job.target_language, language),
        },
        "translation_service_id": job.service,
        "translation_service": _service_name(work, job.service),
        "sent_date": _day(work, job.sent),
        "deadline": _day(work, job.deadline),
        "ts_status": job.service_status,
        "element": {
            "name": job.title,
            "url": one.url,
            "status": one.element_status,
            "type": {"value": job.element_type, "label": one.type_label},
        },
        "translator_name": one.translator_name,
        "translator_id": job.translator or "",
        "is_ate_job": job.editor == "ate",
        "automatic": job.automatic,
        "progress": f"{one.done}% completed" if one.done is not None else "",
        "batch": {"id": job.batch, "name": one.batch, "tp_id": one.batch_number},
        "extra_data": {"icl_translate_job_id": job.number, "editor_job_id": job.editor_job},
        "edit_url": edit,
        # What a machine wrote is looked at where it can be accepted.
        "view_url": f"{edit}&preview=1" if job.in_review and one.translation_url else one.translation_url,
        "view_original_url": one.url,
    }


def _service_name(work: Work, service: str) -> str:
    return "Local" if service == "local" else work.frame.profile.translation.tp_name


def _day(work: Work, seconds: int) -> str:
    return iso(work.zone.to_local(seconds))[:10] if seconds else ""
