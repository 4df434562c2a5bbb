"""The routes of the storefront interface, at its two base paths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from vetrina.core.module import RouteBuilder
from vetrina.core.site_context import SiteContext
from vetrina.rest.route import Route
from vetrina.shop.storefront import (
    batch_routes as storefront_batch_routes,
    cart_routes,
    checkout_routes,
    collection_data_routes,
    grouping_routes,
    order_routes as storefront_order_routes,
    product_routes as storefront_product_routes,
    review_routes as storefront_review_routes,
)
from vetrina.shop.storefront.cart_session import CART_HEADERS

_ROUTE_BUILDERS: Final[tuple[Callable[[str, SiteContext], tuple[Route, ...]], ...]] = (
    lambda base, site: storefront_batch_routes.build_routes(base),
    lambda base, site: cart_routes.build_routes(base),
    checkout_routes.build_routes,
    lambda base, site: storefront_order_routes.build_routes(base),
    lambda base, site: grouping_routes.build_routes(base),
    lambda base, site: storefront_review_routes.build_routes(base),
    lambda base, site: collection_data_routes.build_routes(base),
    lambda base, site: storefront_product_routes.build_routes(base),
)


def _build_routes_at(base: str) -> tuple[RouteBuilder, ...]:
    """Return the route builders at a base path."""

    def at_base(make: Callable[[str, SiteContext], tuple[Route, ...]]) -> RouteBuilder:
        return lambda site: tuple(route.replace(request_headers=CART_HEADERS) for route in make(base, site))

    return tuple(at_base(make) for make in _ROUTE_BUILDERS)


ROUTE_BUILDERS: dict[str, tuple[RouteBuilder, ...]] = {
    "shop/store": _build_routes_at("/shop/store"),
    "shop/store/v1": _build_routes_at("/shop/store/v1"),
}
