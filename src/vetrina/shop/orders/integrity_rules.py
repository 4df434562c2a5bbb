"""Integrity checks of sales: orders and their items, refunds, coupons, carts."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import and_, delete, exists, func, literal, or_, select, union_all

from vetrina.backends import order_search_index
from vetrina.backends.database import Statement
from vetrina.backends.tables.carts import shop_cart
from vetrina.backends.tables.orders import coupon, coupon_use, order_item, order_tally, shop_order, shop_refund
from vetrina.core.integrity.rule import IntegrityRule, build_row_iterator, build_select_rule
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.shop.orders import tallies
from vetrina.shop.orders.model import FEE, LINE, SHIPPING
from vetrina.shop.settings import rules as settings
from vetrina.shop.system import recompute

_owned = or_(*(exists().where(table.c.id == order_item.c.owner) for table in (shop_order, shop_refund)))
_REMOVE_ITEMS = Statement(delete(order_item).where(~_owned))

# -- amounts

_sums = (
    select(order_item.c.owner, func.sum(order_item.c.total).label("total"), func.count().label("number"))
    .where(or_(*(order_item.c.kind == kind for kind in (LINE, SHIPPING, FEE))))
    .group_by(order_item.c.owner)
    .subquery()
)
_AMOUNTS = build_row_iterator(
    select(
        shop_order.c.id, shop_order.c.total, shop_order.c.total_tax, func.coalesce(_sums.c.total, 0),
        func.coalesce(_sums.c.number, 0),
    ).outerjoin(_sums, _sums.c.owner == shop_order.c.id),
    shop_order.c.id,
)  # fmt: skip


def _iterate_wrong_totals(work: UnitOfWork) -> Iterator[str]:
    # Items and their taxes are rounded one by one: allow the currency's smallest unit for each of them.
    unit = int(10 ** (6 - settings.get_price_decimals(work)))
    for id, total, tax, items, number in _AMOUNTS(work):
        if abs(total - tax - items) > unit * (number + 2):
            yield (
                f"order {id} is {_format_amount(total)} with {_format_amount(tax)} of tax; its "
                f"items come to {_format_amount(items)}"
            )


def _format_amount(amount: int) -> str:
    return money.format_amount(money.decode_amount(amount), 2)


_refunded = (
    select(shop_refund.c.order, func.sum(shop_refund.c.amount).label("amount")).group_by(shop_refund.c.order).subquery()
)

_tallied = select(shop_order.c.status, func.count().label("number")).group_by(shop_order.c.status).subquery()
_MISCOUNTED = union_all(
    select(order_tally.c.status, order_tally.c.count, func.coalesce(_tallied.c.number, 0))
    .outerjoin(_tallied, _tallied.c.status == order_tally.c.status)
    .where(order_tally.c.count != func.coalesce(_tallied.c.number, 0)),
    select(_tallied.c.status, literal(0), _tallied.c.number).where(
        ~exists().where(order_tally.c.status == _tallied.c.status)
    ),
)

# -- coupons

_uses = select(func.count()).where(coupon_use.c.coupon == coupon.c.id).scalar_subquery()
# Uses of no order came with their coupon from another site.
_ORPHANED_USE = and_(coupon_use.c.order != 0, ~exists().where(shop_order.c.id == coupon_use.c.order))
_REMOVE_USES = Statement(delete(coupon_use).where(_ORPHANED_USE))


def _delete_orphaned_uses(work: UnitOfWork) -> None:
    work.tx.run(_REMOVE_USES)
    recompute.recompute_coupon_uses(work)


# -- searches


def _iterate_unfound_orders(work: UnitOfWork) -> Iterator[str]:
    return (f"order {id} is found by {key[:40]!r}" for id, key in recompute.iterate_stale_search_keys(work))


def _iterate_index_faults(work: UnitOfWork) -> Iterator[str]:
    fault = order_search_index.find_mark_fault(work.tx)
    if fault is not None:
        yield fault
    yield from (f"the index has not what order {id} says" for id in order_search_index.list_misread_orders(work.tx))


def _reindex_orders(work: UnitOfWork) -> None:
    order_search_index.repair_mark(work.tx)
    for id in order_search_index.list_misread_orders(work.tx):
        work.note("order", id, "changed")


RULES: tuple[IntegrityRule, ...] = (
    build_select_rule(
        "order-items",
        "Items belong to an order or a refund.",
        select(order_item.c.id, order_item.c.kind, order_item.c.owner).where(~_owned),
        "{1} {0} is of {2}",
        "`--repair` removes them.",
        lambda work: work.tx.run(_REMOVE_ITEMS),
    ),
    build_select_rule(
        "order-tallies",
        "Totals of lists of orders are known.",
        _MISCOUNTED,
        "of orders in {0}, {1} are known; there are {2}",
        "`--repair` counts them again.",
        lambda work: tallies.recount_tallies(work.tx),
    ),
    IntegrityRule(
        "order-totals",
        "An order comes to what its items come to.",
        _iterate_wrong_totals,
        "Write the order's items once more, which counts it again, or put a backup back.",
    ),
    build_select_rule(
        "refunds",
        "No more is paid back than an order came to.",
        select(shop_order.c.id, _refunded.c.amount / 1000000.0, shop_order.c.total / 1000000.0)
        .join(_refunded, _refunded.c.order == shop_order.c.id)
        .where(_refunded.c.amount > func.abs(shop_order.c.total)),
        "order {0} came to {2:.2f}, and {1:.2f} was paid back",
        "Remove the refund that is too much.",
    ),
    build_select_rule(
        "coupon-uses",
        "Uses of coupons are by orders that are there.",
        select(coupon_use.c.id, coupon_use.c.coupon, coupon_use.c.order).where(_ORPHANED_USE),
        "use {0} of coupon {1} is by order {2}",
        "`--repair` removes them.",
        _delete_orphaned_uses,
    ),
    build_select_rule(
        "coupon-counts",
        "A coupon counts its uses.",
        select(coupon.c.id, coupon.c.usage_count, _uses).where(coupon.c.usage_count != _uses),
        "coupon {0} counts {1}; there are {2}",
        "`--repair` counts them again.",
        recompute.recompute_coupon_uses,
    ),
    build_select_rule(
        "once-counted",
        "A coupon is used once by an order.",
        select(coupon_use.c.order, coupon_use.c.coupon, func.count())
        .where(coupon_use.c.order != 0)
        .group_by(coupon_use.c.order, coupon_use.c.coupon)
        .having(func.count() > 1),
        "order {0} uses coupon {1} {2} times",
        "Remove all but one of the uses.",
    ),
    IntegrityRule(
        "folded-orders",
        "What orders are found by follows from them.",
        _iterate_unfound_orders,
        "`--repair` writes it again.",
        recompute.recompute_order_search_keys,
    ),
    IntegrityRule(
        "order-index",
        "The index of searches among orders has what every order says.",
        _iterate_index_faults,
        "`--repair` lets the index read those orders once more.",
        _reindex_orders,
    ),
    build_select_rule(
        "carts",
        "The draft of a cart is an order.",
        select(shop_cart.c.key, shop_cart.c.draft).where(
            shop_cart.c.draft != 0, ~exists().where(shop_order.c.id == shop_cart.c.draft)
        ),
        "a cart's draft is order {1}",
        "The next checkout makes another one; nothing needs to be done.",
    ),
)
