"""The pattern directory: patterns of every installed theme, active or not, and of Python packages.

A package provides patterns by an entry point of the group `vetrina.block_patterns` that names a sequence of
`BlockPattern`. Nothing is fetched. Ids are derived from names, so that they stay when others come and go. Patterns of
the site's owner are records of type cms_block.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Final

from vetrina.core.site_context import SiteContext
from vetrina.design.themes import active_theme
from vetrina.design.themes.model import BlockPattern
from vetrina.kernel.folding import fold_text

_ENTRY_POINT_GROUP: Final = "vetrina.block_patterns"
PATTERN_ORDERS: Final = (
    "author", "date", "id", "include", "modified", "parent", "relevance", "slug", "include_slugs", "title",
    "favorite_count",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PatternQuery:
    """A search in the directory. category, keyword: ids, 0 for any. slugs: names with or without the theme's."""

    text: str = ""
    category: int = 0
    keyword: int = 0
    slugs: Sequence[str] = ()
    orderby: str = "date"
    descending: bool = True


@cache
def list_packaged_patterns() -> tuple[BlockPattern, ...]:
    """Return the patterns provided by packages."""
    return tuple(pattern for point in entry_points(group=_ENTRY_POINT_GROUP) for pattern in point.load())


def compute_word_id(word: str) -> int:
    """Return the id of a pattern, a category or a keyword; the same for the same word everywhere."""
    return zlib.crc32(word.encode()) or 1


def search_patterns(site: SiteContext, query: PatternQuery) -> list[BlockPattern]:
    """Return the patterns that match a query, in its order, without those hidden from the inserter."""
    every: dict[str, BlockPattern] = {}
    for pattern in (
        *list_packaged_patterns(),
        *(one for theme in active_theme.list_installed_themes(site).values() for one in theme.patterns),
    ):
        if pattern.inserter:
            every.setdefault(pattern.name, pattern)
    words = fold_text(query.text).split()
    found = [one for one in every.values() if _matches_query(one, query, words)]
    places = {one.name: at for at, one in enumerate(found)}
    key = _build_sort_keys(query, words).get(query.orderby, _get_constant_key)
    return sorted(found, key=lambda one: (key(one), places[one.name]), reverse=query.descending)


def _get_constant_key(pattern: BlockPattern) -> Any:
    """Return the same key for every pattern: it has no date and no author, so that its position alone counts."""
    return 0


def _matches_query(pattern: BlockPattern, query: PatternQuery, words: Collection[str]) -> bool:
    if query.category and query.category not in map(compute_word_id, pattern.categories):
        return False
    if query.keyword and query.keyword not in map(compute_word_id, pattern.keywords):
        return False
    if query.slugs and pattern.name not in query.slugs and _get_slug(pattern) not in query.slugs:
        return False
    text = (
        fold_text(" ".join((pattern.name, pattern.title, pattern.description, *pattern.categories, *pattern.keywords)))
        if words
        else ""
    )
    return all(word in text for word in words)


def _get_slug(pattern: BlockPattern) -> str:
    return pattern.name.rpartition("/")[2]


def _build_sort_keys(query: PatternQuery, words: Collection[str]) -> dict[str, Callable[[BlockPattern], Any]]:
    """Return the sort key functions by `orderby` value."""

    def relevance(one: BlockPattern) -> int:
        title = fold_text(one.title)
        return sum(word in title for word in words)

    def asked(one: BlockPattern) -> int:
        wanted = [*query.slugs]
        return min((wanted.index(name) for name in (one.name, _get_slug(one)) if name in wanted), default=len(wanted))

    return {
        "id": lambda one: compute_word_id(one.name),
        "slug": _get_slug,
        "title": lambda one: fold_text(one.title),
        "relevance": relevance,
        "include_slugs": asked,
        "author": lambda one: one.name.rpartition("/")[0],  # the theme's author
    }
