"""What a write says of languages: in which one a thing is, and what is the same in others.

Records and terms are linked alike; what differs is handed in. Not here: the groups themselves
(content/translations/record_translations.py, content/terms/translations.py), the members that a client writes
(namespaces). Rules: the wish of clients that a record's answer names its translations and takes them, which no
reference grants.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError, Fault, InvalidParam

__all__ = ["Groups", "linked", "placed"]


class Linked(Protocol):
    """A record or a term."""

    @property
    def id(self) -> int: ...
    @property
    def language(self) -> str: ...
    @property
    def translations(self) -> int: ...


T = TypeVar("T", bound=Linked)
R = TypeVar("R")


@dataclass(frozen=True)
class Groups(Generic[T]):
    """How things of one kind are grouped.

    find: by a number, None for what is not of the same kind. may: whether the caller may change a thing.
    """

    find: Callable[[int], T | None]
    may: Callable[[T], bool]
    members: Callable[[Work, T], dict[str, T]]
    join: Callable[[Work, T, int], T]
    leave: Callable[[Work, T], T]


def placed(move: Callable[[], R]) -> R:
    """Return what a move to another language gives. Raises InvalidParam for `lang` where that cannot be."""
    try:
        return move()
    except ApiError as error:
        raise InvalidParam({"lang": Fault(error.code, error.text, error.data or None)}) from None


def linked(work: Work, of: T, wanted: Mapping[str, int], groups: Groups[T]) -> T:
    """Link a thing with others, by their languages, and return it.

    wanted: numbers by language; 0 takes what is there out of the group. Languages that are not named stay as they are.
    Of two groups the thing's own gives way where it is alone in it, else the other thing comes over.
    Raises InvalidParam for `translations`, which names the language that cannot be linked.
    """
    for language, id in wanted.items():
        try:
            of = _one(work, of, language, id, groups)
        except ApiError as error:
            fault = Fault(error.code, f"translations[{language}]: {error.text}", {"language": language, **error.data})
            raise InvalidParam({"translations": fault}) from None
    return of


class Unknown(ApiError):
    code = "mlang_translation_unknown"
    message = "there is nothing of this kind with the number {id}."


class OtherLanguage(ApiError):
    code = "mlang_language_differs"
    message = "number {id} is in the language {found!r}."


class NotYours(ApiError):
    code = "rest_cannot_edit"
    message = "you may not change number {id}."


def _one(work: Work, of: T, language: str, id: int, groups: Groups[T]) -> T:
    group = groups.members(work, of)
    held = group.get(language)
    if language == of.language:
        if id and id != of.id:
            raise OtherLanguage(id=id, found=language)
        return of if id else groups.leave(work, of)
    if not id:
        if held is not None:
            groups.leave(work, _allowed(held, groups))
        return of
    if held is not None and held.id == id:
        return of
    other = groups.find(id)
    if other is None:
        raise Unknown(id=id)
    if other.language != language:
        raise OtherLanguage(id=id, found=other.language)
    _allowed(other, groups)
    if held is not None:
        groups.leave(work, _allowed(held, groups))
        del group[language]
    if len(group) == 1:
        return groups.join(work, of, other.translations)
    groups.join(work, other, of.translations)
    return of


def _allowed(one: T, groups: Groups[T]) -> T:
    if not groups.may(one):
        raise NotYours(id=one.id)
    return one
