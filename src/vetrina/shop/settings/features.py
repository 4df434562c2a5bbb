"""The enabled features of the shop, by the names that clients know.

Not here: the features of the administration (shop/admin/features.py). Rules: docs/rules/shop_settings.md, 5; the
settings of the group `advanced`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.settings import rules as settings

# In the order of the interface; an empty setting means that every shop has the feature.
_SETTINGS: Final[Mapping[str, str]] = {
    "analytics": "shop_analytics_enabled",
    "rate_limit_checkout": "shop_feature_rate_limit_checkout_enabled",
    "marketplace": "",
    "order_attribution": "shop_feature_order_attribution_enabled",
    "site_visibility_badge": "shop_feature_site_visibility_badge_enabled",
    "hpos_datastore_caching": "shop_hpos_datastore_caching_enabled",
    "remote_logging": "shop_feature_remote_logging_enabled",
    "email_improvements": "shop_feature_email_improvements_enabled",
    "blueprint": "shop_feature_blueprint_enabled",
    "cost_of_goods_sold": "shop_feature_cost_of_goods_sold_enabled",
    "block_email_editor": "shop_feature_block_email_editor_enabled",
    "point_of_sale": "shop_feature_point_of_sale_enabled",
    "mcp_integration": "shop_feature_mcp_integration_enabled",
    "destroy-empty-sessions": "shop_feature_destroy-empty-sessions_enabled",
    "rest_api_caching": "shop_feature_rest_api_caching_enabled",
    "product_instance_caching": "shop_feature_product_instance_caching_enabled",
    "custom_order_tables": "",
}


def list_enabled_features(work: UnitOfWork) -> list[str]:
    """Return the names of the enabled features."""
    return [name for name, setting in _SETTINGS.items() if not setting or settings.is_setting_on(work, setting)]
