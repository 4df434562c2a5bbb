"""The rooms of the administration: which modules make its routes, in the order of its index.

site.py reads this list; a new room is one line here.
"""

from __future__ import annotations

from collections.abc import Callable

from vetrina.core.unit_of_work import Frame
from vetrina.rest.route import Route
from vetrina.shop.admin import (
    ai_routes,
    blueprint_routes,
    feature_routes,
    launch_routes,
    marketing_routes,
    onboarding_profile_routes,
    option_routes,
    payment_onboarding_routes,
    payment_settings_routes,
    plugin_routes,
    suggestion_routes,
    task_routes,
    theme_routes,
)

__all__ = ["ROOMS"]

Room = Callable[[Frame], tuple[Route, ...]]

ROOMS: dict[str, tuple[Room, ...]] = {
    "shop-admin": (
        feature_routes.routes,
        marketing_routes.routes,
        option_routes.routes,
        suggestion_routes.routes,
        theme_routes.routes,
        plugin_routes.routes,
        onboarding_profile_routes.routes,
        task_routes.routes,
        ai_routes.routes,
        launch_routes.routes,
        blueprint_routes.routes,
        payment_settings_routes.routes,
        payment_onboarding_routes.routes,
    ),
}
