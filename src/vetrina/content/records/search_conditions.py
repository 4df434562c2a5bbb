"""The conditions of a list on searched words: where they are looked for, and what a password hides of them.

Not here: the words themselves (content/search/terms.py), the index that narrows a search (backends/search_index.py),
the other filters of a list (content/records/filters.py). Rules: docs/rules/lists.md, 11 and 12;
docs/rules/passwords.md, 3.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, bindparam, or_
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends import search_index
from vetrina.backends.statement_cache import ContainsText, PlannerHint
from vetrina.backends.tables.records import record, searchable
from vetrina.content.records import visibility_filters
from vetrina.content.records.model import EMPTY_PASSWORDS
from vetrina.content.records.query import RecordQuery
from vetrina.content.records.visibility_filters import QueryCondition
from vetrina.content.search import relevance
from vetrina.content.search.terms import SearchTerms
from vetrina.core.unit_of_work import UnitOfWork

_COLUMNS = {
    "post_title": searchable.c.title,
    "post_content": searchable.c.content,
    "post_excerpt": searchable.c.excerpt,
}


class SearchConditions:
    """The conditions of the search of one query.

    shape: identifies the statement. values: bound values. names: the bound words, and whether each is wanted.
    narrowed: whether the text index can find the records.
    """

    def __init__(self, work: UnitOfWork, query: RecordQuery, search: SearchTerms) -> None:
        self._query, self._search = query, search
        self._searched = query.search_columns or tuple(_COLUMNS)
        wanted = [f"wanted_{at}" for at in range(len(search.wanted))]
        unwanted = [f"unwanted_{at}" for at in range(len(search.unwanted))]
        self.names = [*((name, True) for name in wanted), *((name, False) for name in unwanted)]
        self.values: dict[str, Any] = dict(zip(wanted + unwanted, search.wanted + search.unwanted, strict=True))
        self.shape: list[Any] = [(self._searched, query.exact, query.in_names, len(wanted), len(unwanted))]
        narrow = search_index.build_search_values(work.tx, search.wanted)
        self.narrowed = narrow is not None
        self.values.update(narrow or {})
        self._shown = _build_shown_condition(work, query) if work.user else None
        if self._shown is not None:
            self.shape.append(self._shown.shape)
            self.values.update(self._shown.values)

    def build_condition(self, name: str, looked_up: bool) -> ColumnElement[bool]:
        """Return the condition that a word is anywhere in a record. looked_up: as in `RecordFilters.where`."""
        query, shown = self._query, self._shown
        columns = [_COLUMNS[column] for column in self._searched]
        if query.in_names:
            columns.append(searchable.c.names)
        if query.exact:
            matches = [(column, column == bindparam(name)) for column in columns]
        else:
            matches = [(column, ContainsText(column, name, looked_up=looked_up)) for column in columns]
        if shown is not None:
            # A password-protected record is found by its title only, which everybody sees.
            matches = [
                (column, one if column is searchable.c.title else and_(shown.build(), one)) for column, one in matches
            ]
        anywhere = or_(*(one for _, one in matches))
        return anywhere if query.exact or looked_up else PlannerHint(anywhere)

    def build_rank_condition(self, looked_up: bool) -> ColumnElement[bool]:
        """Return the condition that a record has the bound rank."""
        condition: ColumnElement[bool] = relevance.build_rank_expression(self._search) == bindparam("rank")
        return condition if looked_up else PlannerHint(condition)

    def build_rank_values(self, rank: int) -> dict[str, Any]:
        """Return the bound values of the condition on the rank."""
        return {**relevance.build_rank_values(self._search), "rank": rank}


def _build_shown_condition(work: UnitOfWork, query: RecordQuery) -> QueryCondition | None:
    """Return the condition that the caller sees more than the title of a record; None where that is so for all."""
    names = query.types or (query.type,)
    types = [work.site.types[name] for name in names if name in work.site.types]
    if all(visibility_filters.is_all_visible(work.user, type, "edit", query.statuses) for type in types):
        return None
    editable = visibility_filters.build_visibility_condition(
        work, [type.name for type in types], "edit", record, "editing"
    )
    return QueryCondition(
        editable.shape,
        lambda: or_(or_(*(record.c.password == word for word in EMPTY_PASSWORDS)), editable.build()),
        editable.values,
    )
