"""Relevance: the rank of a record in a search, best first.

Not here: the texts that are compared (content/search/terms.py), the pages of a search (content/records/listing.py).
Rules: docs/rules/lists.md, 5 and 11.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, case, or_
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.statement_cache import ContainsText
from vetrina.backends.tables.records import searchable
from vetrina.content.search.terms import SearchTerms


def build_rank_expression(search: SearchTerms) -> ColumnElement[int]:
    """Return the rank of a record: whole text in the title, all words in the title, some of them, elsewhere."""
    titles = [ContainsText(searchable.c.title, f"wanted_{at}") for at in range(len(search.wanted))]
    if len(titles) == 1:
        return case((titles[0], 0), else_=1)
    cases: list[tuple[Any, int]] = [(ContainsText(searchable.c.title, "sentence"), 1)]
    if titles:
        cases += [(and_(*titles), 2), (or_(*titles), 3)]
    cases += [(ContainsText(searchable.c.excerpt, "sentence"), 4), (ContainsText(searchable.c.content, "sentence"), 5)]
    return case(*cases, else_=6)


def compute_rank(search: SearchTerms, title: str, content: str, excerpt: str) -> int:
    """Return the rank of some folded texts, equal to that of `build_rank_expression`."""
    hits = [word in title for word in search.wanted]
    if len(hits) == 1:
        return 0 if hits[0] else 1
    if search.sentence in title:
        return 1
    if hits and any(hits):
        return 2 if all(hits) else 3
    if search.sentence in excerpt:
        return 4
    return 5 if search.sentence in content else 6


def list_ranks(search: SearchTerms) -> tuple[int, ...]:
    """Return the possible ranks, best first."""
    if len(search.wanted) == 1:
        return (0, 1)
    return (1, 2, 3, 4, 5, 6) if search.wanted else (1, 4, 5, 6)


def build_rank_values(search: SearchTerms) -> dict[str, str]:
    """Return the bound values of `build_rank_expression`."""
    return {"sentence": search.sentence, **{f"wanted_{at}": word for at, word in enumerate(search.wanted)}}
