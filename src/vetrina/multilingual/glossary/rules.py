"""Rules of the glossary: what an entry may be, and how many there may be.

Not here: which entries a text has (multilingual/glossary/term_matching.py). Rules: docs/rules/glossary.md, 1 to 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure, Fault, InvalidParam
from vetrina.multilingual.glossary import store
from vetrina.multilingual.glossary.store import GlossaryEntry

MAX_ENTRIES: Final = 5_000
MAX_TERM: Final = 200  # characters of a term and of a translation
MAX_NOTE: Final = 1_000
MEMBERS: Final = ("term", "source_language", "language", "translation", "note", "case_sensitive")


class GlossaryEntryNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "mlang_glossary_entry_not_found"
    message = "There is no entry {id} in the glossary. GET /mlang/v1/glossary lists them."


class GlossaryEntryExists(ApiError):
    """The term has an entry for these languages; the response tells its id."""

    failure, code = Failure.CONFLICT, "mlang_glossary_entry_exists"
    message = "{term!r} has an entry from {source} into {target} already: number {id}. Change that one."


class GlossaryFull(ApiError):
    code = "mlang_glossary_full"
    message = "The glossary has {count} entries already, and holds no more. Remove some."


def get_entry(work: UnitOfWork, id: int) -> GlossaryEntry:
    """Return an entry. Raises GlossaryEntryNotFound."""
    found = store.find_entry(work, id)
    if found is None:
        raise GlossaryEntryNotFound(id=id)
    return found


def create_entry(work: UnitOfWork, given: Mapping[str, Any], *, count: int | None = None) -> GlossaryEntry:
    """Store an entry. count: how many there are, where that is known.

    Raises InvalidParam, GlossaryEntryExists, GlossaryFull.
    """
    count = store.count_entries(work) if count is None else count
    if count >= MAX_ENTRIES:
        raise GlossaryFull(count=count)
    home = work.site.profile.default_language
    new = _apply_members(work, GlossaryEntry(0, "", home, "", "", "", False, 0, 0), given)
    _check_place(work, new)
    return store.insert_entry(work, new)


def update_entry(work: UnitOfWork, old: GlossaryEntry, given: Mapping[str, Any]) -> GlossaryEntry:
    """Change an entry. Raises InvalidParam, GlossaryEntryExists."""
    new = _apply_members(work, old, given)
    _check_place(work, new)
    return store.update_entry(work, old, new)


def _apply_members(work: UnitOfWork, old: GlossaryEntry, given: Mapping[str, Any]) -> GlossaryEntry:
    """Return an entry with the given members. Raises InvalidParam with every fault."""
    languages = work.site.profile.languages
    new = msgspec.structs.replace(old, **{name: given[name] for name in MEMBERS if given.get(name) is not None})
    # Space at the ends and in a row is not meant.
    new = msgspec.structs.replace(
        new, term=" ".join(new.term.split()), translation=" ".join(new.translation.split()), note=new.note.strip()
    )
    faults: dict[str, Fault] = {}
    for name, longest in (("term", MAX_TERM), ("translation", MAX_TERM), ("note", MAX_NOTE)):
        value: str = getattr(new, name)
        if not value and name != "note":
            faults[name] = Fault("rest_too_short", f"{name} must say something.")
        elif len(value) > longest:
            faults[name] = Fault("rest_too_long", f"{name} has more than {longest} characters.")
    for name in ("source_language", "language"):
        if getattr(new, name) not in languages:
            faults[name] = Fault("rest_not_in_enum", f"{name} is not one of {', '.join(languages)}.")
    if not faults and new.source_language == new.language:
        faults["language"] = Fault(
            "rest_invalid_param", f"The term is in {new.language} already; name another language."
        )
    if faults:
        raise InvalidParam(faults)
    return new


def _check_place(work: UnitOfWork, new: GlossaryEntry) -> None:
    taken = store.find_by_term(work, new.source_language, new.language, new.term)
    if taken is not None and taken.id != new.id:
        raise GlossaryEntryExists(
            term=new.term, source=new.source_language, target=new.language, id=taken.id, data={"entry_id": taken.id}
        )
