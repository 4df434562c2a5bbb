"""The state of a string over the other languages of the site, as a condition of its list.

The same as `compute_string_state` of multilingual/strings/translations.py, in SQL.
Rules: docs/rules/strings.md, 2 and 7.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, case, exists, func, select

from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.strings import mlang_string, mlang_string_translation as translation

STATES = NOT_TRANSLATED, WAITING, PARTLY, NEEDS_UPDATE, COMPLETE = 0, 1, 2, 3, 10


def build_state_condition() -> ColumnElement[bool]:
    """Return the condition that a string is in one of some states; its values are those of `bind_states`."""
    of_other_languages = and_(
        translation.c.string == mlang_string.c.id,
        InList(translation.c.language, "languages"),
        translation.c.language != mlang_string.c.language,
    )
    # At most one row a language, each found by the key of the table.
    complete = (
        select(func.count())
        .where(of_other_languages, translation.c.status == COMPLETE)
        .correlate(mlang_string)
        .scalar_subquery()
    )
    others: ColumnElement[int] = bindparam("language_count") - case(
        (InList(mlang_string.c.language, "languages"), 1), else_=0
    )
    state = case(
        (exists().where(of_other_languages, translation.c.status == WAITING), WAITING),
        (exists().where(of_other_languages, translation.c.status == NEEDS_UPDATE), NEEDS_UPDATE),
        (complete == 0, NOT_TRANSLATED),
        (complete == others, COMPLETE),
        else_=PARTLY,
    )
    return InList(state, "states")


def bind_states(states: Iterable[int], languages: Collection[str]) -> dict[str, Any]:
    """Return the bound values of the condition. languages: of the site."""
    return {"states": encode_list(states), "languages": encode_list(languages), "language_count": len(languages)}
