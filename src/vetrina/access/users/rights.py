"""Who may see, write and remove which account, and who may give which role.

Not here: rights on records (access/roles/capabilities.py), what a role may do (access/roles/roles.py).
Rules: facts, "Users": everybody handles his own account, but gives himself no role and does not remove himself.
"""

from __future__ import annotations

from collections.abc import Sequence

from vetrina.access.roles.roles import capabilities_of
from vetrina.access.users.listing import has_public_records
from vetrina.access.users.model import User
from vetrina.access.users.rules import has_shop
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError

__all__ = ["UnknownRole", "WrongRole", "check_roles", "may_edit", "may_promote", "may_remove", "may_see"]

# Whoever manages accounts without giving out roles (a shop's manager) handles these only: an administrator's password
# in such hands would be an administrator's rights.
_MANAGED = frozenset({"customer"})


class UnknownRole(ApiError):
    """The site has no such role."""

    code = "rest_user_invalid_role"
    message = "There is no role {role!r} here; the roles are {known}."


class WrongRole(ApiError):
    """The caller may not give this role, or would lose his own rights over accounts by it."""

    status, code = 403, "rest_user_invalid_role"
    message = "You may not give an account the roles {roles!r}."


def may_see(work: Work, user: User) -> bool:
    """May the caller see this account outside the editing view? Authors of public records are seen by everybody."""
    caller = work.user
    return caller.id == user.id or caller.can("list_users") or may_edit(caller, user) or has_public_records(work, user)


def may_edit(caller: User, user: User) -> bool:
    """May the caller write this account?"""
    return (bool(caller) and caller.id == user.id) or _may(caller, "edit_users", user)


def may_promote(caller: User, user: User) -> bool:
    """May the caller change the roles of this account?"""
    return _may(caller, "promote_users", user)


def may_remove(caller: User, user: User) -> bool:
    """May the caller remove this account?"""
    return _may(caller, "delete_users", user)


def check_roles(work: Work, roles: Sequence[str], user: User | None) -> None:
    """Check that the caller may give these roles to an account; user: None for one that is made.

    Raises UnknownRole, WrongRole.
    """
    known, shop = work.frame.profile.roles, has_shop(work.frame)
    own = user is not None and user.id == work.user.id
    for role in roles:
        if role not in known:
            raise UnknownRole(role=role, known=", ".join(known))
        if own and "edit_users" not in capabilities_of((role,), shop):
            raise WrongRole(roles=", ".join(roles))
    if own and not roles:
        raise WrongRole(roles="")


def _may(caller: User, capability: str, user: User) -> bool:
    if not caller.can(capability):
        return False
    return caller.can("promote_users") or (bool(user.roles) and _MANAGED.issuperset(user.roles))
