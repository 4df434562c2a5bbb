"""Which languages the records of a list are in, by the modes of their types.

A list of a translated type shows one language; of a type that falls back, the default language's untranslated records
too; of a type that is not translated, all. Each language is a share of its own, read in order from an index, so that a
list of several is as fast as one: the shares are merged, a page at a time (content/records/listing.py).
Not here: the modes (content/translations/modes.py). Rules: facts of the multilingual layer, 5.1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, or_, select
from sqlalchemy import exists as there_is
from sqlalchemy.sql.elements import ColumnElement

from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.core import record
from vetrina.content.translations.modes import Mode, mode
from vetrina.core.unit_of_work import Work

__all__ = ["PUBLISHED", "Share", "by_type", "condition", "mode_here", "shares", "untranslated", "untranslated_of_all"]

PUBLISHED = ("publish", "private", "inherit")  # a translation in one of these stands for its original


class Share(NamedTuple):
    """The part of a list in one language. untranslated: only what is not published in the work's language."""

    language: str
    untranslated: bool = False


_other = record.alias("other")


def untranslated() -> ColumnElement[bool]:
    """Return that a record has no published translation in the bound `wanted_language`."""
    return ~there_is().where(
        _other.c.type == record.c.type,
        _other.c.translations == record.c.translations,
        _other.c.language == bindparam("wanted_language"),
        or_(*(_other.c.status == status for status in PUBLISHED)),
    )


def untranslated_of_all() -> ColumnElement[bool]:
    """Return the same as `untranslated`, faster where every record is looked at, for lists of one bound type."""
    translated = select(_other.c.translations).where(
        _other.c.type == bindparam("type"),
        _other.c.language == bindparam("wanted_language"),
        or_(*(_other.c.status == status for status in PUBLISHED)),
    )
    return record.c.translations.not_in(translated)


def mode_here(work: Work, type: str) -> Mode:
    """Return what a mode comes to in the language of the work: the default one has nothing to fall back to."""
    found = mode(work, f"post_{type}")
    at_home = work.language == work.frame.profile.default_language
    return Mode.TRANSLATED if found is Mode.WITH_FALLBACK and at_home else found


def shares(work: Work, type: str) -> tuple[Share, ...]:
    """Return the shares of a list of one type."""
    match mode_here(work, type):
        case Mode.NOT_TRANSLATED:
            return tuple(Share(language) for language in work.frame.profile.languages)
        case Mode.WITH_FALLBACK:
            return Share(work.language), Share(work.frame.profile.default_language, untranslated=True)
        case _:
            return (Share(work.language),)


def by_type(work: Work, types: Iterable[str]) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Return which modes some types have, as the shape of `condition`, and the values that it binds."""
    grouped: dict[Mode, list[str]] = {}
    for type in types:
        grouped.setdefault(mode_here(work, type), []).append(type)
    values: dict[str, Any] = {f"types_{found.name.lower()}": listed(names) for found, names in grouped.items()}
    values |= {"language": work.language, "wanted_language": work.language}
    values["default_language"] = work.frame.profile.default_language
    return tuple(sorted(found.name.lower() for found in grouped)), values


def condition(modes: Iterable[str]) -> ColumnElement[bool]:
    """Return that a record is shown in the bound language, for the modes that `by_type` found."""
    own = record.c.language == bindparam("language")
    languages: dict[str, list[ColumnElement[bool]]] = {
        "not_translated": [],
        "translated": [own],
        "with_fallback": [or_(own, and_(record.c.language == bindparam("default_language"), untranslated()))],
    }
    return or_(*(and_(Among(record.c.type, f"types_{name}"), *languages[name]) for name in modes))
