"""Who may manage the shop, and how other users are refused.

One right covers everything; administrators and shop managers have it. The code of the error says what was attempted,
its status whether the caller is signed in. Not here: what managers may not do to accounts (access/users/rights.py).
Rules: docs/rules/shop_requests.md, 1 and 2.
"""

from __future__ import annotations

from typing import Final

from vetrina.core.user import User
from vetrina.kernel.errors import PermissionDenied

MANAGE_SHOP: Final = "manage_shop"


class CannotViewShop(PermissionDenied):
    code = "shop_rest_cannot_view"
    message = "You may not see this part of the shop; sign in as one who runs it."


class CannotCreateShopItem(PermissionDenied):
    code = "shop_rest_cannot_create"
    message = "You may not add anything here; sign in as one who runs the shop."


class CannotEditShopItem(PermissionDenied):
    code = "shop_rest_cannot_edit"
    message = "You may not change this; sign in as one who runs the shop."


class CannotDeleteShopItem(PermissionDenied):
    code = "shop_rest_cannot_delete"
    message = "You may not remove this; sign in as one who runs the shop."


class CannotBatchShopItems(PermissionDenied):
    code = "shop_rest_cannot_batch"
    message = "You may not write several things at once here; sign in as one who runs the shop."


class CannotUpdateShop(PermissionDenied):
    code = "shop_rest_cannot_update"
    message = "You may not do this; sign in as one who runs the shop."


def may_manage_shop(user: User) -> bool:
    """Return whether a user may manage the shop."""
    return user.can(MANAGE_SHOP)


def require_shop_capability(user: User, refusal: type[PermissionDenied], right: str = MANAGE_SHOP) -> None:
    """Raise `refusal` unless the user has the right."""
    if not user.can(right):
        raise refusal(bool(user))
