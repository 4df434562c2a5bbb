"""What a service that follows the site is told of a shop: the kinds of its changes, and the names of its options."""

from __future__ import annotations

from typing import Final

from vetrina.core.module import SyncedObjects
from vetrina.shop.products import product_types
from vetrina.shop.settings import rules as settings

_GROUPS: Final = ("general", "products", "tax", "account")  # of settings; none contains a secret
_KINDS: Final = {
    "order": "shop_orders", "coupon": "shop_coupons", "tax_rate": "shop_tax_rates",
    "product_attribute": "shop_attributes",
    product_types.PRODUCT.name: "posts", product_types.VARIATION.name: "posts",
}  # fmt: skip
_ACTIVE: Final = "shop_active_modules"  # the active plugins


def load_synced_objects() -> SyncedObjects:
    """Return what a shop tells of itself."""
    groups = settings.load_setting_groups()
    own = (id for name in _GROUPS if name in groups for id in groups[name].settings)
    return SyncedObjects(_KINDS, frozenset((_ACTIVE, *own)))
