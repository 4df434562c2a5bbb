"""The module `shop`: catalogue, orders, checkout, administration."""

from __future__ import annotations

from dataclasses import replace

from vetrina.core.background_work import BackgroundTasks
from vetrina.core.module import Module, RouteBuilders, SignInMethod
from vetrina.core.unit_of_work import SiteContext, UnitOfWork

__all__ = ["MODULE"]


def _load_routes() -> RouteBuilders:
    from vetrina.shop import resources as shop_resources
    from vetrina.shop.admin import resources as admin_resources
    from vetrina.shop.mail import preview_routes
    from vetrina.shop.products import catalogue_routes, content_routes
    from vetrina.shop.storefront import companion_routes, resources as storefront_resources
    from vetrina.shop.storefront.opening_permissions import restrict_to_open_shop

    public = restrict_to_open_shop(
        {
            **storefront_resources.ROUTE_BUILDERS,
            "cms/v2": (content_routes.build_routes, content_routes.build_term_routes),
        }
    )
    beside = {**companion_routes.ROUTE_BUILDERS, **preview_routes.ROUTE_BUILDERS, **catalogue_routes.ROUTE_BUILDERS}
    return {**shop_resources.ROUTE_BUILDERS, **public, **admin_resources.ROUTE_BUILDERS, **beside}


def _load_background() -> BackgroundTasks:
    from vetrina.shop import background_work

    return background_work.BACKGROUND


def _extend_context(frame: SiteContext) -> SiteContext:
    from vetrina.shop.products import product_types

    types, taxonomies = {**frame.types, **product_types.TYPES}, {**frame.taxonomies, **product_types.TAXONOMIES}
    return replace(frame, types=types, taxonomies=taxonomies)


def _load_sign_in() -> SignInMethod:
    from vetrina.shop.keys.rules import authenticate_consumer_key

    return authenticate_consumer_key


def _set_up(work: UnitOfWork, owner: int) -> None:
    from vetrina.shop import onboarding

    onboarding.bootstrap_shop(work, owner)


MODULE = Module(
    "shop",
    _load_routes,
    _load_background,
    extend_context=_extend_context,
    load_first_sign_in=_load_sign_in,
    set_up=_set_up,
)
