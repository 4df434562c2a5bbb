"""The route builders of the administration, in the order of its index.

shop/module.py reads this list; a new subject is one line here.
"""

from __future__ import annotations

from vetrina.core.module import RouteBuilder
from vetrina.shop.admin import (
    ai_routes,
    blueprint_routes,
    connection_routes,
    feature_routes,
    launch_routes,
    marketing_routes,
    mobile_app_routes,
    onboarding_profile_routes,
    option_routes,
    payment_onboarding_routes,
    payment_settings_routes,
    plugin_routes,
    suggestion_routes,
    task_routes,
    theme_routes,
)

ROUTE_BUILDERS: dict[str, tuple[RouteBuilder, ...]] = {
    "shop-admin": (
        feature_routes.build_routes,
        mobile_app_routes.build_routes,
        marketing_routes.build_routes,
        option_routes.build_routes,
        suggestion_routes.build_routes,
        theme_routes.build_routes,
        plugin_routes.build_routes,
        connection_routes.build_routes,
        plugin_routes.build_onboarding_routes,
        connection_routes.build_authorization_routes,
        onboarding_profile_routes.build_routes,
        task_routes.build_routes,
        ai_routes.build_routes,
        launch_routes.build_routes,
        blueprint_routes.build_routes,
        payment_settings_routes.build_routes,
        payment_onboarding_routes.build_routes,
    ),
}
