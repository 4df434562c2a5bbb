"""What accounts may do by their roles: built-in, of the profile, or stored.

A role that is limited to types or languages gives grants (core/user.py), which the checks on records, terms, uploads
and translation jobs look at; `User.can`, which everything else asks, never counts them. Rules: docs/rules/roles.md, 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from vetrina.access.roles.built_in_roles import ADMINISTRATOR, CAPABILITIES, build_role_capabilities
from vetrina.access.roles.store import NO_STORED_ROLES, list_stored_roles, parse_stored_roles
from vetrina.backends.database import Transaction
from vetrina.core.roles import Role, SiteRoles
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import Grant, User

# What everybody who signs in may do: no limit takes it away.
UNLIMITED: Final = ("read", "level_0")
NO_ROLES: Final = SiteRoles()
_FILES: Final = "attachment"
_OWN_FILES: Final = frozenset({"upload_files", "edit_posts", "delete_posts"})


class RoleRights(NamedTuple):
    """What roles allow. everywhere: capabilities in the order of the roles. grants: those of limited roles."""

    everywhere: dict[str, bool]
    grants: tuple[Grant, ...]


def compute_rights_of_role(role: Role, roles: SiteRoles) -> RoleRights:
    """Return what accounts with one role may do."""
    if role.name == ADMINISTRATOR:
        return RoleRights(build_role_capabilities((role.name,), roles.added), ())
    if role.is_limited:
        unlimited = [one for one in UNLIMITED if one in role.capabilities]
        return RoleRights(dict.fromkeys(unlimited, True), build_grants(role))
    return RoleRights(dict.fromkeys(role.capabilities, True), ())


def compute_role_rights(names: Iterable[str], roles: SiteRoles, stored: str = NO_STORED_ROLES) -> RoleRights:
    """Return what accounts with roles may do. stored: the value of the column STORED_ROLES."""
    own: Mapping[str, Role] = parse_stored_roles(stored)
    everywhere: dict[str, bool] = {}
    grants: list[Grant] = []
    for name in names:
        role = None if name == ADMINISTRATOR else own.get(name) or roles.declared.get(name)
        if role is None:
            everywhere.update(build_role_capabilities((name,), roles.added))
            continue
        found = compute_rights_of_role(role, roles)
        everywhere.update(found.everywhere)
        grants += found.grants
    return RoleRights(everywhere, tuple(dict.fromkeys(grants)))


def build_grants(role: Role) -> tuple[Grant, ...]:
    """Return the grants of a role that is limited; who may upload may change and remove the files of their own."""
    capabilities = frozenset(role.capabilities)
    types, languages = frozenset(role.types) or None, frozenset(role.languages) or None
    out = [Grant(capabilities, types, languages)]
    if types is not None and _FILES not in types and "upload_files" in capabilities:
        out.append(Grant(capabilities & _OWN_FILES, frozenset({_FILES}), languages))
    return tuple(out)


def is_administrator(user: User) -> bool:
    return ADMINISTRATOR in user.roles


def has_rights(user: User, rights: RoleRights) -> bool:
    """Return whether a user has all rights of a role, so that they may give it; administrators have all."""
    if is_administrator(user):
        return True
    if any(given and not user.can(name) for name, given in rights.everywhere.items()):
        return False
    return all(
        user.can_for(capability, type, language)
        for grant in rights.grants
        for capability in grant.capabilities
        for type in (grant.types or (None,))
        for language in (grant.languages or (None,))
    )


def has_rights_of(user: User, other: User) -> bool:
    """Return whether a user has all rights of another one, so that they may act on that account."""
    names = frozenset(other.roles)
    everywhere = {name: True for name in other.capabilities if name not in names}
    if is_administrator(user) or is_administrator(other):
        return is_administrator(user)
    return has_rights(user, RoleRights(everywhere, other.grants))


def build_profile_role(roles: SiteRoles, name: str) -> Role | None:
    """Return a role as the profile says it is, None where the profile has none of this name."""
    if name not in roles.names:
        return None
    declared = roles.declared.get(name)
    if declared is not None:
        return declared
    return Role(name, format_role_label(name), tuple(build_role_capabilities((name,), roles.added)))


def list_roles(tx: Transaction, roles: SiteRoles) -> dict[str, Role]:
    """Return the roles that there are, by name: those of the profile first, then the others by name."""
    stored = {name: one.role for name, one in list_stored_roles(tx).items()}
    out: dict[str, Role] = {}
    for name in roles.names:
        role = stored.pop(name, None) if name != ADMINISTRATOR else None
        role = role or build_profile_role(roles, name)
        assert role is not None, "it is one of the profile's"
        out[name] = role
    stored.pop(ADMINISTRATOR, None)
    return out | stored


def list_role_names(work: UnitOfWork) -> tuple[str, ...]:
    """Return the names of the roles that there are."""
    return tuple(list_roles(work.tx, work.site.roles))


def format_role_label(name: str) -> str:
    """Return how a built-in role is called."""
    return name.replace("_", " ").capitalize()


def is_built_in(name: str) -> bool:
    return name in CAPABILITIES
