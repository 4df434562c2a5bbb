"""Arguments of the lists of records of a type: derived from what the type supports.

Not here: the arguments of one record (content/records/schema.py), the query that a list's arguments describe
(content/records/query_arguments.py). Rules: docs/rules/lists.md, 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from vetrina.access.roles.capabilities import may_edit_records
from vetrina.content.custom_fields import list_arguments as custom_field_arguments
from vetrina.content.records import statuses as record_statuses
from vetrina.content.records.schema import EXCERPT_LENGTH
from vetrina.content.translations import language_schema
from vetrina.content.types.model import POST_FORMATS, ContentType, Taxonomy
from vetrina.core.site_context import SiteContext
from vetrina.kernel import slugs
from vetrina.kernel.errors import Failure, Fault
from vetrina.rest.common_arguments import (
    build_context_argument,
    build_number_list,
    build_ordering_arguments,
    build_paging_arguments,
)
from vetrina.rest.fields import (
    Array,
    Boolean,
    Field,
    Integer,
    Object,
    OneOf,
    String,
    ValidationContext,
)

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
