"""How often products were sold: orders count their pieces by their status, and uncount them.

Driven by the table in shop/orders/statuses.py. Not here: which pieces are in stock (shop/orders/stock.py). Rules:
docs/rules/order_statuses.md, 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.orders.model import LINE, Order, OrderItem
from vetrina.shop.orders.statuses import OrderStatus
from vetrina.shop.products import model as product_model


def apply_sales_effect(
    work: UnitOfWork, order: Order, items: Sequence[OrderItem], meaning: OrderStatus, noted: Iterable[int]
) -> Order:
    """Return an order whose pieces count as sold, or no longer do, by its status. noted: see `_record_sales`."""
    if meaning.sold is None or meaning.sold == order.sales_counted:
        return order
    sign = 1 if meaning.sold else -1
    _record_sales(work, {id: sign * many for id, many in _sum_pieces(items).items()}, noted)
    return msgspec.structs.replace(order, sales_counted=meaning.sold)


def release_sales(work: UnitOfWork, order: Order, items: Sequence[OrderItem]) -> Order:
    """Return an order that is trashed or deleted: its pieces count as sold no longer."""
    if not order.sales_counted:
        return order
    _record_sales(work, {id: -many for id, many in _sum_pieces(items).items()})
    return msgspec.structs.replace(order, sales_counted=False)


def _sum_pieces(items: Iterable[OrderItem]) -> dict[int, int]:
    """Return how many pieces of each product some items have."""
    out: dict[int, int] = {}
    for item in items:
        if item.kind == LINE and item.product and item.quantity:
            out[item.product] = out.get(item.product, 0) + item.quantity
    return out


def _record_sales(work: UnitOfWork, pieces: dict[int, int], noted: Iterable[int] = ()) -> None:
    """Count pieces as sold; noted: products already in the change log."""
    product_model.update_total_sales(work, pieces)
    for id in sorted({id for id, many in pieces.items() if many} - set(noted)):
        work.note("product", id, "changed")
