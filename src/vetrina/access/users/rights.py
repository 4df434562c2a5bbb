"""Permission checks on accounts: who may see, edit and delete which, and who may assign which role.

Rights on records: access/roles/capabilities.py. Rules: docs/rules/users.md, 8 and 9: users may edit their own account,
but not change their own roles or delete themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

from vetrina.access.roles.roles import build_role_capabilities
from vetrina.access.users.listing import has_public_records
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

    Raises UnknownRole, CannotAssignRole.
    """
    known, added = work.site.profile.roles, work.site.administrator_capabilities
    own = user is not None and user.id == work.user.id
    for role in roles:
        if role not in known:
            raise UnknownRole(role=role, known=", ".join(known))
        if own and "edit_users" not in build_role_capabilities((role,), added):
            raise CannotAssignRole(roles=", ".join(roles))
    if own and not roles:
        raise CannotAssignRole(roles="")


def _has_user_capability(caller: User, capability: str, user: User) -> bool:
    if not caller.can(capability):
        return False
    return caller.can("promote_users") or (bool(user.roles) and _MANAGED.issuperset(user.roles))
