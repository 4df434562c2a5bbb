"""The same term in other languages: its translation group, and how terms come into one and leave it.

As content/translations/record_translations.py is for records. Not here: writing terms (content/terms/rules.py).
Rules: facts of the multilingual layer, 3 and 5.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
from sqlalchemy import bindparam, select, update

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.core import term as table
from vetrina.content.terms.store import COLUMNS, Term, from_row
from vetrina.content.translations import groups as translation_groups
from vetrina.content.translations.groups import Counterparts
from vetrina.content.translations.record_translations import GroupOfAnotherType, LanguageTaken, known
from vetrina.core.unit_of_work import Work

__all__ = [
    "after_removal", "in_language", "in_languages", "join", "leave", "members", "members_of", "move", "original",
]  # fmt: skip

_OF_GROUPS = Statement(select(*COLUMNS).where(Among(table.c.translations, "groups")).order_by(table.c.id))
_NUMBERS: Final = Counterparts(table, "taxonomy")
in_language, in_languages = _NUMBERS.one, _NUMBERS.known
_MEMBERS = ("language", "translations", "source_language", "slug")
_UPDATE = Statement(
    update(table).where(table.c.id == bindparam("of")).values({name: bindparam(f"new_{name}") for name in _MEMBERS})
)


def members(work: Work, of: Term) -> dict[str, Term]:
    """Return all of a term's group by language, itself among them."""
    return members_of(work, [of])[of.translations]


def members_of(work: Work, terms: Iterable[Term]) -> dict[int, dict[str, Term]]:
    """Return the groups of several terms by their numbers; asks once."""
    found: dict[int, dict[str, Term]] = {}
    for one in terms:
        work.uses(one.taxonomy)
        found[one.translations] = {}
    for row in work.tx.all(_OF_GROUPS, groups=listed(found)) if found else []:
        term = from_row(row)
        found[term.translations][term.language] = term
    return found


def original(work: Work, of: Term) -> Term:
    """Return the member of a term's group that the others were translated from."""
    return translation_groups.original(work, members(work, of).values()) or of


def join(work: Work, of: Term, group: int, source: str = "") -> Term:
    """Put a term into a group under its language and return it.

    source: the language that it was translated from; empty for that of the group's original.
    Raises LanguageTaken, GroupOfAnotherType.
    """
    rows = work.tx.all(_OF_GROUPS, groups=listed([group]))
    others = {one.language: one for one in map(from_row, rows) if one.id != of.id}
    for one in others.values():
        if one.taxonomy != of.taxonomy:
            raise GroupOfAnotherType(found=one.taxonomy, type=of.taxonomy)
    if of.language in others:
        raise LanguageTaken(of.language, others[of.language].id)
    first = translation_groups.original(work, others.values())
    source = source or (first.language if first else "")
    if source == of.language or not others:
        source = ""
    left = members(work, of) if of.translations != group else {}
    left.pop(of.language, None)
    new = _stored(work, of, msgspec.structs.replace(of, translations=group, source_language=source))
    _settle(work, left)
    return new


def leave(work: Work, of: Term) -> Term:
    """Take a term out of its group, into one of its own, and return it."""
    others = members(work, of)
    others.pop(of.language, None)
    if not others:
        return of
    group = next_number(work.tx, "term")
    new = _stored(work, of, msgspec.structs.replace(of, translations=group, source_language=""))
    _settle(work, others)
    return new


def move(work: Work, of: Term, language: str, slug: str) -> Term:
    """Give a term another language and return it; slug: what it is called there, free.

    Raises LanguageUnknown, LanguageTaken.
    """
    if of.language == language:
        return of
    known(work, language)
    others = members(work, of)
    others.pop(of.language, None)
    if language in others:
        raise LanguageTaken(language, others[language].id)
    source = "" if of.source_language == language else of.source_language
    new = _stored(work, of, msgspec.structs.replace(of, language=language, slug=slug, source_language=source))
    if not of.source_language:
        for one in others.values():
            if one.source_language == of.language:
                _stored(work, one, msgspec.structs.replace(one, source_language=language))
    elif not source:
        _settle(work, {**others, language: new})
    return new


def after_removal(work: Work, gone: Term) -> None:
    """Make the first by the site's order of languages the original of what is left of a group."""
    left = members(work, gone)
    left.pop(gone.language, None)
    _settle(work, left)


def _settle(work: Work, group: Mapping[str, Term]) -> None:
    """See that a group has one original, which every other member names or descends from."""
    for one, source in translation_groups.sources(work, group):
        _stored(work, one, msgspec.structs.replace(one, source_language=source))


def _stored(work: Work, old: Term, new: Term) -> Term:
    work.tx.run(_UPDATE, of=old.id, **{f"new_{name}": getattr(new, name) for name in _MEMBERS})
    work.note(old.taxonomy, old.id, "changed")
    return new
