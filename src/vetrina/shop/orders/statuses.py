"""Statuses of orders and their meaning for the rest of the shop, in one table.

Not here: effects of a change of status (shop/orders/transitions.py). Rules: docs/rules/order_statuses.md, 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

StockEffect = Literal["taken", "back", "left"]

DRAFT: Final = "checkout-draft"
TRASH: Final = "trash"
ANY: Final = "any"


@dataclass(frozen=True, slots=True)
class OrderStatus:
    """One status.

    stock: whether stock is reduced, restored, or left as it is. coupons: whether its coupons count as used; None leaves
    the count as it is. sold: whether its products count as sold; None leaves the count as it is. payable: whether it
    waits for a payment. editable: whether its lines may be changed in the administration. paid, completed: whether that
    date is set. downloads: whether its files may be downloaded; None leaves that as it is.
    """

    slug: str
    name: str
    stock: StockEffect = "left"
    coupons: bool | None = None
    sold: bool | None = None
    payable: bool = False
    editable: bool = False
    paid: bool = False
    completed: bool = False
    downloads: bool | None = None


ORDER_STATUSES: Final = (
    OrderStatus("pending", "Pending payment", "back", True, None, payable=True, editable=True, downloads=False),
    OrderStatus("processing", "Processing", "taken", True, True, paid=True, downloads=True),
    OrderStatus("on-hold", "On hold", "taken", True, True, editable=True, downloads=False),
    OrderStatus("completed", "Completed", "taken", True, True, paid=True, completed=True, downloads=True),
    OrderStatus("cancelled", "Cancelled", "back", False, False, downloads=False),
    OrderStatus("refunded", "Refunded", "left", None, None, downloads=False),
    OrderStatus("failed", "Failed", "left", False, None, payable=True, downloads=False),
    OrderStatus(DRAFT, "Draft"),
)
STATUSES_BY_SLUG: Final[Mapping[str, OrderStatus]] = {status.slug: status for status in ORDER_STATUSES}
STATUS_NAMES: Final[Mapping[str, str]] = {status.slug: status.name for status in ORDER_STATUSES}


def needs_payment(slug: str, total: Decimal) -> bool:
    """Return whether an order with a status and a total waits for a payment."""
    meaning = STATUSES_BY_SLUG.get(slug)
    return meaning is not None and (meaning.payable or slug == DRAFT) and total > 0
