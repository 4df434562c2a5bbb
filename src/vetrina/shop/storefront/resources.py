"""Which rooms the visitors' interface has, at its two addresses: read this to know where a route is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from vetrina.core.unit_of_work import Frame
from vetrina.rest.route import Route
from vetrina.shop.storefront import (
    batch_routes as storefront_batch_routes,
)
from vetrina.shop.storefront import (
    cart_routes,
    checkout_routes,
    grouping_routes,
)
from vetrina.shop.storefront import (
    order_routes as storefront_order_routes,
)
from vetrina.shop.storefront import (
    product_routes as storefront_product_routes,
)
from vetrina.shop.storefront import (
    review_routes as storefront_review_routes,
)
from vetrina.shop.storefront.visit_permissions import HEADERS

__all__ = ["ROOMS"]

Room = Callable[[Frame], tuple[Route, ...]]

_ROUTES: Final[tuple[Callable[[str, Frame], tuple[Route, ...]], ...]] = (
    lambda base, frame: storefront_batch_routes.routes(base),
    lambda base, frame: cart_routes.routes(base),
    checkout_routes.routes,
    lambda base, frame: storefront_order_routes.routes(base),
    lambda base, frame: grouping_routes.routes(base),
    lambda base, frame: storefront_review_routes.routes(base),
    lambda base, frame: storefront_product_routes.routes(base),
)


def _at(base: str) -> tuple[Room, ...]:
    """Return the rooms at an address."""

    def room(make: Callable[[str, Frame], tuple[Route, ...]]) -> Room:
        return lambda frame: tuple(route.but(takes=HEADERS) for route in make(base, frame))

    return tuple(room(make) for make in _ROUTES)


ROOMS: dict[str, tuple[Room, ...]] = {"shop/store": _at("/shop/store"), "shop/store/v1": _at("/shop/store/v1")}
