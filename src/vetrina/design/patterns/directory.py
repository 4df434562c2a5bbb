"""The directory of patterns: those of every theme that the site has, active or not, and those that packages bring.

A package brings patterns by an entry point of the group `vetrina.block_patterns`, each the name of a sequence of
`Pattern`. Nothing is fetched. Numbers follow from names, so that they stay when others come and go. Not here: patterns
of the site's owner (records of the type cms_block), the routes (design/patterns/routes.py).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.design.themes import rules as themes
from vetrina.design.themes.rules import Pattern
from vetrina.kernel.folding import fold

__all__ = ["ORDERS", "Query", "number", "packaged", "search"]

_GROUP: Final = "vetrina.block_patterns"
ORDERS: Final = (
    "author", "date", "id", "include", "modified", "parent", "relevance", "slug", "include_slugs", "title",
    "favorite_count",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for. category, keyword: the numbers of one, 0 for any. slugs: names with or without a theme's."""

    text: str = ""
    category: int = 0
    keyword: int = 0
    slugs: Sequence[str] = ()
    orderby: str = "date"
    descending: bool = True


@cache
def packaged() -> tuple[Pattern, ...]:
    """Return the patterns that packages bring."""
    return tuple(pattern for point in entry_points(group=_GROUP) for pattern in point.load())


def number(word: str) -> int:
    """Return the number of a pattern, a category or a keyword; the same for the same word everywhere."""
    return zlib.crc32(word.encode()) or 1


def search(frame: Frame, query: Query) -> list[Pattern]:
    """Return the patterns that a query finds, in its order; those that no editor offers are left out."""
    every: dict[str, Pattern] = {}
    for pattern in (*packaged(), *(one for theme in themes.installed(frame).values() for one in theme.patterns)):
        if pattern.inserter:
            every.setdefault(pattern.name, pattern)
    words = fold(query.text).split()
    found = [one for one in every.values() if _fits(one, query, words)]
    places = {one.name: at for at, one in enumerate(found)}
    key = _keys(query, words).get(query.orderby, _nothing)
    return sorted(found, key=lambda one: (key(one), places[one.name]), reverse=query.descending)


def _nothing(one: Pattern) -> Any:
    """Return the same for every pattern: it has no date and no author, so that its place alone counts."""
    return 0


def _fits(one: Pattern, query: Query, words: Collection[str]) -> bool:
    if query.category and query.category not in map(number, one.categories):
        return False
    if query.keyword and query.keyword not in map(number, one.keywords):
        return False
    if query.slugs and one.name not in query.slugs and _slug(one) not in query.slugs:
        return False
    text = fold(" ".join((one.name, one.title, one.description, *one.categories, *one.keywords))) if words else ""
    return all(word in text for word in words)


def _slug(one: Pattern) -> str:
    return one.name.rpartition("/")[2]


def _keys(query: Query, words: Collection[str]) -> dict[str, Callable[[Pattern], Any]]:
    """Return what patterns are sorted by, by the words of the interface."""

    def relevance(one: Pattern) -> int:
        title = fold(one.title)
        return sum(word in title for word in words)

    def asked(one: Pattern) -> int:
        wanted = [*query.slugs]
        return min((wanted.index(name) for name in (one.name, _slug(one)) if name in wanted), default=len(wanted))

    return {
        "id": lambda one: number(one.name),
        "slug": _slug,
        "title": lambda one: fold(one.title),
        "relevance": relevance,
        "include_slugs": asked,
        "author": lambda one: one.name.rpartition("/")[0],  # who made its theme
    }
