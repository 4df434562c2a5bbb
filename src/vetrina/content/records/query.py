"""The query of a list of records, as a value.

Not here: its SQL (content/records/filters.py, content/records/listing.py), the arguments of the routes
(content/records/list_arguments.py). Rules: docs/rules/lists.md, 1.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from vetrina.content.custom_fields.value_conditions import FieldFilter
from vetrina.content.search.terms import SearchTerms


class TermFilter(msgspec.Struct, frozen=True):
    """A filter by terms of one taxonomy. every: all terms are required; without: none may be there."""

    taxonomy: str
    ids: tuple[int, ...]
    children: bool = False
    every: bool = False
    without: bool = False


class RecordQuery(msgspec.Struct, frozen=True, kw_only=True):
    """The query of a list. Dates are local seconds; an empty tuple or None filters nothing.

    types: several types at once, instead of `type`. media_kinds, mime_types: of files; one of either is enough.
    other_formats: none of these; the standard format counts as one. verb: list only what the caller may `read` or
    `edit`; empty for all. sorted_by: the column of an order that only the type has (ContentType.orders), None for the
    common ones. fields: filters by own fields. sort_field: the own field that the order `field` sorts by.
    untranslated_in: a language that the records have no translation in.
    in_names: whether the search looks into file names. rank: only results of this rank (content/search/relevance.py).
    """

    type: str
    statuses: tuple[str, ...]
    types: tuple[str, ...] = ()
    page: int = 1
    per_page: int = 10
    offset: int | None = None
    order: str = "desc"
    orderby: str = "date"
    sorted_by: Any = None
    search: SearchTerms | None = None
    search_columns: tuple[str, ...] = ()
    exact: bool = False
    verb: Literal["", "read", "edit"] = ""
    after: int | None = None
    before: int | None = None
    modified_after: int | None = None
    modified_before: int | None = None
    include: tuple[int, ...] = ()
    exclude: tuple[int, ...] = ()
    author: tuple[int, ...] = ()
    author_exclude: tuple[int, ...] = ()
    parent: tuple[int, ...] = ()
    parent_exclude: tuple[int, ...] = ()
    menu_order: int | None = None
    slugs: tuple[str, ...] = ()
    sticky: bool | None = None
    sticky_first: bool = False
    formats: tuple[str, ...] = ()
    other_formats: tuple[str, ...] = ()
    terms: tuple[TermFilter, ...] = ()
    any_taxonomy: bool = False
    untranslated_in: str = ""
    media_kinds: tuple[str, ...] = ()
    mime_types: tuple[str, ...] = ()
    in_names: bool = False
    rank: int | None = None
    fields: tuple[FieldFilter, ...] = ()
    sort_field: str = ""

    @property
    def is_ranked(self) -> bool:
        """Return whether the list is not ordered by a column."""
        return bool(self.search) or self.orderby in ("include", "include_slugs", "relevance")
