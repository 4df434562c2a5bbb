"""Which rooms `shop-analytics` has, in the order of the index."""

from __future__ import annotations

from collections.abc import Callable

from vetrina.declare.call import Call
from vetrina.declare.deriving import guarded
from vetrina.declare.route import Route
from vetrina.domain.shop import settings
from vetrina.domain.work import Frame
from vetrina.kernel.errors import NoRoute

from . import customers, imports, indicators, leaderboards, lists, mirrors, notes, orders, stats

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
            customers.routes,
            leaderboards.routes,
            indicators.routes,
            lists.routes,
            stats.routes,
            orders.routes,
            imports.routes,
        ),
    ),
    notes.routes,
    mirrors.routes,
)
