"""Which rooms `shop-analytics` has, in the order of the index."""

from __future__ import annotations

from collections.abc import Callable

from vetrina.analytics.exports import routes as export_routes
from vetrina.analytics.mirrors import routes as mirror_routes
from vetrina.analytics.notes import routes as note_routes
from vetrina.analytics.reports import (
    customer_routes,
    indicator_routes,
    leaderboard_routes,
    stats_routes,
)
from vetrina.analytics.reports import (
    list_routes as report_list_routes,
)
from vetrina.analytics.reports import (
    order_routes as report_order_routes,
)
from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import NoRoute
from vetrina.rest.call import Call
from vetrina.rest.derived_routes import guarded
from vetrina.rest.route import Route
from vetrina.shop.settings import rules as settings

__all__ = ["ROOMS"]

Room = Callable[[Frame], tuple[Route, ...]]


def _while_on(room: Room) -> Room:
    """Return a room whose routes are not there while the shop does without reports."""
    return lambda frame: tuple(guarded(route, _are_on, "while the shop has reports") for route in room(frame))


def _are_on(call: Call) -> None:
    if not settings.is_on(call.work, "shop_analytics_enabled"):
        raise NoRoute(method=call.request.method, path=call.request.path)


ROOMS: tuple[Room, ...] = (
    *map(
        _while_on,
        (
            customer_routes.routes,
            leaderboard_routes.routes,
            indicator_routes.routes,
            report_list_routes.routes,
            stats_routes.routes,
            report_order_routes.routes,
            export_routes.routes,
        ),
    ),
    note_routes.routes,
    mirror_routes.routes,
)
