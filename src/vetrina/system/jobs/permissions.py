"""Who looks after the server over the interface: jobs, backups, checks, profile. Rules: docs/rules/server.md, 1."""

from __future__ import annotations

from vetrina.core.call import Call
from vetrina.kernel.errors import PermissionDenied


class CannotRunServer(PermissionDenied):
    code = "rest_forbidden"
    message = "Only administrators look after the server of this site."


def require_server_permission(call: Call) -> None:
    """Administrators (`manage_options`)."""
    user = call.work.user
    if not user.can("manage_options"):
        raise CannotRunServer(bool(user))
