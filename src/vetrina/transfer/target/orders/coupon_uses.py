"""Which orders the uses of coupons are of, when all have come: as often used as in the source, each use its order's.

A coupon comes with its uses, by whom; an order with its coupons. Where an order is paid, they count; a status as
`refunded` says nothing, and the order may have been begun with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from sqlalchemy import bindparam, exists, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.orders import coupon_use, order_item, shop_order
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.coupons import uses as coupon_uses
from vetrina.shop.orders import model as order_model, statuses as order_statuses
from vetrina.shop.orders.coupons import build_order_buyer
from vetrina.shop.orders.model import COUPON, Order

_UNCERTAIN: Final = frozenset(
    slug for slug, meaning in order_statuses.STATUSES_BY_SLUG.items() if meaning.coupons is None
)
_CERTAIN: Final = frozenset({*order_statuses.STATUSES_BY_SLUG, order_statuses.TRASH}) - _UNCERTAIN
_of_order = (coupon_use.c.order == order_item.c.owner) & (coupon_use.c.coupon == order_item.c.reference)
_UNUSED = Statement(
    select(order_item.c.owner, order_item.c.reference)
    .join_from(order_item, shop_order, shop_order.c.id == order_item.c.owner)
    .where(
        order_item.c.kind == COUPON, order_item.c.reference > 0, shop_order.c.coupons_counted == bindparam("counted"),
        ~exists().where(_of_order),
    )
    .order_by(order_item.c.owner, order_item.c.id)
)  # fmt: skip


def settle_coupon_uses(work: UnitOfWork) -> None:
    """Give the uses that are no order's yet to the orders that have the coupons."""
    for order, coupon in _list_unused(work, counted=False):
        by = build_order_buyer(order).name
        if order.status not in _CERTAIN and coupon_uses.claim_coupon_use(work, coupon, order.id, by):
            order_model.STORE.update(work.tx, order, msgspec.structs.replace(order, coupons_counted=True))
    for order, coupon in _list_unused(work, counted=True):
        if not coupon_uses.claim_coupon_use(work, coupon, order.id):
            coupon_uses.record_coupon_use(work, coupon, order.id, build_order_buyer(order).name)


def _list_unused(work: UnitOfWork, *, counted: bool) -> Iterator[tuple[Order, int]]:
    """Give the orders with coupons of which no use is theirs. counted: whether their coupons count as used."""
    for id, coupon in work.tx.all(_UNUSED, counted=counted):
        order = order_model.STORE.find(work.tx, id)
        if order is not None:
            yield order, coupon
