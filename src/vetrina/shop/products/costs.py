"""The cost of goods: of products as they are set, of order lines as they were sold.

A line keeps the cost of its pieces from when it was created; a changed quantity uses the same cost per piece, another
product its own. A refund returns the cost of its pieces. All of it only while the shop tracks costs
(`is_cost_enabled`): otherwise nothing is returned or written, and what was written before is kept. Not here: what a
customer pays (shop/products/prices.py, shop/orders/totals.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, delete, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, build_upsert, encode_list
from vetrina.backends.tables.catalogue import product_cost
from vetrina.backends.tables.orders import order_item, order_item_cost
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.errors import Fault, InvalidParam
from vetrina.shop.orders.model import LINE, OrderItem
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import Product
from vetrina.shop.settings import rules as settings

MEMBER: Final = "cost_of_goods_sold"
_SETTING: Final = "shop_feature_cost_of_goods_sold_enabled"
_MAX_COST: Final = money.MAX_AMOUNT - 1

_OF_PRODUCTS = Statement(
    select(product_cost.c.record, product_cost.c.value, product_cost.c.is_additive).where(
        InList(product_cost.c.record, "ids")
    )
)
_PUT = Statement(
    build_upsert(
        product_cost,
        keys=("record",),
        values={name: bindparam(name) for name in ("record", "value", "is_additive")},
        changes={name: bindparam(name) for name in ("value", "is_additive")},
    )
)
_OF_ITEMS = Statement(
    select(order_item_cost.c.item, order_item_cost.c.value).where(InList(order_item_cost.c.item, "ids"))
)
_OF_OWNERS = Statement(
    select(order_item.c.owner, order_item_cost.c.item, order_item_cost.c.value)
    .join_from(order_item_cost, order_item, order_item.c.id == order_item_cost.c.item)
    .where(InList(order_item.c.owner, "owners"))
)
_PUT_ITEM = Statement(
    build_upsert(
        order_item_cost,
        keys=("item",),
        values={"item": bindparam("item"), "value": bindparam("value")},
        changes={"value": bindparam("value")},
    )
)
_DROP = Statement(delete(product_cost).where(product_cost.c.record == bindparam("of")))


class CostOfGoods(NamedTuple):
    """The cost of a piece to the shop. own: None where it is not set. parent_cost: that of a variation's product."""

    own: Decimal | None = None
    is_additive: bool = False
    parent_cost: Decimal = money.ZERO

    @property
    def effective(self) -> Decimal:
        """Return the cost set on the item itself, zero where none is set."""
        return money.ZERO if self.own is None else self.own

    @property
    def total(self) -> Decimal:
        """Return the cost of a piece: that of a variation adds to its product's, replaces it, or is not set."""
        return self.parent_cost + self.effective if self.is_additive or self.own is None else self.own


def is_cost_enabled(work: UnitOfWork) -> bool:
    """Return whether the shop tracks the cost of goods."""
    return settings.is_setting_on(work, _SETTING)


def load_product_costs(work: UnitOfWork, products: Iterable[Product]) -> dict[int, CostOfGoods]:
    """Return the costs of products and variations by id, in one query."""
    wanted = {one.id: one.parent if one.is_variation else 0 for one in products}
    ids = {id for pair in wanted.items() for id in pair if id}
    rows = {row[0]: row for row in work.tx.all(_OF_PRODUCTS, ids=encode_list(ids))} if ids else {}

    def said(id: int) -> Decimal | None:
        return money.decode_amount(rows[id][1]) if id in rows and rows[id][1] is not None else None

    return {
        id: CostOfGoods(said(id), bool(above and id in rows and rows[id][2]), said(above) or money.ZERO)
        for id, above in wanted.items()
    }


def save_product_cost(work: UnitOfWork, one: Product, given: Any) -> None:
    """Store the cost in a write of a product. given: the member; nothing is stored while the shop does not track costs.

    Zero unsets the cost of a product; a variation may cost zero where its product does not. Raises InvalidParam.
    """
    if is_cost_enabled(work):
        store_product_cost(work, one, given)


def store_product_cost(work: UnitOfWork, one: Product, given: Any) -> None:
    """Store the cost in a write of a product, whether the shop tracks costs or not. Raises InvalidParam."""
    if not isinstance(given, Mapping):
        return
    before = load_product_costs(work, (one,))[one.id]
    own = before.own
    if isinstance(values := given.get("values"), list):
        costs = [value.get("defined_value") for value in values if isinstance(value, Mapping)]
        amounts = [money.parse_amount(str(value)) for value in costs if value is not None]
        total = sum((amount for amount in amounts if amount is not None), money.ZERO)
        if None in amounts or abs(total) > _MAX_COST:
            raise InvalidParam({MEMBER: Fault("rest_invalid_param", f"No cost may reach {money.MAX_AMOUNT:f}.")})
        own = total if amounts and (total or one.is_variation) else None
    additive = given.get("defined_value_is_additive")
    is_additive = additive if isinstance(additive, bool) and one.is_variation else before.is_additive
    if own is None and not is_additive:
        work.tx.run(_DROP, of=one.id)
    else:
        work.tx.run(
            _PUT, record=one.id, value=None if own is None else money.encode_amount(own), is_additive=is_additive
        )
    work.note(one.record.type, one.id, "changed")


def copy_product_cost(work: UnitOfWork, old: Product, new: Product) -> None:
    """Copy the cost of a product to its copy."""
    kept = load_product_costs(work, (old,))[old.id]
    if kept.own is not None or kept.is_additive:
        value = None if kept.own is None else money.encode_amount(kept.own)
        work.tx.run(_PUT, record=new.id, value=value, is_additive=kept.is_additive)


# -- lines of orders


def save_line_costs(work: UnitOfWork, before: Sequence[OrderItem], items: Sequence[OrderItem]) -> None:
    """Store the costs of the lines of an order that are new or changed."""
    if not is_cost_enabled(work):
        return
    old = {item.id: item for item in before}
    changed = [item for item in items if item.kind == LINE and _is_line_changed(old.get(item.id), item)]
    if not changed:
        return
    kept = _load_item_costs(work, [item.id for item in changed if item.id in old])
    goods = product_model.load_cached_products(work, [item.sellable_id for item in changed])
    pieces = load_product_costs(work, goods.values())
    values = {}
    for item in changed:
        was = old.get(item.id)
        if was is not None and was.quantity and was.sellable_id == item.sellable_id and item.id in kept:
            values[item.id] = kept[item.id] * item.quantity / was.quantity
        elif item.sellable_id in pieces:
            values[item.id] = pieces[item.sellable_id].total * item.quantity
    save_item_costs(work, values)


def save_refund_costs(work: UnitOfWork, before: Sequence[OrderItem], items: Sequence[OrderItem]) -> None:
    """Store the negative costs of a refund's pieces. before: the items of the order; items: of the refund."""
    if not is_cost_enabled(work):
        return
    sold = {item.id: item for item in before}
    kept = _load_item_costs(work, sold)
    back = {item.id: (item, sold.get(item.details["of"])) for item in items if item.kind == LINE}
    save_item_costs(
        work,
        {
            id: kept[was.id] * item.quantity / was.quantity
            for id, (item, was) in back.items()
            if was is not None and was.quantity and was.id in kept
        },
    )


def load_costs_by_owner(work: UnitOfWork, owners: Iterable[int]) -> dict[int, dict[int, Decimal]]:
    """Return the costs of the items of orders and refunds, by owner and item, in one query."""
    found: dict[int, dict[int, Decimal]] = {owner: {} for owner in owners}
    if found:
        for owner, item, value in work.tx.all(_OF_OWNERS, owners=encode_list(found)):
            found[owner][item] = money.decode_amount(value)
    return found


def _is_line_changed(before: OrderItem | None, item: OrderItem) -> bool:
    return before is None or (before.sellable_id, before.quantity) != (item.sellable_id, item.quantity)


def _load_item_costs(work: UnitOfWork, ids: Iterable[int]) -> dict[int, Decimal]:
    wanted = list(ids)
    return (
        {id: money.decode_amount(value) for id, value in work.tx.all(_OF_ITEMS, ids=encode_list(wanted))}
        if wanted
        else {}
    )


def save_item_costs(work: UnitOfWork, values: Mapping[int, Decimal]) -> None:
    # A cost that is out of range must not block an order.
    rows = [
        {"item": id, "value": money.encode_amount(max(-_MAX_COST, min(_MAX_COST, value)))}
        for id, value in values.items()
    ]
    if rows:
        work.tx.run_each(_PUT_ITEM, rows)
