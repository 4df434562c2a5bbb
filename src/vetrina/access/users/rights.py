"""Permission checks on accounts: who may see, edit and delete which, and who may assign which role.

Rights on records: access/roles/capabilities.py. Rules: docs/rules/users.md, 8 and 9; docs/rules/roles.md, 4: users may
edit their own account, but not change their own roles or delete themselves; nobody gives more than they have.
"""

from __future__ import annotations

from collections.abc import Sequence

from vetrina.access.roles.role_rights import (
    compute_rights_of_role,
    has_rights,
    has_rights_of,
    is_administrator,
    list_roles,
)
from vetrina.access.users.listing import has_public_records
from vetrina.core.roles import Role
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure

# Users who manage accounts without assigning roles (a shop's manager) may edit these only: setting an administrator's
# password would give them an administrator's rights.
_MANAGED = frozenset({"customer"})


class UnknownRole(ApiError):
    """The site has no such role."""

    code = "rest_user_invalid_role"
    message = "There is no role {role!r} here; the roles are {known}."


class CannotAssignRole(ApiError):
    """The caller may not assign this role, or would lose their own rights over accounts by it."""

    failure, code = Failure.FORBIDDEN, "rest_user_invalid_role"
    message = "You may not give an account the roles {roles!r}."


class RoleBeyondCaller(ApiError):
    """The role allows something that the caller may not do: nobody gives more than they have."""

    failure, code = Failure.FORBIDDEN, "rest_role_beyond_caller"
    message = "The role {role} allows more than you may do. Choose another, or ask an administrator."


def may_view_user(work: UnitOfWork, user: User) -> bool:
    """Return whether the caller may see this account outside the editing view; authors of public records are public."""
    caller = work.user
    return (
        caller.id == user.id
        or caller.can("list_users")
        or may_edit_user(caller, user)
        or work.is_previewed("user", user.id)
        or has_public_records(work, user)
    )


def may_edit_user(caller: User, user: User) -> bool:
    """Return whether the caller may edit this account."""
    return (bool(caller) and caller.id == user.id) or _has_user_capability(caller, "edit_users", user)


def may_promote_user(caller: User, user: User) -> bool:
    """Return whether the caller may change the roles of this account."""
    return _has_user_capability(caller, "promote_users", user)


def may_delete_user(caller: User, user: User) -> bool:
    """Return whether the caller may delete this account."""
    return _has_user_capability(caller, "delete_users", user)


def check_roles(work: UnitOfWork, roles: Sequence[str], user: User | None) -> None:
    """Check that the caller may assign these roles to an account; user: None for a new one.

    Raises UnknownRole, CannotAssignRole, RoleBeyondCaller.
    """
    known = require_known_roles(work, roles)
    own = user is not None and user.id == work.user.id
    for role in roles:
        if own and "edit_users" not in compute_rights_of_role(known[role], work.site.roles).everywhere:
            raise CannotAssignRole(roles=", ".join(roles))
    if own and not roles:
        raise CannotAssignRole(roles="")
    if not is_administrator(work.user):
        require_assignable(work, [known[role] for role in roles])


def require_known_roles(work: UnitOfWork, roles: Sequence[str]) -> dict[str, Role]:
    """Return the roles that there are, by name. Raises UnknownRole for one that is not among them."""
    known = list_roles(work.tx, work.site.roles)
    for role in roles:
        if role not in known:
            raise UnknownRole(role=role, known=", ".join(known))
    return known


def require_assignable(work: UnitOfWork, roles: Sequence[Role]) -> None:
    """Raise RoleBeyondCaller for a role that allows more than its caller may do."""
    for role in roles:
        if not has_role_rights(work, role):
            raise RoleBeyondCaller(role=role.name)


def has_role_rights(work: UnitOfWork, role: Role) -> bool:
    """Return whether the caller has all rights of a role."""
    return has_rights(work.user, compute_rights_of_role(role, work.site.roles))


def _has_user_capability(caller: User, capability: str, user: User) -> bool:
    if not caller.can(capability):
        return False
    if not caller.can("promote_users") and not (bool(user.roles) and _MANAGED.issuperset(user.roles)):
        return False
    # Who sets the password of an account may act as it.
    return has_rights_of(caller, user)
