"""Arguments of the lists of records of a type, derived from what the type supports, and the query that they describe.

Not here: the arguments of one record (content/records/schema.py). Rules: docs/rules/lists.md, 1, 7 and 8;
docs/rules/statuses.md, 5; docs/rules/slugs.md, 8; docs/rules/custom_types.md, 5; docs/rules/content_forms.md, 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from vetrina.access.roles.capabilities import may_edit_records
from vetrina.content.custom_fields import list_arguments as custom_field_arguments
from vetrina.content.records import list_languages, statuses as record_statuses
from vetrina.content.records.query import RecordQuery, TermFilter
from vetrina.content.records.schema import EXCERPT_LENGTH
from vetrina.content.search import terms as search_terms
from vetrina.content.translations import language_schema
from vetrina.content.types.model import POST_FORMATS, ContentType, Taxonomy
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs, times
from vetrina.kernel.errors import ApiError, Failure, Fault, InvalidParam
from vetrina.rest.common_arguments import (
    build_context_argument,
    build_number_list,
    build_ordering_arguments,
    build_paging_arguments,
)
from vetrina.rest.fields import (
    EDIT,
    Array,
    Boolean,
    Field,
    Integer,
    Object,
    OneOf,
    String,
    ValidationContext,
)
from vetrina.rest.list_limits import check_filter_terms

_ORDERS = ("author", "date", "id", "include", "modified", "parent", "relevance", "slug", "include_slugs", "title")


def build_list_arguments(site: SiteContext, type: ContentType) -> dict[str, Field]:
    """Return the arguments that list records."""
    out: dict[str, Field | None] = {
        "context": build_context_argument(),
        **build_paging_arguments(),
        "after": _build_date_filter("Only those published after this date."),
        "modified_after": _build_date_filter("Only those changed after this date."),
        "author": build_number_list("Only those of these authors.") if type.has("author") else None,
        "author_exclude": build_number_list("None of these authors.") if type.has("author") else None,
        "before": _build_date_filter("Only those published before this date."),
        "modified_before": _build_date_filter("Only those changed before this date."),
        "exclude": build_number_list("None of these numbers."),
        "include": build_number_list("Only these numbers."),
        "menu_order": Integer("Only those with this place.", null="keep") if type.has("page-attributes") else None,
        "search_semantics": String("How the search text is compared.", enum=("exact",), null="keep"),
        "offset": Integer("How many to leave out at the start.", null="keep"),
        **_build_orders(site, type),
        "parent": build_number_list("Only those below these records.") if _has_parents(type) else None,
        "parent_exclude": build_number_list("None of those below these records.") if _has_parents(type) else None,
        "search_columns": Array(
            "Where to look for the search text.",
            items=String(enum=("post_title", "post_content", "post_excerpt")), default=[], null="keep",
        ),
        "slug": Array("Only those with these slugs.", items=String(), null="keep"),
        "status": Array(
            "Only those with these statuses.",
            items=String(enum=_list_filterable_statuses(type)), default=type.listed_status, null="keep",
            check=_make_status_filter_check(type), alone=True,
            collapse=True,
        ),
    }  # fmt: skip
    taxonomies = site.taxonomies_of(type)
    if taxonomies:
        out["tax_relation"] = String("How several taxonomies are joined.", enum=("AND", "OR"), null="keep")
    for taxonomy in taxonomies:
        out[taxonomy.base] = _build_term_filter_field(taxonomy, exclude=False)
        out[f"{taxonomy.base}_exclude"] = _build_term_filter_field(taxonomy, exclude=True)
    if type.has("excerpt"):
        out["excerpt_length"] = EXCERPT_LENGTH.replace(in_index=False)
    if type.has("sticky"):
        out["sticky"] = Boolean("Only sticky ones, or none of them.", null="keep")
        out["ignore_sticky"] = Boolean("Whether sticky ones stay where they are.", default=True, null="keep")
    if type.has("post-formats"):
        out["format"] = Array("Only those of these formats.", items=String(enum=POST_FORMATS), unique=True, null="keep")
    out |= language_schema.build_untranslated_argument(site.profile.languages)
    out |= custom_field_arguments.build_filter_arguments(site, type.name)
    return {name: field for name, field in out.items() if field is not None}


def _build_date_filter(help: str) -> String:
    return String(help, format="date-time", null="keep")


def _build_orders(site: SiteContext, type: ContentType) -> Mapping[str, Field]:
    own = (*(("menu_order",) if type.has("page-attributes") else ()), *type.orders)
    out = build_ordering_arguments((*_ORDERS, *own, *custom_field_arguments.list_field_orders(site, type.name)))
    check = custom_field_arguments.build_order_check(site, type.name)
    return out if check is None else {**out, "orderby": out["orderby"].replace(check=check)}


def _has_parents(type: ContentType) -> bool:
    return type.hierarchical or type.address == "attached"


def _list_filterable_statuses(type: ContentType) -> tuple[str, ...]:
    return type.statuses or record_statuses.FILTERABLE_STATUSES


@cache
def _build_term_filter_field(taxonomy: Taxonomy, exclude: bool) -> OneOf:
    members: dict[str, Field] = {"terms": Array("Numbers of terms.", items=Integer(), default=[])}
    if taxonomy.hierarchical:
        members["include_children"] = Boolean("Whether terms below them count too.", default=False)
    if not exclude:
        members["operator"] = String(
            "Whether one term is enough or all must be there.", enum=("AND", "OR"), default="OR"
        )
    return OneOf(
        f"{'Leave out' if exclude else 'Keep only'} records with these terms of {taxonomy.name}.",
        forms=(
            Array("Any of these terms.", items=Integer(), title="Term ID List"),
            Object("A query for terms.", properties=members, additional=False, title="Term ID Taxonomy Query"),
        ),
        types=("object", "array"),
        null="keep",
    )


def _make_status_filter_check(type: ContentType) -> Any:
    known = _list_filterable_statuses(type)
    field = Array(items=String(enum=known))

    def check(value: Any, name: str, context: ValidationContext) -> Fault | None:
        statuses = Array(items=String()).clean(value) if not isinstance(value, dict) else []
        if isinstance(value, dict) or any(not isinstance(status, str) for status in statuses):
            return field.fault(value, name)
        user = context.caller
        # Statuses are slugs, so letter case does not matter.
        for at, status in enumerate(map(slugs.slugify, statuses)):
            if status == type.listed_status:
                continue
            allowed = bool(user) and (
                may_edit_records(user, type)
                or (status == "private" and user.can_somewhere(type.caps["read_private_posts"], type.name))
            )
            if not allowed:
                return Fault(
                    "rest_forbidden_status",
                    "You may not list records with this status.",
                    {"status": Failure.FORBIDDEN if user else Failure.UNAUTHENTICATED},
                )
            if status not in known:
                return Fault("rest_not_in_enum", f"{name}[{at}] is not one of {', '.join(known)}.")
        return None

    return check


# -- the query


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
    orderby, sort_field = custom_field_arguments.read_order(args["orderby"])
    if orderby == "relevance" and search is None:
        raise SearchTermMissing
    if orderby == "include" and not args["include"]:
        raise IncludeMissing
    sticky = args.get("sticky")
    filters = _build_term_filters(work, type, args)
    fields = custom_field_arguments.read_filters(work, type.name, args)
    include = list_languages.translate_listed_ids(work, type, _normalize_ids(args["include"]))
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
        exclude=list_languages.translate_listed_ids(work, type, _normalize_ids(args["exclude"])),
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


def _expand_statuses(statuses: list[str], type: ContentType) -> tuple[str, ...]:
    out: list[str] = []
    for status in map(slugs.slugify, statuses or [type.listed_status]):
        out += record_statuses.ANY_STATUSES if status == "any" else (status,)
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
