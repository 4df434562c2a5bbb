"""The routes of `shop-analytics`, in the order of the index."""

from __future__ import annotations

from vetrina.analytics.exports import routes as export_routes
from vetrina.analytics.mirrors import routes as mirror_routes
from vetrina.analytics.notes import routes as note_routes
from vetrina.analytics.reports import (
    customer_routes,
    indicator_routes,
    leaderboard_routes,
    list_routes as report_list_routes,
    order_routes as report_order_routes,
    stats_routes,
)
from vetrina.core.call import Call
from vetrina.core.module import RouteBuilder
from vetrina.kernel.errors import NoRoute
from vetrina.rest.derived_routes import guard_route
from vetrina.shop.settings import rules as settings


def _restrict_to_enabled(build_routes: RouteBuilder) -> RouteBuilder:
    """Return a route builder that yields no routes while the shop has analytics disabled."""
    return lambda site: tuple(
        guard_route(route, _check_analytics_enabled, "while the shop has reports") for route in build_routes(site)
    )


def _check_analytics_enabled(call: Call) -> None:
    if not settings.is_setting_on(call.work, "shop_analytics_enabled"):
        raise NoRoute(method=call.request.method, path=call.request.path)


ROUTE_BUILDERS: tuple[RouteBuilder, ...] = (
    *map(
        _restrict_to_enabled,
        (
            customer_routes.build_routes,
            leaderboard_routes.build_routes,
            indicator_routes.build_routes,
            report_list_routes.build_routes,
            stats_routes.build_routes,
            report_order_routes.build_routes,
            export_routes.build_routes,
        ),
    ),
    note_routes.build_routes,
    mirror_routes.build_routes,
)
