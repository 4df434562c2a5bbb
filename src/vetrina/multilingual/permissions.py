"""Permissions of the multilingual routes: any one of a route's capabilities is enough.

A session's nonce is checked at sign-in (access/sign_in/credentials.py), so application passwords are enough here as
everywhere. Rules: docs/rules/translation_routes.md, 1 and 2; docs/rules/glossary.md, 3.
"""

from __future__ import annotations

from collections.abc import Callable

from vetrina.core.call import Call
from vetrina.core.user import User
from vetrina.kernel.errors import PermissionDenied
from vetrina.multilingual.jobs.translators import may_manage_translation


class TranslationForbidden(PermissionDenied):
    """The caller has none of the capabilities that the route requires."""

    code = "rest_forbidden"
    message = "Sorry, you are not allowed to do that."


def _require_any(*capabilities: str, limited: str = "") -> Callable[[Call], None]:
    """Return the permission. limited: the capability that is enough where a role limits it, too."""

    def allow(call: Call) -> None:
        user: User = call.work.user
        if (
            not any(user.can(name) for name in capabilities)
            and not ("manage_translations" in capabilities and may_manage_translation(user))
            and not (limited and user.can_somewhere(limited))
        ):
            raise TranslationForbidden(bool(user))

    rights = ", ".join(f"`{name}`" for name in capabilities)
    allow.__doc__ = f"Those who have {'one of the rights' if capabilities[1:] else 'the right'} {rights}."
    if limited:
        allow.__doc__ += f" A role may limit `{limited}` to types and languages."
    return allow


require_options_permission = _require_any("manage_options")
require_manager_or_options_permission = _require_any("manage_translations", "manage_options")
require_translator_permission = _require_any("manage_translations", "translate")
require_any_translator_permission = _require_any("manage_translations", "translate", limited="translate")
require_manager_permission = _require_any("manage_translations")
require_exchange_permission = _require_any("manage_translations", "manage_options", "translate")
