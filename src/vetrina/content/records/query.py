"""What a list of records asks for, as a value.

Not here: how it is asked of the database (content/records/filters.py, content/records/listing.py), the arguments that
say it (the routes). Rules: interface.md, "Common collection query".
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from vetrina.content.search.terms import SearchTerms

__all__ = ["RecordQuery", "TermFilter"]


class TermFilter(msgspec.Struct, frozen=True):
    """A filter by terms of one taxonomy. every: all terms must be there; without: none may."""

    taxonomy: str
    ids: tuple[int, ...]
    children: bool = False
    every: bool = False
    without: bool = False


class RecordQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What a list asks for. Dates are local seconds; an empty tuple or None filters nothing.

    types: several types at once, instead of the one. media_kinds, mime_types: of files; one of either is enough.
    other_formats: none of these, of which the standard format is one. verb: whether only records are listed that the
    caller may read, or edit; empty for all. sorted_by: the column of an order that the type alone has
    (ContentType.orders), None for the usual ones. in_names: whether a search looks into names of files. rank: only what
    answers a search as well (content/search/relevance.py).
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
    media_kinds: tuple[str, ...] = ()
    mime_types: tuple[str, ...] = ()
    in_names: bool = False
    rank: int | None = None

    @property
    def ranked(self) -> bool:
        """Say whether the order is another than that of a column."""
        return bool(self.search) or self.orderby in ("include", "include_slugs", "relevance")
