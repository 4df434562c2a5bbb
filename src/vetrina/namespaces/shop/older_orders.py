"""Orders, coupons, customers, settings and the rest of the shop as the older versions of the interface show them.

Version two differs little; version one has fewer rooms, and its moments are in GMT without a second one beside them.
Not here: products (older_products.py), reviews (older_reviews.py). Rules: the recordings of older versions.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.declare.call import Call
from vetrina.declare.route import Route
from vetrina.domain.work import Frame

from . import (
    coupons,
    customers,
    gateways,
    order_parts,
    orders,
    reports,
    settings,
    shipping,
    system_status,
    tax_rates,
    webhooks,
)
from .versions import derived, without

__all__ = ["first", "second"]

_NEW_IN_ORDERS: Final = (
    "is_editable", "needs_payment", "needs_processing", "payment_url", "currency_symbol", "cost_of_goods_sold",
)  # fmt: skip
_NEW_ROUTES: Final = "/statuses"
_FIRST: Final = (orders.routes, order_parts.notes, coupons.routes, customers.routes, tax_rates.routes, webhooks.routes)
_SECOND: Final = (reports.routes, settings.routes, shipping.routes, gateways.routes, system_status.routes)


def second(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of version two."""
    retell = without(*_NEW_IN_ORDERS)
    return tuple(
        route
        for room in (*_FIRST, order_parts.routes, *_SECOND)
        for route in derived(room(frame), "shop/v2", retell, leave=_NEW_ROUTES)
        if not route.path.startswith("/shop/v2/refunds")
    )


def first(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of version one."""
    refunds = (route for route in order_parts.routes(frame) if not route.path.startswith("/shop/v3/refunds"))
    rooms = [*(room(frame) for room in (*_FIRST, reports.older)), tuple(refunds)]
    return tuple(route for room in rooms for route in derived(room, "shop/v1", _in_gmt, leave=_NEW_ROUTES))


def _in_gmt(body: dict[str, Any], call: Call) -> dict[str, Any]:
    """Return a record whose moments are in GMT, without the second ones."""
    out = {name: value for name, value in body.items() if name not in _NEW_IN_ORDERS and not name.endswith("_gmt")}
    for name, value in body.items():
        plain = name.removesuffix("_gmt")
        if plain != name and plain in out:
            out[plain] = value
    return out
