"""May this user do this to that record: the standard capabilities, applied.

A record's status and author decide which of its type's capabilities count. Not here: which role has which (roles.py).
Rules: facts of the interface, "Who may do what".
"""

from __future__ import annotations

from typing import Protocol

from .user import User

__all__ = [
    "Owned",
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


class Owned(Protocol):
    """What these questions need to know of a record."""

    @property
    def author(self) -> int: ...

    @property
    def status(self) -> str: ...

    @property
    def trashed_status(self) -> str: ...


def may_edit_type(user: User, kind: str) -> bool:
    """May the user write records of this kind at all? kind: posts, pages …"""
    return user.can(f"edit_{kind}")


def may_edit_others(user: User, kind: str) -> bool:
    return user.can(f"edit_others_{kind}")


def may_publish(user: User, kind: str) -> bool:
    return user.can(f"publish_{kind}")


def may_edit(user: User, kind: str, record: Owned) -> bool:
    return _may(user, "edit", kind, record)


def may_delete(user: User, kind: str, record: Owned) -> bool:
    return _may(user, "delete", kind, record)


def may_read(user: User, kind: str, record: Owned) -> bool:
    """May the user see this record outside the editing view?"""
    if record.status in _SEEN_BY_ALL:
        return True
    if not user:
        return False
    if record.author == user.id:
        return user.can("read")
    if record.status == "private":
        return user.can(f"read_private_{kind}")
    return may_edit(user, kind, record)


def unfiltered(user: User) -> bool:
    """May the user write any markup?"""
    return user.can("unfiltered_html")


def _may(user: User, verb: str, kind: str, record: Owned) -> bool:
    if not user:
        return False
    if record.author == user.id:
        status = record.trashed_status if record.status == "trash" else record.status
        return user.can(f"{verb}_published_{kind}" if status in _PUBLIC else f"{verb}_{kind}")
    if not user.can(f"{verb}_others_{kind}"):
        return False
    if record.status in _PUBLIC:
        return user.can(f"{verb}_published_{kind}")
    if record.status == "private":
        return user.can(f"{verb}_private_{kind}")
    return True
