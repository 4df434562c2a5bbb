"""Which rooms the namespaces of the shop have: read this to know where a route is.

`shop/v2` and `shop/v1` have the rooms that were there in their time.
"""

from __future__ import annotations

from collections.abc import Callable

from vetrina.declare.route import Route
from vetrina.domain.work import Frame

from . import (
    attributes,
    coupons,
    customers,
    data,
    gateways,
    groupings,
    layout_templates,
    marketplace,
    older_orders,
    older_products,
    older_reviews,
    order_actions,
    order_parts,
    orders,
    payments,
    products,
    reports,
    reviews,
    settings,
    shipping,
    system_status,
    tax_rates,
    variations,
    webhooks,
)
from .analytics import rooms as analytics

__all__ = ["ROOMS"]

Room = Callable[[Frame], tuple[Route, ...]]

ROOMS: dict[str, tuple[Room, ...]] = {
    "shop/v3": (
        groupings.brands,
        groupings.attribute_terms,
        attributes.routes,
        groupings.categories,
        reviews.routes,
        groupings.shipping_classes,
        groupings.tags,
        products.routes,
        variations.routes,
        variations.across,
        layout_templates.routes,
        coupons.routes,
        customers.routes,
        orders.routes,
        order_actions.routes,
        order_parts.routes,
        order_parts.notes,
        data.routes,
        gateways.routes,
        reports.routes,
        shipping.routes,
        tax_rates.routes,
        settings.routes,
        system_status.routes,
        webhooks.routes,
        marketplace.routes,
        payments.routes,
    ),
    "shop-analytics": analytics.ROOMS,
    "shop/v2": (
        older_products.second,
        older_orders.second,
        older_reviews.second,
    ),
    "shop/v1": (
        older_products.first,
        older_orders.first,
        older_reviews.first,
        marketplace.preview,
    ),
}
