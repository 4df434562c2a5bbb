"""Arguments that the shop's lists and removals share.

All are checked in one round, as the interface does it. Rules: facts, "Lists", "Unknown and removed".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vetrina.core.unit_of_work import Work
from vetrina.kernel import times
from vetrina.rest.call import Call
from vetrina.rest.fields import ABSENT, Array, Boolean, Field, Integer, String

__all__ = ["context", "dates", "force", "instant", "moment", "numbers", "ordering", "page_of", "paging", "total_told"]


def total_told(total: int, found: Sequence[Any], args: Mapping[str, Any], *, by_page: bool = False) -> int:
    """Return how many rows a list says that there are: none where what was passed over reached past its end.

    by_page: whether pages that were passed over do that too, as with orders; else `offset` alone does.
    """
    return 0 if not found and (by_page or args.get("offset") is not None) else total


def page_of(args: Mapping[str, Any]) -> int:
    """Return the page that a list of terms or customers is at, which `offset` says where it is given."""
    offset, size = abs(args.get("offset") or 0), int(args["per_page"])
    return -(-offset // size) + 1 if offset else int(args["page"])


def context(*contexts: str) -> String:
    """Return the argument that chooses which members an answer has."""
    words = contexts or ("view", "edit")
    return String(
        "Scope under which the request is made; it decides which members an answer has.",
        enum=words,
        default=words[0],
        null="keep",
    )


def paging(per_page: int = 10) -> dict[str, Field]:
    """Return the arguments that choose a page of a list."""
    return {
        "page": Integer("Page of the list.", default=1, minimum=1, null="keep"),
        "per_page": Integer(
            "Most items that the answer may hold.", default=per_page, minimum=1, maximum=100, null="keep"
        ),
        "search": String("Keep only what matches this text.", null="keep"),
    }


def numbers(help: str) -> Array:
    """Return a list of numbers as a filter; an empty one filters nothing."""
    return Array(help, items=Integer(), default=[], null="keep")


def dates() -> dict[str, Field]:
    """Return the filters by the dates of creation and of the last change."""
    said = {
        "after": "Only what was made after this moment.",
        "before": "Only what was made before this moment.",
        "modified_after": "Only what was changed after this moment.",
        "modified_before": "Only what was changed before this moment.",
    }
    out: dict[str, Field] = {name: String(help, format="date-time", null="keep") for name, help in said.items()}
    out["dates_are_gmt"] = Boolean("Whether these moments are GMT, not the site's time.", default=False, null="keep")
    return out


def moment(call: Call, name: str) -> int | None:
    """Return a moment of `dates` as local seconds, None where none was given."""
    written = call.args.get(name)
    if not written:
        return None
    work: Work = call.work
    settle = work.zone.settle_gmt if call.args.get("dates_are_gmt") else work.zone.settle
    try:
        return settle(times.parse(written))[0]
    except times.Impossible:
        # At the edge of all time: a filter that lets everything through filters nothing.
        return None


def instant(call: Call, name: str) -> int | None:
    """Return a moment of `dates` as seconds since 1970, None where none was given."""
    local = moment(call, name)
    work: Work = call.work
    return None if local is None else work.zone.to_gmt(local)


def ordering(orders: tuple[str, ...], default: str = "date", direction: str = "desc") -> dict[str, Field]:
    """Return the arguments that choose the order of a list."""
    return {
        "order": String("Order of the items.", default=direction, enum=("asc", "desc"), null="keep"),
        "orderby": String("Sort the items by this.", default=default, enum=orders, null="keep"),
    }


def force(trash: bool = True) -> Boolean:
    """Return the argument that removes for good; trash: whether there is another way."""
    help = "Whether to remove for good instead of moving to the trash." if trash else "Must be true: there is no trash."
    return Boolean(help, default=False, null="keep")


def given(args: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return those arguments that have a value."""
    return {name: value for name in names if (value := args.get(name, ABSENT)) is not ABSENT and value is not None}
