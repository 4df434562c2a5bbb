"""Routes that visitors may call only while the shop is open to them.

Not here: when it is open (shop/admin/coming_soon.py). Rules: docs/rules/shop_admin.md, 9.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest.derived_routes import guard_route
from vetrina.rest.route import Route
from vetrina.shop.admin import coming_soon
from vetrina.shop.admin.gate_permissions import get_share_key

RouteBuilder = Callable[[SiteContext], tuple[Route, ...]]


def restrict_to_open_shop(builders: Mapping[str, tuple[RouteBuilder, ...]]) -> dict[str, tuple[RouteBuilder, ...]]:
    """Return route builders whose routes refuse visitors while the shop is closed."""
    return {name: tuple(_restrict_builder(builder) for builder in group) for name, group in builders.items()}


def _restrict_builder(builder: RouteBuilder) -> RouteBuilder:
    return lambda site: tuple(_restrict_route(route) for route in builder(site))


def _restrict_route(route: Route) -> Route:
    """Return a route that first checks whether the shop is open."""

    def first(call: Call) -> None:
        coming_soon.require_open_shop(call.work, get_share_key(call.request))

    return guard_route(
        route, first, "while the shop is open to them", errors=(*route.errors, coming_soon.ShopComingSoon)
    )
