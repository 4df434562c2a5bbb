"""Stock that orders take and put back: by their status, when their lines change, and when goods return.

How many pieces a line took is kept in its extra field `_reduced_stock`. Not here: the stock of a product itself
(shop/products/stock.py), which status takes it (shop/orders/statuses.py), returned pieces of a refund
(shop/refunds/rules.py). Rules: docs/rules/order_statuses.md, 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.integers import parse_digits
from vetrina.shop import meta_data
from vetrina.shop.mail import stock_mails
from vetrina.shop.orders.model import LINE, Order, OrderItem
from vetrina.shop.orders.statuses import OrderStatus
from vetrina.shop.products import stock as product_stock

LINE_STOCK_KEY: Final = "_reduced_stock"  # extra field of a line: how many pieces it took from stock
_RESTOCKED_KEY: Final = "_restock_refunded_items"  # extra field of a line: how many of them refunds restocked


def update_stock_of_lines(work: UnitOfWork, before: Sequence[OrderItem], after: Sequence[OrderItem]) -> None:
    """Update stock after a change of the lines of an order that reduced it: quantities, products, removed lines."""
    if not product_stock.is_stock_managed(work):
        return
    taken = _load_taken_pieces(work, before)
    left = {item.id: item for item in after if item.kind == LINE}
    noted: dict[int, int | None] = {}
    for item in before:
        if item.id not in taken:
            continue
        new = left.get(item.id)
        if new is not None and new.sellable_id == item.sellable_id:
            # Pieces that a refund restocked are not taken again: only the change of the quantity counts.
            back = min(item.quantity - new.quantity, taken[item.id])
            if back:
                _move_line_stock(work, item, back)
                noted[item.id] = taken[item.id] - back
            continue
        product_stock.increase_stock(work, item.sellable_id, taken[item.id])
        if new is not None:
            noted[item.id] = (
                new.quantity if product_stock.reduce_stock(work, new.sellable_id, new.quantity) is not None else None
            )
    known = {item.id for item in before}
    for id, new in left.items():
        if (
            id not in known
            and new.sellable_id
            and product_stock.reduce_stock(work, new.sellable_id, new.quantity) is not None
        ):
            noted[id] = new.quantity
    meta_data.update_meta_for_owners(
        work, "order_item", LINE_STOCK_KEY, {id: _format_pieces(pieces) for id, pieces in noted.items()}
    )


def record_returned_pieces(work: UnitOfWork, line: int, pieces: int) -> int:
    """Record that pieces of a line were returned, and return how many of them it had taken from stock."""
    if not product_stock.is_stock_managed(work):
        return 0
    fields = meta_data.list_meta(work, "order_item", line)
    held = next((one for one in fields if one.key == LINE_STOCK_KEY), None)
    taken = (parse_digits(str(held.value)) if held is not None else None) or 0
    back = min(pieces, taken)
    if back > 0:
        value = str(taken - back)
        before = next((one for one in fields if one.key == _RESTOCKED_KEY), None)
        restored = back + ((parse_digits(str(before.value)) if before is not None else None) or 0)
        new_fields = [{"key": LINE_STOCK_KEY, "value": value}, {"key": _RESTOCKED_KEY, "value": str(restored)}]
        meta_data.update_meta(work, "order_item", line, new_fields)
    return max(back, 0)


def apply_stock_effect(
    work: UnitOfWork, order: Order, items: Sequence[OrderItem], meaning: OrderStatus
) -> tuple[Order, list[str], frozenset[int]]:
    """Return an order, the notes about stock, and the products already in the change log."""
    if meaning.stock == "taken" and not order.stock_taken:
        moves = [
            (item, product_stock.reduce_stock(work, item.sellable_id, item.quantity))
            for item in items
            if item.kind == LINE
        ]
        taken = {item.id: str(item.quantity) for item, change in moves if change is not None}
        meta_data.update_meta_for_owners(work, "order_item", LINE_STOCK_KEY, taken)
        stock_mails.enqueue_stock_mails(work, order.id, [change for _, change in moves if change is not None])
        order, word = msgspec.structs.replace(order, stock_taken=True), "Stock levels reduced"
    elif meaning.stock == "back" and order.stock_taken and product_stock.is_stock_managed(work):
        back = _load_taken_pieces(work, items)
        moves = [
            (item, product_stock.increase_stock(work, item.sellable_id, back[item.id]))
            for item in items
            if item.id in back
        ]
        meta_data.update_meta_for_owners(work, "order_item", LINE_STOCK_KEY, dict.fromkeys(back))
        order, word = msgspec.structs.replace(order, stock_taken=False), "Stock levels increased"
    else:
        return order, [], frozenset()
    said = [f"{item.name} ({change.before}&rarr;{change.after})" for item, change in moves if change is not None]
    noted = frozenset(change.product.id for _, change in moves if change is not None)
    return order, [f"{word}: {', '.join(said)}"] if said else [], noted


def _move_line_stock(work: UnitOfWork, item: OrderItem, pieces: int) -> None:
    if pieces > 0:
        product_stock.increase_stock(work, item.sellable_id, pieces)
    elif pieces < 0:
        product_stock.reduce_stock(work, item.sellable_id, -pieces)


def _load_taken_pieces(work: UnitOfWork, items: Sequence[OrderItem]) -> dict[int, int]:
    """Return how many pieces lines took from stock, by item id; lines that took none are left out."""
    fields = meta_data.load_meta_by_owner(work, "order_item", [item.id for item in items if item.kind == LINE])
    out: dict[int, int] = {}
    for id, metas in fields.items():
        written = next((str(meta.value) for meta in metas if meta.key == LINE_STOCK_KEY), "")
        sign = -1 if written.startswith("-") else 1
        if (pieces := parse_digits(written.removeprefix("-"))) is not None:
            out[id] = sign * pieces
    return out


def _format_pieces(pieces: int | None) -> str | None:
    return None if pieces is None else str(pieces)
