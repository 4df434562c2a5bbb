"""Filters and the order of a list by own fields, as values and as SQL conditions on their rows.

A condition on a record asks for its row by key; the filter that leads a list reads its rows along an index instead.
Not here: what clients write (list_filters.py beside this), which filter leads (content/records/filters.py).
Rules: docs/rules/custom_field_lists.md, 1 to 3.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from sqlalchemy import FromClause, and_, bindparam, select
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.fields import field_value

FIELD_SHAPE: Final = "field"  # the first part of the shape of each such filter
LEADING: Final = field_value.alias("leading")  # the rows along which a list is read


class FieldFilter(msgspec.Struct, frozen=True):
    """A filter by one field: a record matches if one of its values does, or, `without`, if none does.

    among: keys, one of which the value is; empty for any. low, high: bounds of the value's key, None for none; open:
    whether the bound itself is excluded. several: whether the field may have several values.
    """

    field: str
    among: tuple[str, ...] = ()
    low: str | None = None
    high: str | None = None
    low_open: bool = False
    high_open: bool = False
    without: bool = False
    several: bool = False

    @property
    def is_equality(self) -> bool:
        """Return whether it matches the records of one value, so that an index gives them by date."""
        return len(self.among) == 1 and not self.without

    @property
    def is_range(self) -> bool:
        """Return whether its rows are one piece of the index by value."""
        return not self.among and not self.without

    @property
    def is_repeated(self) -> bool:
        """Return whether one record may have several matching rows."""
        return self.several and not self.is_equality

    @property
    def shape(self) -> tuple[Any, ...]:
        """Return what of it the statement depends on."""
        low, high = self.low is not None, self.high is not None
        return (
            FIELD_SHAPE,
            min(len(self.among), 2),
            low,
            high,
            self.low_open,
            self.high_open,
            self.without,
            self.is_repeated,
        )

    def bind_values(self, at: int) -> dict[str, Any]:
        """Return its bound values. at: its place among the filters of the list."""
        values: dict[str, Any] = {f"field_{at}": self.field}
        if len(self.among) == 1:
            values[f"value_{at}"] = self.among[0]
        elif self.among:
            values[f"values_{at}"] = encode_list(self.among)
        if self.low is not None:
            values[f"low_{at}"] = self.low
        if self.high is not None:
            values[f"high_{at}"] = self.high
        return values

    def build_row_conditions(self, at: int, rows: FromClause) -> list[ColumnElement[bool]]:
        """Return the conditions that select the matching rows of a field. rows: `field_value`, or an alias of it."""
        field, value = rows.c.field, rows.c.value
        out = [field == bindparam(f"field_{at}")]
        if len(self.among) == 1:
            out.append(value == bindparam(f"value_{at}"))
        elif self.among:
            out.append(InList(value, f"values_{at}"))
        if self.low is not None:
            low: ColumnElement[str] = bindparam(f"low_{at}")
            out.append(value > low if self.low_open else value >= low)
        if self.high is not None:
            high: ColumnElement[str] = bindparam(f"high_{at}")
            out.append(value < high if self.high_open else value <= high)
        return out

    def build_condition(self, at: int, record_id: ColumnElement[int]) -> ColumnElement[bool]:
        """Return the condition that a record matches."""
        own = field_value.alias(f"own_{at}")
        held = select(1).where(own.c.record == record_id, and_(*self.build_row_conditions(at, own))).exists()
        return ~held if self.without else held
