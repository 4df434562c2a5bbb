"""Which rooms the namespaces of the shop have: read this to know where a route is.

`shop/v2` and `shop/v1` have the rooms that were there in their time.
"""

from __future__ import annotations

from collections.abc import Callable

from vetrina.analytics import resources as analytics_resources
from vetrina.core.unit_of_work import Frame
from vetrina.rest.route import Route
from vetrina.shop.attributes import routes as attribute_routes
from vetrina.shop.coupons import routes as coupon_routes
from vetrina.shop.customers import routes as customer_routes
from vetrina.shop.groupings import routes as grouping_routes
from vetrina.shop.marketplace import routes as marketplace_routes
from vetrina.shop.orders import action_routes, part_routes
from vetrina.shop.orders import routes as order_routes
from vetrina.shop.payments import gateway_routes
from vetrina.shop.payments import routes as payment_routes
from vetrina.shop.products import layout_template_routes
from vetrina.shop.products import routes as product_routes
from vetrina.shop.reports import routes as report_routes
from vetrina.shop.reviews import routes as review_routes
from vetrina.shop.settings import data_routes
from vetrina.shop.settings import routes as setting_routes
from vetrina.shop.shipping import routes as shipping_routes
from vetrina.shop.system import routes
from vetrina.shop.taxes import routes as tax_routes
from vetrina.shop.variations import routes as variation_routes
from vetrina.shop.versions import (
    order_routes as version_order_routes,
)
from vetrina.shop.versions import (
    product_routes as version_product_routes,
)
from vetrina.shop.versions import (
    review_routes as version_review_routes,
)
from vetrina.shop.webhooks import routes as webhook_routes

__all__ = ["ROOMS"]

Room = Callable[[Frame], tuple[Route, ...]]

ROOMS: dict[str, tuple[Room, ...]] = {
    "shop/v3": (
        grouping_routes.brands,
        grouping_routes.attribute_terms,
        attribute_routes.routes,
        grouping_routes.categories,
        review_routes.routes,
        grouping_routes.shipping_classes,
        grouping_routes.tags,
        product_routes.routes,
        variation_routes.routes,
        variation_routes.across,
        layout_template_routes.routes,
        coupon_routes.routes,
        customer_routes.routes,
        order_routes.routes,
        action_routes.routes,
        part_routes.routes,
        part_routes.notes,
        data_routes.routes,
        gateway_routes.routes,
        report_routes.routes,
        shipping_routes.routes,
        tax_routes.routes,
        setting_routes.routes,
        routes.routes,
        webhook_routes.routes,
        marketplace_routes.routes,
        payment_routes.routes,
    ),
    "shop-analytics": analytics_resources.ROOMS,
    "shop/v2": (
        version_product_routes.second,
        version_order_routes.second,
        version_review_routes.second,
    ),
    "shop/v1": (
        version_product_routes.first,
        version_order_routes.first,
        version_review_routes.first,
        marketplace_routes.preview,
    ),
}
