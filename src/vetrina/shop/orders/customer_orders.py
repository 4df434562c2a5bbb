"""Orders as their customer may see and cancel them.

Not here: those that a visitor proves by key and mail address (shop/orders/visitor_orders.py). Rules:
docs/rules/account_pages.md, 5.
"""

from __future__ import annotations

from typing import Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.shop.orders import listing, model as order_model, notes as order_notes, rules as orders, statuses
from vetrina.shop.orders.listing import OrderQuery
from vetrina.shop.orders.model import Order, OrderNotFound
from vetrina.shop.payments import attempts

_SHOWN_STATUSES: Final = tuple(one for one in statuses.STATUS_NAMES if one != statuses.DRAFT)
_CANCELLABLE_STATUSES: Final = frozenset({"pending", "failed"})


class OrderNotCancellable(ApiError):
    code = "shop_rest_cannot_cancel_order"
    message = "Order {id} cannot be cancelled any more."


def list_customer_orders(work: UnitOfWork, customer: int, limit: int, page: int = 1) -> tuple[list[Order], int]:
    """Return a page of an account's orders, the newest first, and how many there are."""
    query = OrderQuery(customer=customer, statuses=_SHOWN_STATUSES, limit=limit, offset=(page - 1) * limit)
    return listing.list_orders(work, query)


def get_customer_order(work: UnitOfWork, customer: int, id: int) -> Order:
    """Return an order of an account. Raises OrderNotFound, for those of others as well."""
    found = order_model.find_order(work, id) if customer else None
    if found is None or found.customer != customer or found.status not in _SHOWN_STATUSES:
        raise OrderNotFound(id=id)
    return found


def is_cancellable(work: UnitOfWork, order: Order) -> bool:
    """Return whether a customer may cancel an order: it was not paid, and no payment of it is on its way."""
    return order.status in _CANCELLABLE_STATUSES and not any(
        one.is_open for one in attempts.list_order_attempts(work, order.id)
    )


def cancel_customer_order(work: UnitOfWork, customer: int, id: int) -> Order:
    """Cancel an order of an account. Raises OrderNotFound, OrderNotCancellable."""
    found = get_customer_order(work, customer, id)
    if not is_cancellable(work, found):
        raise OrderNotCancellable(id=id)
    order_notes.create_order_note(work, found.id, "Order cancelled by customer.")
    return orders.update_order(work, found, {"status": "cancelled"})
