"""Who may give which role to whom: nobody gives more than they have, nor takes their own rights over accounts away.

Not here: who may edit an account at all (access/users/rights.py), what a role allows (access/roles/role_rights.py).
Rules: docs/rules/users.md, 8; docs/rules/roles.md, 4.
"""

from __future__ import annotations

from collections.abc import Sequence

from vetrina.access.roles.role_rights import (
    compute_rights_of_role,
    has_rights,
    is_administrator,
    list_roles,
)
from vetrina.core.roles import Role
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure


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
