"""Which rooms the visitors' interface has, at its two addresses: read this to know where a route is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from vetrina.declare.route import Route
from vetrina.domain.work import Frame

from . import batch, cart, checkout, groups, orders, products, reviews
from .visit import HEADERS

__all__ = ["ROOMS"]

Room = Callable[[Frame], tuple[Route, ...]]

_ROUTES: Final = (
    batch.routes, cart.routes, checkout.routes, orders.routes, groups.routes, reviews.routes, products.routes,
)  # fmt: skip


def _at(base: str) -> tuple[Room, ...]:
    """Return the rooms at an address."""

    def room(make: Callable[[str], tuple[Route, ...]]) -> Room:
        return lambda frame: tuple(replace(route, takes=HEADERS) for route in make(base))

    return tuple(room(make) for make in _ROUTES)


ROOMS: dict[str, tuple[Room, ...]] = {"shop/store": _at("/shop/store"), "shop/store/v1": _at("/shop/store/v1")}
