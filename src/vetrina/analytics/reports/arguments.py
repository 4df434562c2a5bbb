"""Arguments that the reports share.

Rules: interface.md, "Common analytics query"; facts, "Rights and codes": members of a list of numbers that are no
number are dropped, a date without a time is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from vetrina.analytics.facts.reportable_orders import Dates
from vetrina.analytics.reports.conditions import Filters
from vetrina.analytics.reports.engine import Asked
from vetrina.analytics.reports.intervals import KINDS, span_of
from vetrina.rest import coercion
from vetrina.rest.call import Call
from vetrina.rest.fields import ABSENT, Array, Boolean, Field, Integer, String, Untyped
from vetrina.shop.orders.statuses import NAMES

__all__ = [
    "PATH", "asked", "attributes", "common", "extended", "intervals", "numbers", "numbers_of", "order_filters", "span",
    "statuses", "values",
]  # fmt: skip

PATH: Final = "/shop-analytics"
_STATUSES: Final = ("any", "trash", *NAMES)
_NUMBERS: Final = ("product", "variation", "coupon", "tax_rate")


def common(orders: Sequence[str], default: str, *, least: int = 1, direction: str = "desc") -> dict[str, Field]:
    """Return the arguments that every report has. least: the smallest page."""
    return {
        "context": String("Scope of the answer.", enum=("view", "edit"), default="view", null="keep"),
        "page": Integer("Page of the report.", default=1, minimum=1, null="keep"),
        "per_page": Integer("Most items of a page.", default=10, minimum=least, maximum=100, null="keep"),
        **span(),
        "order": String("Order of the items.", enum=("asc", "desc"), default=direction, null="keep"),
        "orderby": String("Sort by this.", enum=tuple(orders), default=default, null="keep"),
        "force_cache_refresh": Boolean("Taken and not needed: reports are exact at any time.", null="keep"),
        "match": String(
            "Whether all of the filters hold or any of them.", enum=("all", "any"), default="all", null="keep"
        ),
    }


def span() -> dict[str, Field]:
    """Return the arguments that say which time a report is about."""
    return {
        "after": String("First moment, the site's time unless it says otherwise.", format="date-time", null="keep"),
        "before": String("Last moment, the site's time unless it says otherwise.", format="date-time", null="keep"),
    }


def numbers(help: str, default: Any = ABSENT) -> Array:
    """Return a filter by numbers; what is no number in it is dropped, and an empty one filters nothing."""
    return Array(help, items=Integer(), default=default, lenient=True, null="keep")


def intervals(orders: Sequence[str], segments: Sequence[str] = ()) -> dict[str, Field]:
    """Return the arguments of a report with intervals."""
    out: dict[str, Field] = {
        **common(orders, "date"),
        "interval": String("Length of an interval.", enum=KINDS, default="week", null="keep"),
        "fields": Array("Only these measures.", items=String(), lenient=True, null="keep"),
    }
    if segments:
        out["segmentby"] = String("Divide by this.", enum=tuple(segments), null="keep")
    return out


def extended() -> Boolean:
    """Return the argument that asks for more about each item."""
    return Boolean("Whether to say more about each item.", default=False, null="keep")


def statuses(default: Any = ABSENT) -> dict[str, Field]:
    """Return the filters by status."""
    word = String(enum=_STATUSES)
    return {
        "status_is": Array("Only these statuses.", items=word, default=default, null="keep"),
        "status_is_not": Array("None of these statuses.", items=word, null="keep"),
    }


def attributes() -> dict[str, Field]:
    """Return the filters by attributes: pairs of numbers, or of a slug and a value."""
    pairs = Array(items=Untyped())
    return {
        "attribute_is": Array("Lines with these values.", items=pairs, default=[], lenient=True, null="keep"),
        "attribute_is_not": Array("Lines with other values.", items=pairs, default=[], lenient=True, null="keep"),
    }


def order_filters() -> dict[str, Field]:
    """Return the filters of orders by what is in them."""
    out: dict[str, Field] = {}
    for what in _NUMBERS:
        out[f"{what}_includes"] = numbers("Orders that have one of these.", [])
        out[f"{what}_excludes"] = numbers("Orders that have none of these.", [])
    out["order_includes"] = numbers("These orders.")
    out["order_excludes"] = numbers("All but these orders.")
    out["refunds"] = String("Which refunds.", enum=("", "all", "partial", "full", "none"), default="", null="keep")
    return {**out, **attributes()}


def numbers_of(value: Any, word: int | None = None) -> list[int]:
    """Return the numbers of a filter: of a list, of one number, of a text with commas.

    word: what stands for that which is no number; None to leave it out.
    """
    found = coercion.array(value) if value not in (None, "", ABSENT) else None
    read = (word if (number := coercion.integer(one)) is None else number for one in found or ())
    return [one for one in read if one is not None]


_PAIRS: Final = frozenset({"attribute_is", "attribute_is_not"})
_OF_NOTHING: Final = frozenset({"parent", "parent_exclude"})  # what is no number means what has no parent, as 0 does


def values(args: Mapping[str, Any], fields: Mapping[str, Field]) -> dict[str, Any]:
    """Return what was asked, with the lists of numbers as numbers; what is absent or empty is left out."""
    out = {}
    for name, value in args.items():
        field = fields.get(name)
        if isinstance(field, Array) and isinstance(field.items, Integer):
            value = numbers_of(value, 0 if name in _OF_NOTHING else None)
        elif name in _PAIRS:
            value = [pair for pair in value if isinstance(pair, list)] if isinstance(value, list) else []
        if value not in (None, ABSENT, [], ""):
            out[name] = value
    return out


def asked(call: Call, args: Mapping[str, Any], filters: Filters, dates: Dates = "created", split: bool = True) -> Asked:
    """Return what a call asks of a report with intervals. split: whether `fields` may be a text with commas."""
    fields = args.get("fields")
    if isinstance(fields, str) and not split:
        fields = None
    return Asked(
        span_of(call.work, args.get("after"), args.get("before")), filters, args.get("interval", "week"), dates,
        args.get("order", "desc"), args.get("orderby", "date"), args.get("page", 1), args.get("per_page", 10),
        tuple(str(one) for one in coercion.array(fields) or ()) if fields else None, _is_sent_as_it_is(call),
    )  # fmt: skip


def _is_sent_as_it_is(call: Call) -> bool:
    """Say whether nobody looks into the members of an answer between the report and its text."""
    request = call.request
    return not request.inner and not any(name in request.query for name in ("_fields", "_envelope", "_pretty"))
