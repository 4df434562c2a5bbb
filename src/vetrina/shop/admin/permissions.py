"""Permissions of the administration's routes: who may, and the code of each family's refusal.

Whoever runs the shop may most things; adding modules and themes, and what changes the site around the shop, is for
administrators. Rules: facts, "Administration", "Rights and codes".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from vetrina.kernel.errors import Refused
from vetrina.rest.call import Call
from vetrina.shop.rights import MANAGE, CannotCreate, CannotUpdate, CannotView, require

__all__ = [
    "ADMINISTRATOR", "Forbidden", "InvalidUser", "creating", "launching", "may", "setting_up", "suggested", "updating",
    "viewing", "watching",
]  # fmt: skip

ADMINISTRATOR: Final = "manage_options"


class InvalidUser(Refused):
    code = "shop_rest_invalid_user"
    message = "You may not see this; sign in as one who runs the shop."


class Forbidden(Refused):
    code = "rest_forbidden"
    message = "You may not do this; sign in as one who runs the shop."


def may(refusal: type[Refused], right: str = MANAGE) -> Callable[[Call], None]:
    """Return the permission that asks for a right and refuses with a code of its own."""

    def allow(call: Call) -> None:
        require(call.work.user, refusal, right)

    allow.__doc__ = f"{'Administrators' if right == ADMINISTRATOR else 'Those who run the shop'} (`{right}`)."
    return allow


viewing = may(CannotView)
watching = may(CannotView, ADMINISTRATOR)
creating = may(CannotCreate)
updating = may(CannotUpdate)
setting_up = may(CannotUpdate, ADMINISTRATOR)
suggested = may(InvalidUser)
launching = may(Forbidden)
