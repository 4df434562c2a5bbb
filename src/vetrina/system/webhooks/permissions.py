"""Who may have webhooks for content."""

from __future__ import annotations

from vetrina.core.call import Call
from vetrina.kernel.errors import PermissionDenied
from vetrina.system.webhooks.deliveries import MANAGE


class CannotManageWebhooks(PermissionDenied):
    code = "rest_forbidden"
    message = "The webhooks of the site are for its administrators."


def require_manage_permission(call: Call) -> None:
    """Administrators (`manage_options`)."""
    user = call.work.user
    if not user.can(MANAGE):
        raise CannotManageWebhooks(bool(user))
