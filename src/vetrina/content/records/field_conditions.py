"""The conditions of a list on own fields: which filter its rows are read by, and what a password hides of them.

Not here: the conditions on rows (content/custom_fields/value_conditions.py), the other filters of a list
(content/records/filters.py). Rules: docs/rules/custom_field_lists.md, 3 and 4.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, bindparam, or_
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.statement_cache import InList
from vetrina.backends.tables.records import record
from vetrina.content.custom_fields.value_conditions import LEADING
from vetrina.content.records import visibility_filters
from vetrina.content.records.query import RecordQuery
from vetrina.core.unit_of_work import UnitOfWork


class FieldConditions:
    """The conditions of the filters by own fields of one query.

    shapes: identify the statement, one a filter. values: bound values.
    """

    def __init__(self, work: UnitOfWork, query: RecordQuery) -> None:
        self._filters = query.fields
        self._sort_field = query.sort_field
        self._hidden = visibility_filters.find_hidden_records(work, query) if query.fields else None
        # One that is fulfilled by a value is enough to leave out all records whose values are hidden.
        self._guarding = next((at for at, one in enumerate(query.fields) if not one.without), None)
        self.shapes = [(*one.shape, self._hidden and self._hidden.shape) for one in query.fields]
        self.values: dict[str, Any] = dict(self._hidden.values) if self._hidden else {}
        for at, one in enumerate(query.fields):
            self.values.update(one.bind_values(at))

    def choose_leading(self, orderby: str) -> int | None:
        """Return the place of the filter whose rows give the order of the list, None for none."""
        if self._sort_field:
            # An order by a field comes with a filter that holds the records which have a value.
            named = (at for at, one in enumerate(self._filters) if one.field == self._sort_field and one.is_range)
            return next(named)
        if orderby != "date":
            return None
        return next((at for at, one in enumerate(self._filters) if one.is_equality), None)

    def build_condition(self, at: int, leading: int | None) -> ColumnElement[bool]:
        """Return the condition of a filter. leading: the place of the filter whose rows are read, None for none."""
        one = self._filters[at]
        number = record.c.id if leading is None else LEADING.c.record
        if at == leading:
            condition = and_(*one.build_row_conditions(at, LEADING))
        else:
            condition = one.build_condition(at, number)
        if self._hidden is None or not (one.without or at == self._guarding):
            return condition
        hidden = number.in_(self._hidden.build_select())
        return or_(condition, hidden) if one.without else and_(condition, ~hidden)

    def build_row_conditions(self, at: int, one_status: bool) -> list[ColumnElement[bool]]:
        """Return the conditions that select the rows of a filter in a list, without the other filters."""
        status = LEADING.c.status
        return [
            LEADING.c.type == bindparam("type"),
            LEADING.c.language == bindparam("language"),
            status == bindparam("status") if one_status else InList(status, "statuses"),
            *self._filters[at].build_row_conditions(at, LEADING),
        ]
