"""Permissions of the administration's routes: the required rights, and the error code of each family of routes.

The right to manage the shop covers most; adding modules and themes, and changing the site around the shop, requires an
administrator. Rules: docs/rules/shop_admin.md, 1 and 2 and
docs/rules/shop_requests.md, 3.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from vetrina.core.call import Call
from vetrina.kernel.errors import PermissionDenied
from vetrina.shop.rights import (
    MANAGE_SHOP,
    CannotCreateShopItem,
    CannotUpdateShop,
    CannotViewShop,
    require_shop_capability,
)

ADMINISTRATOR: Final = "manage_options"


class ShopAdminUserInvalid(PermissionDenied):
    code = "shop_rest_invalid_user"
    message = "You may not see this; sign in as one who runs the shop."


class ShopAdminForbidden(PermissionDenied):
    code = "rest_forbidden"
    message = "You may not do this; sign in as one who runs the shop."


def build_permission_check(refusal: type[PermissionDenied], right: str = MANAGE_SHOP) -> Callable[[Call], None]:
    """Return a permission check for a right that refuses with its own error code."""

    def allow(call: Call) -> None:
        require_shop_capability(call.work.user, refusal, right)

    allow.__doc__ = f"{'Administrators' if right == ADMINISTRATOR else 'Those who run the shop'} (`{right}`)."
    return allow


require_view_permission = build_permission_check(CannotViewShop)
require_admin_view_permission = build_permission_check(CannotViewShop, ADMINISTRATOR)
require_create_permission = build_permission_check(CannotCreateShopItem)
require_update_permission = build_permission_check(CannotUpdateShop)
require_admin_update_permission = build_permission_check(CannotUpdateShop, ADMINISTRATOR)
require_suggestions_permission = build_permission_check(ShopAdminUserInvalid)
require_launch_permission = build_permission_check(ShopAdminForbidden)
