"""May this user do this to that record: the standard capabilities, applied.

A record's status and author decide which of its type's capabilities count. Not here: which role has which
(access/roles/roles.py). Rules: facts of the interface, "Who may do what".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from vetrina.access.users.model import User

__all__ = [
    "Kind",
    "Owned",
    "may_create",
    "may_delete",
    "may_edit",
    "may_edit_others",
    "may_edit_type",
    "may_publish",
    "may_read",
    "unfiltered",
]

_SEEN_BY_ALL = frozenset({"publish"})
_PUBLIC = frozenset({"publish", "future"})


class Kind(Protocol):
    """What these questions need to know of a type: what each general capability is called for it."""

    @property
    def caps(self) -> Mapping[str, str]: ...


class Owned(Protocol):
    """What these questions need to know of a record."""

    @property
    def author(self) -> int: ...

    @property
    def status(self) -> str: ...

    @property
    def trashed_status(self) -> str: ...


def may_create(user: User, kind: Kind) -> bool:
    return user.can(kind.caps["create_posts"])


def may_edit_type(user: User, kind: Kind) -> bool:
    """May the user write records of this kind at all?"""
    return user.can(kind.caps["edit_posts"])


def may_edit_others(user: User, kind: Kind) -> bool:
    return user.can(kind.caps["edit_others_posts"])


def may_publish(user: User, kind: Kind) -> bool:
    return user.can(kind.caps["publish_posts"])


def may_edit(user: User, kind: Kind, record: Owned) -> bool:
    return _may(user, "edit", kind, record)


def may_delete(user: User, kind: Kind, record: Owned) -> bool:
    return _may(user, "delete", kind, record)


def may_read(user: User, kind: Kind, record: Owned) -> bool:
    """May the user see this record outside the editing view?"""
    read = kind.caps["read"]
    if record.status in _SEEN_BY_ALL and read == "read":
        return True
    if not user:
        return False
    if record.author == user.id or record.status in _SEEN_BY_ALL:
        return user.can(read)
    if record.status == "private":
        return user.can(kind.caps["read_private_posts"])
    return may_edit(user, kind, record)


def unfiltered(user: User) -> bool:
    """May the user write any markup?"""
    return user.can("unfiltered_html")


def _may(user: User, verb: str, kind: Kind, record: Owned) -> bool:
    if not user:
        return False
    caps = kind.caps
    if record.author == user.id:
        status = record.trashed_status if record.status == "trash" else record.status
        return user.can(caps[f"{verb}_published_posts" if status in _PUBLIC else f"{verb}_posts"])
    if not user.can(caps[f"{verb}_others_posts"]):
        return False
    if record.status in _PUBLIC:
        return user.can(caps[f"{verb}_published_posts"])
    if record.status == "private":
        return user.can(caps[f"{verb}_private_posts"])
    return True
