"""Translation groups of records: reading them, joining, leaving, moving to another language.

The members of a group share an id; there is one member per language, and one of them is the original, which was
translated from nothing. Not here: what follows the original (content/translations/copied_from_original.py), terms
(content/terms/translations.py). Rules: docs/rules/content_languages.md, 4 to 6; docs/rules/translated_content.md, 19;
docs/rules/custom_fields.md, 7.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, or_, select

from vetrina.access.roles.capabilities import may_delete_record
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.records import record as table
from vetrina.content.custom_fields.model import replace_shared_values
from vetrina.content.records import model as record_model, slugs as record_slugs
from vetrina.content.records.model import Record, row_to_record
from vetrina.content.translations import groups as translation_groups
from vetrina.content.translations.groups import TranslationIdMap
from vetrina.content.translations.modes import PUBLISHED_STATUSES
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure


class LanguageUnknown(ApiError):
    """The site does not have the language."""

    code = "mlang_language_unknown"
    message = "The site has no language {language!r}; its languages are {languages}."


class LanguageTaken(ApiError):
    """A group has one member per language."""

    failure, code = Failure.CONFLICT, "mlang_language_taken"
    message = "The group has a member in {language!r} already: number {id}. Take that one out first, or change it."

    def __init__(self, language: str, id: int) -> None:
        super().__init__(language=language, id=id, data={"language": language, "id": id})


class GroupOfAnotherType(ApiError):
    """All members of a group are of one type."""

    code = "mlang_group_of_another_type"
    message = "The group holds things of the type {found!r}; this one is of the type {type!r}."


_OF_GROUPS = Statement(select(table).where(InList(table.c.translations, "groups")).order_by(table.c.id))
# Columns that tell where a record is and who may see it; the texts and settings come after them.
_PLACES: Final = tuple(table.c)[: table.c.keys().index("title")]
_NO_TEXTS: Final = tuple(
    {} if column.name == "meta" else column.type.python_type() for column in tuple(table.c)[len(_PLACES) :]
)
_PLACES_OF_GROUPS = Statement(
    select(*_PLACES).where(InList(table.c.translations, "groups"), table.c.language != bindparam("here"))
)
# With a list of one, PostgreSQL would plan it again for each record.
_PLACES_OF_GROUP = Statement(
    select(*_PLACES).where(table.c.translations == bindparam("group"), table.c.language != bindparam("here"))
)
_OF_GROUP = Statement(select(table).where(table.c.translations == bindparam("group")).order_by(table.c.id))
_other = table.alias("other_member")
_PUBLISHED_PARTNERS = Statement(
    select(table.c.id, _other.c.id)
    .where(InList(table.c.id, "ids"), _other.c.translations == table.c.translations, _other.c.id != table.c.id)
    .where(or_(*(_other.c.status == status for status in PUBLISHED_STATUSES)))
    .order_by(_other.c.id)
)
_NUMBERS: Final = TranslationIdMap(table, "type")
translate_record_id, translate_record_ids = _NUMBERS.translate_id, _NUMBERS.translate_ids


def load_record_group(work: UnitOfWork, of: Record) -> dict[str, Record]:
    """Return the translation group of a record by language, including itself, whatever the statuses."""
    return load_record_groups(work, [of])[of.translations]


def load_record_groups(work: UnitOfWork, records: Iterable[Record]) -> dict[int, dict[str, Record]]:
    """Return the groups of several records by group id; one statement."""
    found: dict[int, dict[str, Record]] = {}
    for one in records:
        found[one.translations] = {}
    if len(found) == 1:
        rows = work.tx.all(_OF_GROUP, group=next(iter(found)))
    else:
        rows = work.tx.all(_OF_GROUPS, groups=encode_list(found)) if found else []
    for row in rows:
        one = row_to_record(row)
        found[one.translations][one.language] = one
    _record_members(work, found)
    return found


def load_published_translations(work: UnitOfWork, of: Record) -> dict[str, Record]:
    """Return the published members of a record's group by language, including itself."""
    return {language: one for language, one in load_record_group(work, of).items() if one.status == "publish"}


def expect_light_groups(work: UnitOfWork, groups: Sequence[int], language: str = "") -> None:
    """Have what `load_light_groups` reads read with what is asked of the database next.

    language: of all the records, empty where they are of several.
    """
    if not all(is_new_group(work, group) for group in groups):
        statement, values = _build_place_query(dict.fromkeys(groups), language)
        work.tx.expect(statement, **values)


def remember_new_group(work: UnitOfWork, new: Record) -> None:
    """Keep for `load_light_groups` that a record which has just been inserted is alone in its group."""
    work.lookups[_build_new_key(new.translations)] = new.language


def is_new_group(work: UnitOfWork, group: int) -> bool:
    """Return whether a record is known to be alone in its group since it was inserted in this unit of work."""
    return _build_new_key(group) in work.lookups


def _build_new_key(group: int) -> str:
    return f"new group {group}"


def _build_place_query(groups: Collection[int], language: str) -> tuple[Statement, dict[str, Any]]:
    if len(groups) == 1:
        return _PLACES_OF_GROUP, {"group": next(iter(groups)), "here": language}
    return _PLACES_OF_GROUPS, {"groups": encode_list(groups), "here": language}


def load_light_groups(work: UnitOfWork, records: Sequence[Record]) -> dict[int, dict[str, Record]]:
    """Return the groups of several records by group id, other members without texts and settings; one statement."""
    found: dict[int, dict[str, Record]] = {one.translations: {} for one in records}
    languages = {one.language for one in records}
    for one in records:
        found[one.translations][one.language] = one
    # A group has one member per language: of a page in one language only the others have to be read.
    here = languages.pop() if len(languages) == 1 else ""
    unknown = [group for group in found if not here or work.lookups.get(_build_new_key(group)) != here]
    statement, values = _build_place_query(unknown, here) if unknown else (None, {})
    for row in work.tx.all(statement, **values) if statement else []:
        one = Record(*row, *_NO_TEXTS)
        found[one.translations][one.language] = one
    _record_members(work, found)
    return found


def _record_members(work: UnitOfWork, groups: Mapping[int, Mapping[str, Record]]) -> None:
    """Record that the response is made from groups; those who are no members yet: system/changes/tags.py."""
    work.uses_pairs(
        (one.type, one.id) for group in groups.values() for one in group.values() if one.status in PUBLISHED_STATUSES
    )


def list_published_partners(work: UnitOfWork, ids: Iterable[int]) -> dict[int, list[int]]:
    """Return the ids of the published translations of some records, by the ids of these; one statement."""
    found: dict[int, list[int]] = {}
    for id, other in work.tx.all(_PUBLISHED_PARTNERS, ids=encode_list(ids)):
        found.setdefault(id, []).append(other)
    return found


def find_original_record(work: UnitOfWork, of: Record) -> Record:
    """Return the member of a record's group that the others were translated from."""
    return translation_groups.find_original(work, load_record_group(work, of).values()) or of


def join_record_group(work: UnitOfWork, of: Record, group: int, source: str = "") -> Record:
    """Put a record into a group under its language and return it; a trashed member of that language makes room.

    source: the language that it was translated from; empty for that of the group's original.
    Raises LanguageTaken, GroupOfAnotherType.
    """
    found = {row[0]: row_to_record(row) for row in work.tx.all(_OF_GROUP, group=group)}
    others = {one.language: one for one in found.values() if one.id != of.id}
    for one in others.values():
        if one.type != of.type:
            raise GroupOfAnotherType(found=one.type, type=of.type)
    held = others.get(of.language)
    if held is not None:
        if held.status != "trash":
            raise LanguageTaken(of.language, held.id)
        leave_record_group(work, held)
        del others[of.language]
    first = translation_groups.find_original(work, others.values())
    source = source or (first.language if first else "")
    if source == of.language or not others:
        source = ""
    if of.translations == group and of.source_language == source:
        return of
    new = msgspec.structs.replace(of, translations=group, source_language=source)
    if first is not None:
        meta = replace_shared_values(work.site, of.type, of.meta, first.meta)
        new = msgspec.structs.replace(new, meta=meta)
    if of.translations != group:
        if others:
            work.tell(of.type, of.id, "translated")
        left = load_record_group(work, of)
        left.pop(of.language, None)
        new = _save_member(work, of, new)
        _update_sources(work, left)
    else:
        new = _save_member(work, of, new)
    return new


def leave_record_group(work: UnitOfWork, of: Record) -> Record:
    """Move a record from its group into one of its own, and return it."""
    others = load_record_group(work, of)
    others.pop(of.language, None)
    if not others:
        return of
    new = _save_member(work, of, msgspec.structs.replace(of, translations=allocate_id(work.tx), source_language=""))
    _update_sources(work, others)
    return new


def set_record_language(work: UnitOfWork, of: Record, language: str) -> Record:
    """Give a record another language, with a slug that is free there, and return it.

    Raises LanguageUnknown, LanguageTaken.
    """
    if of.language == language:
        return of
    require_language(work, language)
    others = load_record_group(work, of)
    others.pop(of.language, None)
    held = others.get(language)
    if held is not None:
        if held.status != "trash":
            raise LanguageTaken(language, held.id)
        leave_record_group(work, held)
        del others[language]
    type = work.site.types.get(of.type)
    slug = of.slug
    if type is not None:
        types = work.site.types
        slug = record_slugs.find_free_slug(
            work.tx, type, slug, language=language, parent=of.parent, id=of.id, types=types
        )
    source = "" if of.source_language == language else of.source_language
    new = _save_member(work, of, msgspec.structs.replace(of, language=language, slug=slug, source_language=source))
    if not of.source_language:
        for one in others.values():
            if one.source_language == of.language:
                _save_member(work, one, msgspec.structs.replace(one, source_language=language))
    elif not source:
        _update_sources(work, {**others, language: new})
    return new


def require_language(work: UnitOfWork, language: str) -> None:
    """Raise LanguageUnknown for a language that the site does not have."""
    languages = work.site.profile.languages
    if language not in languages:
        raise LanguageUnknown(language=language, languages=", ".join(languages))


def promote_next_original_record(work: UnitOfWork, removed: Record) -> None:
    """Make the first remaining member, in the site's order of languages, the original of a group."""
    left = load_record_group(work, removed)
    left.pop(removed.language, None)
    _update_sources(work, left)


def list_joint_removals(work: UnitOfWork, type: ContentType, of: Record) -> list[Record]:
    """Return the translations that are trashed and deleted with a record: none unless the site is set so.

    Those that the caller may not delete stay, and files follow a rule of their own (media/attachments/rules.py).
    """
    if not work.option("translation_removes_records") or type.address == "attached":
        return []
    others = load_record_group(work, of)
    return [
        one for one in others.values() if one.id != of.id and (not work.user or may_delete_record(work.user, type, one))
    ]


def _update_sources(work: UnitOfWork, group: Mapping[str, Record]) -> None:
    """Ensure that a group has one original, from which every other member descends."""
    for one, source in translation_groups.list_changed_sources(work, group):
        _save_member(work, one, msgspec.structs.replace(one, source_language=source))


def _save_member(work: UnitOfWork, old: Record, new: Record) -> Record:
    work.lookups.clear()
    record_model.update_record_row(work, old, new)
    work.note(old.type, old.id, "changed")
    return msgspec.structs.replace(new, version=old.version + 1)
