"""What a write does to languages: the language of an item, and its translations.

Records and terms are linked alike; what differs is passed in. Not here: the groups
(content/translations/record_translations.py, content/terms/translations.py), the members that a client writes
(content/translations/language_schema.py). Rules: docs/rules/content_languages.md, 3 (deviation: clients want responses
that name their translations, and can write them).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Fault, InvalidParam


class LinkedItem(Protocol):
    """A record or a term."""

    @property
    def id(self) -> int: ...
    @property
    def language(self) -> str: ...
    @property
    def translations(self) -> int: ...


T = TypeVar("T", bound=LinkedItem)
R = TypeVar("R")


@dataclass(frozen=True)
class TranslationGroups(Generic[T]):
    """The operations on translation groups of one kind.

    find: by id, None for an item of another kind. may: whether the caller may change an item.
    """

    find: Callable[[int], T | None]
    may: Callable[[T], bool]
    members: Callable[[UnitOfWork, T], dict[str, T]]
    join: Callable[[UnitOfWork, T, int], T]
    leave: Callable[[UnitOfWork, T], T]


def move_to_language(move: Callable[[], R]) -> R:
    """Return the result of a move to another language. Raises InvalidParam for `lang` where it is not possible."""
    try:
        return move()
    except ApiError as error:
        raise InvalidParam({"lang": Fault(error.code, error.text, error.data or None)}) from None


def link_translations(work: UnitOfWork, of: T, wanted: Mapping[str, int], groups: TranslationGroups[T]) -> T:
    """Link an item with others, by language, and return it.

    wanted: ids by language; 0 removes the member from the group. Languages that are not named stay as they are. The
    item joins the other group if it is alone in its own, else the other item joins the item's group.
    Raises InvalidParam for `translations`, which names the language that cannot be linked.
    """
    for language, id in wanted.items():
        try:
            of = _link_translation(work, of, language, id, groups)
        except ApiError as error:
            fault = Fault(error.code, f"translations[{language}]: {error.text}", {"language": language, **error.data})
            raise InvalidParam({"translations": fault}) from None
    return of


class LinkedItemNotFound(ApiError):
    code = "mlang_translation_unknown"
    message = "there is nothing of this kind with the number {id}."


class LinkedItemLanguageDiffers(ApiError):
    code = "mlang_language_differs"
    message = "number {id} is in the language {found!r}."


class CannotEditLinkedItem(ApiError):
    code = "rest_cannot_edit"
    message = "you may not change number {id}."


def _link_translation(work: UnitOfWork, of: T, language: str, id: int, groups: TranslationGroups[T]) -> T:
    group = groups.members(work, of)
    held = group.get(language)
    if language == of.language:
        if id and id != of.id:
            raise LinkedItemLanguageDiffers(id=id, found=language)
        return of if id else groups.leave(work, of)
    if not id:
        if held is not None:
            groups.leave(work, _require_allowed(held, groups))
        return of
    if held is not None and held.id == id:
        return of
    other = groups.find(id)
    if other is None:
        raise LinkedItemNotFound(id=id)
    if other.language != language:
        raise LinkedItemLanguageDiffers(id=id, found=other.language)
    _require_allowed(other, groups)
    if held is not None:
        groups.leave(work, _require_allowed(held, groups))
        del group[language]
    if len(group) == 1:
        return groups.join(work, of, other.translations)
    groups.join(work, other, of.translations)
    return of


def _require_allowed(item: T, groups: TranslationGroups[T]) -> T:
    if not groups.may(item):
        raise CannotEditLinkedItem(id=item.id)
    return item
