"""Who may see, edit and delete which account.

Rights on records: access/roles/capabilities.py. Who may give which role: access/users/role_assignment.py. Rules:
docs/rules/users.md, 8 and 9: users may edit their own account, but not change their own roles or delete themselves.
"""

from __future__ import annotations

from vetrina.access.roles.role_rights import (
    has_rights_of,
)
from vetrina.access.users.listing import has_public_records
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User

# Users who manage accounts without assigning roles (a shop's manager) may edit these only: setting an administrator's
# password would give them an administrator's rights.
_MANAGED = frozenset({"customer"})


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


def _has_user_capability(caller: User, capability: str, user: User) -> bool:
    if not caller.can(capability):
        return False
    if not caller.can("promote_users") and not (bool(user.roles) and _MANAGED.issuperset(user.roles)):
        return False
    # Who sets the password of an account may act as it.
    return has_rights_of(caller, user)
