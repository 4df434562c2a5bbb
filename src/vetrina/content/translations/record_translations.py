"""The same record in other languages: its translation group, and how records come into one and leave it.

A group is a number that its members share; it has one member a language, and one of them is the original, which was
translated from nothing. Not here: what follows the original (content/translations/copies.py), terms
(content/terms/translations.py), translation jobs (domain/mlang). Rules: facts of the multilingual layer, 3 and 5.8.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
from sqlalchemy import bindparam, select

from vetrina.access.roles.capabilities import may_delete
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.core import record as table
from vetrina.content.records import model as record_model
from vetrina.content.records import slugs as record_slugs
from vetrina.content.records.model import Record, of_row
from vetrina.content.translations import groups as translation_groups
from vetrina.content.translations.groups import Counterparts
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError

__all__ = [
    "GroupOfAnotherType", "LanguageTaken", "LanguageUnknown", "after_removal", "going_with", "in_language",
    "in_languages",
    "join", "known", "leave", "members", "members_of", "move", "original", "published",
    "seen",
]  # fmt: skip


class LanguageUnknown(ApiError):
    """A language is none of the site's."""

    code = "mlang_language_unknown"
    message = "The site has no language {language!r}; its languages are {languages}."


class LanguageTaken(ApiError):
    """A group has one member a language."""

    status, code = 409, "mlang_language_taken"
    message = "The group has a member in {language!r} already: number {id}. Take that one out first, or change it."

    def __init__(self, language: str, id: int) -> None:
        super().__init__(language=language, id=id, data={"language": language, "id": id})


class GroupOfAnotherType(ApiError):
    """A group holds things of one kind."""

    code = "mlang_group_of_another_type"
    message = "The group holds things of the type {found!r}; this one is of the type {type!r}."


_OF_GROUPS = Statement(select(table).where(Among(table.c.translations, "groups")).order_by(table.c.id))
# What says where a record is, and who may see it; what follows in a row are its texts and settings.
_PLACES: Final = tuple(table.c)[: table.c.keys().index("title")]
_NO_TEXTS: Final = tuple(
    {} if column.name == "meta" else column.type.python_type() for column in tuple(table.c)[len(_PLACES) :]
)
_PLACES_OF_GROUPS = Statement(
    select(*_PLACES).where(Among(table.c.translations, "groups"), table.c.language != bindparam("here"))
)
_OF_GROUP = Statement(select(table).where(table.c.translations == bindparam("group")).order_by(table.c.id))
_NUMBERS: Final = Counterparts(table, "type")
in_language, in_languages = _NUMBERS.one, _NUMBERS.known


def members(work: Work, of: Record) -> dict[str, Record]:
    """Return all of a record's group by language, whatever their status, itself among them."""
    return members_of(work, [of])[of.translations]


def members_of(work: Work, records: Iterable[Record]) -> dict[int, dict[str, Record]]:
    """Return the groups of several records by their numbers; asks once."""
    found: dict[int, dict[str, Record]] = {}
    for one in records:
        work.uses(one.type)
        found[one.translations] = {}
    if len(found) == 1:
        rows = work.tx.all(_OF_GROUP, group=next(iter(found)))
    else:
        rows = work.tx.all(_OF_GROUPS, groups=listed(found)) if found else []
    for row in rows:
        one = of_row(row)
        found[one.translations][one.language] = one
    return found


def published(work: Work, of: Record) -> dict[str, Record]:
    """Return the published members of a record's group by language, itself among them."""
    return {language: one for language, one in members(work, of).items() if one.status == "publish"}


def seen(work: Work, records: Sequence[Record]) -> dict[int, dict[str, Record]]:
    """Return the groups of several records by their numbers, the others without texts and settings; asks once."""
    found: dict[int, dict[str, Record]] = {one.translations: {} for one in records}
    languages = {one.language for one in records}
    work.uses(*{one.type for one in records})
    for one in records:
        found[one.translations][one.language] = one
    # A group has one member a language: of a page in one language only the others have to be read.
    here = languages.pop() if len(languages) == 1 else ""
    for row in work.tx.all(_PLACES_OF_GROUPS, groups=listed(found), here=here) if found else []:
        one = Record(*row, *_NO_TEXTS)
        found[one.translations][one.language] = one
    return found


def original(work: Work, of: Record) -> Record:
    """Return the member of a record's group that the others were translated from."""
    return translation_groups.original(work, members(work, of).values()) or of


def join(work: Work, of: Record, group: int, source: str = "") -> Record:
    """Put a record into a group under its language and return it; a trashed member there gives its place up.

    source: the language that it was translated from; empty for that of the group's original.
    Raises LanguageTaken, GroupOfAnotherType.
    """
    found = {row[0]: of_row(row) for row in work.tx.all(_OF_GROUP, group=group)}
    others = {one.language: one for one in found.values() if one.id != of.id}
    for one in others.values():
        if one.type != of.type:
            raise GroupOfAnotherType(found=one.type, type=of.type)
    held = others.get(of.language)
    if held is not None:
        if held.status != "trash":
            raise LanguageTaken(of.language, held.id)
        leave(work, held)
        del others[of.language]
    first = translation_groups.original(work, others.values())
    source = source or (first.language if first else "")
    if source == of.language or not others:
        source = ""
    if of.translations == group and of.source_language == source:
        return of
    new = msgspec.structs.replace(of, translations=group, source_language=source)
    if of.translations != group:
        left = members(work, of)
        left.pop(of.language, None)
        new = _stored(work, of, new)
        _settle(work, left)
    else:
        new = _stored(work, of, new)
    return new


def leave(work: Work, of: Record) -> Record:
    """Take a record out of its group, into one of its own, and return it."""
    others = members(work, of)
    others.pop(of.language, None)
    if not others:
        return of
    new = _stored(work, of, msgspec.structs.replace(of, translations=next_number(work.tx), source_language=""))
    _settle(work, others)
    return new


def move(work: Work, of: Record, language: str) -> Record:
    """Give a record another language, with a slug that is free there, and return it.

    Raises LanguageUnknown, LanguageTaken.
    """
    if of.language == language:
        return of
    known(work, language)
    others = members(work, of)
    others.pop(of.language, None)
    held = others.get(language)
    if held is not None:
        if held.status != "trash":
            raise LanguageTaken(language, held.id)
        leave(work, held)
        del others[language]
    type = work.frame.types.get(of.type)
    slug = of.slug
    if type is not None:
        types = work.frame.types
        slug = record_slugs.free(work.tx, type, slug, language=language, parent=of.parent, id=of.id, types=types)
    source = "" if of.source_language == language else of.source_language
    new = _stored(work, of, msgspec.structs.replace(of, language=language, slug=slug, source_language=source))
    if not of.source_language:
        for one in others.values():
            if one.source_language == of.language:
                _stored(work, one, msgspec.structs.replace(one, source_language=language))
    elif not source:
        _settle(work, {**others, language: new})
    return new


def known(work: Work, language: str) -> None:
    """Raise LanguageUnknown for a language that the site does not have."""
    languages = work.frame.profile.languages
    if language not in languages:
        raise LanguageUnknown(language=language, languages=", ".join(languages))


def after_removal(work: Work, gone: Record) -> None:
    """Make the first by the site's order of languages the original of what is left of a group."""
    left = members(work, gone)
    left.pop(gone.language, None)
    _settle(work, left)


def going_with(work: Work, type: ContentType, of: Record) -> list[Record]:
    """Return the translations that are trashed and removed with a record: none unless the site wants it so.

    Those that the caller may not remove stay, and files follow a rule of their own (media/attachments/store.py).
    """
    if not work.option("translation_removes_records") or type.address == "attached":
        return []
    others = members(work, of)
    return [one for one in others.values() if one.id != of.id and (not work.user or may_delete(work.user, type, one))]


def _settle(work: Work, group: Mapping[str, Record]) -> None:
    """See that a group has one original, which every other member names or descends from."""
    for one, source in translation_groups.sources(work, group):
        _stored(work, one, msgspec.structs.replace(one, source_language=source))


def _stored(work: Work, old: Record, new: Record) -> Record:
    work.memo.clear()
    record_model.store(work.tx, old, new)
    work.note(old.type, old.id, "changed")
    return msgspec.structs.replace(new, version=old.version + 1)
