"""The rooms of the administration: which modules make its routes, in the order of its index.

site.py reads this list; a new room is one line here.
"""

from __future__ import annotations

from collections.abc import Callable

from vetrina.declare.route import Route
from vetrina.domain.work import Frame

from . import (
    ai,
    blueprint,
    features,
    launching,
    marketing,
    options,
    payment_onboarding,
    payment_settings,
    plugins,
    profile,
    suggestions,
    tasks,
    themes,
)

__all__ = ["ROOMS"]

Room = Callable[[Frame], tuple[Route, ...]]

ROOMS: dict[str, tuple[Room, ...]] = {
    "shop-admin": (
        features.routes,
        marketing.routes,
        options.routes,
        suggestions.routes,
        themes.routes,
        plugins.routes,
        profile.routes,
        tasks.routes,
        ai.routes,
        launching.routes,
        blueprint.routes,
        payment_settings.routes,
        payment_onboarding.routes,
    ),
}
