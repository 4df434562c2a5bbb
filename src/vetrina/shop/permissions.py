"""Permission checks of the shop's routes, each with its own error.

Not here: who has the right (shop/rights.py). Rules: docs/rules/shop_requests.md, 1, 2 and 3.
"""

from __future__ import annotations

from collections.abc import Callable

from vetrina.core.call import Call
from vetrina.kernel.errors import PermissionDenied
from vetrina.shop.rights import (
    CannotBatchShopItems,
    CannotCreateShopItem,
    CannotDeleteShopItem,
    CannotEditShopItem,
    CannotUpdateShop,
    CannotViewShop,
    require_shop_capability,
)

PermissionCheck = Callable[[Call], None]


def require_view_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require_shop_capability(call.work.user, CannotViewShop)


def require_create_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require_shop_capability(call.work.user, CannotCreateShopItem)


def require_edit_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require_shop_capability(call.work.user, CannotEditShopItem)


def require_delete_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require_shop_capability(call.work.user, CannotDeleteShopItem)


def require_batch_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require_shop_capability(call.work.user, CannotBatchShopItems)


def build_item_permissions(known: Callable[[Call], object]) -> tuple[PermissionCheck, PermissionCheck, PermissionCheck]:
    """Return the permission checks to read, change and remove one record; the handler reports a missing record.

    known: returns whether the record that a call names exists.
    """

    def build_check(refusal: type[PermissionDenied]) -> PermissionCheck:
        def allow(call: Call) -> None:
            """Those who run the shop (`manage_shop`)."""
            if known(call):
                require_shop_capability(call.work.user, refusal)

        return allow

    return build_check(CannotViewShop), build_check(CannotEditShopItem), build_check(CannotDeleteShopItem)


def require_update_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    require_shop_capability(call.work.user, CannotUpdateShop)
