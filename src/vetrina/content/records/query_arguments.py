"""From the arguments of a list to its query: dates in the site's time zone, statuses, filters by terms.

Rules: docs/rules/statuses.md, 5; docs/rules/lists.md, 7 and 8; docs/rules/custom_types.md, 5;
docs/rules/translated_content.md, 2.
"""

from __future__ import annotations

from typing import Any

from vetrina.content.custom_fields import list_arguments
from vetrina.content.records.query import RecordQuery, TermFilter
from vetrina.content.records.statuses import ANY_STATUSES
from vetrina.content.search import terms as search_terms
from vetrina.content.translations import record_translations
from vetrina.content.translations.modes import TranslationMode, build_element_name, get_translation_mode
from vetrina.content.types.model import ContentType
from vetrina.core.call import Call
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs, times
from vetrina.kernel.errors import ApiError, Fault, InvalidParam
from vetrina.rest.fields import EDIT
from vetrina.rest.list_limits import check_filter_terms


class SearchTermMissing(ApiError):
    code = "rest_no_search_term_defined"
    message = "The order by relevance needs a search text; send `search`."


class IncludeMissing(ApiError):
    code = "rest_orderby_include_missing_include"
    message = "The order `include` needs the list of numbers; send `include`."


def build_record_query(call: Call, type: ContentType) -> RecordQuery:
    """Return the query that the arguments of a list describe.

    Raises SearchTermMissing and IncludeMissing where the order needs an argument that was not given.
    """
    work = call.work
    args = call.args
    search = search_terms.parse_search(args.get("search") or "")
    orderby, sort_field = list_arguments.read_order(args["orderby"])
    if orderby == "relevance" and search is None:
        raise SearchTermMissing
    if orderby == "include" and not args["include"]:
        raise IncludeMissing
    sticky = args.get("sticky")
    filters = _build_term_filters(work, type, args)
    fields = list_arguments.read_filters(work, type.name, args)
    include = _translate_ids(work, type, _normalize_ids(args["include"]))
    wanted_slugs = tuple(slugs.slugify(slug) for slug in args.get("slug") or ())
    order = args["order"]
    if orderby == "include_slugs" and not wanted_slugs:
        # The order of a given list has no direction; without that list the dates are ascending.
        orderby, order = "date", "asc"
    filtered = bool(
        search or include or filters or fields or wanted_slugs or sticky is not None or args.get("format")
        or args.get("author") or args.get("author_exclude") or args["exclude"] or args.get("offset")
        or args.get("untranslated_in")
        or any(args.get(name) for name in ("after", "before", "modified_after", "modified_before"))
    )  # fmt: skip
    return RecordQuery(
        type=type.name,
        statuses=_expand_statuses(args["status"], type),
        page=args["page"],
        per_page=args["per_page"],
        offset=args.get("offset"),
        order=order,
        orderby=orderby,
        sorted_by=type.orders.get(orderby),
        search=search,
        search_columns=tuple(args["search_columns"]),
        exact=args.get("search_semantics") == "exact",
        verb="edit" if args.get("context") == EDIT else "read",
        after=_parse_local_date(work, args, "after"),
        before=_parse_local_date(work, args, "before"),
        modified_after=_parse_local_date(work, args, "modified_after"),
        modified_before=_parse_local_date(work, args, "modified_before"),
        include=include,
        exclude=_translate_ids(work, type, _normalize_ids(args["exclude"])),
        author=_normalize_ids(args.get("author") or ()),
        author_exclude=_normalize_ids(args.get("author_exclude") or ()),
        parent=tuple(args.get("parent") or ()),
        parent_exclude=tuple(args.get("parent_exclude") or ()),
        menu_order=None if args.get("menu_order") is None else abs(args["menu_order"]),
        slugs=wanted_slugs,
        sticky=sticky,
        sticky_first=args.get("ignore_sticky") is False and not filtered,
        formats=tuple(args.get("format") or ()),
        terms=filters,
        any_taxonomy=args.get("tax_relation") == "OR",
        untranslated_in=args.get("untranslated_in") or "",
        fields=fields,
        sort_field=sort_field,
    )


def _normalize_ids(values: Any) -> tuple[int, ...]:
    """Return the ids of a filter: negative ones count as positive, duplicates once."""
    return tuple(dict.fromkeys(abs(value) for value in values))


def _translate_ids(work: UnitOfWork, type: ContentType, ids: tuple[int, ...]) -> tuple[int, ...]:
    """Return the ids of the translations of some records, their own where they have none.

    In the default language ids of records are taken as they are; ids of files always. Where a list falls back to what
    has no published translation, both ids are used: it shows one or the other.
    """
    at_home = work.language == work.site.profile.default_language and type.address != "attached"
    if not ids or at_home or get_translation_mode(work, build_element_name(type)) is TranslationMode.NOT_TRANSLATED:
        return ids
    work.uses(type.name)
    there = record_translations.translate_record_ids(work, ids, work.language)
    if get_translation_mode(work, build_element_name(type)) is TranslationMode.WITH_FALLBACK:
        return tuple(dict.fromkeys(number for id in ids for number in (there.get(id, id), id)))
    return tuple(dict.fromkeys(there.get(id, id) for id in ids))


def _expand_statuses(statuses: list[str], type: ContentType) -> tuple[str, ...]:
    out: list[str] = []
    for status in map(slugs.slugify, statuses or [type.listed_status]):
        out += ANY_STATUSES if status == "any" else (status,)
    return tuple(dict.fromkeys(out))


def _parse_local_date(work: UnitOfWork, args: Any, name: str) -> int | None:
    text = args.get(name)
    try:
        return work.zone.resolve_local(times.parse_date_time(text))[0] if text else None
    except times.DateTimeOutOfRange:
        fault = Fault("rest_invalid_date", f"{name} lies outside the years 1 to 9999.")
        raise InvalidParam({name: fault}) from None


def _build_term_filters(work: UnitOfWork, type: ContentType, args: Any) -> tuple[TermFilter, ...]:
    out = []
    for taxonomy in work.site.taxonomies_of(type):
        for name, without in ((taxonomy.base, False), (f"{taxonomy.base}_exclude", True)):
            filter_value = args.get(name)
            if isinstance(filter_value, list):
                filter_value = {"terms": filter_value}
            if not filter_value or not filter_value.get("terms"):
                continue
            ids, every = _normalize_ids(filter_value["terms"]), filter_value.get("operator") == "AND"
            # Each required term is a condition of its own, and a statement takes only so many.
            if every:
                check_filter_terms(name, len(ids), work.site.profile.limits.filter_terms)
            out.append(
                TermFilter(
                    taxonomy.name,
                    ids,
                    children=bool(filter_value.get("include_children")),
                    every=every,
                    without=without,
                )
            )
    return tuple(out)
