"""What the administration of the shop can do, as the words by which its programs ask.

Not here: the things themselves. Rules: facts, "Features, experiments, notices, mobile app".
"""

from __future__ import annotations

from typing import Final

__all__ = ["FEATURES"]

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
