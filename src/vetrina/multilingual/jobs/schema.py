"""Translation jobs in responses and arguments: the members of a job, the filters of a list.

Rules: docs/rules/translation_routes.md, 6 and 8; the undocumented filters are declared too.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any, Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import Fault
from vetrina.kernel.times import format_iso
from vetrina.multilingual.jobs.listing import COLUMNS, TranslationJobFilters
from vetrina.multilingual.jobs.summary import TranslationJobView
from vetrina.multilingual.languages.names import get_language_name
from vetrina.rest import coercion
from vetrina.rest.fields import AnyOf, Boolean, Field, Integer, Object, String, Untyped, ValidationContext
from vetrina.rest.list_limits import check_filter_terms

_DAY: Final = 86_400  # seconds
_PER_PAGE: Final = 100  # jobs in a list without a limit
_EPOCH: Final = date(1970, 1, 1).toordinal()
_DAY_PATTERN = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_SCOPES: Final = ("local", "remote", "all", "ate")


def parse_day_start(text: str) -> int | None:
    """Return the first second of a day, in local seconds; None for a text that is not a day."""
    if not _DAY_PATTERN.fullmatch(text):
        return None
    try:
        return (date.fromisoformat(text).toordinal() - _EPOCH) * _DAY
    except ValueError:
        return None


def parse_day_end(text: str) -> int | None:
    """Return the last second of a day, in local seconds; None for a text that is not a day."""
    start = parse_day_start(text)
    return None if start is None else start + _DAY - 1


def _build_fault(name: str) -> Fault:
    # The interface names the parameter only, with no reason and no detail.
    return Fault("", "Invalid parameter.")


def _check_day(value: Any, name: str, asked: ValidationContext) -> Fault | None:
    return (
        None if value == "" or (isinstance(value, str) and parse_day_start(value) is not None) else _build_fault(name)
    )


def _check_number(value: Any, name: str, asked: ValidationContext) -> Fault | None:
    return None if coercion.coerce_integer(value) is not None else _build_fault(name)


def _check_object(value: Any, name: str, asked: ValidationContext) -> Fault | None:
    return None if isinstance(value, dict) else _build_fault(name)


def _build_word_check(*words: str) -> Any:
    def check(value: Any, name: str, asked: ValidationContext) -> Fault | None:
        return None if value in words else _build_fault(name)

    return check


def _check_numbers(value: Any, name: str, asked: ValidationContext) -> Fault | None:
    return None if coercion.coerce_array(value) is not None else _build_fault(name)


JOB_FILTER_FIELDS: Final[dict[str, Field]] = {
    "local_job_ids": String("Only the jobs with these numbers (`id`), with commas between them.", parted=True),
    "scope": String("Which jobs: local, remote, ate or all.", check=_build_word_check(*_SCOPES), alone=True),
    "id": Integer("Only the job with this number.", check=_check_number, alone=True),
    "title": String("Only jobs whose title has one of these texts, with commas between them.", parted=True),
    "source_language": String("Only jobs from this language."),
    "target_language": String("Only jobs into one of these languages, with commas between them.", parted=True),
    "status": String("Only jobs in one of these states, as numbers with commas between them.", parted=True),
    "needs_update": String(
        "`include`: only jobs whose source changed since; `exclude`: only the others.",
        check=_build_word_check("include", "exclude"), alone=True,
    ),
    "limit": Integer("How many jobs at most.", check=_check_number, alone=True),
    "offset": Integer("How many jobs to pass over first.", check=_check_number, alone=True),
    "sorting": Untyped("Columns to sort by, each with asc or desc.", check=_check_object),
    "translated_by": String("Only jobs of this translator, by his number, or of this service."),
    "sent_from": String("Only jobs that were sent on this day or later.", check=_check_day, alone=True),
    "sent_to": String("Only jobs that were sent on this day or earlier.", check=_check_day, alone=True),
    "deadline_from": String("Only jobs that are due on this day or later.", check=_check_day, alone=True),
    "deadline_to": String("Only jobs that are due on this day or earlier.", check=_check_day, alone=True),
    "ids": Untyped("Only the jobs with these numbers.", check=_check_numbers, parted=True),
    "batch_name": String("Only jobs of batches whose name has one of these texts, parted by commas.", parted=True),
    "element_type": String("Only jobs of this kind of thing, as `post_page`."),
    "only_automatic": Untyped("Only jobs that a machine translates."),
    "pageName": Untyped("The page that asks; it changes nothing."),
    "includeTranslationServiceJobs": Untyped("Whether jobs of other services are listed too; true if left out."),
}  # fmt: skip


def _build_word_object(*names: str) -> Object:
    return Object(properties={name: String() for name in names})


JOB_FIELD: Final = Object(
    "A translation job: the newest of a thing and a target language.",
    properties={
        "id": Integer("Number of the row, which later jobs of the same thing and language share."),
        "original_element_id": String("Number of what is translated."),
        "type": String("What it is: post, tax, package, st-batch_strings or string."),
        "tp_id": Integer("Number that an agency gave it, 0 for none."),
        "status": Integer("Where it stands, by its number."),
        "needs_update": Boolean("Whether the source changed since it was translated."),
        "review_status": String("How far the look at a machine's translation is.", nullable=True),
        "language_codes": _build_word_object("source", "target"),
        "languages": _build_word_object("source", "target"),
        "translation_service_id": String(),
        "translation_service": String(),
        "sent_date": String(),
        "deadline": String("The last day, empty for none."),
        "ts_status": String(),
        "element": Object(properties={
            "name": String(), "url": String(), "status": String(), "type": _build_word_object("value", "label"),
        }),
        "translator_name": String(),
        "translator_id": AnyOf("Number of the translator's account, empty for none.", (Integer(), String())),
        "is_ate_job": Boolean(),
        "automatic": Boolean(),
        "progress": String("How much is translated, for jobs that are under way here."),
        "batch": Object(properties={
            "id": Integer(), "name": String(), "tp_id": Integer("Number that the agency gave it.", unset=(None,)),
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


def parse_job_filters(work: UnitOfWork, args: Any) -> TranslationJobFilters:
    """Return the filters of a list."""
    limit = args.get("limit")
    offset = args.get("offset") or 0
    scope = args.get("scope") or "all"
    if scope == "all" and coercion.coerce_boolean(args.get("includeTranslationServiceJobs")) is False:
        scope = "local"
    return TranslationJobFilters(
        scope=scope,
        rids=_parse_rids(args),
        titles=_parse_texts(work, args, "title"),
        batches=_parse_texts(work, args, "batch_name"),
        source_language=args.get("source_language") or "",
        target_languages=_split_list(args.get("target_language")),
        statuses=tuple(_parse_state(part) for part in _split_list(args["status"])) if args.get("status") else None,
        needs_update={"include": True, "exclude": False}.get(args.get("needs_update") or ""),
        translated_by=args.get("translated_by") or "",
        element_type=args.get("element_type") or "",
        automatic=bool(coercion.coerce_boolean(args.get("only_automatic"))),
        sent=_parse_span(work, args, "sent"),
        deadline=_parse_span(work, args, "deadline"),
        sorting=_parse_sorting(args.get("sorting")),
        limit=limit if limit and limit > 0 else _PER_PAGE,
        offset=max(0, offset) if limit and limit > 0 else 0,
    )


def _split_list(text: Any) -> tuple[str, ...]:
    return tuple(part for one in str(text).split(",") if (part := one.strip())) if text else ()


def _parse_texts(work: UnitOfWork, args: Any, name: str) -> tuple[str, ...]:
    """Return the texts of a filter that matches any of them. Raises InvalidParam when there are too many."""
    found = tuple(dict.fromkeys(_split_list(args.get(name))))
    check_filter_terms(name, len(found), work.site.profile.limits.filter_terms)
    return found


def _parse_state(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


def _parse_rids(args: Any) -> tuple[int, ...] | None:
    found: list[int] | None = None
    if args.get("id"):
        found = [args["id"]]
    for name in ("local_job_ids", "ids"):
        if args.get(name):
            numbers = [
                number
                for one in coercion.coerce_array(args[name]) or ()
                if (number := coercion.coerce_integer(one)) is not None
            ]
            known = set(numbers)
            found = numbers if found is None else [number for number in found if number in known]
    return None if found is None else tuple(found)


def _parse_span(work: UnitOfWork, args: Any, name: str) -> tuple[int, int] | None:
    """Return the range that a date lies in, None for no filter. A range that ends before it begins is no filter."""
    first, last = parse_day_start(args.get(f"{name}_from") or ""), parse_day_end(args.get(f"{name}_to") or "")
    if first is None and last is None:
        return None
    if first is not None and last is not None and first > last:
        return None
    zone = work.zone
    # A date that is not set is not before any other date.
    return (1 if first is None else zone.to_gmt(first), 1 << 60 if last is None else zone.to_gmt(last))


def _parse_sorting(sorting: Any) -> tuple[tuple[str, bool], ...]:
    if not isinstance(sorting, dict):
        return ()
    return tuple((name, str(way).lower() != "desc") for name, way in sorting.items() if name in COLUMNS)


def serialize_job(work: UnitOfWork, view: TranslationJobView) -> dict[str, Any]:
    """Return a job as a JSON object."""
    job = view.job
    language = work.language
    edit = f"{work.origin}/admin/admin.php?page=tm/menu/translations-queue.php&job_id={job.number}"
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
            "source": get_language_name(job.source_language, language),
            "target": get_language_name(job.target_language, language),
        },
        "translation_service_id": job.service,
        "translation_service": _get_service_name(work, job.service),
        "sent_date": _format_day(work, job.sent),
        "deadline": _format_day(work, job.deadline),
        "ts_status": job.service_status,
        "element": {
            "name": job.title,
            "url": view.url,
            "status": view.element_status,
            "type": {"value": job.element_type, "label": view.type_label},
        },
        "translator_name": view.translator_name,
        "translator_id": job.translator or "",
        "is_ate_job": job.editor == "ate",
        "automatic": job.automatic,
        "progress": f"{view.percent_done}% completed" if view.percent_done is not None else "",
        "batch": {"id": job.batch, "name": view.batch, "tp_id": view.batch_number},
        "extra_data": {"icl_translate_job_id": job.number, "editor_job_id": job.editor_job},
        "edit_url": edit,
        # Machine translations open where they can be accepted.
        "view_url": f"{edit}&preview=1" if job.in_review and view.translation_url else view.translation_url,
        "view_original_url": view.url,
    }


def _get_service_name(work: UnitOfWork, service: str) -> str:
    return "Local" if service == "local" else work.site.profile.translation.tp_name


def _format_day(work: UnitOfWork, seconds: int) -> str:
    return format_iso(work.zone.to_local(seconds))[:10] if seconds else ""
