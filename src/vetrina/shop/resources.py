"""The routes of the shop's namespaces, in the order of the index.

`shop/v2` and `shop/v1` have what existed in those versions. Not here: reports (analytics/resources.py).
"""

from __future__ import annotations

from vetrina.core.module import RouteBuilder
from vetrina.shop.attributes import routes as attribute_routes
from vetrina.shop.coupons import routes as coupon_routes
from vetrina.shop.customers import routes as customer_routes
from vetrina.shop.groupings import routes as grouping_routes
from vetrina.shop.marketplace import routes as marketplace_routes
from vetrina.shop.orders import action_routes, note_routes, routes as order_routes
from vetrina.shop.payments import gateway_routes, routes as payment_routes
from vetrina.shop.products import layout_template_routes, routes as product_routes
from vetrina.shop.refunds import routes as refund_routes
from vetrina.shop.reports import routes as report_routes
from vetrina.shop.reviews import routes as review_routes
from vetrina.shop.settings import data_routes, routes as setting_routes
from vetrina.shop.shipping import method_routes as shipping_method_routes, routes as shipping_routes
from vetrina.shop.system import routes
from vetrina.shop.taxes import routes as tax_routes
from vetrina.shop.variations import routes as variation_routes
from vetrina.shop.versions import (
    order_routes as version_order_routes,
    product_routes as version_product_routes,
    review_routes as version_review_routes,
)
from vetrina.shop.webhooks import routes as webhook_routes

ROUTE_BUILDERS: dict[str, tuple[RouteBuilder, ...]] = {
    "shop/v3": (
        grouping_routes.build_brand_routes,
        grouping_routes.build_attribute_term_routes,
        attribute_routes.build_routes,
        grouping_routes.build_category_routes,
        review_routes.build_routes,
        grouping_routes.build_shipping_class_routes,
        grouping_routes.build_tag_routes,
        product_routes.build_routes,
        variation_routes.build_routes,
        variation_routes.build_all_variations_routes,
        layout_template_routes.build_routes,
        coupon_routes.build_routes,
        customer_routes.build_routes,
        order_routes.build_routes,
        action_routes.build_routes,
        refund_routes.build_routes,
        note_routes.build_routes,
        data_routes.build_routes,
        gateway_routes.build_routes,
        report_routes.build_routes,
        shipping_routes.build_routes,
        shipping_method_routes.build_routes,
        tax_routes.build_routes,
        setting_routes.build_routes,
        routes.build_routes,
        webhook_routes.build_routes,
        marketplace_routes.build_routes,
        payment_routes.build_routes,
    ),
    "shop/v2": (
        version_product_routes.build_v2_routes,
        version_order_routes.build_v2_routes,
        version_review_routes.build_v2_routes,
    ),
    "shop/v1": (
        version_product_routes.build_v1_routes,
        version_order_routes.build_v1_routes,
        version_review_routes.build_v1_routes,
        marketplace_routes.build_preview_routes,
    ),
}
