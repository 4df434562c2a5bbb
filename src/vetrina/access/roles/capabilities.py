"""Permission checks on records: the standard capabilities, applied.

A record's status and author decide which of its type's capabilities are needed. Which role has which:
access/roles/built_in_roles.py. Rules: docs/rules/rights.md, 1 and 2;
docs/rules/roles.md, 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from vetrina.access.roles.built_in_roles import CAPABILITIES
from vetrina.core.user import User

_SEEN_BY_ALL = frozenset({"publish"})
_PUBLIC = frozenset({"publish", "future"})
_READING = frozenset(CAPABILITIES["subscriber"])


class CapabilityNaming(Protocol):
    """What these checks need of a content type: its name, and its names of the general capabilities."""

    @property
    def name(self) -> str: ...

    @property
    def caps(self) -> Mapping[str, str]: ...


class OwnedRecord(Protocol):
    """What these checks need of a record."""

    @property
    def author(self) -> int: ...

    @property
    def status(self) -> str: ...

    @property
    def trashed_status(self) -> str: ...

    @property
    def language(self) -> str: ...


def may_create_record(user: User, kind: CapabilityNaming, language: str = "") -> bool:
    """Return whether the user may create records of this type, in a language; empty: in any of them."""
    return user.can_somewhere(kind.caps["create_posts"], kind.name, language)


def may_edit_records(user: User, kind: CapabilityNaming) -> bool:
    """Return whether the user may write any records of this type."""
    return user.can_somewhere(kind.caps["edit_posts"], kind.name)


def may_edit_others_records(user: User, kind: CapabilityNaming, language: str | None) -> bool:
    """Return whether the user may edit what others wrote of this type in a language; None: in all of them."""
    return user.can_for(kind.caps["edit_others_posts"], kind.name, language)


def may_publish_records(user: User, kind: CapabilityNaming, language: str | None) -> bool:
    """Return whether the user may publish records of this type in a language; None: in all of them."""
    return user.can_for(kind.caps["publish_posts"], kind.name, language)


def may_edit_record(user: User, kind: CapabilityNaming, record: OwnedRecord) -> bool:
    return _has_record_capability(user, "edit", kind, record)


def may_delete_record(user: User, kind: CapabilityNaming, record: OwnedRecord) -> bool:
    return _has_record_capability(user, "delete", kind, record)


def is_type_read_by_all(kind: CapabilityNaming) -> bool:
    """Return whether everybody may read what is published of this type."""
    return kind.caps["read"] == "read"


def is_read_by_all(kind: CapabilityNaming, record: OwnedRecord) -> bool:
    """Return whether everybody may read this record outside the editing view."""
    return record.status in _SEEN_BY_ALL and is_type_read_by_all(kind)


def may_read_record(user: User, kind: CapabilityNaming, record: OwnedRecord) -> bool:
    """Return whether the user may read this record outside the editing view."""
    if is_read_by_all(kind, record):
        return True
    if not user:
        return False
    read = kind.caps["read"]
    if record.author == user.id or record.status in _SEEN_BY_ALL:
        return user.can_for(read, kind.name, record.language)
    if record.status == "private":
        return user.can_for(kind.caps["read_private_posts"], kind.name, record.language)
    return may_edit_record(user, kind, record)


class TermGrouping(Protocol):
    """What these checks need of a taxonomy: the types that have its terms, and the capabilities on them."""

    @property
    def types(self) -> Sequence[str]: ...

    @property
    def edit(self) -> str: ...

    @property
    def delete(self) -> str: ...

    @property
    def assign(self) -> str: ...


def may_assign_any_terms(user: User, taxonomy: TermGrouping) -> bool:
    """Return whether the user may give any record terms of a taxonomy."""
    return user.can(taxonomy.assign) or any(user.can_somewhere(taxonomy.assign, type) for type in taxonomy.types)


def may_assign_terms(user: User, taxonomy: TermGrouping, type: str, language: str) -> bool:
    """Return whether the user may give records of a type in a language terms of a taxonomy."""
    return user.can_for(taxonomy.assign, type, language)


def may_edit_any_terms(user: User, taxonomy: TermGrouping) -> bool:
    """Return whether the user may edit terms of a taxonomy in any language."""
    languages = {language for grant in user.grants for language in grant.languages or (None,)}
    return user.can(taxonomy.edit) or any(_can_for_terms(user, taxonomy, taxonomy.edit, one) for one in languages)


def may_edit_terms(user: User, taxonomy: TermGrouping, language: str) -> bool:
    """Return whether the user may edit terms of a taxonomy that are in a language."""
    return _can_for_terms(user, taxonomy, taxonomy.edit, language)


def may_delete_terms(user: User, taxonomy: TermGrouping, language: str) -> bool:
    return _can_for_terms(user, taxonomy, taxonomy.delete, language)


def may_add_terms(user: User, taxonomy: TermGrouping, language: str, *, as_tree: bool) -> bool:
    """Return whether the user may add terms; where they form no tree, who assigns them may."""
    return _can_for_terms(user, taxonomy, taxonomy.edit if as_tree else taxonomy.assign, language)


def _can_for_terms(user: User, taxonomy: TermGrouping, capability: str, language: str | None) -> bool:
    # A term is changed for every type that has it.
    return user.can(capability) or (
        bool(user.grants and taxonomy.types)
        and all(user.can_for(capability, type, language) for type in taxonomy.types)
    )


def may_change_site(user: User) -> bool:
    """Return whether the user has a right to anything besides reading and the own account."""
    # An account has the names of its roles among its capabilities.
    return not user.capabilities <= _READING.union(user.roles) or any(
        not grant.capabilities <= _READING for grant in user.grants
    )


def may_write_unfiltered_html(user: User) -> bool:
    """Return whether the user may write unfiltered markup."""
    return user.can("unfiltered_html")


def _has_record_capability(user: User, verb: str, kind: CapabilityNaming, record: OwnedRecord) -> bool:
    if not user:
        return False

    def can(general: str) -> bool:
        return user.can_for(kind.caps[general], kind.name, record.language)

    if record.author == user.id:
        status = record.trashed_status if record.status == "trash" else record.status
        return can(f"{verb}_published_posts" if status in _PUBLIC else f"{verb}_posts")
    if not can(f"{verb}_others_posts"):
        return False
    if record.status in _PUBLIC:
        return can(f"{verb}_published_posts")
    if record.status == "private":
        return can(f"{verb}_private_posts")
    return True
