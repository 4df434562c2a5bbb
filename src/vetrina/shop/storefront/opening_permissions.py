"""What visitors may call only while the shop is open to them.

Not here: when it is (shop/admin/coming_soon.py). Rules: issue 9, the coming-soon mode.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vetrina.core.unit_of_work import Frame
from vetrina.rest.call import Call
from vetrina.rest.derived_routes import guarded
from vetrina.rest.route import Route
from vetrina.shop.admin import coming_soon

__all__ = ["while_open"]

Room = Callable[[Frame], tuple[Route, ...]]


def while_open(rooms: Mapping[str, tuple[Room, ...]]) -> dict[str, tuple[Room, ...]]:
    """Return rooms whose routes refuse visitors while the shop is closed."""
    return {name: tuple(_behind_door(room) for room in several) for name, several in rooms.items()}


def _behind_door(room: Room) -> Room:
    return lambda frame: tuple(_for_visitors(route) for route in room(frame))


def _for_visitors(route: Route) -> Route:
    """Return a route that asks whether the shop is open before anything else of it."""

    def first(call: Call) -> None:
        coming_soon.let_in(call.work, call.request)

    return guarded(route, first, "while the shop is open to them", errors=(*route.errors, coming_soon.ComingSoon))
