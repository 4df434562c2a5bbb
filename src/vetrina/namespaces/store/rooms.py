"""Which rooms the visitors' interface has, at its two addresses: read this to know where a route is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from vetrina.declare.route import Route
from vetrina.domain.work import Frame

from . import batch, cart, checkout, groups, orders, products, reviews
from .visit import HEADERS

__all__ = ["ROOMS"]

Room = Callable[[Frame], tuple[Route, ...]]

_ROUTES: Final[tuple[Callable[[str, Frame], tuple[Route, ...]], ...]] = (
    lambda base, frame: batch.routes(base),
    lambda base, frame: cart.routes(base),
    checkout.routes,
    lambda base, frame: orders.routes(base),
    lambda base, frame: groups.routes(base),
    lambda base, frame: reviews.routes(base),
    lambda base, frame: products.routes(base),
)


def _at(base: str) -> tuple[Room, ...]:
    """Return the rooms at an address."""

    def room(make: Callable[[str, Frame], tuple[Route, ...]]) -> Room:
        return lambda frame: tuple(route.but(takes=HEADERS) for route in make(base, frame))

    return tuple(room(make) for make in _ROUTES)


ROOMS: dict[str, tuple[Room, ...]] = {"shop/store": _at("/shop/store"), "shop/store/v1": _at("/shop/store/v1")}
