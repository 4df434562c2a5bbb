"""The state of a string over the other languages of the site, computed from its translations, and as a condition.

Rules: docs/rules/strings.md, 2 and 7.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, and_, bindparam, case, exists, func, select

from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.strings import mlang_string, mlang_string_translation as translation

if TYPE_CHECKING:
    from vetrina.multilingual.strings.translations import StringTranslation


STATES = NOT_TRANSLATED, WAITING, PARTLY, NEEDS_UPDATE, COMPLETE = 0, 1, 2, 3, 10


def compute_string_state(source: str, languages: Iterable[str], translations: Iterable[StringTranslation]) -> int:
    """Return the state of a string over the other languages of the site."""
    others = [code for code in languages if code != source]
    statuses = {one.language: one.status for one in translations if one.language in others}
    if not any(statuses.values()):
        return NOT_TRANSLATED
    for first in (WAITING, NEEDS_UPDATE):
        if first in statuses.values():
            return first
    complete = sum(status == COMPLETE for status in statuses.values())
    return COMPLETE if complete == len(others) else PARTLY if complete else NOT_TRANSLATED


def build_state_condition() -> ColumnElement[bool]:
    """Return the condition that a string is in one of some states, as `compute_string_state` says it, in SQL.

    Its values are those of `bind_states`.
    """
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
