"""The statuses of orders and what each means for the rest of the shop.

One table, read by everything that asks. Not here: what a change of status does (shop/orders/transitions.py).
Rules: facts, "Status and what it does".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

__all__ = ["ANY", "BY_SLUG", "DRAFT", "NAMES", "STATUSES", "TRASH", "Status", "needs_payment"]

Stock = Literal["taken", "back", "left"]

DRAFT: Final = "checkout-draft"
TRASH: Final = "trash"
ANY: Final = "any"


@dataclass(frozen=True, slots=True)
class Status:
    """One status.

    stock: whether the goods are taken, put back, or left as they are. coupons: whether its coupons count as used; None
    leaves the count as it is.
    sold: whether its goods count as sold; None leaves the count as it is. payable: whether it waits for a payment.
    editable: whether its lines may be changed in the administration. paid, completed: whether the date is set.
    downloads: whether its files may be fetched; None leaves that as it is.
    """

    slug: str
    name: str
    stock: Stock = "left"
    coupons: bool | None = None
    sold: bool | None = None
    payable: bool = False
    editable: bool = False
    paid: bool = False
    completed: bool = False
    downloads: bool | None = None


STATUSES: Final = (
    Status("pending", "Pending payment", "back", True, None, payable=True, editable=True, downloads=False),
    Status("processing", "Processing", "taken", True, True, paid=True, downloads=True),
    Status("on-hold", "On hold", "taken", True, True, editable=True, downloads=False),
    Status("completed", "Completed", "taken", True, True, paid=True, completed=True, downloads=True),
    Status("cancelled", "Cancelled", "back", False, False, downloads=False),
    Status("refunded", "Refunded", "left", None, None, downloads=False),
    Status("failed", "Failed", "left", False, None, payable=True, downloads=False),
    Status(DRAFT, "Draft"),
)
BY_SLUG: Final[Mapping[str, Status]] = {status.slug: status for status in STATUSES}
NAMES: Final[Mapping[str, str]] = {status.slug: status.name for status in STATUSES}


def needs_payment(slug: str, total: Decimal) -> bool:
    """Say whether an order with a status waits for a payment of what it comes to."""
    meaning = BY_SLUG.get(slug)
    return meaning is not None and (meaning.payable or slug == DRAFT) and total > 0
