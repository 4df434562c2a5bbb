"""Who may see and change roles. Rules: docs/rules/roles.md, 4."""

from __future__ import annotations

from vetrina.core.call import Call
from vetrina.kernel.errors import PermissionDenied


class CannotViewRoles(PermissionDenied):
    code = "rest_cannot_view_roles"
    message = "Roles are for those who list accounts or say what roles they have."


class CannotManageRoles(PermissionDenied):
    code = "rest_cannot_manage_roles"
    message = "You may not make, change or remove roles: that takes both promote_users and manage_options."


def require_view_permission(call: Call) -> None:
    """Those who list accounts, and those who assign roles (`list_users` or `promote_users`)."""
    user = call.work.user
    if not (user.can("list_users") or user.can("promote_users")):
        raise CannotViewRoles(bool(user))


def require_manage_permission(call: Call) -> None:
    """Those who assign roles and change the settings of the site (`promote_users` and `manage_options`)."""
    user = call.work.user
    if not (user.can("promote_users") and user.can("manage_options")):
        raise CannotManageRoles(bool(user))
