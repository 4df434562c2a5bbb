"""Effects of an order status: which there are, and among them dates, downloads, notes and mails.

Driven by the table in shop/orders/statuses.py. Each effect is recorded on the order, so that after any sequence of
statuses every count is as if only the last one had been set. Not here: stock (shop/orders/stock.py), sales
(shop/orders/sales_counts.py), uses of coupons (shop/orders/coupons.py). Rules: docs/rules/order_statuses.md, 1, 2, 3
and 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.customers import rules as customers
from vetrina.shop.downloads import rules as downloads
from vetrina.shop.mail import outbox
from vetrina.shop.orders import notes as order_notes
from vetrina.shop.orders.coupons import apply_coupon_effect, release_coupon_uses
from vetrina.shop.orders.model import LINE, Order, OrderItem
from vetrina.shop.orders.sales_counts import apply_sales_effect, release_sales
from vetrina.shop.orders.statuses import STATUS_NAMES, STATUSES_BY_SLUG, OrderStatus
from vetrina.shop.orders.stock import apply_stock_effect
from vetrina.shop.products import model as product_model
from vetrina.shop.settings import rules as settings

_PAID_NOTE: Final = "Payment complete."
_CASH_ON_DELIVERY: Final = "cod"  # cash on delivery


def apply_initial_status(work: UnitOfWork, order: Order, items: Sequence[OrderItem]) -> Order:
    """Return a new order that awaits payment: its coupons count as used, without other effects yet."""
    meaning = STATUSES_BY_SLUG.get(order.status)
    return order if meaning is None else apply_coupon_effect(work, order, items, meaning)


def apply_status(
    work: UnitOfWork, old: Order, items: Sequence[OrderItem], status: str, *, by_payment: bool = False
) -> Order:
    """Return an order with a new status and all of its effects.

    old: as it is stored. items: of the order. by_payment: whether it was paid, rather than changed by hand. The
    returned order is not stored yet, its items are.
    """
    if status == old.status:
        return old
    new = msgspec.structs.replace(old, status=status)
    meaning = STATUSES_BY_SLUG.get(status)
    said = (
        f"Order status changed from {STATUS_NAMES.get(old.status, old.status)} to {STATUS_NAMES.get(status, status)}."
    )
    if meaning is None:
        order_notes.create_order_notes(work, new.id, [said])
        return new
    new, moves, noted = apply_stock_effect(work, new, items, meaning)
    # The note about a payment precedes those of its effects; that about a manual change follows them.
    order_notes.create_order_notes(work, new.id, [_PAID_NOTE, *moves] if by_payment else [*moves, said])
    return _apply_status_effects(work, new, items, meaning, old.status, noted)


def _apply_status_effects(
    work: UnitOfWork, order: Order, items: Sequence[OrderItem], meaning: OrderStatus, before: str, noted: Iterable[int]
) -> Order:
    """Return an order with the effects of its status, except for stock.

    before: the previous status. noted: products already in the change log.
    """
    was = STATUSES_BY_SLUG.get(before)
    if meaning.sold or (was is not None and was.sold):
        # Products of an order that was never paid and is now cancelled were not sold in between.
        order = apply_sales_effect(work, order, items, meaning, noted)
    order = apply_coupon_effect(work, order, items, meaning)
    order = _apply_dates(work, order, items, meaning)
    if meaning.downloads is not None:
        downloads.sync_order_downloads(
            work, order, items, granted=meaning.downloads and _is_download_granted(work, meaning)
        )
    if meaning.completed and order.customer:
        customers.mark_customer_paying(work, order.customer)
    outbox.enqueue_status_mails(work, order, before)
    return order


def release_order_counts(work: UnitOfWork, order: Order, items: Sequence[OrderItem]) -> Order:
    """Return an order that is trashed or deleted: its coupon uses are released, its sales uncounted.

    Stock is not restored: the shop decides whether the products ever left.
    """
    return release_sales(work, release_coupon_uses(work, order, items), items)


def is_processing_needed(work: UnitOfWork, items: Sequence[OrderItem]) -> bool:
    """Return whether an order needs processing: not all of its products are virtual and downloadable."""
    lines = [item for item in items if item.kind == LINE]
    sold = product_model.load_cached_products(work, (item.sellable_id for item in lines))
    return any(
        (one := sold.get(item.sellable_id)) is not None and not (one.virtual and one.downloadable) for item in lines
    )


def compute_paid_status(work: UnitOfWork, order: Order, items: Sequence[OrderItem]) -> str:
    """Return the status of an order once it is paid; one that is paid on delivery is completed."""
    if order.payment_method == _CASH_ON_DELIVERY:
        return "completed"
    return "processing" if is_processing_needed(work, items) else "completed"


# -- the effects


def _apply_dates(work: UnitOfWork, order: Order, items: Sequence[OrderItem], meaning: OrderStatus) -> Order:
    if meaning.completed:
        order = msgspec.structs.replace(order, completed=work.now)
    if order.paid is None and (meaning.completed or order.status == compute_paid_status(work, order, items)):
        return msgspec.structs.replace(order, paid=work.now)
    return order


def _is_download_granted(work: UnitOfWork, meaning: OrderStatus) -> bool:
    """Return whether a status grants downloads: completed always, processing by a setting."""
    return meaning.completed or settings.is_setting_on(work, "shop_downloads_grant_access_after_payment")
