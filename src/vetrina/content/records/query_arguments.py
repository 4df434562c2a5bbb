"""From the arguments of a list to its query: dates in the site's zone, statuses, filters by terms."""

from __future__ import annotations

from typing import Any

from vetrina.content.records import lifecycle
from vetrina.content.records.query import RecordQuery, TermFilter
from vetrina.content.search import terms as search_terms
from vetrina.content.translations import record_translations
from vetrina.content.translations.modes import Mode, element_of, mode
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import Work
from vetrina.kernel import slugs, times
from vetrina.kernel.errors import ApiError, Fault, InvalidParam
from vetrina.rest.call import Call
from vetrina.rest.fields import EDIT
from vetrina.rest.list_limits import refuse_many

__all__ = ["IncludeMissing", "NoSearchTerm", "query_of"]


class NoSearchTerm(ApiError):
    code = "rest_no_search_term_defined"
    message = "The order by relevance needs a search text; send `search`."


class IncludeMissing(ApiError):
    code = "rest_orderby_include_missing_include"
    message = "The order `include` needs the list of numbers; send `include`."


def query_of(call: Call, type: ContentType) -> RecordQuery:
    """Return the query that the arguments of a list say.

    Raises NoSearchTerm and IncludeMissing where the order needs what was not given.
    """
    work: Work = call.work
    args = call.args
    search = search_terms.parse(args.get("search") or "")
    orderby = args["orderby"]
    if orderby == "relevance" and search is None:
        raise NoSearchTerm
    if orderby == "include" and not args["include"]:
        raise IncludeMissing
    sticky = args.get("sticky")
    filters = _term_filters(work, type, args)
    include = _there(work, type, _numbers(args["include"]))
    slugs_asked = tuple(slugs.slugify(slug) for slug in args.get("slug") or ())
    order = args["order"]
    if orderby == "include_slugs" and not slugs_asked:
        # The order of a list knows no directions: where the list is not there, the dates go up.
        orderby, order = "date", "asc"
    filtered = bool(
        search or include or filters or slugs_asked or sticky is not None or args.get("format") or args.get("author")
        or args.get("author_exclude") or args["exclude"] or args.get("offset")
        or any(args.get(name) for name in ("after", "before", "modified_after", "modified_before"))
    )  # fmt: skip
    return RecordQuery(
        type=type.name,
        statuses=_statuses(args["status"], type),
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
        after=_local(work, args, "after"),
        before=_local(work, args, "before"),
        modified_after=_local(work, args, "modified_after"),
        modified_before=_local(work, args, "modified_before"),
        include=include,
        exclude=_there(work, type, _numbers(args["exclude"])),
        author=_numbers(args.get("author") or ()),
        author_exclude=_numbers(args.get("author_exclude") or ()),
        parent=tuple(args.get("parent") or ()),
        parent_exclude=tuple(args.get("parent_exclude") or ()),
        menu_order=None if args.get("menu_order") is None else abs(args["menu_order"]),
        slugs=slugs_asked,
        sticky=sticky,
        sticky_first=args.get("ignore_sticky") is False and not filtered,
        formats=tuple(args.get("format") or ()),
        terms=filters,
        any_taxonomy=args.get("tax_relation") == "OR",
    )


def _numbers(values: Any) -> tuple[int, ...]:
    """Return the numbers of a filter: negative ones count as positive, repeats once."""
    return tuple(dict.fromkeys(abs(value) for value in values))


def _there(work: Work, type: ContentType, ids: tuple[int, ...]) -> tuple[int, ...]:
    """Return the numbers of the translations of some records, their own where they have none.

    In the default language numbers of records are taken as they are; those of files never are. Where a list falls
    back to what has no published translation, both are asked for: it shows either the one or the other.
    """
    at_home = work.language == work.frame.profile.default_language and type.address != "attached"
    if not ids or at_home or mode(work, element_of(type)) is Mode.NOT_TRANSLATED:
        return ids
    work.uses(type.name)
    there = record_translations.in_languages(work, ids, work.language)
    if mode(work, element_of(type)) is Mode.WITH_FALLBACK:
        return tuple(dict.fromkeys(number for id in ids for number in (there.get(id, id), id)))
    return tuple(dict.fromkeys(there.get(id, id) for id in ids))


def _statuses(asked: list[str], type: ContentType) -> tuple[str, ...]:
    out: list[str] = []
    for status in map(slugs.slugify, asked or [type.listed_status]):
        out += lifecycle.ANY if status == "any" else (status,)
    return tuple(dict.fromkeys(out))


def _local(work: Work, args: Any, name: str) -> int | None:
    text = args.get(name)
    try:
        return work.zone.settle(times.parse(text))[0] if text else None
    except times.Impossible:
        fault = Fault("rest_invalid_date", f"{name} lies outside the years 1 to 9999.")
        raise InvalidParam({name: fault}) from None


def _term_filters(work: Work, type: ContentType, args: Any) -> tuple[TermFilter, ...]:
    out = []
    for taxonomy in work.frame.taxonomies_of(type):
        for name, without in ((taxonomy.base, False), (f"{taxonomy.base}_exclude", True)):
            asked = args.get(name)
            if isinstance(asked, list):
                asked = {"terms": asked}
            if not asked or not asked.get("terms"):
                continue
            ids, every = _numbers(asked["terms"]), asked.get("operator") == "AND"
            # Each term that must be there is a condition of its own, and a statement takes only so many.
            if every:
                refuse_many(name, len(ids), work.frame.profile.limits.filter_terms)
            out.append(
                TermFilter(
                    taxonomy.name,
                    ids,
                    children=bool(asked.get("include_children")),
                    every=every,
                    without=without,
                )
            )
    return tuple(out)
