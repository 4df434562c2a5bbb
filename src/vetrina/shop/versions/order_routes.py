"""Orders, coupons, customers, settings and the rest of the shop as the older versions of the interface show them.

Version two differs little; version one has fewer rooms, and its moments are in GMT without a second one beside them.
Not here: products (shop/versions/product_routes.py), reviews (shop/versions/review_routes.py). Rules: the recordings of
older versions.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.rest.call import Call
from vetrina.rest.route import Route
from vetrina.shop.coupons import routes as coupon_routes
from vetrina.shop.customers import routes as customer_routes
from vetrina.shop.orders import part_routes
from vetrina.shop.orders import routes as order_routes
from vetrina.shop.payments import gateway_routes
from vetrina.shop.reports import routes as report_routes
from vetrina.shop.settings import routes as setting_routes
from vetrina.shop.shipping import routes as shipping_routes
from vetrina.shop.system import routes
from vetrina.shop.taxes import routes as tax_routes
from vetrina.shop.versions.routes import derived, without
from vetrina.shop.webhooks import routes as webhook_routes

__all__ = ["first", "second"]

_NEW_IN_ORDERS: Final = (
    "is_editable", "needs_payment", "needs_processing", "payment_url", "currency_symbol", "cost_of_goods_sold",
)  # fmt: skip
_NEW_ROUTES: Final = "/statuses"
_FIRST: Final = (
    order_routes.routes,
    part_routes.notes,
    coupon_routes.routes,
    customer_routes.routes,
    tax_routes.routes,
    webhook_routes.routes,
)
_SECOND: Final = (
    report_routes.routes,
    setting_routes.routes,
    shipping_routes.routes,
    gateway_routes.routes,
    routes.routes,
)


def second(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of version two."""
    retell = without(*_NEW_IN_ORDERS)
    return tuple(
        route
        for room in (*_FIRST, part_routes.routes, *_SECOND)
        for route in derived(room(frame), "shop/v2", retell, leave=_NEW_ROUTES)
        if not route.path.startswith("/shop/v2/refunds")
    )


def first(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of version one."""
    refunds = (route for route in part_routes.routes(frame) if not route.path.startswith("/shop/v3/refunds"))
    rooms = [*(room(frame) for room in (*_FIRST, report_routes.older)), tuple(refunds)]
    return tuple(route for room in rooms for route in derived(room, "shop/v1", _in_gmt, leave=_NEW_ROUTES))


def _in_gmt(body: dict[str, Any], call: Call) -> dict[str, Any]:
    """Return a record whose moments are in GMT, without the second ones."""
    out = {name: value for name, value in body.items() if name not in _NEW_IN_ORDERS and not name.endswith("_gmt")}
    for name, value in body.items():
        plain = name.removesuffix("_gmt")
        if plain != name and plain in out:
            out[plain] = value
    return out
