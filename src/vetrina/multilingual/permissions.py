"""Who may call the routes of the multilingual layer: any one of a route's capabilities is enough.

A session's nonce is asked for when the caller is named (access/sign_in/rules.py), so that application passwords are
enough here as everywhere. Rules: facts of the multilingual layer, "Permission"; OVERRIDES, 7.
"""

from __future__ import annotations

from collections.abc import Callable

from vetrina.access.users.model import User
from vetrina.kernel.errors import Refused
from vetrina.multilingual.jobs.translators import manages
from vetrina.rest.call import Call

__all__ = ["Forbidden", "exchangers", "managers", "managers_alone", "options", "translators"]


class Forbidden(Refused):
    """The caller has none of the capabilities that the route asks for."""

    code = "rest_forbidden"
    message = "Sorry, you are not allowed to do that."


def _any(*capabilities: str) -> Callable[[Call], None]:
    def allow(call: Call) -> None:
        user: User = call.work.user
        if not any(user.can(name) for name in capabilities) and not (
            "manage_translations" in capabilities and manages(user)
        ):
            raise Forbidden(bool(user))

    rights = ", ".join(f"`{name}`" for name in capabilities)
    allow.__doc__ = f"Those who have {'one of the rights' if capabilities[1:] else 'the right'} {rights}."
    return allow


options = _any("manage_options")
managers = _any("manage_translations", "manage_options")
translators = _any("manage_translations", "translate")
managers_alone = _any("manage_translations")
exchangers = _any("manage_translations", "manage_options", "translate")
