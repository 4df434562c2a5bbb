"""Who may read the audit trail. Rules: docs/rules/audit.md, 5."""

from __future__ import annotations

from vetrina.core.call import Call
from vetrina.kernel.errors import PermissionDenied


class CannotReadAuditTrail(PermissionDenied):
    code = "rest_forbidden"
    message = "Only administrators read the audit trail."


def require_audit_permission(call: Call) -> None:
    """Administrators (`manage_options` and `list_users` both)."""
    user = call.work.user
    if not (user.can("manage_options") and user.can("list_users")):
        raise CannotReadAuditTrail(bool(user))
