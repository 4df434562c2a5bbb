"""Who may run the shop, and what everybody else is told.

One right opens everything: administrators and shop managers have it. The refusal's code says what was tried, its
status whether the caller has an account. Not here: what managers may not do to accounts (access/users/rights.py).
Rules: facts, "Rights".
"""

from __future__ import annotations

from typing import Final

from vetrina.access.users.model import User
from vetrina.kernel.errors import Refused

__all__ = [
    "MANAGE", "CannotBatch", "CannotCreate", "CannotDelete", "CannotEdit", "CannotUpdate", "CannotView", "may_manage",
    "require",
]  # fmt: skip

MANAGE: Final = "manage_shop"


class CannotView(Refused):
    code = "shop_rest_cannot_view"
    message = "You may not see this part of the shop; sign in as one who runs it."


class CannotCreate(Refused):
    code = "shop_rest_cannot_create"
    message = "You may not add anything here; sign in as one who runs the shop."


class CannotEdit(Refused):
    code = "shop_rest_cannot_edit"
    message = "You may not change this; sign in as one who runs the shop."


class CannotDelete(Refused):
    code = "shop_rest_cannot_delete"
    message = "You may not remove this; sign in as one who runs the shop."


class CannotBatch(Refused):
    code = "shop_rest_cannot_batch"
    message = "You may not write several things at once here; sign in as one who runs the shop."


class CannotUpdate(Refused):
    code = "shop_rest_cannot_update"
    message = "You may not do this; sign in as one who runs the shop."


def may_manage(user: User) -> bool:
    """Say whether a user runs the shop."""
    return user.can(MANAGE)


def require(user: User, refusal: type[Refused], right: str = MANAGE) -> None:
    """Raise the refusal unless the user has the right."""
    if not user.can(right):
        raise refusal(bool(user))
