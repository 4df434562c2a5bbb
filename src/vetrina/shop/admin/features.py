"""The features of the shop's administration, by the names that clients query.

Rules: docs/rules/shop_admin.md, 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.settings import rules as settings

_EXPERIMENTS: Final = "shop_experiments"  # an object of the profile's options: variations by experiment

# Features that a setting of the shop can disable.
_SETTINGS: Final = {
    "analytics": "shop_analytics_enabled", "analytics-scheduled-import": "shop_analytics_enabled",
    "coupons": "shop_enable_coupons", "remote-free-extensions": "shop_show_marketplace_suggestions",
}  # fmt: skip

FEATURES: Final = (
    "activity-panels", "analytics", "analytics-scheduled-import", "product-block-editor",
    "experimental-iapi-mini-cart", "coupons", "core-profiler", "customize-store", "customer-effort-score-tracks",
    "import-products-task", "experimental-fashion-sample-products", "shipping-smart-defaults",
    "shipping-setting-tour", "homescreen", "marketing", "mobile-app-banner", "onboarding", "onboarding-tasks",
    "pattern-toolkit-full-composability", "product-custom-fields", "remote-inbox-notifications",
    "remote-free-extensions", "payment-gateway-suggestions", "printful", "shipping-label-banner", "subscriptions",
    "store-alerts", "transient-notices", "woo-mobile-welcome", "shop-pay-promotion", "shop-pay-welcome-page",
    "launch-your-store",
)  # fmt: skip


def list_admin_features(work: UnitOfWork) -> list[str]:
    """Return the names of the enabled features."""
    return [one for one in FEATURES if one not in _SETTINGS or settings.is_setting_on(work, _SETTINGS[one])]


def find_experiment_variation(work: UnitOfWork, experiment: str) -> str | None:
    """Return the variation of an experiment that the site's profile sets, None for none."""
    kept = work.stored_option(_EXPERIMENTS)
    found = kept.get(experiment) if isinstance(kept, Mapping) else None
    return found if isinstance(found, str) and found else None
