"""The `_links` of orders and refunds."""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.orders.model import Order
from vetrina.shop.refunds.rules import Refund

__all__ = ["ORDERS_PATH", "build_order_links", "build_refund_links"]

ORDERS_PATH: Final = "/shop/v3/orders"
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]


def build_order_links(work: UnitOfWork, order: Order) -> dict[str, Any]:
    """Return the links of an order."""
    own = work.api(f"{ORDERS_PATH}/{order.id}")
    links: dict[str, Any] = {
        "self": [{"href": own, "targetHints": {"allow": _METHODS}}],
        "collection": [{"href": work.api(ORDERS_PATH)}],
        "email_templates": [{"embeddable": True, "href": f"{own}/actions/email_templates"}],
    }
    if order.customer:
        links["customer"] = [{"href": work.api(f"/shop/v3/customers/{order.customer}")}]
    if order.parent:
        links["up"] = [{"href": work.api(f"{ORDERS_PATH}/{order.parent}")}]
    return links


def build_refund_links(work: UnitOfWork, refund: Refund) -> dict[str, Any]:
    """Return the links of a refund."""
    above = work.api(f"{ORDERS_PATH}/{refund.order}")
    return {
        "self": [{"href": f"{above}/refunds/{refund.id}", "targetHints": {"allow": ["GET", "DELETE"]}}],
        "collection": [{"href": f"{above}/refunds"}],
        "up": [{"href": above}],
    }
