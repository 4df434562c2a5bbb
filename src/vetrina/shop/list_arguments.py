"""Arguments that the shop's lists and delete routes share.

All are validated together. Rules: docs/rules/shop_requests.md, 4, 5 and 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.kernel import times
from vetrina.rest.fields import Array, Boolean, Field, Integer, String

LIST_ORDERS: Final = ("date", "id", "include", "title", "slug", "modified")  # what most lists can be sorted by


def compute_reported_total(total: int, rows: Sequence[Any], args: Mapping[str, Any], *, by_page: bool = False) -> int:
    """Return the total that a list reports: 0 where the page begins past the end.

    by_page: whether this holds for `page` too, as with orders; otherwise for `offset` alone.
    """
    return 0 if not rows and (by_page or args.get("offset") is not None) else total


def compute_page_number(args: Mapping[str, Any]) -> int:
    """Return the page number of a list of terms or customers, computed from `offset` where it is given."""
    offset, size = abs(args.get("offset") or 0), int(args["per_page"])
    return -(-offset // size) + 1 if offset else int(args["page"])


def build_context_argument(*contexts: str) -> String:
    """Return the argument that chooses which members a response has."""
    words = contexts or ("view", "edit")
    return String(
        "Scope under which the request is made; it decides which members an answer has.",
        enum=words,
        default=words[0],
        null="keep",
    )


def build_paging_arguments(per_page: int = 10) -> dict[str, Field]:
    """Return the paging arguments of a list."""
    return {
        "page": Integer("Page of the list.", default=1, minimum=1, null="keep"),
        "per_page": Integer(
            "Most items that the answer may hold.", default=per_page, minimum=1, maximum=100, null="keep"
        ),
        "search": String("Keep only what matches this text.", null="keep"),
    }


def build_id_filter(help: str) -> Array:
    """Return a filter by a list of ids; an empty list filters nothing."""
    return Array(help, items=Integer(), default=[], null="keep")


def build_date_filters() -> dict[str, Field]:
    """Return the filters by date of creation and of the last change."""
    said = {
        "after": "Only what was made after this moment.",
        "before": "Only what was made before this moment.",
        "modified_after": "Only what was changed after this moment.",
        "modified_before": "Only what was changed before this moment.",
    }
    out: dict[str, Field] = {name: String(help, format="date-time", null="keep") for name, help in said.items()}
    out["dates_are_gmt"] = Boolean("Whether these moments are GMT, not the site's time.", default=False, null="keep")
    return out


def parse_local_timestamp(call: Call, name: str) -> int | None:
    """Return a date filter as local seconds, None where it was not sent."""
    written = call.args.get(name)
    if not written:
        return None
    work = call.work
    settle = work.zone.resolve_gmt if call.args.get("dates_are_gmt") else work.zone.resolve_local
    try:
        return settle(times.parse_date_time(written))[0]
    except times.DateTimeOutOfRange:
        # At the limit of the supported dates the filter lets everything through.
        return None


def parse_utc_timestamp(call: Call, name: str) -> int | None:
    """Return a date filter as seconds since 1970, None where it was not sent."""
    local = parse_local_timestamp(call, name)
    work = call.work
    return None if local is None else work.zone.to_gmt(local)


def build_sort_arguments(orders: tuple[str, ...], default: str = "date", direction: str = "desc") -> dict[str, Field]:
    """Return the arguments that choose the order of a list."""
    return {
        "order": String("Order of the items.", default=direction, enum=("asc", "desc"), null="keep"),
        "orderby": String("Sort the items by this.", default=default, enum=orders, null="keep"),
    }


def build_force_argument(trash: bool = True) -> Boolean:
    """Return the `force` argument; trash: whether the record can be trashed instead."""
    help = "Whether to remove for good instead of moving to the trash." if trash else "Must be true: there is no trash."
    return Boolean(help, default=False, null="keep")
