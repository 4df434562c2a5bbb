"""Who may see and write redirects. Rules: docs/rules/redirects.md, 6."""

from __future__ import annotations

from vetrina.content.redirects.rules import EDIT_CAPABILITY
from vetrina.core.call import Call
from vetrina.kernel.errors import PermissionDenied


class CannotManageRedirects(PermissionDenied):
    code = "rest_forbidden"
    message = "Redirects are for those who edit what others wrote. GET /cms/v2/redirects/lookup is for everybody."


def require_redirect_permission(call: Call) -> None:
    """Editors (`edit_others_posts`)."""
    user = call.work.user
    if not user.can(EDIT_CAPABILITY):
        raise CannotManageRedirects(bool(user))
