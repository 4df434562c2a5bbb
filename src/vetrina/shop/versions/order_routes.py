"""Orders, coupons, customers, settings and other subjects in the older versions of the interface.

Version two differs little; version one has fewer routes, and its dates are in GMT without a second member beside them.
Not here: products (shop/versions/product_routes.py), reviews (shop/versions/review_routes.py).
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest.route import Route
from vetrina.shop.coupons import routes as coupon_routes
from vetrina.shop.customers import routes as customer_routes
from vetrina.shop.orders import note_routes, routes as order_routes
from vetrina.shop.payments import gateway_routes
from vetrina.shop.products.costs import MEMBER as COST_OF_GOODS_MEMBER
from vetrina.shop.refunds import routes as refund_routes
from vetrina.shop.reports import routes as report_routes
from vetrina.shop.settings import routes as setting_routes
from vetrina.shop.shipping import method_routes as shipping_method_routes, routes as shipping_routes
from vetrina.shop.system import routes
from vetrina.shop.taxes import routes as tax_routes
from vetrina.shop.versions.routes import derive_version_routes
from vetrina.shop.webhooks import routes as webhook_routes

_NEW_IN_ORDERS: Final = (
    "is_editable", "needs_payment", "needs_processing", "payment_url", "currency_symbol", COST_OF_GOODS_MEMBER,
)  # fmt: skip
_GMT_DATES: Final = (
    "date_created_gmt", "date_modified_gmt", "date_completed_gmt", "date_paid_gmt", "date_expires_gmt",
)  # fmt: skip
_NEW_ROUTES: Final = "/statuses"
_V1_ROUTE_BUILDERS: Final = (
    order_routes.build_routes,
    note_routes.build_routes,
    coupon_routes.build_routes,
    customer_routes.build_routes,
    tax_routes.build_routes,
    webhook_routes.build_routes,
)
_V2_ROUTE_BUILDERS: Final = (
    report_routes.build_routes,
    setting_routes.build_routes,
    shipping_routes.build_routes,
    shipping_method_routes.build_routes,
    gateway_routes.build_routes,
    routes.build_routes,
)


def build_v2_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of version two."""
    return tuple(
        route
        for build_routes in (*_V1_ROUTE_BUILDERS, refund_routes.build_routes, *_V2_ROUTE_BUILDERS)
        for route in derive_version_routes(
            build_routes(site), "shop/v2", _omit_new_members, omit=_NEW_ROUTES, omitted_fields=_NEW_IN_ORDERS
        )
        if not route.path.startswith("/shop/v2/refunds")
    )


def build_v1_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of version one."""
    refunds = (route for route in refund_routes.build_routes(site) if not route.path.startswith("/shop/v3/refunds"))
    route_groups = [*(group(site) for group in (*_V1_ROUTE_BUILDERS, report_routes.build_v1_routes)), tuple(refunds)]
    return tuple(
        route
        for group in route_groups
        for route in derive_version_routes(
            group, "shop/v1", _keep_gmt_dates, omit=_NEW_ROUTES, omitted_fields=(*_NEW_IN_ORDERS, *_GMT_DATES)
        )
    )


def _omit_new_members(body: dict[str, Any], call: Call) -> dict[str, Any]:
    """Return a record without what orders and their lines have in the newest version alone."""
    out = {name: value for name, value in body.items() if name not in _NEW_IN_ORDERS}
    if isinstance(lines := out.get("line_items"), list):
        out["line_items"] = [
            {name: value for name, value in line.items() if name != COST_OF_GOODS_MEMBER} for line in lines
        ]
    return out


def _keep_gmt_dates(body: dict[str, Any], call: Call) -> dict[str, Any]:
    """Return a record with its dates in GMT, without the second members."""
    out = {name: value for name, value in _omit_new_members(body, call).items() if not name.endswith("_gmt")}
    for name, value in body.items():
        plain = name.removesuffix("_gmt")
        if plain != name and plain in out:
            out[plain] = value
    return out
