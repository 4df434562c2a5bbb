"""Arguments that the reports share.

Rules: docs/rules/analytics_arguments.md, 1 and 2; docs/rules/analytics_filters.md, 1 and 2: members of an id list that
are not numbers are dropped; a date without a time is invalid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from vetrina.analytics.facts.reportable_orders import OrderDate
from vetrina.analytics.reports.conditions import ReportFilters
from vetrina.analytics.reports.intervals import KINDS, parse_span
from vetrina.analytics.reports.stats import ReportRequest
from vetrina.core.call import Call
from vetrina.rest import coercion
from vetrina.rest.fields import ABSENT, Array, Boolean, Field, Integer, String, Untyped
from vetrina.shop.orders.statuses import STATUS_NAMES

PATH: Final = "/shop-analytics"
_STATUSES: Final = ("any", "trash", *STATUS_NAMES)
_ID_FILTERS: Final = ("product", "variation", "coupon", "tax_rate")


def build_report_arguments(
    orders: Sequence[str], default: str, *, least: int = 1, direction: str = "desc"
) -> dict[str, Field]:
    """Return the arguments that every report has. least: the smallest page number."""
    return {
        "context": String("Scope of the answer.", enum=("view", "edit"), default="view", null="keep"),
        "page": Integer("Page of the report.", default=1, minimum=1, null="keep"),
        "per_page": Integer("Most items of a page.", default=10, minimum=least, maximum=100, null="keep"),
        **build_span_arguments(),
        "order": String("Order of the items.", enum=("asc", "desc"), default=direction, null="keep"),
        "orderby": String("Sort by this.", enum=tuple(orders), default=default, null="keep"),
        "force_cache_refresh": Boolean("Taken and not needed: reports are exact at any time.", null="keep"),
        "match": String(
            "Whether all of the filters hold or any of them.", enum=("all", "any"), default="all", null="keep"
        ),
    }


def build_span_arguments() -> dict[str, Field]:
    """Return the arguments that set the period of a report."""
    return {
        "after": String("First moment, the site's time unless it says otherwise.", format="date-time", null="keep"),
        "before": String("Last moment, the site's time unless it says otherwise.", format="date-time", null="keep"),
    }


def build_id_filter(help: str, default: Any = ABSENT) -> Array:
    """Return a filter by ids; drops what is not a number; an empty list filters nothing."""
    return Array(help, items=Integer(), default=default, lenient=True, null="keep")


def build_interval_arguments(orders: Sequence[str], segments: Sequence[str] = ()) -> dict[str, Field]:
    """Return the arguments of a report with intervals."""
    out: dict[str, Field] = {
        **build_report_arguments(orders, "date"),
        "interval": String("Length of an interval.", enum=KINDS, default="week", null="keep"),
        "fields": Array("Only these measures.", items=String(), lenient=True, null="keep"),
    }
    if segments:
        out["segmentby"] = String("Divide by this.", enum=tuple(segments), null="keep")
    return out


def build_extended_info_argument() -> Boolean:
    """Return the argument that requests more about each item."""
    return Boolean("Whether to say more about each item.", default=False, null="keep")


def build_status_filters(default: Any = ABSENT) -> dict[str, Field]:
    """Return the filters by status."""
    word = String(enum=_STATUSES)
    return {
        "status_is": Array("Only these statuses.", items=word, default=default, null="keep"),
        "status_is_not": Array("None of these statuses.", items=word, null="keep"),
    }


def build_attribute_filters() -> dict[str, Field]:
    """Return the filters by attributes: pairs of ids, or of a slug and a value."""
    pairs = Array(items=Untyped())
    return {
        "attribute_is": Array("Lines with these values.", items=pairs, default=[], lenient=True, null="keep"),
        "attribute_is_not": Array("Lines with other values.", items=pairs, default=[], lenient=True, null="keep"),
    }


def build_order_filters() -> dict[str, Field]:
    """Return the filters of orders by their contents."""
    out: dict[str, Field] = {}
    for what in _ID_FILTERS:
        out[f"{what}_includes"] = build_id_filter("Orders that have one of these.", [])
        out[f"{what}_excludes"] = build_id_filter("Orders that have none of these.", [])
    out["order_includes"] = build_id_filter("These orders.")
    out["order_excludes"] = build_id_filter("All but these orders.")
    out["refunds"] = String("Which refunds.", enum=("", "all", "partial", "full", "none"), default="", null="keep")
    return {**out, **build_attribute_filters()}


def parse_ids(value: Any, word: int | None = None) -> list[int]:
    """Return the ids of a filter: from a list, a number, or text with commas.

    word: what replaces a value that is not a number; None to drop it.
    """
    found = coercion.coerce_array(value) if value not in (None, "", ABSENT) else None
    read = (word if (number := coercion.coerce_integer(one)) is None else number for one in found or ())
    return [one for one in read if one is not None]


_PAIR_FILTERS: Final = frozenset({"attribute_is", "attribute_is_not"})
_PARENT_FILTERS: Final = frozenset(
    {"parent", "parent_exclude"}
)  # a value that is not a number means no parent, as 0 does


def parse_report_arguments(args: Mapping[str, Any], fields: Mapping[str, Field]) -> dict[str, Any]:
    """Return the arguments with id lists as numbers; drops absent and empty ones."""
    out = {}
    for name, value in args.items():
        field = fields.get(name)
        if isinstance(field, Array) and isinstance(field.items, Integer):
            value = parse_ids(value, 0 if name in _PARENT_FILTERS else None)
        elif name in _PAIR_FILTERS:
            value = [pair for pair in value if isinstance(pair, list)] if isinstance(value, list) else []
        if value not in (None, ABSENT, [], ""):
            out[name] = value
    return out


def build_report_query(
    call: Call, args: Mapping[str, Any], filters: ReportFilters, dates: OrderDate = "created", split: bool = True
) -> ReportRequest:
    """Return the query of a report with intervals. split: whether `fields` may be text with commas."""
    fields = args.get("fields")
    if isinstance(fields, str) and not split:
        fields = None
    return ReportRequest(
        parse_span(call.work, args.get("after"), args.get("before")), filters, args.get("interval", "week"), dates,
        args.get("order", "desc"), args.get("orderby", "date"), args.get("page", 1), args.get("per_page", 10),
        tuple(str(one) for one in coercion.coerce_array(fields) or ()) if fields else None, _is_sent_unchanged(call),
    )  # fmt: skip


def _is_sent_unchanged(call: Call) -> bool:
    """Return whether nothing reads the members of a response between the report and its JSON text."""
    request = call.request
    return not request.inner and not any(name in request.query for name in ("_fields", "_envelope", "_pretty"))
