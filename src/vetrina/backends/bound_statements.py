"""Compiled statements of PostgreSQL and the values that are sent with them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

from .database import CompiledStatement

_ONE_ROW: Final = re.compile(r"(INSERT INTO .* VALUES )\((\$\d+(?:, \$\d+)*)\)", re.DOTALL)
_MAX_ROWS: Final = 16  # of an insert; so many texts of each are prepared at most: of two, four, eight, sixteen rows


def bind_values(form: CompiledStatement, values: dict[str, Any]) -> list[Any]:
    """Return the values of a statement in the order of its parameters."""
    if form.fixed:
        values = {**form.fixed, **values}
    return [values[name] for name in form.names]


def replace_nul(value: Any) -> Any:
    """Return a value as PostgreSQL can store it, whose text has no NUL."""
    return value.replace("\0", "\ufffd") if isinstance(value, str) and "\0" in value else value


def multiply_rows(form: CompiledStatement, most: int) -> tuple[int, CompiledStatement] | None:
    """Return an insert of several rows for that of one, and how many; None for any other statement.

    most: how many there are to be inserted, at least two.
    """
    many = min(_MAX_ROWS, 1 << most.bit_length() - 1)
    repeated = _repeat_row(form, many)
    return None if repeated is None else (many, repeated)


@lru_cache(maxsize=256)
def _repeat_row(form: CompiledStatement, many: int) -> CompiledStatement | None:
    found = _ONE_ROW.fullmatch(form.text)
    width = len(form.names)
    if found is None or found[2].count("$") != width:
        return None
    rows = (", ".join(f"${at * width + number}" for number in range(1, width + 1)) for at in range(many))
    return form.replace_text(found[1] + ", ".join(f"({row})" for row in rows))
