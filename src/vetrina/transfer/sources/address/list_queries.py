"""With which parameters a list is read, so that it shows every record: its states, its languages, its order.

A list that shows one state or one language at a time is read several times.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from vetrina.transfer.sources.address.collections import SourceCollection
from vetrina.transfer.sources.address.site_outline import SiteOutline

EDIT: Final = "edit"
VIEW: Final = "view"

_DECIMALS: Final = "dp"
_MOST_DECIMALS: Final = 6  # that amounts are stored with

# States of what isn't content yet, or isn't anyone's.
_PASSING_STATES: Final = frozenset({"any", "all", "auto-draft", "checkout-draft", "inherit"})
_REQUEST_PREFIX: Final = "request-"  # of the states of requests for one's own data
_BESIDE_ALL: Final = ("spam", "trash")  # states that `any` and `all` leave out


class ListQuery(NamedTuple):
    """One reading of a list. language: empty where it isn't chosen."""

    language: str
    parameters: dict[str, Any]


def build_list_queries(
    outline: SiteOutline, collection: SourceCollection, path: str, context: str, since: datetime | None = None
) -> list[ListQuery]:
    """Return the readings of a list that show all of it.

    path: of the list in the index. context: `edit`, or `view` for what is public. since: aware; leaves out what hasn't
    changed, where the list can tell.
    """
    arguments = outline.get_arguments(path)
    query: dict[str, Any] = {}
    if collection.edit and context in list_choices(arguments, "context"):
        query["context"] = context
    if "id" in list_choices(arguments, "orderby"):
        query |= {"orderby": "id", "order": "asc"}
    if _DECIMALS in arguments:
        # Parts of an order may have more decimals than prices are shown with, and add up by them.
        query[_DECIMALS] = _MOST_DECIMALS
    if "all" in list_choices(arguments, "role"):
        query["role"] = "all"
    if since is not None and "modified_after" in arguments:
        query["modified_after"] = since.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        if "dates_are_gmt" in arguments:
            query["dates_are_gmt"] = True
    states = [*_list_states(arguments)] if context == EDIT else [{}]
    codes = outline.languages if collection.per_language and outline.language_parameter in arguments else ("",)
    return [
        ListQuery(code, {**query, **state, **({outline.language_parameter: code} if code else {})})
        for code in codes
        for state in states
    ]


def has_pages(outline: SiteOutline, path: str) -> bool:
    """Return whether a list has pages."""
    return "per_page" in outline.get_arguments(path)


def _list_states(arguments: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Give the parameters that together show every state of a list."""
    schema = arguments.get("status")
    if not isinstance(schema, dict):
        yield {}
        return
    choices = list_choices(arguments, "status")
    if schema.get("type") == "array":
        wanted = [
            state for state in choices
            if (state not in _PASSING_STATES or (state == "inherit" and "publish" not in choices))
            and not state.startswith(_REQUEST_PREFIX)
        ]  # fmt: skip
        yield {"status": wanted} if wanted else {}
    elif schema.get("type") == "string":
        # Comments name no states.
        named = choices or ["all", *_BESIDE_ALL]
        whole = next((state for state in ("any", "all") if state in named), "")
        yield {"status": whole} if whole else {}
        yield from ({"status": state} for state in _BESIDE_ALL if state in named and whole)
    else:
        yield {}


def list_choices(arguments: Mapping[str, Any], name: str) -> list[str]:
    """Return what a parameter, or an item of it, may be; empty where anything."""
    schema = arguments.get(name)
    if not isinstance(schema, dict):
        return []
    items = schema.get("items")
    choices = schema.get("enum") or (items.get("enum") if isinstance(items, dict) else None)
    return [str(one) for one in choices] if isinstance(choices, list) else []
