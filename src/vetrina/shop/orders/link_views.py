"""Where an order and a refund lead to: the `_links` of their answers.

Rules: the recordings of orders.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Work
from vetrina.shop.orders.model import Order
from vetrina.shop.refunds.rules import Refund

__all__ = ["ORDERS", "order_links", "refund_links"]

ORDERS: Final = "/shop/v3/orders"
_METHODS: Final = ["GET", "POST", "PUT", "PATCH", "DELETE"]


def order_links(work: Work, one: Order) -> dict[str, Any]:
    """Return the links of an order."""
    own = work.api(f"{ORDERS}/{one.id}")
    links: dict[str, Any] = {
        "self": [{"href": own, "targetHints": {"allow": _METHODS}}],
        "collection": [{"href": work.api(ORDERS)}],
        "email_templates": [{"embeddable": True, "href": f"{own}/actions/email_templates"}],
    }
    if one.customer:
        links["customer"] = [{"href": work.api(f"/shop/v3/customers/{one.customer}")}]
    if one.parent:
        links["up"] = [{"href": work.api(f"{ORDERS}/{one.parent}")}]
    return links


def refund_links(work: Work, one: Refund) -> dict[str, Any]:
    """Return the links of a refund."""
    above = work.api(f"{ORDERS}/{one.order}")
    return {
        "self": [{"href": f"{above}/refunds/{one.id}", "targetHints": {"allow": ["GET", "DELETE"]}}],
        "collection": [{"href": f"{above}/refunds"}],
        "up": [{"href": above}],
    }
